package render

import (
	"bufio"
	"fmt"
	"io"

	"github.com/runx-go/runx/internal/runtime/session"
)

// Run writes the envelope of a run and a newline, piece by piece: it is never held whole.
func Run(w io.Writer, run *session.Run) error {
	out := bufio.NewWriterSize(w, 64<<10)
	if _, err := run.WriteTo(out); err != nil {
		return err
	}
	if err := out.WriteByte('\n'); err != nil {
		return fmt.Errorf("cannot write the envelope: %w", err)
	}
	return out.Flush()
}
