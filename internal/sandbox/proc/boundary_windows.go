package proc

import (
	"fmt"

	"github.com/runx-go/runx/internal/sandbox"
)

func platformClaims() []sandbox.Claim {
	return []sandbox.Claim{
		{Name: claimGroup, Reason: "a process group is a part of Unix: the job object holds the tree"},
		{Name: claimSubreaper, Reason: "not needed: nothing leaves a job object"},
		{Name: claimDeath, Reason: "not needed: the job object ends with runx"},
		{Name: claimJob, Enforced: true},
	}
}

// boundary is what was enforced around a tree that has been swept.
func (t *tree) boundary(s swept) sandbox.Boundary {
	b := Boundary()
	b.Claims = withOutcome(b.Claims, func(name string) string {
		if name == claimJob && s.left {
			return fmt.Sprintf("a process did not end within %v of termination", sweepLimit)
		}
		return ""
	})
	return b
}
