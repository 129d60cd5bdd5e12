package proc

import (
	"fmt"

	"github.com/runx-go/runx/internal/sandbox"
)

func platformClaims() []sandbox.Claim {
	return []sandbox.Claim{
		{Name: claimGroup, Enforced: true},
		{Name: claimSubreaper, Reason: "macOS has none: a descendant that leaves the group is not ended"},
		{Name: claimDeath, Reason: "macOS has none: a command outlives runx when runx is killed"},
		{Name: claimJob, Reason: "a job object is a part of Windows"},
	}
}

// boundary is what was enforced around a tree that has been swept.
func (t *tree) boundary(s swept) sandbox.Boundary {
	b := Boundary()
	b.Claims = withOutcome(b.Claims, func(name string) string {
		if name == claimGroup && s.left {
			return fmt.Sprintf("a process did not end within %v of killing", sweepLimit)
		}
		return ""
	})
	return b
}
