package fsroot

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// Dir is an open directory that nothing leaves, over os.Root. Methods are safe for concurrent use.
// It stays the same directory when its name is given to another one. Errors of the system keep
// their identity for errors.Is; after Close it is os.ErrClosed.
type Dir struct {
	root *os.Root
	name string
	// private makes Sub as careful as Create was.
	private bool
}

// Open opens an existing directory; links in path are followed.
func Open(path string) (*Dir, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, fault("open directory", path, err)
	}
	root, err := os.OpenRoot(abs)
	if err != nil {
		return nil, fault("open directory", abs, err)
	}
	return &Dir{root: root, name: abs}, nil
}

// Create opens a directory, making it and its parents (mode 0700) when missing. With private, a
// directory that group or others can write, or that belongs to somebody else, is refused with a
// *PermissionError (Unix); on Windows a directory that it makes gets an access list with the
// owner alone, and an existing one is not checked.
func Create(path string, private bool) (*Dir, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, fault("make directory", path, err)
	}
	d, err := Open(abs)
	made := errors.Is(err, fs.ErrNotExist)
	if made {
		if err := os.MkdirAll(abs, dirMode); err != nil {
			return nil, fault("make directory", abs, err)
		}
		d, err = Open(abs)
	}
	if err != nil {
		return nil, err
	}
	if private {
		d.private = true
		if err := d.protect(made); err != nil {
			return nil, both(err, d.Close())
		}
	}
	return d, nil
}

// Name is the absolute path it was opened by.
func (d *Dir) Name() string { return d.name }

// Sub opens a directory below, making it and its parents (0700) when missing. The new Dir has its
// own Close. Below a directory that Create opened as private, it and every directory on the way to
// it are held to the same: one that group or others can write, or that belongs to somebody else, is
// a *PermissionError (Unix), and the new Dir is private too. A link that leads out of d is an error.
func (d *Dir) Sub(p RelPath) (*Dir, error) {
	if err := d.protectWay(p); err != nil {
		return nil, err
	}
	root, err := d.root.OpenRoot(p.local())
	made := errors.Is(err, fs.ErrNotExist)
	if made {
		if err := p.Portable(); err != nil {
			return nil, err
		}
		if err := d.root.MkdirAll(p.local(), dirMode); err != nil {
			return nil, d.fail("make directory", p, err)
		}
		root, err = d.root.OpenRoot(p.local())
	}
	if err != nil {
		return nil, d.fail("open directory", p, err)
	}
	sub := &Dir{root: root, name: d.path(p), private: d.private}
	if d.private {
		if err := sub.protect(made); err != nil {
			return nil, both(err, sub.Close())
		}
	}
	return sub, nil
}

// protectWay refuses a directory on the way to p that somebody else can write: whoever can, could
// put another one in the place of p. What is missing will be made.
func (d *Dir) protectWay(p RelPath) error {
	for i := 0; d.private && i < len(p); i++ {
		if p[i] != '/' {
			continue
		}
		root, err := d.root.OpenRoot(p[:i].local())
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return d.fail("open directory", p[:i], err)
		}
		way := &Dir{root: root, name: d.path(p[:i])}
		if err := both(way.protect(false), way.Close()); err != nil {
			return err
		}
	}
	return nil
}

// Close releases the directory. It may be called twice.
func (d *Dir) Close() error {
	if err := d.root.Close(); err != nil && !errors.Is(err, fs.ErrClosed) {
		return fault("close directory", d.name, err)
	}
	return nil
}

// Mkdir makes a new directory (0700) in an existing one; fs.ErrExist when something has the name.
func (d *Dir) Mkdir(p RelPath) error {
	if err := p.Portable(); err != nil {
		return err
	}
	return d.fail("make directory", p, d.root.Mkdir(p.local(), dirMode))
}

// Remove removes a file, a link or an empty directory; fs.ErrNotExist when there is none.
func (d *Dir) Remove(p RelPath) error {
	if p.isSelf() {
		return d.fail("remove", p, errSelf)
	}
	return d.fail("remove", p, d.root.Remove(p.local()))
}

// RemoveAll removes whatever has the name, with all that is below; links are removed and not
// followed. It is no error when there is nothing.
func (d *Dir) RemoveAll(p RelPath) error {
	if p.isSelf() {
		return d.fail("remove", p, errSelf)
	}
	return d.fail("remove", p, d.root.RemoveAll(p.local()))
}

// Stat describes what has the name, following links inside the directory.
func (d *Dir) Stat(p RelPath) (fs.FileInfo, error) {
	info, err := d.root.Stat(p.local())
	return info, d.fail("look at", p, err)
}

// Lstat describes what has the name; a link is described and not followed.
func (d *Dir) Lstat(p RelPath) (fs.FileInfo, error) {
	info, err := d.root.Lstat(p.local())
	return info, d.fail("look at", p, err)
}

// ReadDir lists a directory, sorted by name in byte order. What a crash left of a write is listed,
// as every other file.
func (d *Dir) ReadDir(p RelPath) ([]fs.DirEntry, error) {
	f, err := d.Open(p)
	if err != nil {
		return nil, err
	}
	entries, err := f.ReadDir(-1)
	if err = both(err, f.Close()); err != nil {
		return nil, d.fail("list", p, err)
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return cmp.Compare(a.Name(), b.Name()) })
	return entries, nil
}

// Readlink returns the text of a link, wherever it points.
func (d *Dir) Readlink(p RelPath) (string, error) {
	target, err := d.root.Readlink(p.local())
	return target, d.fail("read link", p, err)
}

func (d *Dir) path(p RelPath) string { return filepath.Join(d.name, filepath.FromSlash(p.local())) }

func (d *Dir) fail(action string, p RelPath, err error) error { return fault(action, d.path(p), err) }
