package proc

import (
	"io/fs"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/runx-go/runx/internal/sandbox/delivery"
)

// fakeInfo is a file of a fake system.
type fakeInfo struct{ mode fs.FileMode }

func (i fakeInfo) Name() string       { return "" }
func (i fakeInfo) Size() int64        { return 0 }
func (i fakeInfo) Mode() fs.FileMode  { return i.mode }
func (i fakeInfo) ModTime() time.Time { return time.Time{} }
func (i fakeInfo) IsDir() bool        { return i.mode.IsDir() }
func (i fakeInfo) Sys() any           { return nil }

// fakeFiles is a system with exactly these files; paths are joined to root.
func fakeFiles(root string, modes map[string]fs.FileMode) files {
	return files{
		stat: func(path string) (fs.FileInfo, error) {
			for name, mode := range modes {
				if filepath.Join(root, filepath.FromSlash(name)) == path {
					return fakeInfo{mode}, nil
				}
			}
			return nil, fs.ErrNotExist
		},
		runnable: func(_ string, info fs.FileInfo) bool { return info.Mode().IsRegular() && info.Mode()&0o111 != 0 },
	}
}

func TestFind(t *testing.T) {
	root := t.TempDir() // only its name is used: it is absolute on every system
	system := fakeFiles(root, map[string]fs.FileMode{
		"one/tool": 0o755, "two/tool": 0o755, "one/data": 0o644, "two/data": 0o755, "one/only": 0o600,
		"one/dir": fs.ModeDir | 0o755, "two/dir": 0o755, "work/tool": 0o755, "work/sub/run": 0o755,
		"one/shim.cmd": 0o755, "one/prog.exe": 0o755, "one/prog": 0o755,
	})
	path := func(entries ...string) *string {
		text := ""
		for i, entry := range entries {
			if i > 0 {
				text += string(filepath.ListSeparator)
			}
			text += entry
		}
		return &text
	}
	at := func(name string) string { return filepath.Join(root, filepath.FromSlash(name)) }
	one, two, exts := at("one"), at("two"), []string{".exe", ".cmd"}
	tests := []struct {
		name, command string
		path          *string
		exts          []string
		want, code    string
	}{
		{"first entry wins", "tool", path(one, two), nil, at("one/tool"), ""},
		{"order of entries", "tool", path(two, one), nil, at("two/tool"), ""},
		{"a file without x bit is passed over", "data", path(one, two), nil, at("two/data"), ""},
		{"only a file without x bit", "only", path(one, two), nil, at("one/only"), "spawn_not_executable"},
		{"a directory is passed over", "dir", path(one, two), nil, at("two/dir"), ""},
		{"no PATH", "tool", nil, nil, "tool", "spawn_not_found"},
		{"empty PATH", "tool", path(), nil, "tool", "spawn_not_found"},
		{"relative entries are skipped", "tool", path(".", "", "work", one), nil, at("one/tool"), ""},
		{"only relative entries", "tool", path(".", ""), nil, "tool", "spawn_not_found"},
		{"not there", "nothing", path(one, two), nil, "nothing", "spawn_not_found"},
		{"empty command", "", path(one), nil, "", "spawn_not_found"},
		{"absolute path", at("two/tool"), path(one), nil, at("two/tool"), ""},
		{"absolute path without PATH", at("two/tool"), nil, nil, at("two/tool"), ""},
		{"relative path from the directory", "sub/run", path(one), nil, at("work/sub/run"), ""},
		{"path that is not there", at("two/nothing"), nil, nil, at("two/nothing"), "spawn_not_found"},
		{"path of a directory", at("one/dir"), nil, nil, at("one/dir"), "spawn_directory"},
		{"path without x bit", at("one/data"), nil, nil, at("one/data"), "spawn_not_executable"},
		{"extension added", "shim", path(one), exts, at("one/shim.cmd"), ""},
		{"extension written", "prog.exe", path(one), exts, at("one/prog.exe"), ""},
		{"extension in another case", "PROG.EXE", path(one), exts, "PROG.EXE", "spawn_not_found"},
		{"a file without extension does not count", "tool", path(one), exts, "tool", "spawn_not_found"},
		{"a path without extension does not count", at("one/tool"), path(one), exts, at("one/tool"), "spawn_not_executable"},
		{"extension added to a path", at("one/prog"), path(), exts, at("one/prog.exe"), ""},
		{"directory with extensions", at("one/dir"), path(), exts, at("one/dir"), "spawn_directory"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			env := delivery.Empty()
			if tt.path != nil {
				env, _ = testEnv(t, "PATH="+*tt.path)
			}
			got, failed := system.find(tt.command, at("work"), env, tt.exts)
			code := ""
			if failed != nil {
				got, code = failed.File, failed.Code
			}
			if got != tt.want || code != tt.code {
				t.Errorf("got %q %q, want %q %q", got, code, tt.want, tt.code)
			}
		})
	}
}

func TestNotInPathSaysWhy(t *testing.T) {
	root := t.TempDir()
	tests := []struct{ name, path, want string }{
		{"no PATH", "-", `cannot start "x": it is not in the PATH given to the child, which has no PATH`},
		{"empty PATH", "", `cannot start "x": it is not in the PATH given to the child, which is empty`},
		{"relative entries", ".", `cannot start "x": it is not in the PATH given to the child, which has no absolute entry`},
		{"usable PATH", root, `cannot start "x": it is not in the PATH given to the child`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			env := delivery.Empty()
			if tt.path != "-" {
				env, _ = testEnv(t, "PATH="+tt.path)
			}
			_, failed := fakeFiles(root, nil).find("x", root, env, nil)
			if diff := cmp.Diff(tt.want, failed.Error()); diff != "" {
				t.Errorf("message (-want +got):\n%s", diff)
			}
			if failed.Hint == "" {
				t.Error("no hint")
			}
		})
	}
}

func TestCheckBatch(t *testing.T) {
	for _, bad := range []string{`"`, "%", "!", "^", "&", "|", "<", ">", "\n", "\r"} {
		failed := checkBatch("x.cmd", []string{"fine", "a" + bad + "b"})
		if failed == nil || failed.Code != "spawn_batch" || failed.File != "x.cmd" || failed.Hint == "" {
			t.Errorf("argument with %q: %+v", bad, failed)
		}
	}
	if failed := checkBatch("x.cmd", []string{"", "a b", "c=d;e,f(g)"}); failed != nil {
		t.Errorf("safe arguments: %v", failed)
	}
}
