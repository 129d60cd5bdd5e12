package fsroot

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"strconv"
)

// The writes are ours and not those of renameio: its temporary name is the target's name made
// longer, which fails for names near 255 bytes; it hides that name, which CreateNew needs for its
// link; and it does not work on Windows. What it does within an os.Root is the part that stands
// in stage.

// WriteAtomic writes a temporary file (0600) beside the target, syncs it and renames it, so that
// the target holds the old content or the new one, whole. On an error the target is unchanged and
// no temporary file is left. The directory of the target must exist; a link as the target is
// replaced and not followed.
//
// The directory is not synced: after a loss of power the target may still hold the old content,
// and that is whole as well.
func (d *Dir) WriteAtomic(p RelPath, data []byte) error {
	return d.WriteAtomicFrom(p, whole(data))
}

// WriteAtomicFrom is WriteAtomic for content that is written piece by piece: fill is called once. An
// error of it leaves the target unchanged.
func (d *Dir) WriteAtomicFrom(p RelPath, fill func(io.Writer) error) error {
	return d.write(p, func(parent *os.Root, base string) error {
		temp, err := stage(parent, fill)
		if err != nil {
			return err
		}
		return discard(parent, temp, rename(parent, temp, base))
	})
}

// CreateNew is WriteAtomic for a name that must be free: it fails with fs.ErrExist when the target
// exists, also when two processes do it at once. Where the file system has no hard links, a reader
// may see the file empty for a moment, never half, and a crash in that moment leaves it empty:
// whoever cannot live with that holds a Lock around the write and takes an empty file for none.
func (d *Dir) CreateNew(p RelPath, data []byte) error {
	return d.write(p, func(parent *os.Root, base string) error {
		// Looking first spares the sync; the link below decides.
		if _, err := parent.Lstat(base); err == nil {
			return fs.ErrExist
		}
		temp, err := stage(parent, whole(data))
		if err != nil {
			return err
		}
		err = parent.Link(temp, base)
		if err == nil {
			return parent.Remove(temp)
		}
		if noHardLinks(err) {
			err = reserve(parent, temp, base)
		}
		return discard(parent, temp, err)
	})
}

// write checks the name and opens the directory of the target once.
func (d *Dir) write(p RelPath, do func(parent *os.Root, base string) error) error {
	if err := p.Portable(); err != nil {
		return err
	}
	dir, base := p.split()
	parent := d.root
	if !dir.isSelf() {
		sub, err := d.root.OpenRoot(dir.local())
		if err != nil {
			return d.fail("write", p, err)
		}
		defer sub.Close()
		parent = sub
	}
	return d.fail("write", p, do(parent, base))
}

// stage fills a new synced temporary file and returns its name. On an error none is left.
func stage(parent *os.Root, fill func(io.Writer) error) (string, error) {
	f, temp, err := createTemp(parent)
	if err != nil {
		return "", err
	}
	buffered := bufio.NewWriterSize(f, writeBufferBytes)
	if err = fill(buffered); err == nil {
		err = buffered.Flush()
	}
	if err == nil {
		err = f.Sync()
	}
	// A close can be the first to tell that a network file system is full.
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	return temp, discard(parent, temp, err)
}

// whole fills a file with data.
func whole(data []byte) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	}
}

func createTemp(parent *os.Root) (*os.File, string, error) {
	var err error
	for range tempAttempts {
		// The name is short whatever the target's is, and O_EXCL makes it ours.
		name := ".tmp-" + strconv.FormatUint(rand.Uint64(), 36)
		var f *os.File
		f, err = parent.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fileMode)
		if err == nil {
			return f, name, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	return nil, "", err
}

// discard removes the temporary file when err tells that it has not become the target.
func discard(parent *os.Root, temp string, err error) error {
	if err == nil {
		return nil
	}
	return both(err, parent.Remove(temp))
}

// reserve publishes the temporary file without a hard link: whoever makes the empty file owns the
// name and replaces it.
func reserve(parent *os.Root, temp, base string) error {
	f, err := parent.OpenFile(base, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fileMode)
	if err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return discard(parent, base, err)
	}
	return discard(parent, base, rename(parent, temp, base))
}
