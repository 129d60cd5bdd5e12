package clitool

import (
	"cmp"
	"context"
	"sync"

	"github.com/runx-go/runx/internal/runtime"
	"github.com/runx-go/runx/internal/sandbox/proc"
	"github.com/runx-go/runx/internal/sandbox/secret"
)

// live forwards what a child writes, redacted, to the run's sink as it arrives, and remembers the
// end of what it forwarded, which the retained prefix of a long stream does not have. The end is
// cut after redaction, so that no rest of a credential stands at its beginning.
type live struct {
	ctx    context.Context //nolint:containedctx // proc calls back without one; it lives for one run
	sink   runtime.Sink
	stdout lane
	stderr lane

	mu     sync.Mutex
	failed error // the first error of the sink: it shows nothing more
}

// detacher is what a sink can do besides that has a display which may be stuck.
type detacher interface {
	// Detach leaves the display behind: no event waits for it any more.
	Detach()
}

// lane is one stream. Its callback is called by one goroutine at a time.
type lane struct {
	mu     sync.Mutex
	name   proc.StreamName
	filter *secret.Stream // nil: bytes are not touched
	offset int64
	tail   []byte
}

func newLive(ctx context.Context, sink runtime.Sink, redactor *secret.Redactor) *live {
	l := &live{ctx: ctx, sink: sink, stdout: lane{name: proc.Stdout}, stderr: lane{name: proc.Stderr}}
	if !redactor.Empty() {
		l.stdout.filter, l.stderr.filter = redactor.Stream(), redactor.Stream()
	}
	return l
}

func (l *live) lane(name proc.StreamName) *lane {
	if name == proc.Stderr {
		return &l.stderr
	}
	return &l.stdout
}

// write is the Output callback of a command.
func (l *live) write(name proc.StreamName, chunk []byte) error {
	s := l.lane(name)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.filter != nil {
		chunk = s.filter.Write(chunk)
	}
	return l.emit(l.ctx, s, chunk, false)
}

// end finishes both streams when the tree is gone. The error is the first one of the sink: part of
// the output could not be shown.
func (l *live) end(ctx context.Context, result proc.Result) error {
	if result.Abandoned {
		// A write may still be under way and has its lane.
		if sink, ok := l.sink.(detacher); ok {
			sink.Detach()
		}
		return nil
	}
	l.mu.Lock()
	failed := l.failed
	l.mu.Unlock()
	if failed != nil {
		return failed
	}
	if result.Cause != proc.Exited {
		// A display that does not take the rest is not waited for.
		var cancel context.CancelFunc
		ctx, cancel = context.WithCancel(ctx)
		cancel()
	}
	return l.finish(ctx)
}

// finish sends what a filter held back and marks the end of both streams.
func (l *live) finish(ctx context.Context) error {
	for _, s := range []*lane{&l.stdout, &l.stderr} {
		s.mu.Lock()
		var rest []byte
		if s.filter != nil {
			rest = s.filter.Flush()
		}
		err := l.emit(ctx, s, rest, true)
		s.mu.Unlock()
		if err != nil {
			return err
		}
	}
	return nil
}

func (l *live) emit(ctx context.Context, s *lane, chunk []byte, end bool) error {
	if len(chunk) == 0 && !end {
		return nil
	}
	s.keepTail(chunk)
	offset := s.offset
	s.offset += int64(len(chunk))
	err := l.sink.Emit(ctx, runtime.Event{Body: runtime.OutputChunk{
		Stream: string(s.name), Offset: offset, Bytes: chunk, End: end,
	}})
	if err != nil {
		l.mu.Lock()
		l.failed = cmp.Or(l.failed, err)
		l.mu.Unlock()
	}
	return err
}

// tails are the ends of what the streams showed; none when a write that was left behind may still
// have its lane.
func (l *live) tails(result proc.Result) (stdout, stderr []byte) {
	if result.Abandoned {
		return nil, nil
	}
	return l.stdout.tail, l.stderr.tail
}

func (s *lane) keepTail(chunk []byte) {
	if len(chunk) >= tailBytes {
		s.tail = append(s.tail[:0], chunk[len(chunk)-tailBytes:]...)
		return
	}
	s.tail = append(s.tail, chunk...)
	if over := len(s.tail) - tailBytes; over > 0 {
		s.tail = append(s.tail[:0], s.tail[over:]...)
	}
}
