package admission

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"hash"
	"io"

	"github.com/runx-go/runx/internal/skills"
)

// digester makes runx.skill-package.v1 (skills 1.1) over one package.
type digester struct {
	*admitter
	hash   hash.Hash
	buffer []byte
	total  int64
	full   bool // over packageBytes
}

var errChanged = errors.New("it changed while it was read")

// digest binds the bytes of all files. What was parsed is digested as it was parsed. The error is
// that of ctx; a file that cannot be read is a finding.
func (a *admitter) digest(ctx context.Context) error {
	d := &digester{admitter: a, hash: sha256.New()}
	d.hash.Write([]byte("runx.skill-package.v1\x00"))
	for _, f := range a.files {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		if data, ok := a.held(f.path); ok {
			if d.begin(f.path, int64(len(data))) {
				d.hash.Write(data)
			}
		} else if err := d.stream(f); err != nil {
			a.unreadable(f.path, err)
		}
		if d.full {
			a.fault(skills.Position{}, "package_too_large", "move what is not part of the skill elsewhere",
				"the package has more than %d bytes", packageBytes)
			return nil
		}
	}
	a.pkg.Digest = skills.Digest("sha256:" + hex.EncodeToString(d.hash.Sum(nil)))
	return nil
}

// held are the bytes of a file that was read before.
func (a *admitter) held(path string) ([]byte, bool) {
	for _, d := range []*document{&a.manual, &a.profile} {
		if d.read && d.path == path {
			return d.data, true
		}
	}
	for _, p := range a.packets {
		if p.path == path {
			return p.data, true
		}
	}
	return nil, false
}

// begin writes path and size of the next file; false when the package is too large with it.
func (d *digester) begin(path string, size int64) bool {
	d.total += size
	if d.total > packageBytes {
		d.full = true
		return false
	}
	header := binary.BigEndian.AppendUint64(nil, uint64(len(path)))
	header = append(header, path...)
	d.hash.Write(binary.BigEndian.AppendUint64(header, uint64(size)))
	return true
}

func (d *digester) stream(f file) (err error) {
	in, err := d.dir.Open(f.source)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	info, err := in.Stat()
	switch {
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return errChanged
	}
	size := info.Size()
	if !d.begin(f.path, size) {
		return nil
	}
	if want := int(min(size+1, digestBuffer)); len(d.buffer) < want {
		d.buffer = make([]byte, want)
	}
	for read := int64(0); ; {
		n, err := in.Read(d.buffer)
		read += int64(n)
		if read > size {
			return errChanged
		}
		d.hash.Write(d.buffer[:n])
		if errors.Is(err, io.EOF) {
			if read < size {
				return errChanged
			}
			return nil
		}
		if err != nil {
			return err
		}
	}
}
