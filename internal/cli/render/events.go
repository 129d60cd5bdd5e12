package render

import (
	"context"
	"fmt"
	"io"
	"sync"

	"github.com/runx-go/runx/internal/runtime"
	"github.com/runx-go/runx/internal/runtime/session"
)

// Events prints every event as one JSON line. Text of streams is cut between characters: a
// character that has not arrived whole waits for the next chunk. The events of a stream may
// therefore hold other pieces than the child wrote, in the same order.
type Events struct {
	Out io.Writer

	mu   sync.Mutex
	held [2][]byte
}

var _ runtime.Sink = (*Events)(nil)

// Emit implements runtime.Sink; it is safe for concurrent use.
func (s *Events) Emit(_ context.Context, e runtime.Event) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	text := ""
	if chunk, ok := e.Body.(runtime.OutputChunk); ok {
		text = s.text(chunk)
	}
	line, err := session.EventLine(e, text)
	if err != nil {
		return fmt.Errorf("cannot encode event %s: %w", e.Body.Type(), err)
	}
	return Document(s.Out, line)
}

// text joins a chunk with what was held back. The line is printed even when it has no text, as at the
// end of each stream, so that the numbers of the events have no gap.
func (s *Events) text(chunk runtime.OutputChunk) string {
	held := &s.held[0]
	if chunk.Stream == "stderr" {
		held = &s.held[1]
	}
	data := append(*held, chunk.Bytes...)
	whole, rest := data, []byte(nil)
	if !chunk.End {
		whole, rest = runtime.CutText(data)
	}
	text, _ := runtime.ValidText(whole)
	*held = append([]byte(nil), rest...)
	return text
}
