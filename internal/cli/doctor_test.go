package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// doctorRow is the first row of a check.
func doctorRow(t testing.TB, w *world, id string) check {
	t.Helper()
	for _, row := range doctorChecks(t.Context(), w.console()) {
		if row.ID == id {
			return row
		}
	}
	t.Fatalf("no row %s", id)
	return check{}
}

// A fault leaves every other row as it is.
func TestDoctorKeepsRows(t *testing.T) {
	ids := func(w *world) []string {
		var out []string
		for _, row := range doctorChecks(t.Context(), w.console()) {
			if !strings.HasPrefix(row.ID, "boundary.") {
				out = append(out, row.ID)
			}
			if row.Status != checkOK && row.Hint == "" {
				t.Errorf("no hint: %+v", row)
			}
		}
		return out
	}
	all := []string{"workspace", "state", "receipts", "user_config", "config", "signing_key", "credentials", "path", "packages"}
	for name, spoil := range map[string]func(w *world){
		"no fault":            func(*world) {},
		"the user's file":     func(w *world) { w.write(t, filepath.Join(w.config, "config.yaml"), "- a\n") },
		"a file of a project": func(w *world) { w.trust(t); w.write(t, projectConfig(w.workspace).path, "skills: null\n") },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			spoil(w)
			if diff := cmp.Diff(all, ids(w)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			want := checkFailed
			if name == "no fault" {
				want = checkOK
			}
			if got := doctorRow(t, w, "config"); got.Status != want {
				t.Errorf("%+v", got)
			}
			if got := doctorRow(t, w, "workspace"); got != (check{"workspace", checkOK, w.workspace, ""}) {
				t.Errorf("%+v", got)
			}
		})
	}
	w := newWorld(t, "RUNX_CWD=relative")
	w.host.UserConfigDir = ""
	if diff := cmp.Diff([]string{"workspace", "user_config", "config", "signing_key", "credentials", "path"}, ids(w)); diff != "" {
		t.Errorf("without a workspace and a home (-want +got)\n%s", diff)
	}
	if got := doctorRow(t, w, "signing_key"); got.Status != checkFailed {
		t.Errorf("%+v", got)
	}
}

// A folder that is missing is judged by where it would be made, and nothing stays behind.
func TestFolderCheck(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(root, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	missing := filepath.Join(root, "a", "b")
	tests := []struct {
		name, path string
		want       check
	}{
		{"there", root, check{"x", checkOK, root, ""}},
		{"missing", missing, check{"x", checkOK, missing + " will be made when it is needed", ""}},
		{"a file", file, check{"x", checkFailed, file + " is no directory", "remove it, or go elsewhere"}},
		{"below a file", filepath.Join(file, "a", "b"), check{"x", checkFailed, file + " is no directory", "remove it, or go elsewhere"}},
		{"nowhere", "", check{"x", checkFailed, "no place is known: HOME is not set", "set HOME or XDG_CONFIG_HOME"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, folderCheck("x", tt.path, "go elsewhere")); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
	if entries, err := os.ReadDir(root); err != nil || len(entries) != 1 {
		t.Errorf("%v, %v", entries, err)
	}
}

// A finding names the file that the user can open.
func TestDoctorFindingFiles(t *testing.T) {
	w := newWorld(t)
	dir := filepath.Join(w.workspace, "skills", "broken")
	w.write(t, filepath.Join(dir, "SKILL.md"), "---\nname: broken\n---\nRead.\n")
	w.write(t, filepath.Join(dir, "X.yaml"), "runners: {a: {type: cli-tool, comand: x}}\n")
	row := doctorRow(t, w, "package.broken")
	if row.Status != checkFailed || !strings.HasPrefix(row.Message, "skills/broken/X.yaml:1:") || row.Hint == "" {
		t.Errorf("%+v", row)
	}
	elsewhere := filepath.Join(filepath.Dir(w.workspace), "p.json")
	for file, want := range map[string]string{
		"X.yaml": "skills/broken/X.yaml", "": "skills/broken", "a/b.json": "skills/broken/a/b.json",
		filepath.Join(w.workspace, "packets", "p.json"): "packets/p.json", elsewhere: filepath.ToSlash(elsewhere),
	} {
		if got := w.console().shownFinding(dir, file); got != want {
			t.Errorf("%q is shown as %q, want %q", file, got, want)
		}
	}
}
