package fsroot

import "os"

// CreateReserved is the part of CreateNew for file systems without hard links.
func (d *Dir) CreateReserved(p RelPath, data []byte) error {
	return d.write(p, func(parent *os.Root, base string) error {
		temp, err := stage(parent, whole(data))
		if err != nil {
			return err
		}
		return discard(parent, temp, reserve(parent, temp, base))
	})
}

// NoHardLinks is noHardLinks.
func NoHardLinks(err error) bool { return noHardLinks(err) }
