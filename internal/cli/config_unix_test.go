//go:build unix

package cli

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/runx-go/runx/internal/runtime"
)

// A configuration that is no file is neither waited for nor read without end.
func TestConfigurationNoFile(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(secret, []byte("skills: {paths: [skills]}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	link := func(target string) func(string) error {
		return func(path string) error { return os.Symlink(target, path) }
	}
	tests := []struct {
		name    string
		make    func(path string) error
		folder  bool   // in the place of the folder
		project string // reason, "" when it is fine
		user    string
	}{
		{name: "a pipe", make: func(path string) error { return syscall.Mkfifo(path, 0o600) }, project: "it is not a regular file", user: "it is not a regular file"},
		{name: "a link to a device", make: link("/dev/zero"), project: "path escapes from parent", user: "it is not a regular file"},
		{name: "a link to a file elsewhere", make: link(secret), project: "path escapes from parent"},
		{name: "a link to nothing", make: link("nothing")},
		{name: "a link to itself", make: link("config.yaml"), project: "too many levels of symbolic links", user: "too many levels of symbolic links"},
		{name: "a folder", make: func(path string) error { return os.Mkdir(path, 0o700) }, project: "it is not a regular file", user: "it is not a regular file"},
		{name: "a pipe for a folder", make: func(path string) error { return syscall.Mkfifo(path, 0o600) }, folder: true, project: "not a directory", user: "not a directory"},
		{name: "a link for a folder", make: link(filepath.Dir(secret)), folder: true, project: "path escapes from parent"},
	}
	for _, tt := range tests {
		for _, whose := range []string{"project", "trusted", "user"} {
			t.Run(tt.name+" "+whose, func(t *testing.T) {
				w := newWorld(t)
				path, reason := projectConfig(w.workspace).path, tt.project
				if whose == "trusted" {
					w.trust(t)
				}
				if whose == "user" {
					path, reason = filepath.Join(w.config, "config.yaml"), tt.user
				}
				at := path
				if tt.folder {
					at = filepath.Dir(path)
				}
				if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := tt.make(at); err != nil {
					t.Fatal(err)
				}
				c, err := loadConfiguration(w.host, w.workspace)
				switch {
				case reason == "":
					if err != nil || len(c.ignored) > 0 {
						t.Errorf("%v, %v", err, c.ignored)
					}
				case whose == "project":
					if err != nil || len(c.ignored) != 1 || !strings.Contains(c.ignored[0].Reason, path+": "+reason) {
						t.Errorf("%v, %v", err, c.ignored)
					}
				default:
					fault := wantFault(t, err, runtime.ClassInvalid, "config_unreadable")
					if want := "cannot read configuration " + path + ": " + reason; fault.Message != want {
						t.Errorf("%q, want %q", fault.Message, want)
					}
				}
			})
		}
	}
}

// The user's file may be a link, which stays one; a project's folder may not.
func TestConfigSetLinks(t *testing.T) {
	w := newWorld(t)
	target := filepath.Join(filepath.Dir(w.workspace), "dotfiles", "runx.yaml")
	w.write(t, target, "# mine\n")
	w.write(t, filepath.Join(w.config, "x"), "")
	if err := os.Symlink(target, filepath.Join(w.config, "config.yaml")); err != nil {
		t.Fatal(err)
	}
	w.set(t, "skills.paths", "a")
	if got := w.read(t, target); got != "# mine\nskills:\n  paths:\n    - a\n" {
		t.Errorf("%q", got)
	}
	if info, err := os.Lstat(filepath.Join(w.config, "config.yaml")); err != nil || info.Mode().IsRegular() {
		t.Errorf("the link is gone: %v, %v", info, err)
	}
	elsewhere := t.TempDir()
	if err := os.Symlink(elsewhere, filepath.Join(w.workspace, ".runx")); err != nil {
		t.Fatal(err)
	}
	if got := w.main(t, "", "config", "set", "--project", "credentials.acme", "ci"); got.code != 1 || !strings.Contains(got.err, "is a link") {
		t.Errorf("%+v", got)
	}
	if entries, err := os.ReadDir(elsewhere); err != nil || len(entries) > 0 {
		t.Errorf("%v, %v", entries, err)
	}
	if row := doctorRow(t, w, "state"); row.Status != checkFailed || !strings.Contains(row.Message, "is a link") {
		t.Errorf("%+v", row)
	}
}

// Whoever can write the user's file could trust any project in it.
func TestConfigurationOthersWrite(t *testing.T) {
	for mode, code := range map[os.FileMode]string{0o600: "", 0o644: "", 0o664: "permissions", 0o602: "permissions"} {
		w := newWorld(t)
		path := filepath.Join(w.config, "config.yaml")
		w.write(t, path, "skills: {paths: [a]}\n")
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		_, err := loadConfiguration(w.host, w.workspace)
		if code == "" {
			if err != nil {
				t.Errorf("%04o: %v", mode, err)
			}
			continue
		}
		if fault := wantFault(t, err, runtime.ClassFailed, code); fault.Hint != "chmod go-w "+quoteArg(path) {
			t.Errorf("%04o: hint %q", mode, fault.Hint)
		}
		if row := doctorRow(t, w, "config"); row.Status != checkFailed || row.Hint != "chmod go-w "+quoteArg(path) {
			t.Errorf("%04o: %+v", mode, row)
		}
	}
}
