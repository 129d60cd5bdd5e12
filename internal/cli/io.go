package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"github.com/runx-go/runx/internal/runtime"
)

// IO is the command line's world: the streams of the process and what is known of them. cmd/runx
// makes it once; tests make their own.
type IO struct {
	In  io.Reader
	Out io.Writer
	Err io.Writer
	// InTerminal, OutTerminal and ErrTerminal say which streams are terminals.
	InTerminal, OutTerminal, ErrTerminal bool
	// ReadSecret shows a prompt on the terminal and reads one line without echo; nil when there is
	// no terminal to ask on. When ctx ends it puts the terminal back and returns the cause.
	ReadSecret func(ctx context.Context, prompt string) (string, error)
	// Alive says whether a process still runs, zombies not counted (for the fixture gate).
	Alive func(pid int) bool
	// WatchReader calls gone once nobody reads stdout any more; nil, or a system that cannot tell,
	// leaves it to the next write.
	WatchReader func(gone func())
	// Now is the clock; nil is the real one.
	Now func() time.Time
	// Kill, when closed, ends every process of a run at once (a second interrupt); nil never does.
	Kill <-chan struct{}
}

// Build is what the linker knows of the program.
type Build struct{ Version, Commit string }

// stdout is the one writer to standard output. A write that fails is remembered, so that a closed
// pipe ends any command quietly.
type stdout struct {
	io.Writer
	gone   atomic.Bool
	failed atomic.Pointer[runtime.Error] // the first write that failed for another reason
}

// Write implements io.Writer. A reader that went away is runtime.ErrReaderGone.
func (s *stdout) Write(p []byte) (int, error) {
	n, err := s.Writer.Write(p)
	if err == nil {
		return n, nil
	}
	if IsClosedPipe(err) {
		s.gone.Store(true)
		return n, runtime.ErrReaderGone
	}
	fault := &runtime.Error{Class: runtime.ClassFailed, Code: runtime.CodeStdoutWrite,
		Message: fmt.Sprintf("cannot write stdout: %v", err), Hint: "check the disk or program that takes the output", Err: err}
	s.failed.CompareAndSwap(nil, fault)
	return n, fault
}

// IsClosedPipe says whether a write failed because nobody reads any more. cmd/runx gives such
// errors of the system the cause io.ErrClosedPipe.
func IsClosedPipe(err error) bool { return errors.Is(err, io.ErrClosedPipe) }

// The causes with which cmd/runx ends the context of Main.
var (
	ErrInterrupted = runtime.ErrInterrupted // SIGINT, Ctrl+C
	ErrTerminated  = runtime.ErrTerminated  // SIGTERM, SIGHUP
)
