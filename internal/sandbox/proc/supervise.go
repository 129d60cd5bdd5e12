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
	look            *time.Ticker // of the grace; nil before
	outputErr       error        // of the receiver of output
	held            bool
	swept           swept
	abandoned       bool
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
	if s.look != nil {
		s.look.Stop()
	}
	elapsed := time.Since(s.begun)
	s.collect(ctx)
	code, signal := s.tree.exit()
	return Result{
		Cause: s.state.cause, CancelCause: s.cancelCause, ExitCode: code, Signal: signal,
		Stdout: s.streams.out.stream(), Stderr: s.streams.err.stream(),
		DescendantHeldPipe: s.held, EscapedEnded: s.swept.escaped,
		Abandoned: s.abandoned, Path: s.path, Boundary: s.tree.boundary(s.swept), Duration: elapsed,
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
	for {
		select {
		case <-w.exited:
			w.exited = nil
			return inLeaderExited
		default:
		}
		if s.treeGone() {
			return inTreeGone
		}
		if in, ok := s.wait(w); ok {
			return in
		}
	}
}

// wait is false when there is no input but time to look at the tree again.
func (s *supervisor) wait(w *waits) (in input, ok bool) {
	var look <-chan time.Time
	if s.look != nil {
		look = s.look.C
	}
	select {
	case <-w.exited:
		w.exited = nil
		return inLeaderExited, true
	case <-w.closed:
		w.closed = nil
		return inStreamsClosed, true
	case <-w.deadline:
		w.deadline = nil
		return inDeadline, true
	case <-w.done:
		w.done = nil
		return s.cancel(inCancel, w.cause()), true
	case err := <-w.failed:
		w.failed, s.outputErr = nil, err
		return s.cancel(inCancel, err), true
	case <-w.kill:
		w.kill = nil
		return s.cancel(inKill, cmp.Or(w.cause(), ErrKilled)), true
	case <-s.timer.C:
		return s.armed, true
	case <-look:
		return 0, false
	}
}

// treeGone says whether a tree that was asked to end has done so: its leader ended, nobody is left in
// the group, and nobody who left the group holds a stream. That a stream is still being read does
// not count.
func (s *supervisor) treeGone() bool {
	return s.state.phase == terminating && s.state.leaderExited && s.tree.empty() && !s.tree.holdsPipe(s.streams)
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
			s.look = time.NewTicker(lookPause)
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
