package render

import (
	"fmt"
	"io"
	"strings"

	"github.com/runx-go/runx/internal/runtime"
	"github.com/runx-go/runx/internal/skills"
)

// ErrorDocument is the JSON form of a fault before a run exists.
type ErrorDocument struct {
	Error runtime.Fault `json:"error"`
}

// Error prints a fault for people: one sentence, every further reason on a line of its own, and one
// thing to try.
func Error(w io.Writer, style Style, fault runtime.Fault, reasons []skills.Finding) {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\n", style.Bad("error:"), runtime.VisibleLine(fault.Message))
	for _, r := range reasons {
		fmt.Fprintf(&b, "  %s\n", runtime.VisibleLine(r.String()))
		if r.Hint != "" && r.Hint != fault.Hint {
			fmt.Fprintf(&b, "    %s\n", runtime.VisibleLine(r.Hint))
		}
	}
	if fault.Hint != "" {
		fmt.Fprintf(&b, "  %s %s\n", style.Bold("try:"), runtime.VisibleLine(fault.Hint))
	}
	io.WriteString(w, b.String()) //nolint:errcheck // nobody is left to tell when stderr is gone
}
