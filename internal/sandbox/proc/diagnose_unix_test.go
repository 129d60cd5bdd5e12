//go:build unix

package proc

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
)

// TestStartErrors starts real files that cannot be started. DIR in a message is the directory.
func TestStartErrors(t *testing.T) {
	exe := helperCommand(t, "x").Name
	type file struct {
		name, data string
		mode       os.FileMode
	}
	tests := []struct {
		name    string
		file    file
		command string
		dir     string
		args    []string
		want    StartError
	}{
		{"CR in the first line", file{"run.sh", "#!/bin/sh\r\necho hi\r\n", 0o755}, "DIR/run.sh", "DIR", nil, StartError{
			"spawn_shebang", "DIR/run.sh",
			`cannot start "DIR/run.sh": its first line ends with a carriage return, so the interpreter "/bin/sh\r" is not found`,
			"convert the file to LF line ends"}},
		{"CR after an argument", file{"run.sh", "#!/usr/bin/env bash\r\n", 0o755}, "DIR/run.sh", "DIR", nil, StartError{
			"spawn_shebang", "DIR/run.sh",
			`cannot start "DIR/run.sh": its first line ends with a carriage return, so the interpreter "/usr/bin/env\r" is not found`,
			"convert the file to LF line ends"}},
		{"no x bit", file{"run.sh", "#!/bin/sh\n", 0o644}, "DIR/run.sh", "DIR", nil, StartError{
			"spawn_not_executable", "DIR/run.sh", `cannot start "DIR/run.sh": no permission to execute it`, "chmod +x DIR/run.sh"}},
		{"no x bit, name with a blank", file{"a b", "#!/bin/sh\n", 0o644}, "DIR/a b", "DIR", nil, StartError{
			"spawn_not_executable", "DIR/a b", `cannot start "DIR/a b": no permission to execute it`, "chmod +x 'DIR/a b'"}},
		{"missing", file{}, "DIR/none", "DIR", nil, StartError{
			"spawn_not_found", "DIR/none", `cannot start "DIR/none": no such file`,
			"check the path; a relative command is looked up from the directory of its package"}},
		{"directory", file{}, "DIR/sub", "DIR", nil, StartError{
			"spawn_directory", "DIR/sub", `cannot start "DIR/sub": it is a directory`, "name a program inside it"}},
		{"interpreter missing", file{"run", "#! /no/such/interpreter -x\n", 0o755}, "DIR/run", "DIR", nil, StartError{
			"spawn_shebang", "DIR/run", `cannot start "DIR/run": the interpreter "/no/such/interpreter" of its first line does not exist`,
			"install the interpreter, or correct the first line"}},
		{"interpreter is a directory", file{"run", "#!/\n", 0o755}, "DIR/run", "DIR", nil, StartError{
			"spawn_shebang", "DIR/run", `cannot start "DIR/run": the interpreter "/" of its first line is not executable`,
			"correct the first line"}},
		{"no first line", file{"run", "echo hi\n", 0o755}, "DIR/run", "DIR", nil, StartError{
			"spawn_not_executable", "DIR/run",
			`cannot start "DIR/run": it is neither a program for this system nor a script with a #! line`,
			"begin the file with a line such as #!/bin/sh"}},
		{"empty file", file{"run", "", 0o755}, "DIR/run", "DIR", nil, StartError{
			"spawn_not_executable", "DIR/run", `cannot start "DIR/run": the file is empty`, "write the program, or name another"}},
		{"wrong architecture", file{"run", "MZ\x90\x00 not for here", 0o755}, "DIR/run", "DIR", nil, StartError{
			"spawn_not_executable", "DIR/run",
			`cannot start "DIR/run": it is a program for another system or processor (wrong architecture)`,
			"use a program that was built for this system"}},
		{"not a regular file", file{}, "DIR/fifo", "DIR", nil, StartError{
			"spawn_not_executable", "DIR/fifo", `cannot start "DIR/fifo": it is not a regular file`, "name a program"}},
		{"working directory missing", file{}, exe, "DIR/none", nil, StartError{
			"spawn_cwd", "DIR/none", `cannot start in directory "DIR/none": no such directory`, "make the directory, or correct cwd"}},
		{"working directory is a file", file{"run", "x", 0o755}, exe, "DIR/run", nil, StartError{
			"spawn_cwd", "DIR/run", `cannot start in directory "DIR/run": it is not a directory`, "make the directory, or correct cwd"}},
		{"working directory relative", file{}, exe, ".", nil, StartError{
			"spawn_cwd", ".", `cannot start in directory ".": it is not an absolute path`, "make the directory, or correct cwd"}},
		{"argument too large", file{}, exe, "DIR", []string{strings.Repeat("x", 8<<20)}, StartError{
			"spawn_failed", exe, fmt.Sprintf(`cannot start %q: argument list too long`, exe),
			"pass large values by file: use the path variables of the inputs"}},
		{"argument with NUL", file{}, exe, "DIR", []string{"a\x00b"}, StartError{
			"spawn_failed", exe, fmt.Sprintf(`cannot start %q: invalid argument`, exe), ""}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.Mkdir(filepath.Join(dir, "sub"), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := unix.Mkfifo(filepath.Join(dir, "fifo"), 0o700); err != nil {
				t.Fatal(err)
			}
			if tt.file.name != "" {
				path := filepath.Join(dir, tt.file.name)
				if err := os.WriteFile(path, []byte(tt.file.data), 0o600); err != nil {
					t.Fatal(err)
				}
				if err := os.Chmod(path, tt.file.mode); err != nil {
					t.Fatal(err)
				}
			}
			at := func(text string) string { return strings.ReplaceAll(text, "DIR", dir) }
			env, mark := testEnv(t)
			_, err := Run(t.Context(), Command{Name: at(tt.command), Args: tt.args, Dir: at(tt.dir), Env: env, Mark: mark})
			got, ok := errors.AsType[*StartError](err)
			if !ok {
				t.Fatalf("error %v, want a *StartError", err)
			}
			tt.want.File, tt.want.Msg, tt.want.Hint = at(tt.want.File), at(tt.want.Msg), at(tt.want.Hint)
			if diff := cmp.Diff(tt.want, *got); diff != "" {
				t.Errorf("error (-want +got):\n%s", diff)
			}
		})
	}
}

// TestStartedWithFirstLine starts a script whose interpreter is the test binary.
func TestStartedWithFirstLine(t *testing.T) {
	exe := helperCommand(t, "x").Name
	script := filepath.Join(t.TempDir(), "script")
	if err := os.WriteFile(script, []byte("#!"+exe+" "+helperArg+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	env, mark := testEnv(t)
	res := run(t, Command{Name: script, Dir: t.TempDir(), Env: env, Mark: mark})
	if res.ExitCode != 99 || res.Path != script || !strings.Contains(string(res.Stderr.Prefix), script) {
		t.Errorf("code %d, path %q, stderr %q", res.ExitCode, res.Path, res.Stderr.Prefix)
	}
}
