package session

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/runx-go/runx/internal/runtime"
)

// ErrFinished is the answer to an event after RunFinished.
var ErrFinished = errors.New("cannot record an event: the run has finished")

// RecorderOptions say whose events are recorded and who sees them next.
type RecorderOptions struct {
	Run  string           // the id that every event is stamped with
	Now  func() time.Time // nil is the real clock
	Next runtime.Sink     // nil discards
}

// Recorder is a Sink that stamps events (sequence, time, run), persists them and then forwards
// them: one line each in runs/<id>/events.jsonl. An OutputChunk is forwarded but not persisted (the
// outcome keeps prefix, count and digest), so the numbers in the file have gaps; those that are
// forwarded rise by one. A failed write is an error and nothing is forwarded, neither that event
// nor a later one, because its line may stand there in part; after RunFinished every event is
// refused with ErrFinished.
//
// A display that is slow is waited for. One that is stuck can be left behind: see Emit, Hurry and
// Detach.
type Recorder struct {
	record *Record
	run    string
	now    func() time.Time
	next   runtime.Sink

	mu   sync.Mutex
	seq  int64           // of the last event that was accepted
	done error           // why no more events are accepted; nil while they are
	last <-chan struct{} // closed when the forwarding of that event has ended

	hurried, detached chan struct{} // closed by Hurry and Detach
	hurry, detach     func()
}

var _ runtime.Sink = (*Recorder)(nil)

// Recorder makes the recorder of this record. A record has one.
func (r *Record) Recorder(opts RecorderOptions) *Recorder {
	rec := &Recorder{record: r, run: opts.Run, now: opts.Now, next: opts.Next,
		hurried: make(chan struct{}), detached: make(chan struct{})}
	if rec.now == nil {
		rec.now = time.Now
	}
	if rec.next == nil {
		rec.next = runtime.Discard{}
	}
	first := make(chan struct{})
	close(first)
	rec.last = first
	rec.hurry = sync.OnceFunc(func() { close(rec.hurried) })
	rec.detach = sync.OnceFunc(func() { close(rec.detached) })
	return rec
}

// Hurry says that the run was stopped: from now on a display that has not taken an event after
// 400 ms is left behind, as with Detach. An OutputChunk is waited for all the same: see Emit.
func (r *Recorder) Hurry() { r.hurry() }

// Detach leaves the display behind: it gets no further event, and an Emit that waits for it returns
// nil. Events are recorded as before.
func (r *Recorder) Detach() { r.detach() }

// Emit implements runtime.Sink; it is safe for concurrent use, but not from within the next sink.
// It records also when ctx has ended, and hands ctx to the next sink. The error is that of the
// write or of the next sink.
//
// Once ctx has ended the display is waited for as after Hurry. Not so with an OutputChunk before
// the end of its stream: its bytes are the caller's again when Emit returns, so a call that the
// display holds returns with the display.
func (r *Recorder) Emit(ctx context.Context, e runtime.Event) error {
	stamped, turn, err := r.keep(e)
	if err != nil {
		return err
	}
	defer close(turn.over)
	if chunk, ok := e.Body.(runtime.OutputChunk); ok && !chunk.End {
		select {
		case <-turn.before:
		case <-r.detached:
		}
		if r.isDetached() {
			return nil
		}
		return r.next.Emit(ctx, stamped)
	}
	if !r.await(ctx, turn.before) {
		return nil
	}
	return r.forward(ctx, stamped)
}

// forward waits for the display no longer than it may.
func (r *Recorder) forward(ctx context.Context, e runtime.Event) error {
	over := make(chan struct{})
	var shown error
	var panicked any
	go func() {
		defer close(over)
		defer func() { panicked = recover() }()
		shown = r.next.Emit(ctx, e)
	}()
	if !r.await(ctx, over) {
		return nil // the display keeps its goroutine, and both variables
	}
	if panicked != nil {
		panic(panicked)
	}
	return shown
}

// await waits for the display to be done with something. It is false when the display is left
// behind.
func (r *Recorder) await(ctx context.Context, over <-chan struct{}) bool {
	select {
	case <-over:
		return !r.isDetached()
	case <-r.detached:
		return false
	case <-ctx.Done():
	case <-r.hurried:
	}
	patience := time.NewTimer(displayPatience)
	defer patience.Stop()
	select {
	case <-over:
	case <-r.detached:
	case <-patience.C:
		r.detach()
	}
	return !r.isDetached()
}

func (r *Recorder) isDetached() bool {
	select {
	case <-r.detached:
		return true
	default:
		return false
	}
}

// turn orders the forwarding without a lock that would be held while the display works.
type turn struct {
	before <-chan struct{} // closed when the forwarding of the event before has ended
	over   chan<- struct{} // to be closed when that of this event has
}

// keep stamps an event, persists it and gives it its turn.
func (r *Recorder) keep(e runtime.Event) (runtime.Event, turn, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.done != nil {
		return e, turn{}, r.done
	}
	e.Seq, e.At, e.Run = r.seq+1, r.now().UTC(), r.run
	if _, chunk := e.Body.(runtime.OutputChunk); !chunk {
		kept := e
		if _, end := e.Body.(runtime.RunFinished); end {
			kept.Body = runtime.RunFinished{} // run.json has the envelope
		}
		line, err := EventLine(kept, "")
		if err != nil {
			return e, turn{}, err
		}
		if err := r.record.dir.AppendLine(eventsFile, line); err != nil {
			r.done = fmt.Errorf("cannot record event %s of %s: %w", e.Body.Type(), r.run, err)
			return e, turn{}, r.done
		}
	}
	if _, end := e.Body.(runtime.RunFinished); end {
		r.done = ErrFinished
	}
	over := make(chan struct{})
	t := turn{before: r.last, over: over}
	r.seq, r.last = e.Seq, over
	return e, t, nil
}
