// Package render prints what a command found out: results, records, reports and errors, as text for
// people or as JSON for programs. It decides nothing, asks nothing and reads no clock. Text that
// came from outside is made visible before a terminal sees it. Only cli imports it.
package render

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/runx-go/runx/internal/skills/codec"
)

// JSON writes one JSON document and a newline. Values inside keep their text.
func JSON(w io.Writer, v any) error {
	raw, err := codec.Marshal(v)
	if err != nil {
		return fmt.Errorf("cannot encode the document: %w", err)
	}
	return Document(w, raw)
}

// Document writes an encoded document and a newline in one write.
func Document(w io.Writer, raw json.RawMessage) error {
	_, err := w.Write(append(append(make([]byte, 0, len(raw)+1), raw...), '\n'))
	return err
}
