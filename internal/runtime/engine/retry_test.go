package engine

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/runx-go/runx/internal/runtime"
)

func TestRetry(t *testing.T) {
	failed := func(n, most string) runtime.Warning {
		return runtime.Warning{Code: "attempt_failed", Message: "attempt " + n + " of " + most + " failed: process_exit"}
	}
	attempts := func(n int) []string {
		out := []string{"run.started"}
		for range n {
			out = append(out, "step.started")
		}
		return append(out, "step.finished")
	}
	tests := []struct {
		name     string
		args     []string
		fields   []string
		status   runtime.Status
		starts   int
		warnings []runtime.Warning
	}{
		{name: "no retry", args: []string{"flaky", "2"}, status: runtime.Failed, starts: 1},
		{name: "the third time", args: []string{"flaky", "3"}, fields: []string{"retry: {max_attempts: 3, backoff_ms: 1}"}, status: runtime.Sealed, starts: 3,
			warnings: []runtime.Warning{failed("1", "3"), failed("2", "3")}},
		{name: "success ends it", args: []string{"flaky", "1"}, fields: []string{"retry: {max_attempts: 3}"}, status: runtime.Sealed, starts: 1},
		{name: "never more than allowed", args: []string{"flaky", "9"}, fields: []string{"retry: {max_attempts: 2}"}, status: runtime.Failed, starts: 2,
			warnings: []runtime.Warning{failed("1", "2")}},
		{name: "never after a timeout", args: []string{"sleep"}, fields: []string{"retry: {max_attempts: 3}", "timeout_seconds: 1"}, status: runtime.TimedOut, starts: 1},
		{name: "never after a refusal", args: []string{"flaky", "9"}, fields: []string{"retry: {max_attempts: 3}", "environment: {required: [NOT_SET]}"}, status: runtime.Refused, starts: 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t, program(t, tt.args, tt.fields...))
			run := w.run(t, w.request(t, `{}`))
			if run.Status != tt.status || w.starts(t) != tt.starts {
				t.Errorf("status %s after %d starts, want %s after %d", run.Status, w.starts(t), tt.status, tt.starts)
			}
			if diff := cmp.Diff(tt.warnings, run.Warnings); diff != "" {
				t.Errorf("warnings (-want +got)\n%s", diff)
			}
			if tt.starts > 0 {
				got := w.recorded(t, run)
				if diff := cmp.Diff(attempts(tt.starts), got[:tt.starts+2]); diff != "" {
					t.Errorf("events (-want +got)\n%s", diff)
				}
			}
			w.receipt(t, run)
		})
	}
}

// A run that is stopped while it waits for its next attempt is stopped, not failed.
func TestStoppedBetweenAttempts(t *testing.T) {
	tests := []struct {
		name     string
		cause    error // of the context, once the first attempt has failed; nil: none
		timeout  time.Duration
		display  error // of the event that the second attempt begins with
		backoff  string
		status   runtime.Status
		reason   string
		code     string
		attempts int
	}{
		{name: "interrupted", cause: runtime.ErrInterrupted, backoff: "60000", status: runtime.Cancelled, reason: "cancelled", code: "cancelled"},
		{name: "interrupted, no wait", cause: runtime.ErrInterrupted, backoff: "0", status: runtime.Cancelled, reason: "cancelled", code: "cancelled"},
		{name: "the limit of the run", timeout: 2 * time.Second, backoff: "60000", status: runtime.TimedOut, reason: "run_timed_out", code: "run_timed_out"},
		{name: "the reader went away", display: runtime.ErrReaderGone, backoff: "0", status: runtime.Cancelled, reason: "cancelled", code: "cancelled"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, program(t, []string{"flaky", "9"}, "retry: {max_attempts: 3, backoff_ms: "+tt.backoff+"}"))
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			shown := &seen{fail: func(e runtime.Event) error {
				switch body := e.Body.(type) {
				case runtime.OutputChunk:
					if body.End && body.Stream == "stderr" && tt.cause != nil {
						cancel(tt.cause)
					}
				case runtime.StepStarted:
					if body.Attempt == 2 {
						return tt.display
					}
				}
				return nil
			}}
			req := w.request(t, `{}`)
			req.Timeout = tt.timeout
			run, err := w.engine(t, shown).RunSkill(ctx, req)
			if !errors.Is(err, tt.display) || tt.display == nil && err != nil {
				t.Fatalf("error %v, want %v", err, tt.display)
			}
			w.checkRecord(t, run)
			if run.Status != tt.status || run.Closure.ReasonCode != tt.reason || run.Error.Code != tt.code || w.starts(t) != 1 {
				t.Errorf("status %s, closure %+v, fault %+v, started %d times", run.Status, run.Closure, run.Error, w.starts(t))
			}
			if p := w.receipt(t, run); p.Closure.Status != string(tt.status) {
				t.Errorf("closure of the receipt %+v", p.Closure)
			}
			for _, e := range shown.events {
				if end, ok := e.Body.(runtime.StepFinished); ok && (end.Attempts != 1 || end.Status != tt.status) {
					t.Errorf("step.finished %+v, want 1 attempt", end)
				}
			}
		})
	}
}

