package proc

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/runx-go/runx/internal/sandbox/delivery"
)

// files is what a lookup may ask about the system; tests replace it.
type files struct {
	stat func(string) (fs.FileInfo, error)
	// runnable says whether this process may execute a regular file.
	runnable func(string, fs.FileInfo) bool
}

func systemFiles() files { return files{stat: os.Stat, runnable: runnable} }

// find returns the file that a command names: a path as it is (relative ones against dir), a bare
// name by the absolute entries of the PATH that the child gets. exts are the extensions that the
// system adds, empty on Unix.
func (f files) find(name, dir string, env delivery.Env, exts []string) (string, *StartError) {
	if name == "" {
		return "", notFound(name, "the command is empty", "name a program")
	}
	if isPath(name) {
		if !filepath.IsAbs(name) {
			name = filepath.Join(dir, name)
		}
		return f.findPath(name, exts)
	}
	path, set := env.Lookup("PATH")
	dirs := absoluteEntries(path)
	var blocked string
	for _, entry := range dirs {
		for _, file := range candidates(filepath.Join(entry, name), exts) {
			info, err := f.stat(file)
			if err != nil || info.IsDir() {
				continue
			}
			if f.runnable(file, info) {
				return file, nil
			}
			if blocked == "" {
				blocked = file
			}
		}
	}
	if blocked != "" {
		return "", notExecutable(blocked)
	}
	return "", notInPath(name, path, set, len(dirs))
}

func (f files) findPath(name string, exts []string) (string, *StartError) {
	for _, file := range candidates(name, exts) {
		info, err := f.stat(file)
		switch {
		case err != nil:
			continue
		case info.IsDir() && len(exts) > 0: // a directory x beside x.exe
			continue
		case info.IsDir():
			return "", isDirectory(file)
		case !f.runnable(file, info):
			return "", notExecutable(file)
		}
		return file, nil
	}
	info, err := f.stat(name)
	switch {
	case err == nil && info.IsDir():
		return "", isDirectory(name)
	case err == nil:
		return "", notExecutable(name)
	case errors.Is(err, fs.ErrPermission):
		return "", &StartError{Code: "spawn_not_executable", File: name,
			Msg:  fmt.Sprintf("cannot start %q: no permission to reach it", name),
			Hint: "check the permissions of the directories above it"}
	}
	return "", notFound(name, "no such file", "check the path; a relative command is looked up from the directory of its package")
}

func isDirectory(file string) *StartError {
	return &StartError{Code: "spawn_directory", File: file,
		Msg: fmt.Sprintf("cannot start %q: it is a directory", file), Hint: "name a program inside it"}
}

// isPath tells a path from a bare name.
func isPath(name string) bool {
	return strings.ContainsRune(name, '/') || strings.ContainsRune(name, filepath.Separator) ||
		filepath.VolumeName(name) != ""
}

// absoluteEntries skips empty and relative entries: they would mean the current directory.
func absoluteEntries(path string) []string {
	return slices.DeleteFunc(filepath.SplitList(path), func(entry string) bool {
		return !filepath.IsAbs(entry)
	})
}

// candidates are the files that a name may stand for, best first.
func candidates(file string, exts []string) []string {
	if len(exts) == 0 {
		return []string{file}
	}
	var out []string
	if has := filepath.Ext(file); slices.ContainsFunc(exts, func(ext string) bool { return strings.EqualFold(ext, has) }) {
		out = append(out, file)
	}
	for _, ext := range exts {
		out = append(out, file+ext)
	}
	return out
}

func notInPath(name, path string, set bool, usable int) *StartError {
	reason := "it is not in the PATH given to the child"
	switch {
	case !set:
		reason += ", which has no PATH"
	case path == "":
		reason += ", which is empty"
	case usable == 0:
		reason += ", which has no absolute entry"
	}
	return notFound(name, reason, "name the program by its absolute path, or set PATH to the directory that holds it")
}

func notFound(name, reason, hint string) *StartError {
	return &StartError{Code: "spawn_not_found", File: name,
		Msg: fmt.Sprintf("cannot start %q: %s", name, reason), Hint: hint}
}
