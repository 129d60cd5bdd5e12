package proc

import (
	"fmt"
	"os"

	"github.com/runx-go/runx/internal/sandbox"
)

func platformClaims() []sandbox.Claim {
	claims := []sandbox.Claim{
		{Name: claimGroup, Enforced: true},
		{Name: claimSubreaper, Enforced: true},
		{Name: claimDeath, Enforced: true},
		{Name: claimJob, Reason: "a job object is a part of Windows"},
	}
	return withOutcome(claims, func(name string) string {
		if name != claimSubreaper {
			return ""
		}
		if _, err := os.Stat("/proc/self/environ"); err != nil {
			return "descendants cannot be found: /proc is not there"
		}
		return ""
	})
}

// boundary is what was enforced around a tree that has been swept.
func (t *tree) boundary(s swept) sandbox.Boundary {
	b := Boundary()
	b.Claims = withOutcome(b.Claims, func(name string) string {
		if name != claimSubreaper && name != claimGroup {
			return ""
		}
		switch {
		case s.left:
			return fmt.Sprintf("a process did not end within %v of killing", sweepLimit)
		case name == claimSubreaper && t.adopts != nil:
			return fmt.Sprintf("the kernel refuses it: %v", t.adopts)
		case name == claimSubreaper && s.blind:
			return "descendants cannot be found: the process table cannot be read"
		}
		return ""
	})
	return b
}
