package fsroot

import (
	"errors"
	"io"
	"os"
)

// Open opens a file or directory below for reading; what it is must be judged on the handle. It
// does not wait for a writer when the name is that of a pipe.
func (d *Dir) Open(p RelPath) (*os.File, error) {
	f, err := d.root.OpenFile(p.local(), os.O_RDONLY|openFlags, 0)
	if err != nil {
		return nil, d.fail("open", p, err)
	}
	return f, nil
}

// ReadLimited reads a regular file of at most limit bytes. A longer one is a *TooLargeError;
// limit 0 accepts an empty file only.
func (d *Dir) ReadLimited(p RelPath, limit int64) ([]byte, error) {
	return d.read(p, limit, func(*os.File) error { return nil })
}

// ReadPrivate is ReadLimited for a file that holds a secret: when group or others can read or
// write it, or when it belongs to somebody else, it is a *PermissionError (Unix; on Windows it is
// not checked) and nothing is read.
func (d *Dir) ReadPrivate(p RelPath, limit int64) ([]byte, error) {
	return d.read(p, limit, func(f *os.File) error {
		info, err := f.Stat()
		if err != nil {
			return d.fail("look at", p, err)
		}
		return checkFile(d.path(p), info)
	})
}

func (d *Dir) read(p RelPath, limit int64, check func(*os.File) error) (data []byte, err error) {
	f, err := d.Open(p)
	if err != nil {
		return nil, err
	}
	defer func() { err = both(err, f.Close()) }()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, d.fail("look at", p, err)
	case !info.Mode().IsRegular():
		return nil, d.fail("read", p, errNotRegular)
	}
	if err := check(f); err != nil {
		return nil, err
	}
	if info.Size() > limit {
		return nil, &TooLargeError{Path: d.path(p), Limit: limit}
	}
	// The file may grow while it is read, and files such as those of /proc have no size: one byte
	// over the ceiling is asked for.
	data = make([]byte, 0, info.Size()+1)
	for {
		n, err := f.Read(data[len(data):min(int64(cap(data)), limit+1)])
		data = data[:len(data)+n]
		switch {
		case int64(len(data)) > limit:
			return nil, &TooLargeError{Path: d.path(p), Limit: limit}
		case errors.Is(err, io.EOF):
			return data, nil
		case err != nil:
			return nil, d.fail("read", p, err)
		}
		if len(data) == cap(data) {
			data = append(data, 0)[:len(data)]
		}
	}
}
