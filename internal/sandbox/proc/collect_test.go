package proc

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"go.uber.org/goleak"
)

// TestRunBlockedReceiver checks that a receiver that never returns holds neither a run that reached
// its limit nor one that was cancelled, that what was read is measured, and that the goroutine which
// is left behind ends with the receiver.
func TestRunBlockedReceiver(t *testing.T) {
	broken := errors.New("broken")
	tests := []struct {
		name   string
		limit  time.Duration
		cancel bool
		fail   error // of the other stream
		cause  Cause
	}{
		{"limit", 400 * time.Millisecond, false, nil, TimedOut},
		{"cancelled", 0, true, nil, Cancelled},
		{"limit while the other stream fails late", 400 * time.Millisecond, false, broken, TimedOut},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
			release := make(chan struct{})
			defer close(release)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			cmd := helperCommand(t, "both-and-sleep")
			cmd.Timeout = tt.limit
			limit := time.After(tt.limit + termGrace/2)
			cmd.Output = func(name StreamName, _ []byte) error {
				if name == Stderr && tt.fail != nil {
					<-limit
					return tt.fail
				}
				if tt.cancel {
					cancel()
				}
				<-release
				return nil
			}
			begun := time.Now()
			res, err := Run(ctx, cmd)
			if err != nil {
				t.Fatal(err)
			}
			if took := time.Since(begun); took > tt.limit+termGrace+abandonAfter+slack {
				t.Errorf("took %v with a receiver that never returns", took)
			}
			if res.Cause != tt.cause || !res.Abandoned || res.DescendantHeldPipe || errors.Is(res.CancelCause, broken) {
				t.Errorf("cause %v (%v), abandoned %v, held %v", res.Cause, res.CancelCause, res.Abandoned, res.DescendantHeldPipe)
			}
			if diff := cmp.Diff(whole("out\n"), res.Stdout); diff != "" {
				t.Errorf("stdout (-want +got):\n%s", diff)
			}
		})
	}
}

// TestCollect holds every end of a run against a receiver that comes back late or never.
func TestCollect(t *testing.T) {
	stopped, broken := errors.New("stopped"), errors.New("broken")
	const never = 24 * time.Hour
	type end struct {
		Cause       Cause
		CancelCause error
		Abandoned   bool
		Took        time.Duration
	}
	tests := []struct {
		name  string
		cause Cause
		back  time.Duration // when the receiver comes back
		stop  func(cancel context.CancelCauseFunc, kill chan struct{}, s *supervisor)
		want  end
	}{
		{"ended, slow", Exited, time.Hour, nil, end{Exited, nil, false, time.Hour}},
		{"ended, cancelled", Exited, never,
			func(cancel context.CancelCauseFunc, _ chan struct{}, _ *supervisor) { cancel(stopped) },
			end{Cancelled, stopped, true, time.Minute + abandonAfter}},
		{"ended, cancelled, back in time", Exited, time.Minute + abandonAfter - 1,
			func(cancel context.CancelCauseFunc, _ chan struct{}, _ *supervisor) { cancel(stopped) },
			end{Exited, nil, false, time.Minute + abandonAfter - 1}},
		{"ended, killed", Exited, never,
			func(_ context.CancelCauseFunc, kill chan struct{}, _ *supervisor) { close(kill) },
			end{Cancelled, ErrKilled, true, time.Minute + abandonAfter}},
		{"ended, the other stream failed", Exited, never,
			func(_ context.CancelCauseFunc, _ chan struct{}, s *supervisor) { s.streams.failed <- broken },
			end{Cancelled, broken, true, time.Minute + abandonAfter}},
		{"limit", TimedOut, never, nil, end{TimedOut, nil, true, abandonAfter}},
		{"limit, back in time", TimedOut, abandonAfter - 1, nil, end{TimedOut, nil, false, abandonAfter - 1}},
		{"cancelled", Cancelled, never, nil, end{Cancelled, nil, true, abandonAfter}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancelCause(t.Context())
				defer cancel(nil)
				kill := make(chan struct{})
				s := &supervisor{cmd: Command{Kill: kill}, state: state{phase: ended, cause: tt.cause}, streams: &streams{
					pipes: &pipes{}, out: newCapture(0), err: newCapture(0), closed: make(chan struct{}),
					wrote: make(chan struct{}), failed: make(chan error, 2)}}
				close(s.streams.wrote)
				time.AfterFunc(tt.back, func() { close(s.streams.closed) })
				if tt.stop != nil {
					time.AfterFunc(time.Minute, func() { tt.stop(cancel, kill, s) })
				}
				begun := time.Now()
				s.collect(ctx)
				got := end{s.state.cause, s.cancelCause, s.abandoned, time.Since(begun)}
				if diff := cmp.Diff(tt.want, got, cmpopts.EquateErrors()); diff != "" {
					t.Errorf("end (-want +got):\n%s", diff)
				}
				s.streams.out.seal()
				s.streams.err.seal()
			})
		})
	}
}
