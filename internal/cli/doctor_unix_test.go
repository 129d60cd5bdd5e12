//go:build unix

package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// needUser skips what the superuser may do.
func needUser(t *testing.T) {
	t.Helper()
	if os.Geteuid() == 0 {
		t.Skip("needs a user whom file modes bind")
	}
}

// A place where nothing can be made is found before it is needed.
func TestFolderCheckUnwritable(t *testing.T) {
	needUser(t)
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(root, 0o500); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(root, 0o700) })
	for path, message := range map[string]string{
		root: root + " cannot be written: ", filepath.Join(root, "a", "b"): filepath.Join(root, "a", "b") + " cannot be made: ",
	} {
		got := folderCheck("x", path, "go elsewhere")
		if got.Status != checkFailed || !strings.HasPrefix(got.Message, message) || !strings.Contains(got.Hint, "go elsewhere") {
			t.Errorf("%+v", got)
		}
	}
}

// Links that lead nowhere are told as what they are, at the path and above it.
func TestFolderCheckLinks(t *testing.T) {
	root := t.TempDir()
	for name, target := range map[string]string{"dangling": "nowhere", "loop": "loop"} {
		link := filepath.Join(root, name)
		if err := os.Symlink(target, link); err != nil {
			t.Fatal(err)
		}
		for _, path := range []string{link, filepath.Join(link, "a")} {
			got := folderCheck("x", path, "go elsewhere")
			if got.Status != checkFailed || !strings.HasPrefix(got.Message, "cannot look at "+link) || got.Hint == "" {
				t.Errorf("%s: %+v", path, got)
			}
		}
	}
}

// needProc skips where there is no folder in which nobody can make one.
func needProc(t *testing.T) {
	t.Helper()
	if _, err := os.Stat("/proc/self"); err != nil {
		t.Skip("needs /proc")
	}
}

// Where not even root can make a folder, doctor says so.
func TestFolderCheckAttempts(t *testing.T) {
	needProc(t)
	if got := folderCheck("x", "/proc/runx/state", "go elsewhere"); got.Status != checkFailed || !strings.HasPrefix(got.Message, "/proc/runx/state cannot be made: ") {
		t.Errorf("%+v", got)
	}
}
