package main

import (
	"fmt"
	"os"
	"path/filepath"
	goruntime "runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// scriptDir holds one script a behaviour, and in packages/ what every script finds in its workspace.
var scriptDir = filepath.Join("..", "..", "testdata", "script")

// scriptPrograms are the programs that scripts start: this test binary under other names.
func scriptPrograms() map[string]func() {
	return map[string]func(){
		"runx": main,
		// os.Exit would wait a second under the race detector, in every child of every run.
		"abiprobe": func() {
			syscall.Exit(probeMain(os.Args[1:], os.Environ(), os.Stdin, os.Stdout, os.Stderr))
		},
	}
}

// TestScripts runs the program as a user does: as a process with its own home, configuration and
// workspace, whose PATH holds nothing but runx and abiprobe.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Files:               scriptFiles(t),
		Setup:               setupScript,
		Condition:           scriptCondition,
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"alive":     cmdAlive,
			"base64":    cmdBase64,
			"bigfile":   cmdBigfile,
			"code":      cmdCode,
			"edit":      cmdEdit,
			"events":    cmdEvents,
			"held":      cmdHeld,
			"holds":     cmdHolds,
			"jsoncmp":   cmdJSONCmp,
			"jsonhas":   cmdJSONHas,
			"jsonmatch": cmdJSONMatch,
			"manual":    cmdManual,
			"mode":      cmdMode,
			"noreader":  cmdNoReader,
			"only":      cmdOnly,
			"receiptid": cmdReceiptID,
			"sendsig":   cmdSendSignal,
		},
	})
}

// scriptFiles lists the scripts that this system can run; the end of a name says which.
func scriptFiles(t *testing.T) []string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(scriptDir, "*.txtar"))
	if err != nil || len(all) == 0 {
		t.Fatalf("no scripts in %s (%v)", scriptDir, err)
	}
	return slices.DeleteFunc(all, func(path string) bool {
		name := strings.TrimSuffix(filepath.Base(path), ".txtar")
		windows := goruntime.GOOS == "windows"
		return strings.HasSuffix(name, "_unix") && windows || strings.HasSuffix(name, "_windows") && !windows ||
			strings.HasSuffix(name, "_linux") && goruntime.GOOS != "linux"
	})
}

// Every script has these names and files. They are found again in what runx prints: a path of the
// script is below WORK or HOME.
func setupScript(env *testscript.Env) error {
	home, err := os.MkdirTemp("", "runx-home")
	if err != nil {
		return err
	}
	env.Defer(func() {
		if err := os.RemoveAll(home); err != nil {
			env.T().Fatal(err)
		}
	})
	env.Defer(func() { checkLeftovers(env, home) })
	env.Values[lastDocument{}] = &lastDocument{}
	repo, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		return err
	}
	bin, _, _ := strings.Cut(os.Getenv("PATH"), string(os.PathListSeparator))
	for name, value := range map[string]string{
		"HOME": home, "USERPROFILE": home, "AppData": filepath.Join(home, ".config"),
		"XDG_CONFIG_HOME": filepath.Join(home, ".config"), "CONFIG": filepath.Join(home, ".config", "runx"),
		"REPO": repo, "GORACE": "atexit_sleep_ms=0", "PATH": bin, "BIN": bin, "SHELLPATH": bin + string(os.PathListSeparator) + os.Getenv("PATH"),
	} {
		env.Setenv(name, value)
	}
	if goruntime.GOOS == "windows" {
		env.Setenv("SystemRoot", os.Getenv("SystemRoot"))
	}
	return os.CopyFS(env.WorkDir, os.DirFS(filepath.Join(scriptDir, "packages")))
}

// scriptCondition knows the reasons for which a line or a script may not run here.
func scriptCondition(name string) (bool, error) {
	switch name {
	case "root": // file modes stop nobody who is root
		return os.Getuid() == 0, nil
	case "sh": // the scaffold of skill new is a shell script on Unix
		for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
			if info, err := os.Stat(filepath.Join(dir, "sh")); err == nil && !info.IsDir() {
				return true, nil
			}
		}
		return false, nil
	}
	return false, fmt.Errorf("no condition is called %q", name)
}
