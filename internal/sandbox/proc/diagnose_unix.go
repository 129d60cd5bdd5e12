//go:build unix

package proc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// precheck finds what the system would report misleadingly or too late: a first line that ends with
// CR names an interpreter, or an argument of it, that does not exist.
func precheck(path string, _ []string) *StartError {
	line, script := firstLine(path)
	if script && bytes.HasSuffix(line, []byte{'\r'}) {
		return &StartError{Code: "spawn_shebang", File: path,
			Msg:  fmt.Sprintf("cannot start %q: its first line ends with a carriage return, so the interpreter %q is not found", path, interpreter(line)+"\r"),
			Hint: "convert the file to LF line ends"}
	}
	return nil
}

// diagnose explains why the system refused to start a file that is there and may be executed.
func diagnose(cmd Command, path string, err error) *StartError {
	if failed := checkDir(cmd.Dir); failed != nil {
		return failed
	}
	if unix.Access(cmd.Dir, unix.X_OK) != nil {
		return badDir(cmd.Dir, "no permission to enter it")
	}
	line, script := firstLine(path)
	switch {
	case errors.Is(err, syscall.ENOEXEC):
		return wrongFormat(path)
	case script && (errors.Is(err, syscall.ENOENT) || errors.Is(err, syscall.EACCES) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.ELOOP)):
		return badInterpreter(path, interpreter(line), err)
	case errors.Is(err, syscall.ENOENT):
		if _, statErr := os.Stat(path); statErr != nil {
			return notFound(path, "no such file", "check the path")
		}
		return unfit(path, "the program loader that it names is not there", "use a program that was built for this system")
	case errors.Is(err, syscall.EACCES), errors.Is(err, syscall.EPERM):
		return unfit(path, "no permission to execute it", "check its mode, and that its file system allows programs")
	case errors.Is(err, syscall.E2BIG):
		failed := startFailed(path, err)
		failed.Hint = "pass large values by file: use the path variables of the inputs"
		return failed
	}
	return startFailed(path, err)
}

func badInterpreter(path, name string, cause error) *StartError {
	failed := &StartError{Code: "spawn_shebang", File: path}
	info, err := os.Stat(name)
	switch {
	case name == "":
		failed.Msg = fmt.Sprintf("cannot start %q: its first line names no interpreter", path)
		failed.Hint = "begin the file with a line such as #!/bin/sh"
	case err != nil:
		failed.Msg = fmt.Sprintf("cannot start %q: the interpreter %q of its first line does not exist", path, name)
		failed.Hint = "install the interpreter, or correct the first line"
	case info.IsDir() || info.Mode()&0o111 == 0:
		failed.Msg = fmt.Sprintf("cannot start %q: the interpreter %q of its first line is not executable", path, name)
		failed.Hint = "correct the first line"
	default:
		failed.Msg = fmt.Sprintf("cannot start %q: the interpreter %q of its first line cannot be started: %s", path, name, systemWords(cause))
		failed.Hint = "start the interpreter by hand to see why"
	}
	return failed
}

// wrongFormat tells a program for another system from a script without a first line.
func wrongFormat(path string) *StartError {
	head := readHead(path)
	magics := [...]string{"\x7fELF", "MZ", "\xcf\xfa\xed\xfe", "\xce\xfa\xed\xfe", "\xca\xfe\xba\xbe"}
	for _, magic := range magics {
		if bytes.HasPrefix(head, []byte(magic)) {
			return unfit(path, "it is a program for another system or processor (wrong architecture)", "use a program that was built for this system")
		}
	}
	if len(head) == 0 {
		return unfit(path, "the file is empty", "write the program, or name another")
	}
	return unfit(path, "it is neither a program for this system nor a script with a #! line", "begin the file with a line such as #!/bin/sh")
}

func unfit(path, reason, hint string) *StartError {
	return &StartError{Code: "spawn_not_executable", File: path,
		Msg: fmt.Sprintf("cannot start %q: %s", path, reason), Hint: hint}
}

// firstLine returns the first line of a script without its line end; script is false when the file
// does not begin with #!, or cannot be read.
func firstLine(path string) (line []byte, script bool) {
	head := readHead(path)
	if !bytes.HasPrefix(head, []byte("#!")) {
		return nil, false
	}
	line, _, _ = bytes.Cut(head, []byte{'\n'})
	return line, true
}

// interpreter is the file that a first line names.
func interpreter(line []byte) string {
	fields := bytes.FieldsFunc(bytes.TrimPrefix(line, []byte("#!")), func(r rune) bool {
		return r == ' ' || r == '\t' || r == '\r'
	})
	if len(fields) == 0 {
		return ""
	}
	return string(fields[0])
}

// readHead reads the beginning of a regular file; nil when there is none to read.
func readHead(path string) []byte {
	f, err := os.OpenFile(path, os.O_RDONLY|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil
	}
	defer func() { _ = f.Close() }()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	head := make([]byte, headSize)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil
	}
	return head[:n]
}
