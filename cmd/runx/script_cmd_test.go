package main

import (
	"bytes"
	"encoding/base64"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	goruntime "runtime"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// cmdCode runs a program and asserts its exit code: code N PROGRAM [ARG…].
func cmdCode(ts *testscript.TestScript, neg bool, args []string) {
	want, args := wantedCode(ts, neg, args, "code N PROGRAM [ARG…]")
	err := ts.Exec(args[0], args[1:]...)
	checkEnd(ts, want, err, args, ts.ReadFile("stdout"), ts.ReadFile("stderr"))
}

func wantedCode(ts *testscript.TestScript, neg bool, args []string, usage string) (int, []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: %s", usage)
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	return want, args[1:]
}

func checkEnd(ts *testscript.TestScript, want int, err error, args []string, stdout, stderr string) {
	got := 0
	if end, ok := errors.AsType[*exec.ExitError](err); ok {
		got = end.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("%v ended with %d, not %d\n[stdout]\n%s[stderr]\n%s", args, got, want, stdout, stderr)
	}
	if args[0] == "runx" {
		ts.Check(checkPrinted(args[1:], got, stdout, stderr))
	}
}

// background starts a program in the script's directory and environment, with nothing at stdin.
func background(ts *testscript.TestScript, args []string) (cmd *exec.Cmd, stdout, stderr *bytes.Buffer) {
	program := filepath.Join(ts.Getenv("BIN"), args[0])
	cmd = exec.Command(program, args[1:]...)
	cmd.Dir, cmd.Env = ts.MkAbs("."), scriptEnv(ts)
	stdout, stderr = &bytes.Buffer{}, &bytes.Buffer{}
	cmd.Stdout, cmd.Stderr = stdout, stderr
	cmd.WaitDelay = 20 * time.Second
	return cmd, stdout, stderr
}

// scriptEnv is what background programs get; scripts set nothing else for them.
func scriptEnv(ts *testscript.TestScript) []string {
	var env []string
	for _, name := range []string{"PATH", "HOME", "USERPROFILE", "AppData", "XDG_CONFIG_HOME", "TMPDIR", "TEMP", "TMP", "SystemRoot", "GOCOVERDIR", "GORACE", "ACME_TOKEN"} {
		if value := ts.Getenv(name); value != "" {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// cmdHeld runs a program whose stdin is a pipe that stays open and silent: held N MILLISECONDS
// PROGRAM [ARG…]. It must end with code N within the time.
func cmdHeld(ts *testscript.TestScript, neg bool, args []string) {
	want, args := wantedCode(ts, neg, args, "held N MILLISECONDS PROGRAM [ARG…]")
	limit, args := wantedCode(ts, neg, args, "held N MILLISECONDS PROGRAM [ARG…]")
	cmd, stdout, stderr := background(ts, args)
	read, write, err := os.Pipe()
	ts.Check(err)
	defer write.Close()
	cmd.Stdin = read
	began := time.Now()
	err = cmd.Start()
	ts.Check(errors.Join(err, read.Close()))
	timer := time.AfterFunc(time.Duration(limit)*time.Millisecond+10*time.Second, func() { _ = cmd.Process.Kill() })
	err = cmd.Wait()
	timer.Stop()
	if took := time.Since(began); took > time.Duration(limit)*time.Millisecond {
		ts.Fatalf("%v took %v", args, took)
	}
	show(ts, stdout, stderr)
	checkEnd(ts, want, err, args, stdout.String(), stderr.String())
}

// cmdNoReader runs a program whose stdout nobody reads: noreader N PROGRAM [ARG…].
func cmdNoReader(ts *testscript.TestScript, neg bool, args []string) {
	want, args := wantedCode(ts, neg, args, "noreader N PROGRAM [ARG…]")
	cmd, _, stderr := background(ts, args)
	read, write, err := os.Pipe()
	ts.Check(errors.Join(err, read.Close()))
	cmd.Stdout = write
	err = cmd.Start()
	ts.Check(errors.Join(err, write.Close()))
	timer := time.AfterFunc(20*time.Second, func() { _ = cmd.Process.Kill() })
	err = cmd.Wait()
	timer.Stop()
	show(ts, &bytes.Buffer{}, stderr)
	checkEnd(ts, want, err, []string{"no reader"}, "", stderr.String())
}

// cmdSendSignal runs a program, waits for a file, sends signals to that process alone and asserts
// how it ends: sendsig N SIGNAL[,SIGNAL] FILE PROGRAM [ARG…].
func cmdSendSignal(ts *testscript.TestScript, neg bool, args []string) {
	want, args := wantedCode(ts, neg, args, "sendsig N SIGNAL FILE PROGRAM [ARG…]")
	if len(args) < 3 {
		ts.Fatalf("usage: sendsig N SIGNAL FILE PROGRAM [ARG…]")
	}
	signals, file := strings.Split(args[0], ","), ts.MkAbs(args[1])
	args = args[2:]
	cmd, stdout, stderr := background(ts, args)
	ts.Check(cmd.Start())
	timer := time.AfterFunc(30*time.Second, func() { _ = cmd.Process.Kill() })
	defer timer.Stop()
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		if _, err := os.Stat(file); err == nil {
			break
		}
		if time.Now().After(deadline) {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
			ts.Fatalf("%s never came\n[stderr]\n%s", args, stderr)
		}
	}
	began := time.Now()
	for _, name := range signals {
		ts.Check(sendSignal(cmd.Process, name))
	}
	err := cmd.Wait()
	if took := time.Since(began); took > 15*time.Second { // 2 s, and room for a busy machine; the tree lives 90 s
		ts.Fatalf("%v ended %v after the signal", args, took)
	}
	show(ts, stdout, stderr)
	checkEnd(ts, want, err, args, stdout.String(), stderr.String())
}

// show makes the output of a background program that of the script, for stdout, stderr and cmp.
func show(ts *testscript.TestScript, stdout, stderr *bytes.Buffer) {
	for _, stream := range []struct {
		write func([]byte) (int, error)
		text  *bytes.Buffer
	}{{ts.Stdout().Write, stdout}, {ts.Stderr().Write, stderr}} {
		_, err := stream.write(stream.text.Bytes())
		ts.Check(err)
	}
}

// cmdAlive asserts that all processes that a probe reported still exist: alive FILE, where FILE holds
// a line {"pids":[…]}. Negated: that none does, a moment later at most: they are gone when runx returns, and a busy system may
// still have to collect them.
func cmdAlive(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: alive FILE")
	}
	line, _, _ := strings.Cut(ts.ReadFile(args[0]), "\n")
	document, err := oneDocument([]byte(line))
	ts.Check(err)
	report, _ := document.(map[string]any)
	pids, _ := report["pids"].([]any)
	if len(pids) == 0 {
		ts.Fatalf("no pids in %s", line)
	}
	for _, one := range pids {
		pid, err := strconv.Atoi(one.(interface{ String() string }).String())
		ts.Check(err)
		deadline := time.Now().Add(5 * time.Second)
		for neg && alive(pid) && time.Now().Before(deadline) {
			time.Sleep(5 * time.Millisecond)
		}
		if alive(pid) == neg {
			ts.Fatalf("process %d: alive is %v", pid, neg)
		}
	}
}

// cmdHolds asserts that a text stands in stdout, stderr, a file or any file below a directory, by
// itself, in base64 or URL-encoded: holds TEXT PLACE…. Negated: in no place of them.
func cmdHolds(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: holds TEXT PLACE…")
	}
	forms := []string{args[0], base64.StdEncoding.EncodeToString([]byte(args[0])), url.QueryEscape(args[0])}
	found, looked := "", 0
	look := func(place, text string) {
		looked++
		for _, form := range forms {
			if strings.Contains(text, form) {
				found = place
			}
		}
	}
	for _, place := range args[1:] {
		if place == "stdout" || place == "stderr" {
			look(place, ts.ReadFile(place))
			continue
		}
		ts.Check(filepath.WalkDir(ts.MkAbs(place), func(path string, entry fs.DirEntry, err error) error {
			if err != nil || !entry.Type().IsRegular() {
				return err
			}
			data, err := os.ReadFile(path)
			look(path, string(data))
			return err
		}))
	}
	if looked == 0 {
		ts.Fatalf("nothing to look at in %v", args[1:])
	}
	if neg && found != "" {
		ts.Fatalf("%s holds %q", found, args[0])
	}
	if !neg && found == "" {
		ts.Fatalf("no place holds %q", args[0])
	}
}

// cmdOnly asserts the names of a directory, sorted: only DIR [NAME…]. Without names it is empty.
func cmdOnly(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: only DIR [NAME…]")
	}
	entries, err := os.ReadDir(ts.MkAbs(args[0]))
	ts.Check(err)
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	if got, want := strings.Join(names, " "), strings.Join(args[1:], " "); got != want {
		ts.Fatalf("%s holds %q, not %q", args[0], got, want)
	}
}

