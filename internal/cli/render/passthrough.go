package render

import (
	"context"
	"io"

	"github.com/runx-go/runx/internal/runtime"
)

// Passthrough shows a cli-tool's own streams as they arrive, byte for byte, and nothing else.
type Passthrough struct{ Out, Err io.Writer }

var _ runtime.Sink = Passthrough{}

// Emit implements runtime.Sink. A stdout that cannot be written stops the run; a stderr that
// cannot be written loses only words for people.
func (p Passthrough) Emit(_ context.Context, e runtime.Event) error {
	chunk, ok := e.Body.(runtime.OutputChunk)
	if !ok || len(chunk.Bytes) == 0 {
		return nil
	}
	if chunk.Stream == "stderr" {
		p.Err.Write(chunk.Bytes) //nolint:errcheck // see the doc comment
		return nil
	}
	_, err := p.Out.Write(chunk.Bytes)
	return err
}
