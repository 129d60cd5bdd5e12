package cli

import (
	"errors"
	"fmt"
	"testing"

	"github.com/runx-go/runx/internal/runtime"
)

func TestExitCode(t *testing.T) {
	class := func(c runtime.Class, cause error) error { return &runtime.Error{Class: c, Code: "x", Err: cause} }
	tests := []struct {
		name string
		err  error
		want int
	}{
		{"no error", nil, 0},
		{"failed", class(runtime.ClassFailed, nil), 1},
		{"timed out", class(runtime.ClassTimedOut, nil), 1},
		{"denied", class(runtime.ClassDenied, nil), 1},
		{"refused", class(runtime.ClassRefused, nil), 1},
		{"missing", class(runtime.ClassMissing, nil), 2},
		{"mismatch", class(runtime.ClassMismatch, nil), 3},
		{"stopped", class(runtime.ClassStopped, nil), 5},
		{"unconfined", class(runtime.ClassUnconfined, nil), 6},
		{"invalid", class(runtime.ClassInvalid, nil), 64},
		{"internal", class(runtime.ClassInternal, nil), 70},
		{"an error without a class is a bug", errors.New("x"), 70},
		{"wrapped", fmt.Errorf("more: %w", class(runtime.ClassMismatch, nil)), 3},
		{"interrupted", class(runtime.ClassCancelled, runtime.ErrInterrupted), 130},
		{"terminated", class(runtime.ClassCancelled, runtime.ErrTerminated), 143},
		{"cancelled otherwise", class(runtime.ClassCancelled, nil), 1},
		{"reported, interrupted", &reported{class: runtime.ClassCancelled, cause: runtime.ErrInterrupted}, 130},
		{"reported, reader gone", &reported{class: runtime.ClassCancelled, cause: runtime.ErrReaderGone}, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := exitCode(tt.err); got != tt.want {
				t.Errorf("exit code %d, want %d", got, tt.want)
			}
		})
	}
}

func TestClassOfStatus(t *testing.T) {
	tests := map[runtime.Status]int{
		runtime.Failed: 1, runtime.TimedOut: 1, runtime.Denied: 1, runtime.Refused: 1,
		runtime.Cancelled: 1, runtime.NeedsCredential: 2, "nonsense": 70,
	}
	for status, want := range tests {
		if got := exitCode(&reported{class: classOf(status)}); got != want {
			t.Errorf("%s: exit code %d, want %d", status, got, want)
		}
	}
}