func TestBackoff(t *testing.T) {
	tests := []struct {
		name    string
		ms      int64
		attempt int
		want    time.Duration
	}{
		{"none", 0, 1, 0},
		{"none, later", 0, 9, 0},
		{"the first", 250, 1, 250 * time.Millisecond},
		{"it doubles", 250, 2, 500 * time.Millisecond},
		{"and doubles", 250, 4, 2 * time.Second},
		{"exactly a minute", 30_000, 2, time.Minute},
		{"at most a minute", 30_001, 2, time.Minute},
		{"the largest", 60_000, 1, time.Minute},
		{"the largest, last", 60_000, 9, time.Minute},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := backoff(tt.ms, tt.attempt); got != tt.want {
				t.Errorf("backoff(%d, %d) = %s, want %s", tt.ms, tt.attempt, got, tt.want)
			}
		})
	}
}

func TestPause(t *testing.T) {
	tests := []struct {
		name        string
		wait        time.Duration
		cancelAfter time.Duration // 0: before
		cancelled   bool
		want        bool
		took        time.Duration
	}{
		{name: "no wait", want: true},
		{name: "no wait, but cancelled", cancelled: true},
		{name: "the whole wait", wait: time.Minute, want: true, took: time.Minute},
		{name: "cancelled before", wait: time.Minute, cancelled: true},
		{name: "a cancel ends it", wait: time.Minute, cancelled: true, cancelAfter: 10 * time.Second, took: 10 * time.Second},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				if tt.cancelled && tt.cancelAfter == 0 {
					cancel()
				} else if tt.cancelled {
					time.AfterFunc(tt.cancelAfter, cancel)
				}
				begin := time.Now()
				if got := pause(ctx, tt.wait); got != tt.want || time.Since(begin) != tt.took {
					t.Errorf("pause = %v after %s, want %v after %s", got, time.Since(begin), tt.want, tt.took)
				}
			})
		})
	}
}

// What each attempt says of its environment and streams is that of the last one.
func TestRetryKeepsLastAttempt(t *testing.T) {
	w := newWorld(t, program(t, []string{"flaky", "2"}, "retry: {max_attempts: 2}", "outputs: {a: string}"))
	run := w.run(t, w.request(t, `{}`))
	// The second attempt exits 0 and breaks its contract.
	if run.Status != runtime.Failed || run.Error.Code != "output_contract" || run.Streams.Stderr.Text != "" || run.Streams.Stdout.Text != "{}" {
		t.Errorf("status %s, fault %+v, streams %+v", run.Status, run.Error, run.Streams)
	}
	if !json.Valid(run.Error.Details) {
		t.Errorf("details %s", run.Error.Details)
	}
}
