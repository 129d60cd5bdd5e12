package fsroot

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

const (
	// renameAttempts is how often a rename is tried on Windows while another process has the
	// target open, and renamePause the time between two of them; source: our choice, together
	// 200 ms.
	renameAttempts = 11
	renamePause    = 20 * time.Millisecond
)

// openFlags are none: opening a file on Windows does not wait.
const openFlags = 0

// rename replaces base in one step. It is tried again for a moment, because Windows refuses while
// another process, such as a virus scanner, has the target open.
func rename(parent *os.Root, temp, base string) error {
	var err error
	for attempt := range renameAttempts {
		if attempt > 0 {
			time.Sleep(renamePause)
		}
		err = parent.Rename(temp, base)
		if !errors.Is(err, windows.ERROR_ACCESS_DENIED) && !errors.Is(err, windows.ERROR_SHARING_VIOLATION) {
			return err
		}
	}
	return err
}

// noHardLinks says that a link failed because the file system has none.
func noHardLinks(err error) bool {
	return errors.Is(err, windows.ERROR_NOT_SUPPORTED) || errors.Is(err, windows.ERROR_INVALID_FUNCTION) ||
		errors.Is(err, windows.ERROR_INVALID_PARAMETER) || errors.Is(err, windows.ERROR_TOO_MANY_LINKS)
}
