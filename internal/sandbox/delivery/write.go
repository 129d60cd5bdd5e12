package delivery

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/runx-go/runx/internal/sandbox/fsroot"
)

// Delivery is the written input files of one run. It is used by one goroutine.
type Delivery struct {
	parent *fsroot.Dir // nil when nothing is left to remove
	name   fsroot.RelPath
}

// Write makes the planned directory (0700) below dir, which must be the parent that it was planned
// in and stay open until Close, and writes the input files (0600) into it. A directory that exists
// is an error (fs.ErrExist), as another run would own it. The files are not synced: they never
// outlive the run. After an error nothing is left behind.
func (p *Plan) Write(dir *fsroot.Dir) (*Delivery, error) {
	if filepath.Dir(p.filesDir) != filepath.Clean(dir.Name()) {
		return nil, fmt.Errorf("cannot write input files below %s: they are planned in %s", dir.Name(), p.filesDir)
	}
	name, err := fsroot.ParseRelPath(filepath.Base(p.filesDir))
	if err != nil {
		return nil, fmt.Errorf("cannot write input files in %s: %w", p.filesDir, err)
	}
	if err := dir.Mkdir(name); err != nil {
		return nil, fmt.Errorf("cannot make the directory %s: %w", p.filesDir, err)
	}
	d := &Delivery{parent: dir, name: name}
	if err := p.writeFiles(dir, name); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return d, nil
}

func (p *Plan) writeFiles(dir *fsroot.Dir, name fsroot.RelPath) (err error) {
	root, err := os.OpenRoot(p.filesDir)
	if err != nil {
		return fmt.Errorf("cannot open the directory %s: %w", p.filesDir, err)
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	// The path was opened a second time: it must still be the directory that was made.
	made, err := dir.Lstat(name)
	if err != nil {
		return fmt.Errorf("cannot look at the directory %s: %w", p.filesDir, err)
	}
	opened, err := root.Stat(".")
	if err != nil {
		return fmt.Errorf("cannot look at the directory %s: %w", p.filesDir, err)
	}
	if !os.SameFile(made, opened) {
		return fmt.Errorf("cannot write input files in %s: the directory was replaced", p.filesDir)
	}
	for _, file := range p.Files {
		if err := writeFile(root, file); err != nil {
			return fmt.Errorf("cannot write the input file %s: %w", filepath.Join(p.filesDir, file.Name), err)
		}
	}
	return nil
}

func writeFile(root *os.Root, file File) error {
	f, err := root.OpenFile(file.Name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(file.Data)
	return errors.Join(err, f.Close())
}

// Close removes the directory with everything in it. A second call does nothing; after an error it
// tries again.
func (d *Delivery) Close() error {
	if d.parent == nil {
		return nil
	}
	if err := d.parent.RemoveAll(d.name); err != nil {
		return fmt.Errorf("cannot remove the input files in %s: %w", filepath.Join(d.parent.Name(), string(d.name)), err)
	}
	d.parent = nil
	return nil
}
