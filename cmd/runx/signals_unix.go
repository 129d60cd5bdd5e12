//go:build unix

package main

import (
	"errors"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// endSignals are those that cancel a run. SIGQUIT would else print every goroutine and leave the
// processes of the run behind.
func endSignals() []os.Signal {
	return []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT}
}

// isBrokenPipe says whether a write failed because nobody reads any more.
func isBrokenPipe(err error) bool { return errors.Is(err, syscall.EPIPE) }

// watchReader calls gone once nobody reads stdout any more, when stdout is a pipe or a socket. It
// holds a thread until then or until the process ends.
func watchReader(gone func()) {
	info, err := os.Stdout.Stat()
	if err != nil || info.Mode()&(os.ModeNamedPipe|os.ModeSocket) == 0 {
		return
	}
	go func() {
		ready := []unix.PollFd{{Fd: int32(os.Stdout.Fd())}} //nolint:gosec // a file descriptor is small
		for {
			_, err := unix.Poll(ready, -1)
			if errors.Is(err, unix.EINTR) {
				continue
			}
			if err == nil && ready[0].Revents&(unix.POLLERR|unix.POLLHUP) != 0 {
				gone()
			}
			return
		}
	}()
}
