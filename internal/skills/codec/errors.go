package codec

import (
	"fmt"
	"slices"
	"strings"
)

// SyntaxError is one fault in a text: where, what, and the nearest known word. Line and Col count
// from 1, Col in characters; Offset is in bytes from 0. All three are set for every fault; they
// count in the text that was given, except that a line offset (frontmatter) is added to Line.
type SyntaxError struct {
	Code    string // encoding, unknown_key, duplicate_key, yaml_feature, yaml_type, yaml_limit, yaml_syntax, frontmatter, input_json, json_key, json_type
	File    string // as given by the caller
	Line    int
	Col     int
	Offset  int
	Msg     string // one sentence without place, file name or trailing dot
	Key     string // the key concerned, or ""
	Nearest string // nearest known key, or ""
	Hint    string // what to do, or ""
}

// Error is file:line:col: msg, without the file when none was given.
func (e *SyntaxError) Error() string {
	if e.File == "" {
		return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Col, e.Msg)
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Col, e.Msg)
}

// Errors is several faults in source order. It is never empty when it is returned as an error.
type Errors []*SyntaxError

// Error joins the faults with "; ", at most ten of them and a count of the others.
func (e Errors) Error() string {
	const shown = 10
	var b strings.Builder
	for i, fault := range e {
		if i == shown {
			fmt.Fprintf(&b, "; and %d more", len(e)-shown)
			break
		}
		if i > 0 {
			b.WriteString("; ")
		}
		b.WriteString(fault.Error())
	}
	return b.String()
}

// Unwrap gives the faults one by one to errors.Is and errors.As.
func (e Errors) Unwrap() []error {
	out := make([]error, len(e))
	for i, fault := range e {
		out[i] = fault
	}
	return out
}

// sortFaults puts faults into source order and keeps the order of those at one place.
func sortFaults(faults []*SyntaxError) {
	slices.SortStableFunc(faults, func(a, b *SyntaxError) int {
		if a.Line != b.Line {
			return a.Line - b.Line
		}
		return a.Col - b.Col
	})
}