// cmdMode asserts the permissions of a file on Unix: mode 600 FILE.
func cmdMode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: mode OCTAL FILE")
	}
	want, err := strconv.ParseUint(args[0], 8, 32)
	ts.Check(err)
	info, err := os.Stat(ts.MkAbs(args[1]))
	ts.Check(err)
	if got := info.Mode().Perm(); goruntime.GOOS != "windows" && got != fs.FileMode(want) {
		ts.Fatalf("%s has mode %o, not %s", args[1], got, args[0])
	}
}

// cmdManual writes the smallest manual of a package: manual DIR…. The name is that of the directory.
func cmdManual(ts *testscript.TestScript, neg bool, args []string) {
	for _, dir := range args {
		path := ts.MkAbs(dir)
		ts.Check(os.MkdirAll(path, 0o755))
		text := "---\nname: " + filepath.Base(path) + "\ndescription: A package of a script.\n---\n\nManual.\n"
		ts.Check(os.WriteFile(filepath.Join(path, "SKILL.md"), []byte(text), 0o644))
	}
}

// cmdBase64 writes exact bytes: base64 FILE TEXT….
func cmdBase64(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: base64 FILE TEXT")
	}
	data, err := base64.StdEncoding.DecodeString(args[1])
	ts.Check(err)
	path := ts.MkAbs(args[0])
	ts.Check(os.MkdirAll(filepath.Dir(path), 0o755))
	ts.Check(os.WriteFile(path, data, 0o644))
}

