package proc

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// launch is everything that the system is told at a start.
type launch struct {
	path  string
	argv  []string
	dir   string
	env   []string // exact; never nil
	files [3]*os.File
	mark  string
}

// resolve checks the working directory and finds the file to start.
func resolve(cmd Command) (string, *StartError) {
	if failed := checkDir(cmd.Dir); failed != nil {
		return "", failed
	}
	path, failed := systemFiles().find(cmd.Name, cmd.Dir, cmd.Env, extensions(cmd.Env.Lookup))
	if failed != nil {
		return "", failed
	}
	if failed := precheck(path, cmd.Args); failed != nil {
		return "", failed
	}
	return path, nil
}

// checkDir wants an absolute path of an existing directory.
func checkDir(dir string) *StartError {
	info, err := os.Stat(dir)
	switch {
	case !filepath.IsAbs(dir):
		return badDir(dir, "it is not an absolute path")
	case errors.Is(err, fs.ErrNotExist):
		return badDir(dir, "no such directory")
	case err != nil:
		return badDir(dir, systemWords(err))
	case !info.IsDir():
		return badDir(dir, "it is not a directory")
	}
	return nil
}

func badDir(dir, reason string) *StartError {
	return &StartError{Code: "spawn_cwd", File: dir,
		Msg:  fmt.Sprintf("cannot start in directory %q: %s", dir, reason),
		Hint: "make the directory, or correct cwd"}
}

func notExecutable(file string) *StartError {
	failed := &StartError{Code: "spawn_not_executable", File: file,
		Msg:  fmt.Sprintf("cannot start %q: no permission to execute it", file),
		Hint: executeHint(file)}
	if info, err := os.Stat(file); err == nil && !info.Mode().IsRegular() {
		failed.Msg = fmt.Sprintf("cannot start %q: it is not a regular file", file)
		failed.Hint = "name a program"
	}
	return failed
}

// startFailed is any failure that has no code of its own, in the system's words.
func startFailed(file string, err error) *StartError {
	return &StartError{Code: "spawn_failed", File: file,
		Msg: fmt.Sprintf("cannot start %q: %s", file, systemWords(err))}
}

// systemWords is the text of the system alone, without the operation and path that Go adds.
func systemWords(err error) string {
	for inner := errors.Unwrap(err); inner != nil; inner = errors.Unwrap(err) {
		err = inner
	}
	return err.Error()
}
