package proc

import (
	"cmp"
	"context"
	"time"
)

// supervisor drives the process machine: it waits for inputs and performs actions.
type supervisor struct {
	cmd     Command
	path    string
	tree    *tree
	streams *streams
	begun   time.Time
	state   state

	deadline, timer *time.Timer
	armed           input // what the timer means
	cancelCause     error
	givenUp         bool // the receiver of output failed
	held            bool
	swept           swept
}

// begin starts a resolved command.
func begin(cmd Command, path string) (*supervisor, *StartError) {
	p, err := openPipes()
	if err != nil {
		return nil, startFailed(path, err)
	}
	s := &supervisor{cmd: cmd, path: path, state: state{atOnce: endsAtOnce}, begun: time.Now()}
	s.tree, err = startTree(launch{
		path: path, argv: append([]string{cmd.Name}, cmd.Args...), dir: cmd.Dir,
		env: cmd.Env.Entries(), files: p.child, mark: cmd.Mark,
	})
	p.closeChild()
	if err != nil {
		p.close()
		return nil, diagnose(cmd, path, err)
	}
	s.streams = startStreams(p, cmd.Stdin, cmd.Output)
	return s, nil
}

// supervise runs the machine from the start of the tree to its end.
func (s *supervisor) supervise(ctx context.Context) Result {
	s.timer = time.NewTimer(time.Hour)
	s.timer.Stop()
	defer s.timer.Stop()
	w := s.waits(ctx)
	s.feed(inStarted)
	for s.state.phase != ended {
		s.feed(s.next(&w))
	}
	if s.deadline != nil {
		s.deadline.Stop()
	}
	elapsed := time.Since(s.begun)
	s.collect(ctx)
	code, signal := s.tree.exit()
	return Result{
		Cause: s.state.cause, CancelCause: s.cancelCause, ExitCode: code, Signal: signal,
		Stdout: s.streams.out.stream(), Stderr: s.streams.err.stream(),
		DescendantHeldPipe: s.held, EscapedEnded: s.swept.escaped,
		Path: s.path, Boundary: s.tree.boundary(s.swept), Duration: elapsed,
	}
}

// waits are the channels that inputs come from; one that has spoken is set to nil.
type waits struct {
	exited, closed, done, kill <-chan struct{}
	failed                     <-chan error
	deadline                   <-chan time.Time
	cause                      func() error
}

func (s *supervisor) waits(ctx context.Context) waits {
	w := waits{
		exited: s.tree.exited(), closed: s.streams.closed, done: ctx.Done(), kill: s.cmd.Kill,
		failed: s.streams.failed, cause: func() error { return context.Cause(ctx) },
	}
	if s.cmd.Timeout > 0 {
		s.deadline = time.NewTimer(s.cmd.Timeout - time.Since(s.begun))
		w.deadline = s.deadline.C
	}
	return w
}

// next waits for one input. The end of the leader comes first: a command that was done before its
// limit is not ended by it.
func (s *supervisor) next(w *waits) input {
	select {
	case <-w.exited:
		w.exited = nil
		return inLeaderExited
	default:
	}
	select {
	case <-w.exited:
		w.exited = nil
		return inLeaderExited
	case <-w.closed:
		w.closed = nil
		return inStreamsClosed
	case <-w.deadline:
		w.deadline = nil
		return inDeadline
	case <-w.done:
		w.done = nil
		return s.cancel(inCancel, w.cause())
	case err := <-w.failed:
		w.failed = nil
		s.givenUp = true
		return s.cancel(inCancel, err)
	case <-w.kill:
		w.kill = nil
		return s.cancel(inKill, cmp.Or(w.cause(), ErrKilled))
	case <-s.timer.C:
		return s.armed
	}
}

// cancel remembers why, if this is what ends the run.
func (s *supervisor) cancel(in input, cause error) input {
	if s.state.cause == 0 {
		s.cancelCause = cause
	}
	return in
}

// feed makes one step and performs its actions; the sweep's end is fed at once.
func (s *supervisor) feed(in input) {
	next, actions, err := step(s.state, in)
	if err != nil {
		panic(err) // only a fault of this file
	}
	s.state = next
	for _, act := range actions {
		switch act {
		case actArmDrain:
			s.arm(inDrainOver, drainTime)
		case actArmGrace:
			s.arm(inGraceOver, termGrace)
		case actTerm:
			s.tree.term()
		case actNoteHeld:
			s.held = s.tree.holdsPipe(s.streams)
		case actSweep:
			s.swept = s.tree.sweep()
			s.feed(inSwept)
		}
	}
}

func (s *supervisor) arm(in input, after time.Duration) {
	s.armed = in
	s.timer.Reset(after)
}

// collect waits for the readers to take what is left in the pipes, and gives up on a receiver that
// blocks once the run was cancelled.
func (s *supervisor) collect(ctx context.Context) {
	s.streams.finish()
	<-s.streams.wrote
	if s.readersDone(ctx) {
		return
	}
	limit := time.NewTimer(abandonAfter)
	defer limit.Stop()
	select {
	case <-s.streams.closed:
	case <-limit.C:
		s.streams.abandon()
	}
}

// readersDone waits for the end of both streams. It is false when the run is cancelled before.
func (s *supervisor) readersDone(ctx context.Context) bool {
	if s.givenUp {
		return false
	}
	select {
	case <-s.streams.closed:
		return true
	case <-ctx.Done():
	case <-s.cmd.Kill:
	case <-s.streams.failed: //nolint:errcheck // the cause is fixed by now; only that output failed counts
	}
	return false
}
