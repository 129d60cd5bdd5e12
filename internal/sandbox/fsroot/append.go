package fsroot

import (
	"bytes"
	"errors"
	"io"
	"os"
)

// AppendLine appends data and one newline in one write, making the file (0600) when missing, so
// that lines of two processes do not mix. data holds no newline. When the file does not end in a
// newline, which a crash or a full disk leaves, the line starts on a line of its own and the torn
// one stays for its reader to report. After an error a part of the line may be there.
//
// It does not sync: AppendLineSync does.
func (d *Dir) AppendLine(p RelPath, data []byte) error { return d.appendLine(p, data, false) }

// AppendLineSync is AppendLine and returns when the disk has the line.
func (d *Dir) AppendLineSync(p RelPath, data []byte) error { return d.appendLine(p, data, true) }

func (d *Dir) appendLine(p RelPath, data []byte, sync bool) (err error) {
	if err := p.Portable(); err != nil {
		return err
	}
	if bytes.IndexByte(data, '\n') >= 0 {
		return d.fail("append to", p, errors.New("the line holds a newline"))
	}
	f, err := d.root.OpenFile(p.local(), os.O_RDWR|os.O_APPEND|os.O_CREATE|openFlags, fileMode)
	if err != nil {
		return d.fail("append to", p, err)
	}
	defer func() {
		if closeErr := f.Close(); err == nil {
			err = d.fail("append to", p, closeErr)
		}
	}()
	torn, err := isTorn(f)
	if err != nil {
		return d.fail("append to", p, err)
	}
	line := make([]byte, 0, len(data)+2)
	if torn {
		line = append(line, '\n')
	}
	line = append(append(line, data...), '\n')
	if _, err := f.Write(line); err != nil {
		return d.fail("append to", p, err)
	}
	if sync {
		return d.fail("sync", p, f.Sync())
	}
	return nil
}

// isTorn says whether a file ends within a line.
func isTorn(f *os.File) (bool, error) {
	info, err := f.Stat()
	switch {
	case err != nil:
		return false, err
	case !info.Mode().IsRegular():
		return false, errNotRegular
	case info.Size() == 0:
		return false, nil
	}
	var last [1]byte
	if _, err := f.ReadAt(last[:], info.Size()-1); err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	return last[0] != '\n', nil
}
