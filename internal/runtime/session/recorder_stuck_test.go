package session

import (
	"context"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/runx-go/runx/internal/runtime"
)

// holding is a display that holds an event for a while.
type holding struct {
	seen
	hold func(runtime.Event) time.Duration
}

func (h *holding) Emit(ctx context.Context, e runtime.Event) error {
	time.Sleep(h.hold(e))
	return h.seen.Emit(ctx, e)
}

// Everything is recorded whatever the display does, and a run that was stopped waits 400 ms for it
// at most.
func TestRecorderLeavesAStuckDisplay(t *testing.T) {
	const never = 24 * time.Hour
	holds := func(first string, d time.Duration) func(runtime.Event) time.Duration {
		return func(e runtime.Event) time.Duration {
			if e.Body.Type() == first {
				return d
			}
			return 0
		}
	}
	end := runtime.Event{Body: runtime.OutputChunk{Stream: "stdout", End: true}}
	type step struct {
		event   runtime.Event
		took    time.Duration // until Emit returned
		another bool          // the next is emitted meanwhile
	}
	tests := []struct {
		name  string
		hold  func(runtime.Event) time.Duration
		stop  func(rec *Recorder, cancel func()) // after one minute
		steps []step
		shown []int64
	}{
		{"slow and not stopped", holds("run.started", time.Hour), func(*Recorder, func()) {},
			[]step{{started(), time.Hour, false}, {finished(), 0, false}}, []int64{1, 2}},
		{"hurried, back in time", holds("run.started", time.Minute+displayPatience-1), func(rec *Recorder, _ func()) { rec.Hurry() },
			[]step{{started(), time.Minute + displayPatience - 1, false}, {finished(), 0, false}}, []int64{1, 2}},
		{"hurried", holds("run.started", never), func(rec *Recorder, _ func()) { rec.Hurry(); rec.Hurry() },
			[]step{{started(), time.Minute + displayPatience, false}, {chunk("x"), 0, false}, {end, 0, false}, {finished(), 0, false}}, []int64{1}},
		{"cancelled", holds("run.started", never), func(_ *Recorder, cancel func()) { cancel() },
			[]step{{started(), time.Minute + displayPatience, false}, {finished(), 0, false}}, []int64{1}},
		{"cancelled, the end of a stream", holds("stream", never), func(_ *Recorder, cancel func()) { cancel() },
			[]step{{started(), 0, false}, {end, time.Minute + displayPatience, false}, {finished(), 0, false}}, []int64{1, 2}},
		{"detached", holds("run.started", never), func(rec *Recorder, _ func()) { rec.Detach(); rec.Detach() },
			[]step{{started(), time.Minute, false}, {chunk("x"), 0, false}, {finished(), 0, false}}, []int64{1}},
		{"hurried behind a chunk", holds("stream", never), func(rec *Recorder, _ func()) { rec.Hurry() },
			[]step{{started(), 0, false}, {chunk("x"), never, true}, {finished(), time.Minute + displayPatience, false}}, []int64{1, 2}},
		{"cancelled, a chunk is waited for", holds("stream", time.Hour), func(_ *Recorder, cancel func()) { cancel() },
			[]step{{started(), 0, false}, {chunk("x"), time.Hour, true}, {chunk("y"), 2 * time.Hour, false}, {finished(), 0, false}}, []int64{1, 2, 3, 4}},
		{"detached behind a chunk", holds("stream", never), func(rec *Recorder, _ func()) { rec.Detach() },
			[]step{{started(), 0, false}, {chunk("x"), never, true}, {chunk("y"), time.Minute, true}, {finished(), time.Minute, false}}, []int64{1, 2}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			state := newState(t)
			record := newRecord(t, state)
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				display := &holding{hold: tt.hold}
				rec := record.Recorder(RecorderOptions{Run: testRunID, Next: display})
				time.AfterFunc(time.Minute, func() { tt.stop(rec, cancel) })
				var group sync.WaitGroup
				recorded := 0
				for i, s := range tt.steps {
					emit := func() {
						begun := time.Now()
						if err := rec.Emit(ctx, s.event); err != nil {
							t.Errorf("event %d: %v", i+1, err)
						}
						if took := time.Since(begun); took != s.took {
							t.Errorf("event %d took %v, want %v", i+1, took, s.took)
						}
					}
					if s.another {
						group.Go(emit)
						synctest.Wait()
					} else {
						emit()
					}
					if s.event.Body.Type() != "stream" {
						recorded++
					}
				}
				if lines := strings.Count(eventsOf(t, state), "\n"); lines != recorded {
					t.Errorf("%d lines, want %d", lines, recorded)
				}
				group.Wait()
				time.Sleep(never) // what was left behind ends with the display
				if diff := cmp.Diff(tt.shown, display.numbers()); diff != "" {
					t.Errorf("shown (-want +got):\n%s", diff)
				}
			})
		})
	}
}
