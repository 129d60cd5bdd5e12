package proc

import "github.com/runx-go/runx/internal/sandbox"

// Boundary is what this platform enforces around a cli-tool, for a report that starts nothing. The
// Boundary of a [Result] says what was enforced around that run.
func Boundary() sandbox.Boundary {
	return sandbox.Boundary{Kind: sandbox.TrustedHostProcess, Claims: platformClaims()}
}

// withOutcome takes back what a sweep could not keep.
func withOutcome(claims []sandbox.Claim, kept func(name string) (reason string)) []sandbox.Claim {
	for i, claim := range claims {
		if reason := kept(claim.Name); claim.Enforced && reason != "" {
			claims[i].Enforced, claims[i].Reason = false, reason
		}
	}
	return claims
}

// The claims that this package makes.
const (
	claimGroup     = "process_group"
	claimSubreaper = "subreaper"
	claimDeath     = "parent_death_signal"
	claimJob       = "job_object"
)
