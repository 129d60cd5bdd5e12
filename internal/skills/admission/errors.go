package admission

import (
	"fmt"
	"strings"

	"github.com/runx-go/runx/internal/skills"
)

// RefusedError is every reason why a directory is not an accepted package, in file order. It has at
// least one.
type RefusedError struct {
	Dir     string
	Reasons []skills.Finding
}

// Error names the directory and at most three reasons, with a count of the others.
func (e *RefusedError) Error() string {
	const shown = 3
	var b strings.Builder
	fmt.Fprintf(&b, "cannot load package %s: ", e.Dir)
	for i, reason := range e.Reasons {
		if i == shown {
			fmt.Fprintf(&b, "; and %d more", len(e.Reasons)-shown)
			break
		}
		if i > 0 {
			b.WriteString("; ")
		}
		b.WriteString(reason.String())
	}
	return b.String()
}

// ChoiceError says why no package or runner could be chosen.
type ChoiceError struct {
	// Code is package_not_found, skill_ambiguous, registry_unsupported, not_executable,
	// runner_required, runner_unknown or runner_unavailable.
	Code string
	Msg  string
	Hint string
	// Reasons are those of an unavailable runner; nil for every other code.
	Reasons []skills.Finding
}

// Error is the message without the hint.
func (e *ChoiceError) Error() string { return e.Msg }
