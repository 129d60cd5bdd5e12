package fsroot_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/runx-go/runx/internal/sandbox/fsroot"
)

func TestOpenAndCreate(t *testing.T) {
	base := t.TempDir()
	path := filepath.Join(base, "a", "b")
	_, err := fsroot.Open(path)
	if want := "cannot open directory " + path + ": "; !errors.Is(err, fs.ErrNotExist) || !strings.HasPrefix(message(err), want) {
		t.Errorf("Open() = %v, want %s… and fs.ErrNotExist", err, want)
	}
	for range 2 {
		d, err := fsroot.Create(path, true)
		if err != nil {
			t.Fatal(err)
		}
		if d.Name() != path {
			t.Errorf("Name() = %s, want %s", d.Name(), path)
		}
		for range 2 {
			if err := d.Close(); err != nil {
				t.Errorf("Close() = %v", err)
			}
		}
		if err := d.Mkdir("x"); !errors.Is(err, os.ErrClosed) {
			t.Errorf("Mkdir after Close = %v", err)
		}
	}
	file := filepath.Join(base, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, open := range map[string]func(string) (*fsroot.Dir, error){
		"Open": fsroot.Open, "Create": func(p string) (*fsroot.Dir, error) { return fsroot.Create(p, false) },
	} {
		if d, err := open(file); err == nil {
			d.Close()
			t.Errorf("%s opened a file", name)
		}
	}
}

func TestDirMethods(t *testing.T) {
	d := openTemp(t)
	sub, err := d.Sub("s/t")
	if err != nil {
		t.Fatal(err)
	}
	defer sub.Close()
	if want := filepath.Join(d.Name(), "s", "t"); sub.Name() != want {
		t.Errorf("Name() = %s, want %s", sub.Name(), want)
	}
	self, err := d.Sub(fsroot.Self)
	if err != nil {
		t.Fatal(err)
	}
	defer self.Close()
	for _, name := range []fsroot.RelPath{"b", "a", "C", "ä"} {
		if err := d.Mkdir(name); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.Mkdir("a"); !errors.Is(err, fs.ErrExist) {
		t.Errorf("Mkdir of a directory that is there = %v", err)
	}
	for _, p := range []fsroot.RelPath{"", fsroot.Self} {
		if diff := cmp.Diff([]string{"C", "a", "b", "s", "ä"}, names(t, self, p)); diff != "" {
			t.Error(diff)
		}
		if info, err := d.Stat(p); err != nil || !info.IsDir() {
			t.Errorf("Stat(%q) = %v, %v", p, info, err)
		}
		for action, err := range map[string]error{
			"Remove": d.Remove(p), "RemoveAll": d.RemoveAll(p), "Mkdir": d.Mkdir(p),
			"WriteAtomic": d.WriteAtomic(p, nil), "CreateNew": d.CreateNew(p, nil), "AppendLine": d.AppendLine(p, nil),
		} {
			if err == nil {
				t.Errorf("%s(%q) was done", action, p)
			}
		}
	}
	if err := d.Remove("s"); err == nil {
		t.Error("Remove removed a directory that is not empty")
	}
	if err := errors.Join(d.RemoveAll("s"), d.RemoveAll("s"), d.Remove("a")); err != nil {
		t.Error(err)
	}
	if err := d.Remove("a"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Remove of nothing = %v", err)
	}
	if diff := cmp.Diff([]string{"C", "b", "ä"}, names(t, d, "")); diff != "" {
		t.Error(diff)
	}
}

func TestNothingLeavesTheRoot(t *testing.T) {
	outer := t.TempDir()
	secret := filepath.Join(outer, "secret")
	if err := os.WriteFile(secret, []byte("outside"), 0o600); err != nil {
		t.Fatal(err)
	}
	d, err := fsroot.Create(filepath.Join(outer, "root"), false)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	for name, target := range map[string]string{"abs": secret, "rel": "../secret", "dir": "..", "in": "file"} {
		if err := os.Symlink(target, filepath.Join(d.Name(), name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.WriteAtomic("file", []byte("inside")); err != nil {
		t.Fatal(err)
	}
	if got, err := d.ReadLimited("in", 6); string(got) != "inside" || err != nil {
		t.Errorf("link inside: %q, %v", got, err)
	}
	if got, err := d.Readlink("abs"); got != secret || err != nil {
		t.Errorf("Readlink() = %q, %v", got, err)
	}
	if info, err := d.Lstat("abs"); err != nil || info.Mode().Type() != fs.ModeSymlink {
		t.Errorf("Lstat() = %v, %v", info, err)
	}
	for _, p := range []fsroot.RelPath{"abs", "rel", "dir/secret", "../secret", "/" + fsroot.RelPath(secret)} {
		if got, err := d.ReadLimited(p, 100); err == nil {
			t.Errorf("read %s: %q", p, got)
		}
		if err := d.AppendLine(p, []byte("x")); err == nil {
			t.Errorf("appended to %s", p)
		}
		if _, err := d.TryLock(p); err == nil {
			t.Errorf("locked %s", p)
		}
	}
	for _, p := range []fsroot.RelPath{"dir", "dir/new"} {
		if sub, err := d.Sub(p); err == nil {
			sub.Close()
			t.Errorf("opened %s", p)
		}
	}
	for _, err := range []error{d.WriteAtomic("dir/new", nil), d.CreateNew("dir/new", nil), d.Mkdir("dir/new"), d.RemoveAll("dir/secret")} {
		if err == nil {
			t.Error("wrote through a link that leaves the root")
		}
	}
	// A link as the target is replaced, not followed.
	if err := d.WriteAtomic("abs", []byte("new")); err != nil {
		t.Error(err)
	}
	if got, err := os.ReadFile(secret); string(got) != "outside" || err != nil {
		t.Errorf("outside is now %q, %v", got, err)
	}
	if entries, err := os.ReadDir(outer); len(entries) != 2 || err != nil {
		t.Errorf("outside are now %v, %v", entries, err)
	}
}

func TestReadLimited(t *testing.T) {
	d := openTemp(t)
	for _, size := range []int{0, 1, 511, 512, 513, 100_000} {
		want := strings.Repeat("x", size)
		if err := d.WriteAtomic("f", []byte(want)); err != nil {
			t.Fatal(err)
		}
		if got, err := d.ReadLimited("f", int64(size)); string(got) != want || err != nil {
			t.Errorf("at the limit of %d: %d bytes, %v", size, len(got), err)
		}
		_, err := d.ReadLimited("f", int64(size)-1)
		large, ok := errors.AsType[*fsroot.TooLargeError](err)
		if diff := cmp.Diff(&fsroot.TooLargeError{Path: filepath.Join(d.Name(), "f"), Limit: int64(size) - 1}, large); !ok || diff != "" {
			t.Errorf("one over: %v %s", err, diff)
		}
	}
	large := &fsroot.TooLargeError{Path: "/p", Limit: 5}
	if got, want := large.Error(), "cannot read /p: it has more than 5 bytes"; got != want {
		t.Errorf("error %q, want %q", got, want)
	}
	if _, err := d.ReadLimited("none", 1); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing file: %v", err)
	}
	if _, err := d.ReadLimited(fsroot.Self, 1); err == nil {
		t.Error("read a directory")
	}
}
