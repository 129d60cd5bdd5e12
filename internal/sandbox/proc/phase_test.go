package proc

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var allInputs = [...]input{inStarted, inStartFailed, inLeaderExited, inStreamsClosed, inDeadline, inCancel,
	inKill, inDrainOver, inGraceOver, inTreeGone, inSwept}

// outcome is what a step gives; the zero value is "impossible".
type outcome struct {
	Next    phase
	Cause   Cause
	Actions []action
}

// TestStep holds every input against every phase. An input that is absent from a row is impossible.
func TestStep(t *testing.T) {
	stays := func(p phase, c Cause) outcome { return outcome{Next: p, Cause: c} }
	sweeps := func(c Cause) outcome { return outcome{sweeping, c, []action{actSweep}} }
	ends := func(c Cause) outcome { return outcome{terminating, c, []action{actTerm, actArmGrace}} }
	held := outcome{sweeping, Exited, []action{actNoteHeld, actSweep}}
	tests := []struct {
		name string
		from state
		want map[input]outcome
	}{
		{"starting", state{}, map[input]outcome{
			inStarted: stays(running, 0), inStartFailed: stays(ended, 0),
		}},
		{"running", state{phase: running}, map[input]outcome{
			inLeaderExited:  {draining, Exited, []action{actArmDrain}},
			inStreamsClosed: stays(running, 0),
			inDeadline:      ends(TimedOut), inCancel: ends(Cancelled), inKill: sweeps(Cancelled),
			inDrainOver: stays(running, 0), inGraceOver: stays(running, 0),
		}},
		{"running, streams closed", state{phase: running, streamsClosed: true}, map[input]outcome{
			inLeaderExited: sweeps(Exited),
			inDeadline:     ends(TimedOut), inCancel: ends(Cancelled), inKill: sweeps(Cancelled),
			inDrainOver: stays(running, 0), inGraceOver: stays(running, 0),
		}},
		{"running, at once", state{phase: running, atOnce: true}, map[input]outcome{
			inLeaderExited:  {draining, Exited, []action{actArmDrain}},
			inStreamsClosed: stays(running, 0),
			inDeadline:      sweeps(TimedOut), inCancel: sweeps(Cancelled), inKill: sweeps(Cancelled),
			inDrainOver: stays(running, 0), inGraceOver: stays(running, 0),
		}},
		{"draining", state{phase: draining, cause: Exited, leaderExited: true}, map[input]outcome{
			inStreamsClosed: sweeps(Exited), inDrainOver: held, inCancel: held, inKill: held,
			inDeadline: stays(draining, Exited), inGraceOver: stays(draining, Exited),
		}},
		{"terminating", state{phase: terminating, cause: TimedOut}, map[input]outcome{
			inLeaderExited: stays(terminating, TimedOut), inStreamsClosed: stays(terminating, TimedOut),
			inGraceOver: sweeps(TimedOut), inKill: sweeps(TimedOut),
			inDeadline: stays(terminating, TimedOut), inCancel: stays(terminating, TimedOut), inDrainOver: stays(terminating, TimedOut),
		}},
		{"terminating, leader exited", state{phase: terminating, cause: Cancelled, leaderExited: true}, map[input]outcome{
			inTreeGone: sweeps(Cancelled), inGraceOver: sweeps(Cancelled), inKill: sweeps(Cancelled),
			inStreamsClosed: stays(terminating, Cancelled), inDeadline: stays(terminating, Cancelled), inCancel: stays(terminating, Cancelled), inDrainOver: stays(terminating, Cancelled),
		}},
		{"terminating, streams closed", state{phase: terminating, cause: TimedOut, streamsClosed: true}, map[input]outcome{
			inLeaderExited: stays(terminating, TimedOut), inGraceOver: sweeps(TimedOut), inKill: sweeps(TimedOut),
			inDeadline: stays(terminating, TimedOut), inCancel: stays(terminating, TimedOut), inDrainOver: stays(terminating, TimedOut),
		}},
		{"terminating, both", state{phase: terminating, cause: TimedOut, leaderExited: true, streamsClosed: true}, map[input]outcome{
			inTreeGone: sweeps(TimedOut), inGraceOver: sweeps(TimedOut), inKill: sweeps(TimedOut),
			inDeadline: stays(terminating, TimedOut), inCancel: stays(terminating, TimedOut), inDrainOver: stays(terminating, TimedOut),
		}},
		{"sweeping", state{phase: sweeping, cause: TimedOut}, map[input]outcome{
			inSwept: stays(ended, TimedOut), inLeaderExited: stays(sweeping, TimedOut), inStreamsClosed: stays(sweeping, TimedOut),
			inDeadline: stays(sweeping, TimedOut), inCancel: stays(sweeping, TimedOut), inKill: stays(sweeping, TimedOut),
			inDrainOver: stays(sweeping, TimedOut), inGraceOver: stays(sweeping, TimedOut),
		}},
		{"ended", state{phase: ended, cause: Exited, leaderExited: true, streamsClosed: true}, map[input]outcome{
			inDeadline: stays(ended, Exited), inCancel: stays(ended, Exited), inKill: stays(ended, Exited),
			inDrainOver: stays(ended, Exited), inGraceOver: stays(ended, Exited),
		}},
	}
	for _, tt := range tests {
		for _, in := range allInputs {
			t.Run(fmt.Sprintf("%s/%s", tt.name, in), func(t *testing.T) {
				want, possible := tt.want[in]
				next, actions, err := step(tt.from, in)
				if possible != (err == nil) {
					t.Fatalf("step error = %v, possible = %v", err, possible)
				}
				if err != nil {
					if next != tt.from || actions != nil {
						t.Errorf("an impossible input changed the state: %+v, %v", next, actions)
					}
					return
				}
				got := outcome{next.phase, next.cause, actions}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("outcome (-want +got):\n%s", diff)
				}
			})
		}
	}
}

// TestStepRemembers checks that what was seen in one phase counts in the next.
func TestStepRemembers(t *testing.T) {
	s := state{}
	for _, in := range []input{inStarted, inStreamsClosed, inDeadline, inCancel, inLeaderExited, inTreeGone, inSwept} {
		var err error
		if s, _, err = step(s, in); err != nil {
			t.Fatal(err)
		}
	}
	want := state{phase: ended, cause: TimedOut, leaderExited: true, streamsClosed: true}
	if s != want {
		t.Errorf("state = %+v, want %+v", s, want)
	}
}
