package engine

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/runx-go/runx/internal/runtime"
)

// A cancelled run has a receipt and a record that say so, however it was cancelled.
func TestRunStopped(t *testing.T) {
	tests := []struct {
		name    string
		cause   error // of the context, when the command has started; nil: the display fails
		timeout time.Duration
		status  runtime.Status
		reason  string
		fails   error
	}{
		{name: "interrupted", cause: runtime.ErrInterrupted, status: runtime.Cancelled, reason: "cancelled"},
		{name: "the limit of the run", timeout: time.Second, status: runtime.TimedOut, reason: "run_timed_out"},
		{name: "the reader went away", status: runtime.Cancelled, reason: "cancelled", fails: runtime.ErrReaderGone},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, program(t, []string{"sleep"}, "retry: {max_attempts: 3}"))
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			gone := false
			shown := &seen{fail: func(e runtime.Event) error {
				if chunk, ok := e.Body.(runtime.OutputChunk); ok && len(chunk.Bytes) > 0 {
					if tt.cause != nil {
						cancel(tt.cause)
					}
					gone = tt.fails != nil
				}
				if gone {
					return tt.fails
				}
				return nil
			}}
			req := w.request(t, `{}`)
			req.Timeout = tt.timeout
			run, err := w.engine(t, shown).RunSkill(ctx, req)
			if !errors.Is(err, tt.fails) || tt.fails == nil && err != nil {
				t.Fatalf("error %v, want %v", err, tt.fails)
			}
			w.checkRecord(t, run)
			if run.Status != tt.status || run.Closure.ReasonCode != tt.reason || run.Result != nil || w.starts(t) != 1 {
				t.Errorf("status %s, closure %+v, started %d times", run.Status, run.Closure, w.starts(t))
			}
			if p := w.receipt(t, run); p.Closure.Status != string(tt.status) || p.Closure.ReasonCode != tt.reason {
				t.Errorf("closure of the receipt %+v", p.Closure)
			}
			if got := w.recorded(t, run); got[len(got)-1] != "run.finished" {
				t.Errorf("recorded %v", got)
			}
		})
	}
}

// A display that fails before anything was started starts nothing.
func TestDisplayFailsBefore(t *testing.T) {
	for _, event := range []string{"run.started", "step.started"} {
		w := newWorld(t, program(t, []string{"print", "", "", "0"}))
		shown := &seen{fail: func(e runtime.Event) error {
			if e.Body.Type() == event {
				return runtime.ErrReaderGone
			}
			return nil
		}}
		if _, err := w.engine(t, shown).RunSkill(t.Context(), w.request(t, `{}`)); !errors.Is(err, runtime.ErrReaderGone) || w.starts(t) != 0 {
			t.Errorf("%s: error %v, started %d times", event, err, w.starts(t))
		}
	}
}

// A display that fails when the run has ended takes nothing from its record.
func TestDisplayFailsAtTheEnd(t *testing.T) {
	broken := errors.New("broken")
	for _, event := range []string{"step.finished", "warning", "run.finished"} {
		w := newWorld(t, program(t, []string{"garble"}))
		shown := &seen{fail: func(e runtime.Event) error {
			if e.Body.Type() == event {
				return broken
			}
			return nil
		}}
		run, err := w.engine(t, shown).RunSkill(t.Context(), w.request(t, `{}`))
		if !errors.Is(err, broken) {
			t.Errorf("%s: error %v, want %v", event, err, broken)
		}
		w.checkRecord(t, run)
		if p := w.receipt(t, run); run.Status != runtime.Sealed || p.Closure.Status != "sealed" {
			t.Errorf("%s: status %s, receipt %s", event, run.Status, p.Closure.Status)
		}
	}
}
