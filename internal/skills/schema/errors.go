package schema

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Failure is one reason why inputs (or outputs) do not fit.
type Failure struct {
	Code           string          `json:"code"`            // input_unknown, input_type, input_schema, input_missing, packet_contract, output_contract
	Input          string          `json:"input"`           // name of the input or output, "" for the whole
	Path           string          `json:"path"`            // JSON path such as $.a.b[0]
	Message        string          `json:"message"`         // one sentence
	AcceptedSchema json.RawMessage `json:"accepted_schema"` // never nil: null when there is none
	Hint           string          `json:"-"`               // what to do, or ""
}

// BindError is every failure of one binding, in the order of skills 2.1. It has at least one.
type BindError struct{ Failures []Failure }

// Error joins the messages of at most five failures and a count of the others.
func (e *BindError) Error() string {
	const shown = 5
	var parts []string
	for i, f := range e.Failures {
		if i == shown {
			parts = append(parts, fmt.Sprintf("and %d more", len(e.Failures)-shown))
			break
		}
		parts = append(parts, f.Message)
	}
	return "cannot bind inputs: " + strings.Join(parts, "; ")
}

// null is the accepted schema of what has none.
func null() json.RawMessage { return json.RawMessage("null") }
