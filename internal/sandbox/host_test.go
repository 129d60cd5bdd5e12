package sandbox

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSplitEnv(t *testing.T) {
	tests := []struct {
		name  string
		entry string
		want  EnvVar
		ok    bool
	}{
		{"plain", "A=b", EnvVar{"A", "b"}, true},
		{"empty value", "A=", EnvVar{"A", ""}, true},
		{"value with equals signs", "A=b=c=", EnvVar{"A", "b=c="}, true},
		{"value that is no UTF-8", "A=\xff\xfe", EnvVar{"A", "\xff\xfe"}, true},
		{"hidden directory of a drive", `=C:=C:\work`, EnvVar{"=C:", `C:\work`}, true},
		{"only a leading equals sign", "=A", EnvVar{}, false},
		{"no equals sign", "A", EnvVar{}, false},
		{"empty", "", EnvVar{}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := SplitEnv(tt.entry)
			if got != tt.want || ok != tt.ok {
				t.Errorf("SplitEnv(%q) = %v, %v, want %v, %v", tt.entry, got, ok, tt.want, tt.ok)
			}
		})
	}
}

func TestLookup(t *testing.T) {
	env := []string{"broken", "Path=first", "PATH=second", "EMPTY=", `=C:=C:\work`, "EMPTY=late"}
	tests := []struct {
		name  string
		os    string
		query string
		want  EnvVar
		ok    bool
	}{
		{"unix counts case", "linux", "PATH", EnvVar{"PATH", "second"}, true},
		{"unix other case is unset", "linux", "path", EnvVar{}, false},
		{"mac counts case", "darwin", "Path", EnvVar{"Path", "first"}, true},
		{"windows takes the first in any case", "windows", "PATH", EnvVar{"Path", "first"}, true},
		{"windows keeps the host's spelling", "windows", "pAtH", EnvVar{"Path", "first"}, true},
		{"set and empty is set, the first wins", "linux", "EMPTY", EnvVar{"EMPTY", ""}, true},
		{"unset", "linux", "NOPE", EnvVar{}, false},
		{"entry without equals sign", "linux", "broken", EnvVar{}, false},
		{"drive", "windows", "=c:", EnvVar{"=C:", `C:\work`}, true},
		{"no other letter folds to one of ASCII", "windows", "\u212aEY", EnvVar{}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			host := Host{OS: tt.os, Env: append(env, "KEY=k")}
			got, ok := host.LookupVar(tt.query)
			if got != tt.want || ok != tt.ok {
				t.Errorf("LookupVar(%q) = %v, %v, want %v, %v", tt.query, got, ok, tt.want, tt.ok)
			}
			value, ok := host.Lookup(tt.query)
			if value != tt.want.Value || ok != tt.ok {
				t.Errorf("Lookup(%q) = %q, %v, want %q, %v", tt.query, value, ok, tt.want.Value, tt.ok)
			}
		})
	}
}

func TestWorkspace(t *testing.T) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"cwd", "init", "here"} {
		if err := os.Mkdir(filepath.Join(base, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	at := func(name string) string { return filepath.Join(base, name) }
	if err := os.WriteFile(at("file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		env  []string
		want string
		err  *WorkspaceError
	}{
		{"none set", nil, at("here"), nil},
		{"RUNX_CWD first", []string{"INIT_CWD=" + at("init"), "RUNX_CWD=" + at("cwd")}, at("cwd"), nil},
		{"INIT_CWD next", []string{"INIT_CWD=" + at("init")}, at("init"), nil},
		{"a bad INIT_CWD does not matter then", []string{"INIT_CWD=", "RUNX_CWD=" + at("cwd")}, at("cwd"), nil},
		{"unclean path", []string{"RUNX_CWD=" + at("init") + "/../cwd/"}, at("cwd"), nil},
		{"empty", []string{"RUNX_CWD=", "INIT_CWD=" + at("init")}, "",
			&WorkspaceError{"RUNX_CWD", "", "it is set but empty"}},
		{"relative", []string{"INIT_CWD=init"}, "",
			&WorkspaceError{"INIT_CWD", "init", "it is not an absolute path"}},
		{"a file", []string{"RUNX_CWD=" + at("file")}, "",
			&WorkspaceError{"RUNX_CWD", at("file"), "it is not a directory"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Host{OS: "linux", Dir: at("here"), Env: tt.env}.Workspace()
			if got != tt.want {
				t.Errorf("Workspace() = %q, want %q", got, tt.want)
			}
			if tt.err == nil {
				if err != nil {
					t.Errorf("Workspace() error = %v, want none", err)
				}
				return
			}
			if diff := cmp.Diff(tt.err, err); diff != "" {
				t.Errorf("Workspace() error (-want +got):\n%s", diff)
			}
		})
	}
	t.Run("missing", func(t *testing.T) {
		_, err := Host{Dir: at("here"), Env: []string{"RUNX_CWD=" + at("gone")}}.Workspace()
		got, ok := err.(*WorkspaceError)
		if !ok || got.Variable != "RUNX_CWD" || got.Value != at("gone") || got.Reason == "" {
			t.Errorf("Workspace() error = %#v, want a *WorkspaceError that names RUNX_CWD", err)
		}
	})
	t.Run("link", func(t *testing.T) {
		needSymlinks(t, at("cwd"), at("link"))
		for _, host := range []Host{{Dir: at("link")}, {Dir: at("here"), Env: []string{"RUNX_CWD=" + at("link")}}} {
			if got, err := host.Workspace(); got != at("cwd") || err != nil {
				t.Errorf("Workspace() = %q, %v, want %q", got, err, at("cwd"))
			}
		}
	})
	t.Run("current directory gone", func(t *testing.T) {
		if got, err := (Host{Dir: at("gone")}).Workspace(); err == nil {
			t.Errorf("Workspace() = %q, want an error", got)
		}
	})
}

// needSymlinks makes a link, or skips where the system lets nobody make one.
func needSymlinks(t *testing.T, target, link string) {
	t.Helper()
	if err := os.Symlink(target, link); err != nil {
		t.Skipf("symbolic links cannot be made here: %v", err)
	}
}

func TestWorkspaceErrorText(t *testing.T) {
	err := &WorkspaceError{Variable: "INIT_CWD", Value: "a b", Reason: "it is not an absolute path"}
	if got, want := err.Error(), `cannot use INIT_CWD="a b" as the workspace: it is not an absolute path`; got != want {
		t.Errorf("Error() = %s, want %s", got, want)
	}
}

func TestStateDir(t *testing.T) {
	here := t.TempDir()
	other := filepath.Join(here, "other")
	workspace := filepath.Join(here, "work")
	tests := []struct {
		name string
		flag string
		env  []string
		want string
	}{
		{"default", "", nil, filepath.Join(workspace, ".runx")},
		{"variable", "", []string{"RUNX_STATE_DIR=" + other}, other},
		{"relative variable", "", []string{"RUNX_STATE_DIR=x/../state"}, filepath.Join(here, "state")},
		{"empty variable", "", []string{"RUNX_STATE_DIR="}, filepath.Join(workspace, ".runx")},
		{"flag before variable", "flag", []string{"RUNX_STATE_DIR=" + other}, filepath.Join(here, "flag")},
		{"absolute flag is cleaned", other + "/./", nil, other},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := (Host{Dir: here, Env: tt.env}).StateDir(tt.flag, workspace); got != tt.want {
				t.Errorf("StateDir(%q) = %q, want %q", tt.flag, got, tt.want)
			}
		})
	}
}
