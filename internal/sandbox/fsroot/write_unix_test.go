//go:build unix

package fsroot_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/runx-go/runx/internal/sandbox/fsroot"
)

// withFileLimit lets no file grow over limit bytes while do runs: a write is cut off there, as on
// a full disk, with EFBIG in place of ENOSPC.
func withFileLimit(t *testing.T, limit uint64, do func()) {
	t.Helper()
	var old syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &old); err != nil {
		t.Fatal(err)
	}
	small := old
	small.Cur = limit
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &small); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &old); err != nil {
			t.Fatal(err)
		}
	}()
	do()
}

func TestFullDisk(t *testing.T) {
	d := openTemp(t)
	old := []byte("old content")
	if err := d.WriteAtomic("f", old); err != nil {
		t.Fatal(err)
	}
	const size = 5000
	for _, limit := range []uint64{0, 1, 4096, size - 1} {
		var replaced, created, appended error
		withFileLimit(t, limit, func() {
			replaced = d.WriteAtomic("f", make([]byte, size))
			created = d.CreateNew("new", make([]byte, size))
			appended = d.AppendLine("log", bytes.Repeat([]byte{'x'}, size))
		})
		for _, err := range []error{replaced, created, appended} {
			if !errors.Is(err, syscall.EFBIG) {
				t.Errorf("limit %d: %v, want EFBIG", limit, err)
			}
		}
		if want := "cannot write " + filepath.Join(d.Name(), "f") + ": file too large"; message(replaced) != want {
			t.Errorf("error %q, want %q", message(replaced), want)
		}
		if got, err := d.ReadLimited("f", size); !bytes.Equal(got, old) || err != nil {
			t.Errorf("limit %d: the target holds %d bytes, %v", limit, len(got), err)
		}
		if diff := cmp.Diff([]string{"f", "log"}, names(t, d, "")); diff != "" {
			t.Errorf("limit %d: litter: %s", limit, diff)
		}
	}
	if err := d.AppendLine("log", []byte("next")); err != nil {
		t.Fatal(err)
	}
	if got, err := d.ReadLimited("log", 1<<20); !bytes.HasSuffix(got, []byte("x\nnext\n")) || err != nil {
		t.Errorf("the line after a torn one: %.20q, %v", got[max(0, len(got)-20):], err)
	}
}

// needUser skips what the superuser may do.
func needUser(t *testing.T) {
	t.Helper()
	if os.Geteuid() == 0 {
		t.Skip("needs a user whom file modes bind")
	}
}

func TestReadOnlyDirectory(t *testing.T) {
	needUser(t)
	d := openTemp(t)
	if err := errors.Join(d.WriteAtomic("f", []byte("old")), os.Chmod(d.Name(), 0o500)); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(d.Name(), 0o700)
	for _, err := range []error{d.WriteAtomic("f", nil), d.CreateNew("new", nil), d.AppendLine("log", nil), d.Mkdir("dir")} {
		if !errors.Is(err, fs.ErrPermission) {
			t.Errorf("got %v, want fs.ErrPermission", err)
		}
	}
	if diff := cmp.Diff([]string{"f"}, names(t, d, "")); diff != "" {
		t.Error(diff)
	}
}

func TestModes(t *testing.T) {
	old := syscall.Umask(0)
	defer syscall.Umask(old)
	base := filepath.Join(t.TempDir(), "a", "b")
	d, err := fsroot.Create(base, true)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	sub, err := d.Sub("s/t")
	if err != nil {
		t.Fatal(err)
	}
	defer sub.Close()
	if err := os.WriteFile(filepath.Join(base, "wide"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	unlock, err := d.TryLock("lock")
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	if err := errors.Join(d.Mkdir("m"), d.WriteAtomic("w", nil), d.WriteAtomic("wide", nil), d.CreateNew("c", nil), d.AppendLine("l", nil)); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]fs.FileMode{
		"..": 0o700, ".": 0o700, "s": 0o700, "s/t": 0o700, "m": 0o700,
		"w": 0o600, "wide": 0o600, "c": 0o600, "l": 0o600, "lock": 0o600,
	} {
		info, err := os.Stat(filepath.Join(base, path))
		if err != nil || info.Mode().Perm() != want {
			t.Errorf("%s has mode %v, %v, want %v", path, info.Mode(), err, want)
		}
	}
}

func TestCreatePrivate(t *testing.T) {
	for mode := range fs.FileMode(0o100) {
		mode |= 0o700
		t.Run(fmt.Sprintf("%04o", mode), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "it's")
			if err := errors.Join(os.Mkdir(path, 0o700), os.Chmod(path, mode)); err != nil {
				t.Fatal(err)
			}
			d, err := fsroot.Create(path, false)
			if err != nil {
				t.Fatalf("not private: %v", err)
			}
			d.Close()
			d, err = fsroot.Create(path, true)
			if mode&0o022 == 0 {
				if err != nil {
					t.Fatal(err)
				}
				d.Close()
				return
			}
			perm, ok := errors.AsType[*fsroot.PermissionError](err)
			want := &fsroot.PermissionError{Path: path, Repair: "chmod go-w '" + strings.ReplaceAll(path, "'", `'\''`) + "'",
				Reason: fmt.Sprintf("its mode %04o lets others write to it", mode)}
			if diff := cmp.Diff(want, perm); !ok || diff != "" {
				t.Errorf("Create() = %v %s", err, diff)
			}
			if got, want := perm.Error(), fmt.Sprintf("cannot trust %s: its mode %04o lets others write to it", path, mode); got != want {
				t.Errorf("error %q, want %q", got, want)
			}
		})
	}
}