// cmdBigfile writes a file of exactly N bytes: bigfile FILE N [HEAD] [TAIL]. Between head and tail
// stand as many x.
func cmdBigfile(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 || len(args) > 4 {
		ts.Fatalf("usage: bigfile FILE N [HEAD] [TAIL]")
	}
	size, err := strconv.Atoi(args[1])
	ts.Check(err)
	args = append(args, "", "")
	head, tail := args[2], args[3]
	text := head + strings.Repeat("x", size-len(head)-len(tail)) + tail
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o644))
}

// cmdEdit replaces a text that stands in a file exactly once: edit FILE OLD NEW.
func cmdEdit(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: edit FILE OLD NEW")
	}
	text := ts.ReadFile(args[0])
	if strings.Count(text, args[1]) != 1 {
		ts.Fatalf("%s holds %q %d times", args[0], args[1], strings.Count(text, args[1]))
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Replace(text, args[1], args[2], 1)), 0o600))
}

// cmdReceiptID sets variables to the id and the file of the one receipt below a directory:
// receiptid DIR [PREFIX], which sets PREFIX_ID and PREFIX_FILE, else ID and FILE.
func cmdReceiptID(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 || len(args) > 2 {
		ts.Fatalf("usage: receiptid DIR [PREFIX]")
	}
	files, err := filepath.Glob(filepath.Join(ts.MkAbs(args[0]), "sha256-*.json"))
	ts.Check(err)
	if len(files) != 1 {
		ts.Fatalf("%s holds %d receipts", args[0], len(files))
	}
	prefix := ""
	if len(args) == 2 {
		prefix = args[1] + "_"
	}
	hex := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(files[0]), "sha256-"), ".json")
	ts.Setenv(prefix+"ID", "sha256:"+hex)
	ts.Setenv(prefix+"FILE", files[0])
}
