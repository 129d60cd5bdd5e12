package skills

import (
	"fmt"
	"strings"
)

// Severity of a finding.
type Severity string

// An error refuses (or, for a finding of the open standard, only fails validate); a warning never
// stops anything.
const (
	SeverityError   Severity = "error"
	SeverityWarning Severity = "warning"
)

// Finding is one thing found while a package was read: a fault or a warning, with its place.
type Finding struct {
	Code     string   `json:"code"`
	Severity Severity `json:"severity"`
	File     string   `json:"file"`   // relative to the package, slash-separated; "" for the package
	Line     int      `json:"line"`   // from 1; 0 when the finding has no line
	Column   int      `json:"column"` // in characters, from 1; 0 when unknown
	Message  string   `json:"message"`
	Hint     string   `json:"hint"`
}

// String is file:line:column: message, without what is unknown.
func (f Finding) String() string {
	var b strings.Builder
	if f.File != "" {
		b.WriteString(f.File)
		if f.Line > 0 {
			fmt.Fprintf(&b, ":%d", f.Line)
			if f.Column > 0 {
				fmt.Fprintf(&b, ":%d", f.Column)
			}
		}
		b.WriteString(": ")
	}
	b.WriteString(f.Message)
	return b.String()
}
