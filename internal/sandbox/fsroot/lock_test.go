package fsroot_test

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/runx-go/runx/internal/sandbox/fsroot"
)

func TestTryLock(t *testing.T) {
	d := openTemp(t)
	unlock, err := d.TryLock("lock")
	if err != nil {
		t.Fatal(err)
	}
	_, err = d.TryLock("lock")
	if want := "cannot lock " + filepath.Join(d.Name(), "lock") + ": it is locked by another process"; !errors.Is(err, fsroot.ErrLocked) || message(err) != want {
		t.Errorf("second lock: %v, want %s", err, want)
	}
	for range 2 {
		if err := unlock(); err != nil {
			t.Errorf("unlock: %v", err)
		}
	}
	unlock, err = d.TryLock("lock")
	if err != nil {
		t.Fatalf("after unlock: %v", err)
	}
	if err := unlock(); err != nil {
		t.Error(err)
	}
	if _, err := d.TryLock("none/lock"); err == nil || errors.Is(err, fsroot.ErrLocked) {
		t.Errorf("without a directory: %v", err)
	}
}

func TestLockEndsWithContext(t *testing.T) {
	d := openTemp(t)
	unlock, err := d.TryLock("lock")
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	cause := errors.New("no more time")
	ctx, cancel := context.WithCancelCause(t.Context())
	done := make(chan error)
	go func() {
		_, err := d.Lock(ctx, "lock")
		done <- err
	}()
	cancel(cause)
	if err := <-done; !errors.Is(err, cause) || !errors.Is(err, fsroot.ErrLocked) {
		t.Errorf("Lock() = %v, want the cause and ErrLocked", err)
	}
}

func TestLockExcludes(t *testing.T) {
	path := t.TempDir()
	var inside, sum atomic.Int32 // the race detector does not know file locks
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			d, err := fsroot.Open(path)
			if err != nil {
				t.Error(err)
				return
			}
			defer d.Close()
			for range 5 {
				unlock, err := d.Lock(t.Context(), "lock")
				if err != nil {
					t.Error(err)
					return
				}
				if n := inside.Add(1); n != 1 {
					t.Errorf("%d at once", n)
				}
				sum.Add(1)
				inside.Add(-1)
				if err := unlock(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if got := sum.Load(); got != 20 {
		t.Errorf("%d turns, want 20", got)
	}
}

func TestLockOfADeadProcess(t *testing.T) {
	d := openTemp(t)
	h := startHelper(t, helperLock, d.Name())
	if got := h.line(t); got != "held" {
		t.Fatalf("the helper says %q", got)
	}
	if _, err := d.TryLock("lock"); !errors.Is(err, fsroot.ErrLocked) {
		t.Fatalf("while the helper lives: %v", err)
	}
	if err := h.Kill(); err != nil {
		t.Fatal(err)
	}
	if _, err := h.Wait(); err != nil {
		t.Fatal(err)
	}
	unlock, err := d.Lock(t.Context(), "lock")
	if err != nil {
		t.Fatalf("after its death: %v", err)
	}
	if err := unlock(); err != nil {
		t.Error(err)
	}
}
