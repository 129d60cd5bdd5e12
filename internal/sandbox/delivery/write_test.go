package delivery

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	goruntime "runtime"
	"slices"
	"strings"
	"testing"

	"github.com/runx-go/runx/internal/sandbox"
	"github.com/runx-go/runx/internal/sandbox/fsroot"
)

// written plans a small delivery in a new directory of this machine.
func written(t *testing.T) (*Plan, *fsroot.Dir) {
	t.Helper()
	dir, err := fsroot.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = dir.Close() })
	req := Request{
		Host: sandbox.Host{OS: goruntime.GOOS}, Workspace: dir.Name(), BaseDir: dir.Name(), Command: "tool",
		FilesDir: filepath.Join(dir.Name(), "run_1"),
	}
	give(&req, "title", `"a\nb"`, "empty", `""`, "blob", text(2<<20))
	return mustPlan(t, req), dir
}

func left(t *testing.T, dir *fsroot.Dir) []string {
	t.Helper()
	var names []string
	err := fs.WalkDir(os.DirFS(dir.Name()), ".", func(name string, _ fs.DirEntry, err error) error {
		if name != "." {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func TestWrite(t *testing.T) {
	plan, dir := written(t)
	if names := left(t, dir); names != nil {
		t.Fatalf("New made %q", names)
	}
	d, err := plan.Write(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"run_1", "run_1/input-1-title.txt", "run_1/input-2-empty.txt", "run_1/input-3-blob.txt", "run_1/inputs.json"}
	if got := left(t, dir); !slices.Equal(got, want) {
		t.Errorf("Write made %q, want %q", got, want)
	}
	for name, want := range map[string]string{
		"RUNX_INPUTS_PATH": string(plan.Files[0].Data), "RUNX_INPUT_TITLE_PATH": "a\nb",
		"RUNX_INPUT_EMPTY_PATH": "", "RUNX_INPUT_BLOB_PATH": strings.Repeat("a", 2<<20),
	} {
		path := mustLookup(t, plan, name)
		got, err := os.ReadFile(path)
		if err != nil || string(got) != want {
			t.Errorf("%s: %d bytes, %v, want %d bytes", name, len(got), err, len(want))
		}
		checkMode(t, path, 0o600)
		checkMode(t, filepath.Dir(path), fs.ModeDir|0o700)
	}
	// Whatever a child left there goes too, and a second time there is nothing to do.
	if err := os.Mkdir(filepath.Join(dir.Name(), "run_1", "made"), 0o700); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := d.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
		if names := left(t, dir); names != nil {
			t.Errorf("Close left %q", names)
		}
	}
	// Not even when another run has taken the name since.
	if _, err := plan.Write(dir); err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err != nil || len(left(t, dir)) != len(want) {
		t.Errorf("a closed delivery removed the files of another one: %v", err)
	}
}

// checkMode compares modes where the system has them.
func checkMode(t *testing.T, path string, want fs.FileMode) {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if goruntime.GOOS != "windows" && info.Mode() != want {
		t.Errorf("%s has mode %v, want %v", path, info.Mode(), want)
	}
}

func TestWriteRefuses(t *testing.T) {
	t.Run("directory exists", func(t *testing.T) {
		plan, dir := written(t)
		kept := filepath.Join(dir.Name(), "run_1", "kept")
		if err := os.MkdirAll(kept, 0o700); err != nil {
			t.Fatal(err)
		}
		if _, err := plan.Write(dir); !errors.Is(err, fs.ErrExist) {
			t.Errorf("Write = %v, want fs.ErrExist", err)
		}
		if got := left(t, dir); !slices.Equal(got, []string{"run_1", "run_1/kept"}) {
			t.Errorf("Write left %q", got)
		}
	})
	t.Run("another parent", func(t *testing.T) {
		plan, _ := written(t)
		_, other := written(t)
		if _, err := plan.Write(other); err == nil || !strings.Contains(err.Error(), "planned in") {
			t.Errorf("Write = %v, want an error about the place", err)
		}
		if names := left(t, other); names != nil {
			t.Errorf("Write left %q", names)
		}
	})
	t.Run("a file that cannot be made", func(t *testing.T) {
		plan, dir := written(t)
		plan.Files = append(plan.Files, plan.Files[1])
		if _, err := plan.Write(dir); !errors.Is(err, fs.ErrExist) || !strings.Contains(err.Error(), "input-1-title.txt") {
			t.Errorf("Write = %v, want an error that names the file", err)
		}
		if names := left(t, dir); names != nil {
			t.Errorf("a failed Write left %q", names)
		}
	})
}
