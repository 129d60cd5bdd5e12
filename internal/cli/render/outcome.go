package render

import (
	"fmt"
	"io"
	"strings"

	"github.com/runx-go/runx/internal/runtime"
	"github.com/runx-go/runx/internal/runtime/session"
)

// Outcome prints what a person needs after a run in text form: warnings, and one summary line with
// one thing to try when the run is not sealed. The streams were shown while they came.
func Outcome(w io.Writer, style Style, run session.Run) {
	var b strings.Builder
	for _, warning := range run.Warnings {
		fmt.Fprintf(&b, "%s %s\n", style.Warn("warning:"), runtime.VisibleLine(warningText(warning)))
	}
	if run.Status != runtime.Sealed {
		summary, hint := run.Closure.Summary, ""
		if run.Error != nil {
			hint = run.Error.Hint
			if run.Error.Code != "process_exit" && run.Error.Code != "process_signal" {
				summary = run.Error.Message
			}
		}
		fmt.Fprintf(&b, "%s %s\n", style.Bad("runx: "+string(run.Status)+":"), runtime.VisibleLine(summary))
		if hint != "" {
			fmt.Fprintf(&b, "  %s %s\n", style.Bold("try:"), runtime.VisibleLine(hint))
		}
	}
	io.WriteString(w, b.String()) //nolint:errcheck // nobody is left to tell when stderr is gone
}

func warningText(w runtime.Warning) string {
	if w.Location == nil {
		return w.Message
	}
	if w.Location.Line == 0 {
		return w.Location.File + ": " + w.Message
	}
	return fmt.Sprintf("%s:%d:%d: %s", w.Location.File, w.Location.Line, w.Location.Column, w.Message)
}
