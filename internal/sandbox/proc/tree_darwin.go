package proc

import (
	"errors"
	"os"
	"syscall"
	"time"
	"unsafe"
)

// groupAttr makes the child the leader of a new group. The system has no parent death signal.
func groupAttr() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// keepPrivate marks every descriptor but the standard ones close-on-exec, also those that runx
// itself inherited.
func keepPrivate() { markPrivate("/dev/fd") }

// widen does nothing: the system grows pipes by itself.
func widen(*os.File) {}

// waitExited blocks until a child ended and leaves it a zombie. The system writes a siginfo_t of
// 104 bytes; it is not read.
func waitExited(pid int) {
	const (
		pPID    = 1
		wExited = 0x4
		wNoWait = 0x20
	)
	var info [16]uint64
	for {
		_, _, errno := syscall.Syscall6(syscall.SYS_WAITID, pPID, uintptr(pid),
			uintptr(unsafe.Pointer(&info)), wExited|wNoWait, 0, 0)
		if !errors.Is(errno, syscall.EINTR) {
			return
		}
	}
}

// enter, enrol and forfeit keep no books: nobody adopts the descendants of a tree.
func enter() error { return nil }
func enrol(int)    {}
func forfeit()     {}

// empty says whether nobody is left in the group of a leader that ended. The leader stays a zombie
// until sweep: the system does not signal zombies, so it does not count.
func (t *tree) empty() bool { return t.groupGone() }

// swept is the outcome of a sweep.
type swept struct {
	escaped int  // always 0: a descendant that left the group cannot be found
	left    bool // something did not die within sweepLimit
	blind   bool // always false
}

// sweep ends what is left of the group and reaps the leader.
func (t *tree) sweep() swept {
	_ = syscall.Kill(-t.pid, syscall.SIGKILL)
	_ = syscall.Kill(t.pid, syscall.SIGKILL)
	if !t.leaderGone(sweepLimit) {
		return swept{left: true}
	}
	_ = syscall.Kill(-t.pid, syscall.SIGKILL)
	t.reap()
	limit := time.Now().Add(sweepLimit)
	for !t.groupGone() {
		if time.Now().After(limit) {
			return swept{left: true}
		}
		time.Sleep(time.Millisecond)
	}
	return swept{}
}
