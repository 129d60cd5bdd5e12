//go:build unix

package proc

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	goruntime "runtime"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// endsAtOnce is false: a group can be asked to end.
const endsAtOnce = false

// tree is a started process group. Its leader stays a zombie until it gets no more signals, so that
// its pid cannot be used again before. Members of the group keep the number of the group from being
// used again, also when the leader is reaped.
type tree struct {
	pid    int // also the number of the group
	mark   string
	done   chan struct{} // the leader ended
	status syscall.WaitStatus
	reaped bool
	adopts error // why descendants that leave the group do not become ours
}

// startTree starts the leader of a group and waits for it on one locked thread: the system ends a
// child with the thread that started it (parent death signal), so that thread must live as long.
func startTree(l launch) (*tree, error) {
	t := &tree{mark: l.mark, done: make(chan struct{}), adopts: enter()}
	started := make(chan error, 1)
	go func() {
		defer close(t.done)
		goruntime.LockOSThread()
		defer goruntime.UnlockOSThread()
		var err error
		if t.pid, err = forkExec(l); err == nil {
			enrol(t.pid)
		}
		started <- err
		if err == nil {
			waitExited(t.pid)
		}
	}()
	if err := <-started; err != nil {
		<-t.done
		forfeit()
		return nil, err
	}
	return t, nil
}

// forkExec tries again while the file is busy: see busyLimit.
func forkExec(l launch) (int, error) {
	defer goruntime.KeepAlive(l.files)
	attr := &syscall.ProcAttr{Dir: l.dir, Env: l.env, Sys: groupAttr()}
	for _, f := range l.files {
		attr.Files = append(attr.Files, f.Fd())
	}
	keepPrivate()
	limit := time.Now().Add(busyLimit)
	for wait := time.Millisecond; ; wait *= 2 {
		pid, err := syscall.ForkExec(l.path, l.argv, attr)
		if !errors.Is(err, syscall.ETXTBSY) || time.Now().After(limit) {
			return pid, err
		}
		time.Sleep(wait)
	}
}

// exited is closed when the leader has ended.
func (t *tree) exited() <-chan struct{} { return t.done }

// term asks the group to end. A group that is gone has nothing to be asked.
func (t *tree) term() { _ = syscall.Kill(-t.pid, syscall.SIGTERM) }

// leaderGone waits until the leader ended, at most the given time.
func (t *tree) leaderGone(wait time.Duration) bool {
	select {
	case <-t.done:
		return true
	default:
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-t.done:
		return true
	case <-timer.C:
		return false
	}
}

// reap takes the leader's status. Only sweep calls it, after the leader ended.
func (t *tree) reap() {
	for {
		_, err := syscall.Wait4(t.pid, &t.status, 0, nil)
		if !errors.Is(err, syscall.EINTR) {
			t.reaped = err == nil
			return
		}
	}
}

// groupGone says whether no process, not even a zombie, is in the group.
func (t *tree) groupGone() bool {
	return t.pid <= 0 || errors.Is(syscall.Kill(-t.pid, 0), syscall.ESRCH)
}

// exit is the leader's code, or -1 and the name of the signal that ended it.
func (t *tree) exit() (code int, signal string) {
	switch {
	case !t.reaped:
		return -1, ""
	case t.status.Exited():
		return t.status.ExitStatus(), ""
	}
	return -1, signalName(t.status.Signal())
}

func signalName(sig syscall.Signal) string {
	if name := unix.SignalName(sig); name != "" {
		return name
	}
	return fmt.Sprintf("SIG%d", int(sig))
}

// runnable wants an x bit: the superuser may execute any file that has one, and no other.
func runnable(path string, info fs.FileInfo) bool {
	return info.Mode().IsRegular() && info.Mode()&0o111 != 0 && unix.Access(path, unix.X_OK) == nil
}

// executeHint says how a file becomes executable.
func executeHint(file string) string { return "chmod +x " + quoted(file) }

// quoted makes a path one word of a command line that a person may copy.
func quoted(path string) string {
	if strings.ContainsFunc(path, func(r rune) bool {
		return !strings.ContainsRune("/._-+", r) && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	}) {
		return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
	}
	return path
}

// extensions are none: a name is complete.
func extensions(func(string) (string, bool)) []string { return nil }

// holdsPipe says whether any process still holds the writing end of an output. A stream that is only
// read slowly is not held.
func (t *tree) holdsPipe(s *streams) bool { return held(s.pipes.out) || held(s.pipes.err) }

// held says whether a process has the writing end of a pipe open.
func held(f *os.File) bool {
	conn, err := f.SyscallConn()
	if err != nil {
		return false
	}
	open := false
	if err := conn.Control(func(fd uintptr) {
		polled := []unix.PollFd{{Fd: int32(fd)}}
		for {
			_, err := unix.Poll(polled, 0)
			if !errors.Is(err, unix.EINTR) {
				open = err == nil && polled[0].Revents&(unix.POLLHUP|unix.POLLNVAL) == 0
				return
			}
		}
	}); err != nil {
		return false
	}
	return open
}
