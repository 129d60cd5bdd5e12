package sandbox

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Host is what runx knows of the process it runs in: collected once by cmd/runx (or made by a
// gate or a test) and passed down by value. Nothing below cmd/runx looks at the process again.
type Host struct {
	// OS is the operating system in GOOS spelling.
	OS string
	// Executable is the absolute path of the running binary; child modes start it again.
	Executable string
	// Dir is the current directory, absolute; "" when it was removed or cannot be read.
	Dir string
	// Env is the environment as "NAME=value" entries, in the order of the system.
	Env []string
	// UserConfigDir is the absolute folder of the user's configuration of runx. Empty when the
	// platform has none (no HOME): what needs it says so.
	UserConfigDir string
	// ArgEnvLimit is how many bytes arguments and environment may take together when a process
	// is started: each text with its NUL and 8 bytes for its pointer. 0 means no such limit
	// (Windows, whose limits are per variable and per command line).
	ArgEnvLimit int
	// UID is the numeric user id, -1 where there is none (Windows).
	UID int
}

// EnvVar is one variable of an environment, split at its first '=' (on Windows an entry such as
// "=C:=C:\" keeps its leading '=' in the name).
type EnvVar struct{ Name, Value string }

// SplitEnv splits one "NAME=value" entry. ok is false for a text without '=' or
// without a name.
func SplitEnv(entry string) (v EnvVar, ok bool) {
	i := strings.IndexByte(entry, '=')
	if i == 0 {
		if j := strings.IndexByte(entry[1:], '='); j >= 0 {
			i = j + 1
		}
	}
	if i <= 0 {
		return EnvVar{}, false
	}
	return EnvVar{Name: entry[:i], Value: entry[i+1:]}, true
}

// Lookup returns the value of a host variable and whether it is set; set and empty is true. On
// Windows names are compared without case. When a name stands twice, the first entry wins, as
// getenv has it.
func (h Host) Lookup(name string) (string, bool) {
	v, ok := h.LookupVar(name)
	return v.Value, ok
}

// LookupVar is Lookup with the host's own spelling of the name.
func (h Host) LookupVar(name string) (EnvVar, bool) {
	for _, entry := range h.Env {
		v, ok := SplitEnv(entry)
		if ok && h.SameName(v.Name, name) {
			return v, true
		}
	}
	return EnvVar{}, false
}

// SameName says whether two variable names are one on this system.
func (h Host) SameName(a, b string) bool {
	return a == b || FoldName(h.OS, a) == FoldName(h.OS, b)
}

// FoldName gives all names of one variable the same text: on Windows (os is a GOOS) case does not
// count, elsewhere the name is itself. It is for maps and comparisons, never delivered.
func FoldName(os, name string) string {
	if os == "windows" {
		return strings.ToUpper(name)
	}
	return name
}

// WorkspaceError says that a variable that names the workspace cannot be used.
type WorkspaceError struct {
	Variable string // RUNX_CWD or INIT_CWD; "" for the current directory
	Value    string
	Reason   string
}

func (e *WorkspaceError) Error() string {
	if e.Variable == "" {
		return "cannot use the current directory as the workspace: " + e.Reason
	}
	return fmt.Sprintf("cannot use %s=%q as the workspace: %s", e.Variable, e.Value, e.Reason)
}

// Workspace returns the absolute workspace root with links resolved: the first of RUNX_CWD and
// INIT_CWD that is set, else the current directory. A set value that is empty, relative or no
// directory is a *WorkspaceError.
func (h Host) Workspace() (string, error) {
	for _, name := range []string{"RUNX_CWD", "INIT_CWD"} {
		value, ok := h.Lookup(name)
		if !ok {
			continue
		}
		fail := func(reason string) (string, error) {
			return "", &WorkspaceError{Variable: name, Value: value, Reason: reason}
		}
		switch {
		case value == "":
			return fail("it is set but empty")
		case !filepath.IsAbs(value):
			return fail("it is not an absolute path")
		}
		info, err := os.Stat(value)
		if err != nil {
			if pathErr, ok := errors.AsType[*os.PathError](err); ok {
				return fail(pathErr.Err.Error())
			}
			return fail(err.Error())
		}
		if !info.IsDir() {
			return fail("it is not a directory")
		}
		return filepath.EvalSymlinks(value)
	}
	if h.Dir == "" {
		return "", &WorkspaceError{Reason: "it was removed or cannot be read"}
	}
	dir, err := filepath.EvalSymlinks(h.Dir)
	if err != nil {
		return "", fmt.Errorf("cannot resolve the current directory: %w", err)
	}
	return dir, nil
}

// StateDir returns the absolute state directory: the flag's value when it is not empty (relative
// to the current directory), else RUNX_STATE_DIR, else .runx below the workspace.
func (h Host) StateDir(flag, workspace string) string {
	dir := flag
	if dir == "" {
		dir, _ = h.Lookup("RUNX_STATE_DIR")
	}
	if dir == "" {
		return filepath.Join(workspace, ".runx")
	}
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(h.Dir, dir)
	}
	return filepath.Clean(dir)
}
