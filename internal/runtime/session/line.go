package session

import (
	"encoding/json"
	"fmt"

	"github.com/runx-go/runx/internal/runtime"
	"github.com/runx-go/runx/internal/skills/codec"
)

// EventSchemaVersion is the schema_version of every event line; within a major version fields and
// types are only added (agents 17.7).
const EventSchemaVersion = "1.0"

// eventLine is the order of the keys of a line.
type eventLine struct {
	SchemaVersion string  `json:"schema_version"`
	Seq           int64   `json:"seq"`
	Time          string  `json:"time"`
	Type          string  `json:"type"`
	RunID         string  `json:"run_id"`
	Step          *string `json:"step"`
	Data          any     `json:"data"`
}

// chunkData is the public form of an OutputChunk.
type chunkData struct {
	Stream string `json:"stream"`
	Text   string `json:"text"`
}

// EventLine is the public JSON form of a stamped event (skills 2.5 and agents 17.7), one line
// without a newline. text replaces the bytes of an OutputChunk, which a display cuts between
// characters; other events ignore it. The error is that of an event without a body or with a raw
// member that is not JSON.
func EventLine(e runtime.Event, text string) (json.RawMessage, error) {
	if e.Body == nil {
		return nil, fmt.Errorf("cannot encode event %d: it has no body", e.Seq)
	}
	line := eventLine{
		SchemaVersion: EventSchemaVersion, Seq: e.Seq, Time: FormatTime(e.At), Type: e.Body.Type(),
		RunID: e.Run, Data: eventData(e.Body, text),
	}
	if e.Step != "" {
		line.Step = &e.Step
	}
	raw, err := codec.Marshal(&line)
	if err != nil {
		return nil, fmt.Errorf("cannot encode event %s: %w", line.Type, err)
	}
	return raw, nil
}

// eventData is the body as it is encoded: lists are never null.
func eventData(body runtime.Body, text string) any {
	switch b := body.(type) {
	case runtime.OutputChunk:
		return chunkData{Stream: b.Stream, Text: text}
	case runtime.Warned:
		return b.Warning
	case runtime.RunPaused:
		b.Requirements = requirements(b.Requirements)
		return b
	default:
		return body
	}
}
