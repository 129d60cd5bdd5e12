package fsroot

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/gofrs/flock"
)

// Lock takes an exclusive advisory lock on a file below (made when missing) and waits for it until
// ctx ends; the error then holds the cause of ctx and ErrLocked. The lock ends with unlock, which
// may be called twice, or with the process; the file stays. Two locks of one process exclude each
// other as those of two processes do.
func (d *Dir) Lock(ctx context.Context, p RelPath) (unlock func() error, err error) {
	ticker := time.NewTicker(lockPoll)
	defer ticker.Stop()
	for {
		if ctx.Err() != nil {
			return nil, d.fail("lock", p, fmt.Errorf("%w: %w", ErrLocked, context.Cause(ctx)))
		}
		unlock, err := d.TryLock(p)
		if err == nil || !errors.Is(err, ErrLocked) {
			return unlock, err
		}
		select {
		case <-ctx.Done():
		case <-ticker.C:
		}
	}
}

// TryLock is Lock without waiting: it fails at once with ErrLocked when the lock is taken.
func (d *Dir) TryLock(p RelPath) (unlock func() error, err error) {
	if err := p.Portable(); err != nil {
		return nil, err
	}
	if err := d.makeLockFile(p); err != nil {
		return nil, d.fail("lock", p, err)
	}
	// flock opens by path, outside of the root. It neither makes a file there nor waits for a
	// pipe, and what it locked is compared with what the root has under the name.
	lock := flock.New(d.path(p), flock.SetFlag(os.O_RDWR|openFlags), flock.SetPermissions(fileMode))
	held, err := lock.TryLock()
	switch {
	case err != nil:
		return nil, d.fail("lock", p, err)
	case !held:
		return nil, d.fail("lock", p, ErrLocked)
	}
	if err := d.sameFile(lock, p); err != nil {
		return nil, d.fail("lock", p, both(err, lock.Unlock()))
	}
	return sync.OnceValue(func() error { return d.fail("unlock", p, lock.Unlock()) }), nil
}

func (d *Dir) makeLockFile(p RelPath) error {
	f, err := d.root.OpenFile(p.local(), os.O_RDWR|os.O_CREATE|openFlags, fileMode)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errNotRegular
	}
	return both(err, f.Close())
}

func (d *Dir) sameFile(lock *flock.Flock, p RelPath) error {
	locked, err := lock.Stat()
	if err != nil {
		return err
	}
	named, err := d.root.Stat(p.local())
	if err != nil {
		return err
	}
	if !os.SameFile(locked, named) {
		return errors.New("it was replaced by another file")
	}
	return nil
}
