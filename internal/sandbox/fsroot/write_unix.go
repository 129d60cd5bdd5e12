//go:build unix

package fsroot

import (
	"errors"
	"os"
	"syscall"
)

// openFlags keep an open from waiting for the other end of a pipe.
const openFlags = syscall.O_NONBLOCK

// rename replaces base in one step.
func rename(parent *os.Root, temp, base string) error { return parent.Rename(temp, base) }

// noHardLinks says that a link failed because the file system has none, or forbids them. That the
// directory cannot be written is not among the reasons: the temporary file was made in it.
func noHardLinks(err error) bool {
	return errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.EACCES) || errors.Is(err, syscall.ENOTSUP) ||
		errors.Is(err, syscall.EOPNOTSUPP) || errors.Is(err, syscall.ENOSYS) ||
		errors.Is(err, syscall.EMLINK)
}
