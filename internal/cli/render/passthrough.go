package render

import (
	"context"
	"io"
	"sync"

	"github.com/runx-go/runx/internal/runtime"
)

// Passthrough shows a cli-tool's own streams as they arrive, byte for byte, and nothing else.
type Passthrough struct {
	Out, Err io.Writer

	mu   sync.Mutex
	last [2]byte // the last byte that each stream wrote, 0 before the first
}

var _ runtime.Sink = (*Passthrough)(nil)

// Emit implements runtime.Sink. A stdout that cannot be written stops the run; a stderr that
// cannot be written loses only words for people.
func (p *Passthrough) Emit(_ context.Context, e runtime.Event) error {
	chunk, ok := e.Body.(runtime.OutputChunk)
	if !ok || len(chunk.Bytes) == 0 {
		return nil
	}
	if chunk.Stream == "stderr" {
		p.keep(1, chunk.Bytes)
		p.Err.Write(chunk.Bytes) //nolint:errcheck // see the doc comment
		return nil
	}
	p.keep(0, chunk.Bytes)
	_, err := p.Out.Write(chunk.Bytes)
	return err
}

func (p *Passthrough) keep(stream int, chunk []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last[stream] = chunk[len(chunk)-1]
}

// Unfinished says whether the terminal that shows stderr, and with both also stdout, is left in the
// middle of a line.
func (p *Passthrough) Unfinished(both bool) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	open := func(last byte) bool { return last != 0 && last != '\n' }
	return open(p.last[1]) || both && open(p.last[0])
}
