package delivery

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/runx-go/runx/internal/sandbox/secret"
)

// TestCredential: the variable comes last, with its value, and counts as neither delivered nor
// withheld.
func TestCredential(t *testing.T) {
	const canary = "canary-value"
	req := request()
	req.Host.Env = []string{"TOKEN=from the host", "OTHER_TOKEN=" + canary}
	req.CredentialName, req.Credential = "TOKEN", secret.New(canary)
	req.Args = [][]Part{{{Env: "TOKEN"}}}
	give(&req, "token", `"x"`)
	plan := mustPlan(t, req)
	entries := plan.Env.Entries()
	if got, want := entries[len(entries)-1], "TOKEN="+canary; got != want {
		t.Errorf("last entry = %q, want %q", got, want)
	}
	if slices.Contains(plan.Delivered, "TOKEN") || !slices.Equal(plan.Withheld, []string{"OTHER_TOKEN"}) {
		t.Errorf("Delivered = %q, Withheld = %q, want TOKEN in neither", plan.Delivered, plan.Withheld)
	}
	if plan.Args[0] != "" {
		t.Errorf("argument = %q: a credential is no declared variable", plan.Args[0])
	}
	req.CredentialName = "RUNX_INPUT_TOKEN"
	if got := mustRefuse(t, req); got.Code != codeNameCollision || strings.Contains(fmt.Sprint(got), canary) {
		t.Errorf("Refusal = %v, want %s without the value", got, codeNameCollision)
	}
	req.CredentialName, req.Credential = "TOKEN", secret.New(canary+strings.Repeat("x", 131_072))
	if got := mustRefuse(t, req); got.Code != codeEnvTooLarge || !strings.Contains(got.Msg, "TOKEN") || strings.Contains(fmt.Sprint(got), canary) {
		t.Errorf("Refusal = %v, want %s that names TOKEN without the value", got, codeEnvTooLarge)
	}
}
