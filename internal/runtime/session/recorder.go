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
type Recorder struct {
	record *Record
	run    string
	now    func() time.Time
	next   runtime.Sink

	mu   sync.Mutex
	seq  int64 // of the last event that was accepted
	done error // why no more events are accepted; nil while they are

	// turn orders the forwarding without a lock that would be held while next works.
	turn      sync.Mutex
	forwarded *sync.Cond
	last      int64 // the last event whose forwarding has ended
}

var _ runtime.Sink = (*Recorder)(nil)

// Recorder makes the recorder of this record. A record has one.
func (r *Record) Recorder(opts RecorderOptions) *Recorder {
	rec := &Recorder{record: r, run: opts.Run, now: opts.Now, next: opts.Next}
	if rec.now == nil {
		rec.now = time.Now
	}
	if rec.next == nil {
		rec.next = runtime.Discard{}
	}
	rec.forwarded = sync.NewCond(&rec.turn)
	return rec
}

// Emit implements runtime.Sink; it is safe for concurrent use, but not from within the next sink.
// It records also when ctx has ended, and hands ctx to the next sink. The error is that of the
// write or of the next sink.
func (r *Recorder) Emit(ctx context.Context, e runtime.Event) error {
	stamped, err := r.keep(e)
	if err != nil {
		return err
	}
	r.turn.Lock()
	for r.last != stamped.Seq-1 {
		r.forwarded.Wait()
	}
	r.turn.Unlock()
	defer func() {
		r.turn.Lock()
		r.last = stamped.Seq
		r.turn.Unlock()
		r.forwarded.Broadcast()
	}()
	return r.next.Emit(ctx, stamped)
}

// keep stamps an event and persists it.
func (r *Recorder) keep(e runtime.Event) (runtime.Event, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.done != nil {
		return e, r.done
	}
	e.Seq, e.At, e.Run = r.seq+1, r.now().UTC(), r.run
	if _, chunk := e.Body.(runtime.OutputChunk); !chunk {
		line, err := EventLine(e, "")
		if err != nil {
			return e, err
		}
		if err := r.record.dir.AppendLine(eventsFile, line); err != nil {
			r.done = fmt.Errorf("cannot record event %s of %s: %w", e.Body.Type(), r.run, err)
			return e, r.done
		}
	}
	if _, end := e.Body.(runtime.RunFinished); end {
		r.done = ErrFinished
	}
	r.seq = e.Seq
	return e, nil
}
