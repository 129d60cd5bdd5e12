package proc

import (
	"context"
	"errors"
	"time"

	"github.com/runx-go/runx/internal/sandbox"
	"github.com/runx-go/runx/internal/sandbox/delivery"
)

// ErrKilled is the CancelCause of a run that Command.Kill ended while its context was alive.
var ErrKilled = errors.New("the process tree was killed")

// Command is one process tree to supervise.
type Command struct {
	// Name is a bare name, looked up in the PATH of Env (absolute entries only, never the current
	// directory), or a path; a relative path is looked up from Dir. It becomes argument 0 as written.
	Name string
	// Args are the arguments after the name.
	Args []string
	// Dir is the absolute working directory.
	Dir string
	// Env is the complete environment; nothing is added.
	Env delivery.Env
	// Stdin is written while output is read, then closed; nil closes at once.
	Stdin []byte
	// Timeout is the time limit from the start; 0 means none. Grace after SIGTERM and drain after
	// the leader's exit are limits of this package.
	Timeout time.Duration
	// Mark is the value of RUNX_INPUTS_PATH that identifies descendants of this run. Two runs at the
	// same time must not share it. Empty: descendants are identified by their group and ancestors.
	Mark string
	// Output gets every chunk that was read, in order for each stream, before the next is read; it
	// may block (that slows the child and delays neither limit nor kill: see Run). Streams are called
	// from two goroutines. The chunk must not be kept or changed. An error cancels the run with that error as cause, and is
	// the last call but for one that is under way for the other stream. nil: no live output.
	Output func(stream StreamName, chunk []byte) error
	// Kill, when closed, ends the tree with SIGKILL at once (second interrupt). nil: never.
	Kill <-chan struct{}
}

// StreamName is stdout or stderr.
type StreamName string

// The streams of a process.
const (
	Stdout StreamName = "stdout"
	Stderr StreamName = "stderr"
)

// Cause is what ended a run; the first of them wins. The zero value is none of them.
type Cause int

// The causes of an end.
const (
	Exited    Cause = iota + 1 // the leader ended by itself or by a signal from elsewhere
	TimedOut                   // Command.Timeout passed
	Cancelled                  // the context, Output or Kill ended it, or the wait for its receiver
)

func (c Cause) String() string {
	switch c {
	case Exited:
		return "exited"
	case TimedOut:
		return "timed out"
	case Cancelled:
		return "cancelled"
	}
	return "unknown"
}

// Result is a classified end. Run returns it only when the tree is gone.
type Result struct {
	Cause       Cause
	CancelCause error  // context.Cause, the error of Output or ErrKilled; nil unless Cancelled
	ExitCode    int    // of the leader; -1 when it was ended by a signal or never started
	Signal      string // "SIGKILL"..., or ""
	Stdout      Stream
	Stderr      Stream
	// DescendantHeldPipe is set when the leader ended by itself and a process that it left behind
	// still held one of its streams 500 ms later.
	DescendantHeldPipe bool
	// EscapedEnded counts processes that had left the group and were ended (Linux; elsewhere 0).
	EscapedEnded int
	// Abandoned is set when a call of Output was left behind: it may still be under way, for ever,
	// and is the last one of its stream. The Cause is never Exited then.
	Abandoned bool
	// Path is the file that was started; empty when the context had ended before.
	Path string
	// Boundary is what was enforced around this tree.
	Boundary sandbox.Boundary
	// Duration is the time from the start to the end of the tree.
	Duration time.Duration
}

// Stream is the retained prefix and the measure of the whole.
type Stream struct {
	Prefix    []byte // at most 8 MiB; when it was cut, never inside a character
	Bytes     int64  // length of the whole stream
	SHA256    string // of the whole stream, 64 hex digits
	Truncated bool   // the whole is longer than Prefix
}

// StartError says why nothing was started.
type StartError struct {
	// Code is spawn_not_found, spawn_not_executable, spawn_directory, spawn_shebang, spawn_cwd,
	// spawn_batch or spawn_failed.
	Code string
	// File is the file or directory at fault; the command as written when no file was found.
	File string
	// Msg is one sentence: what, on which file, why.
	Msg string
	// Hint is one thing to try, or empty.
	Hint string
}

func (e *StartError) Error() string { return e.Msg }

// Run starts a command, supervises its tree and returns when the tree is gone. The error is a
// *StartError and means that nothing runs; everything else, also a context that had ended before,
// is a Result.
//
// A receiver of output that blocks is waited for as long as the run goes on, also after the leader
// ended by itself, so that nothing that was read is lost. Once the run was stopped (its limit passed,
// the context ended, Kill was closed or Output failed) it is waited for 400 ms at most after the end
// of the tree; then it is left behind (Result.Abandoned): its goroutine ends when Output returns, and
// the Result measures what had been read. A leader that had ended by itself counts as cancelled then.
func Run(ctx context.Context, cmd Command) (Result, error) {
	if ctx.Err() != nil {
		return unstarted(context.Cause(ctx)), nil //nolint:nilerr // the Result carries the cause
	}
	path, failed := resolve(cmd)
	if failed != nil {
		return Result{}, failed
	}
	s, failed := begin(cmd, path)
	if failed != nil {
		return Result{}, failed
	}
	return s.supervise(ctx), nil
}

// unstarted is the result of a run whose context had ended before it began.
func unstarted(cause error) Result {
	empty := newCapture(0).stream()
	return Result{
		Cause: Cancelled, CancelCause: cause, ExitCode: -1,
		Stdout: empty, Stderr: empty, Boundary: Boundary(),
	}
}
