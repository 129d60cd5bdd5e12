package admission

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	goruntime "runtime"
	"slices"
	"testing"

	"github.com/runx-go/runx/internal/skills"
)

func goos() string { return goruntime.GOOS }

func join(dir, path string) string { return filepath.Join(dir, filepath.FromSlash(path)) }

func keys(files map[string]string) []string { return slices.Sorted(maps.Keys(files)) }

func cliTool(t *testing.T, r *Runner) skills.CLITool {
	t.Helper()
	tool, ok := r.Source.(skills.CLITool)
	if !ok {
		t.Fatalf("source %T, want a cli-tool", r.Source)
	}
	return tool
}

// needUnixNames skips where a file system cannot hold tabs or backslashes in names.
func needUnixNames(t *testing.T) {
	t.Helper()
	if goos() == "windows" {
		t.Skip("this system has no such file names")
	}
}

// needCase skips where two names that differ only in case are one.
func needCase(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(filepath.Join(dir, "A")); !errors.Is(err, fs.ErrNotExist) {
		t.Skip("this file system ignores case")
	}
}

// needOpenFiles skips where a process cannot count its open files.
func needOpenFiles(t *testing.T) func() int {
	t.Helper()
	const list = "/proc/self/fd"
	if _, err := os.ReadDir(list); err != nil {
		t.Skip("this system does not list open files in " + list)
	}
	return func() int {
		entries, err := os.ReadDir(list)
		if err != nil {
			t.Fatal(err)
		}
		return len(entries)
	}
}

// relative is a path below dir with slashes; a relative one stays as it is.
func relative(t *testing.T, dir, path string) string {
	t.Helper()
	if !filepath.IsAbs(path) {
		return path
	}
	rel, err := filepath.Rel(dir, path)
	if err != nil {
		t.Fatal(err)
	}
	return filepath.ToSlash(rel)
}

// needDenial skips for a user whom no mode keeps from reading, as the superuser.
func needDenial(t *testing.T, path string) {
	t.Helper()
	if f, err := os.Open(path); err == nil {
		_ = f.Close()
		t.Skip("modes deny nothing to this user")
	}
}
