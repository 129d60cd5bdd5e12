package proc

import "fmt"

// phase is where the supervision of a tree stands.
type phase int

const (
	starting phase = iota
	running
	draining    // the leader ended by itself, streams are still read
	terminating // the tree was asked to end and has its grace
	sweeping    // what is left is being killed
	ended
)

func (p phase) String() string {
	switch p {
	case starting:
		return "starting"
	case running:
		return "running"
	case draining:
		return "draining"
	case terminating:
		return "terminating"
	case sweeping:
		return "sweeping"
	case ended:
		return "ended"
	}
	return fmt.Sprintf("phase(%d)", int(p))
}

// input is something that happened.
type input int

const (
	inStarted input = iota
	inStartFailed
	inLeaderExited
	inStreamsClosed
	inDeadline  // the time limit passed
	inCancel    // the context ended, or the receiver of output failed
	inKill      // the caller wants the end at once
	inDrainOver // the timer of the action armDrain
	inGraceOver // the timer of the action armGrace
	inTreeGone  // nobody is left in the group, and nobody holds a stream
	inSwept
)

func (i input) String() string {
	switch i {
	case inStarted:
		return "started"
	case inStartFailed:
		return "start failed"
	case inLeaderExited:
		return "leader exited"
	case inStreamsClosed:
		return "streams closed"
	case inDeadline:
		return "deadline"
	case inCancel:
		return "cancel"
	case inKill:
		return "kill"
	case inDrainOver:
		return "drain over"
	case inGraceOver:
		return "grace over"
	case inTreeGone:
		return "tree gone"
	case inSwept:
		return "swept"
	}
	return fmt.Sprintf("input(%d)", int(i))
}

// action is what the loop has to do after a step.
type action int

const (
	actArmDrain action = iota + 1
	actArmGrace
	actTerm
	actNoteHeld // a stream that is still open is held by a descendant
	actSweep
)

// state is everything that a step depends on.
type state struct {
	phase         phase
	cause         Cause // 0 until something ended the run; then it stays
	leaderExited  bool
	streamsClosed bool
	// atOnce is set where a tree cannot be asked to end: there is no grace.
	atOnce bool
}

// step is the whole process machine. A late timer, deadline or cancel changes nothing: the first
// cause stays. An impossible pair is an error and leaves the state as it was.
func step(s state, in input) (state, []action, error) {
	if s.impossible(in) {
		return s, nil, fmt.Errorf("cannot supervise: input %q in phase %q", in, s.phase)
	}
	switch in {
	case inLeaderExited:
		s.leaderExited = true
	case inStreamsClosed:
		s.streamsClosed = true
	}
	switch s.phase {
	case starting:
		s.phase = running
		if in == inStartFailed {
			s.phase = ended
		}
	case running:
		return s.stepRunning(in)
	case draining:
		return s.stepDraining(in)
	case terminating:
		if in == inGraceOver || in == inKill || in == inTreeGone {
			return s.sweep()
		}
	case sweeping:
		if in == inSwept {
			s.phase = ended
		}
	}
	return s, nil, nil
}

// impossible tells inputs that the loop cannot have produced in this state.
func (s state) impossible(in input) bool {
	switch in {
	case inStarted, inStartFailed:
		return s.phase != starting
	case inLeaderExited:
		return s.phase == starting || s.leaderExited
	case inStreamsClosed:
		return s.phase == starting || s.streamsClosed
	case inTreeGone:
		return s.phase != terminating || !s.leaderExited
	case inSwept:
		return s.phase != sweeping
	}
	return s.phase == starting
}

func (s state) stepRunning(in input) (state, []action, error) {
	switch in {
	case inLeaderExited:
		s.cause = Exited
		if s.streamsClosed {
			return s.sweep()
		}
		s.phase = draining
		return s, []action{actArmDrain}, nil
	case inDeadline:
		s.cause = TimedOut
		return s.terminate()
	case inCancel:
		s.cause = Cancelled
		return s.terminate()
	case inKill:
		s.cause = Cancelled
		return s.sweep()
	}
	return s, nil, nil
}

func (s state) stepDraining(in input) (state, []action, error) {
	switch in {
	case inStreamsClosed:
		return s.sweep()
	case inDrainOver, inCancel, inKill:
		s.phase = sweeping
		return s, []action{actNoteHeld, actSweep}, nil
	}
	return s, nil, nil
}

func (s state) terminate() (state, []action, error) {
	if s.atOnce {
		return s.sweep()
	}
	s.phase = terminating
	return s, []action{actTerm, actArmGrace}, nil
}

func (s state) sweep() (state, []action, error) {
	s.phase = sweeping
	return s, []action{actSweep}, nil
}