func TestSubOfPrivate(t *testing.T) {
	for mode := range fs.FileMode(0o100) {
		mode |= 0o700
		t.Run(fmt.Sprintf("%04o", mode), func(t *testing.T) {
			base := filepath.Join(t.TempDir(), "state")
			wide := filepath.Join(base, "a", "wide")
			if err := errors.Join(os.MkdirAll(wide, 0o700), os.Chmod(wide, mode)); err != nil {
				t.Fatal(err)
			}
			open := func(private bool, path ...fsroot.RelPath) error {
				d, err := fsroot.Create(base, private)
				if err != nil {
					return err
				}
				for _, p := range path {
					sub, err := d.Sub(p)
					d.Close()
					if err != nil {
						return err
					}
					d = sub
				}
				return d.Close()
			}
			want := &fsroot.PermissionError{Path: wide, Repair: "chmod go-w '" + wide + "'",
				Reason: fmt.Sprintf("its mode %04o lets others write to it", mode)}
			for _, path := range [][]fsroot.RelPath{{"a/wide"}, {"a", "wide"}, {"a/wide/b/c"}, {"a/wide/new/c"}} {
				if err := open(false, path...); err != nil {
					t.Errorf("%v, not private: %v", path, err)
				}
				err := open(true, path...)
				if mode&0o022 == 0 {
					if err != nil {
						t.Errorf("%v: %v", path, err)
					}
					continue
				}
				if perm, ok := errors.AsType[*fsroot.PermissionError](err); !ok || !cmp.Equal(want, perm) {
					t.Errorf("%v: got %v, want %v", path, err, want)
				}
			}
			if mode&0o022 == 0 {
				return
			}
			if err := open(true, "a/wide/refused"); err == nil {
				t.Error("a directory below one that others can write was opened")
			}
			if _, err := os.Stat(filepath.Join(wide, "refused")); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("a directory was made where others can write: %v", err)
			}
		})
	}
}

func TestReadPrivate(t *testing.T) {
	d := openTemp(t)
	if err := d.WriteAtomic("f", []byte("key")); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(d.Name(), "f")
	for mode := range fs.FileMode(0o100) {
		mode |= 0o600
		if err := os.Chmod(file, mode); err != nil {
			t.Fatal(err)
		}
		got, err := d.ReadPrivate("f", 3)
		if mode == 0o600 {
			if string(got) != "key" || err != nil {
				t.Errorf("%04o: %q, %v", mode, got, err)
			}
			continue
		}
		perm, ok := errors.AsType[*fsroot.PermissionError](err)
		want := &fsroot.PermissionError{Path: file, Repair: "chmod 600 '" + file + "'",
			Reason: fmt.Sprintf("its mode %04o lets others read or write it", mode)}
		if diff := cmp.Diff(want, perm); !ok || diff != "" || got != nil {
			t.Errorf("%04o: %q, %v %s", mode, got, err, diff)
		}
	}
}

// needRoot skips what only the superuser may do.
func needRoot(t *testing.T) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("needs to give a file to another user")
	}
}

func TestOwner(t *testing.T) {
	needRoot(t)
	path := filepath.Join(t.TempDir(), "d")
	d, err := fsroot.Create(path, true)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if err := errors.Join(d.WriteAtomic("f", nil), os.Chown(path, 12345, -1), os.Chown(filepath.Join(path, "f"), 12345, -1)); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(d.Mkdir("sub"), os.Chown(filepath.Join(path, "sub"), 12345, -1)); err != nil {
		t.Fatal(err)
	}
	_, dirErr := fsroot.Create(path, true)
	_, subErr := d.Sub("sub")
	_, fileErr := d.ReadPrivate("f", 1)
	for path, err := range map[string]error{path: dirErr, filepath.Join(path, "sub"): subErr, filepath.Join(path, "f"): fileErr} {
		perm, ok := errors.AsType[*fsroot.PermissionError](err)
		want := &fsroot.PermissionError{Path: path, Repair: "sudo chown 0 '" + path + "'", Reason: "it belongs to user 12345 and runx runs as user 0"}
		if diff := cmp.Diff(want, perm); !ok || diff != "" {
			t.Errorf("%s: %v %s", path, err, diff)
		}
	}
}

func TestPipesDoNotBlock(t *testing.T) {
	d := openTemp(t)
	if err := syscall.Mkfifo(filepath.Join(d.Name(), "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := d.Open("pipe")
	if err != nil {
		t.Fatal(err)
	}
	if info, err := f.Stat(); err != nil || info.Mode().Type() != fs.ModeNamedPipe {
		t.Errorf("Open opened %v, %v", info, err)
	}
	f.Close()
	_, readErr := d.ReadLimited("pipe", 1)
	_, lockErr := d.TryLock("pipe")
	for action, err := range map[string]error{"read": readErr, "lock": lockErr, "append to": d.AppendLine("pipe", nil)} {
		if want := "cannot " + action + " " + filepath.Join(d.Name(), "pipe") + ": it is not a regular file"; message(err) != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func TestMovedDirectory(t *testing.T) {
	base := t.TempDir()
	path, moved := filepath.Join(base, "d"), filepath.Join(base, "moved")
	d, err := fsroot.Create(path, true)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if err := errors.Join(os.Rename(path, moved), os.Mkdir(path, 0o700), os.WriteFile(filepath.Join(path, "lock"), nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	// Writes stay in the directory that was opened; a lock of another file is none.
	if err := d.WriteAtomic("f", nil); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(moved, "f")); err != nil {
		t.Error(err)
	}
	_, err = d.TryLock("lock")
	if want := "cannot lock " + filepath.Join(path, "lock") + ": it was replaced by another file"; message(err) != want {
		t.Errorf("TryLock() = %v, want %s", err, want)
	}
}
