package proc

import (
	"cmp"
	"context"
	"time"
)

// collect waits for the readers to take what is left in the pipes. When the run was stopped, a
// receiver that blocks is given up after a while. A leader that ended by itself is cancelled by that:
// part of its output was neither read nor shown.
func (s *supervisor) collect(ctx context.Context) {
	s.streams.finish()
	<-s.streams.wrote
	cause := s.cancelCause
	if s.state.cause == Exited {
		if cause = s.awaitReaders(ctx); cause == nil {
			return
		}
	}
	limit := time.NewTimer(abandonAfter)
	defer limit.Stop()
	select {
	case <-s.streams.closed:
	case <-limit.C:
		s.streams.abandon()
		s.abandoned = true
		if s.state.cause == Exited {
			s.state.cause, s.cancelCause = Cancelled, cause
		}
	}
}

// awaitReaders waits for the end of both streams; the error is what stopped the run before.
func (s *supervisor) awaitReaders(ctx context.Context) error {
	if s.outputErr != nil {
		return s.outputErr
	}
	select {
	case <-s.streams.closed:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-s.cmd.Kill:
		return cmp.Or(context.Cause(ctx), ErrKilled)
	case err := <-s.streams.failed:
		return err
	}
}
