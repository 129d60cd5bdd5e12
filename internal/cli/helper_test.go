package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	goruntime "runtime"
	"strings"
	"testing"
	"time"

	"github.com/runx-go/runx/internal/runtime"
	"github.com/runx-go/runx/internal/sandbox"
	"go.uber.org/goleak"
)

// helperArg is the first argument of the test binary when it plays a program: helperArg, then the
// name of the program, then its arguments.
const helperArg = "-cli-helper"

func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == helperArg {
		code := helper(os.Args[2], os.Args[3:])
		os.Stderr.Close() // a binary with coverage would write to it at its end
		os.Exit(code)
	}
	goleak.VerifyTestMain(m)
}

// helper plays a program and returns its exit code.
func helper(name string, args []string) int {
	switch name {
	case "print": // STDOUT STDERR
		fmt.Fprint(os.Stdout, args[0])
		fmt.Fprint(os.Stderr, args[1])
	case "sleep":
		fmt.Println("started")
		time.Sleep(10 * time.Minute)
	default:
		panic("no helper " + name)
	}
	return 0
}

// world is a workspace, the user's configuration and the facts of a process in it.
type world struct {
	workspace, config string
	host              sandbox.Host
	streams           IO // In, Out and Err are set by main when nil
}

func newWorld(t testing.TB, env ...string) *world {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{workspace: filepath.Join(root, "work"), config: filepath.Join(root, "config")}
	w.write(t, filepath.Join(w.workspace, ".keep"), "")
	if goruntime.GOOS == "windows" {
		env = append(env, "SystemRoot="+os.Getenv("SystemRoot"))
	}
	w.host = sandbox.Host{OS: goruntime.GOOS, Dir: w.workspace, Env: env, UserConfigDir: w.config, ArgEnvLimit: 1 << 20}
	return w
}

func (w *world) write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// pack writes the package pack, whose runner plays a program.
func (w *world) pack(t testing.TB, args ...string) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	line, err := json.Marshal(append([]string{helperArg}, args...))
	if err != nil {
		t.Fatal(err)
	}
	command, err := json.Marshal(exe)
	if err != nil {
		t.Fatal(err)
	}
	w.write(t, filepath.Join(w.workspace, "pack", "SKILL.md"), "---\nname: pack\n---\nRead.\n")
	w.write(t, filepath.Join(w.workspace, "pack", "X.yaml"),
		fmt.Sprintf("runners:\n  main:\n    type: cli-tool\n    command: %s\n    args: %s\n    inputs: {text: {}}\n", command, line))
}

// console is what a command shares, for tests below Main.
func (w *world) console() *console {
	return &console{host: w.host, io: w.streams, out: &stdout{Writer: io.Discard}, err: io.Discard}
}

// ending is how one command line ended.
type ending struct {
	code     int
	out, err string
}

func (w *world) main(t testing.TB, stdin string, args ...string) ending {
	t.Helper()
	return w.mainCtx(t, t.Context(), stdin, args...)
}

func (w *world) mainCtx(t testing.TB, ctx context.Context, stdin string, args ...string) ending {
	t.Helper()
	var out, errs bytes.Buffer
	streams := w.streams
	if streams.In == nil {
		streams.In = strings.NewReader(stdin)
	}
	if streams.Out == nil {
		streams.Out = &out
	}
	if streams.Err == nil {
		streams.Err = &errs
	}
	code := Main(ctx, w.host, Build{Version: "1.2.3"}, args, streams)
	return ending{code, out.String(), errs.String()}
}

// fault reads an error document; "" when the text is none, or not alone.
func (e ending) fault() string {
	var doc struct {
		Error runtime.Fault `json:"error"`
	}
	if !strings.HasSuffix(e.out, "}\n") || strings.Count(e.out, "\n") != 1 || json.Unmarshal([]byte(e.out), &doc) != nil {
		return ""
	}
	return doc.Error.Code
}

// wantFault checks the class and the code of an error.
func wantFault(t testing.TB, err error, class runtime.Class, code string) *runtime.Error {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want %s", code)
	}
	fault := asError(t.Context(), err)
	if fault.Class != class || fault.Code != code {
		t.Fatalf("error %+v (%v), want class %d, code %s", fault, err, class, code)
	}
	return fault
}

var errBroken = errors.New("broken")
