package receipt

import (
	"fmt"
	"strings"
	"time"

	"github.com/runx-go/runx/internal/runtime"
	"github.com/runx-go/runx/internal/sandbox"
	"github.com/runx-go/runx/internal/skills"
)

// checker collects what does not hold in a predicate.
type checker struct{ findings []Finding }

func (c *checker) require(ok bool, path, format string, args ...any) {
	if !ok {
		c.findings = append(c.findings, Finding{codePredicate, "predicate." + path, fmt.Sprintf(format, args...)})
	}
}

func (c *checker) digest(d skills.Digest, path string) {
	c.require(isHex(d.Hex()), path, "it is no sha256 digest")
}

// check holds a predicate against its own rules. What Seal accepts and what Verify accepts is the
// same: a receipt that could not be verified is never made.
func check(p Predicate) []Finding {
	var c checker
	c.require(p.Runx != "", "runx", "it is empty")
	c.require(p.Skill != "", "skill", "it is empty")
	c.require(p.Runner != "", "runner", "it is empty")
	c.require(p.RunnerType != "", "runner_type", "it is empty")
	c.run(p.Run)
	c.digest(p.PackageDigest, "package_digest")
	c.digest(p.ManualDigest, "manual_digest")
	for i, d := range p.ClosureDigests {
		c.digest(d, fmt.Sprintf("closure_digests[%d]", i))
	}
	c.digest(p.Inputs.Digest, "inputs.digest")
	c.digest(p.Inputs.RawDigest, "inputs.raw_digest")
	c.require(p.Inputs.Bytes >= 0, "inputs.bytes", "%d is negative", p.Inputs.Bytes)
	c.require(knownBoundary(p.Boundary.Kind), "boundary.kind", "%q is no known boundary", p.Boundary.Kind)
	if p.Process != nil {
		c.process(*p.Process)
	}
	if p.Streams != nil {
		c.stream(p.Streams.Stdout, "streams.stdout")
		c.stream(p.Streams.Stderr, "streams.stderr")
	}
	c.closure(p.Closure, p.Result)
	c.issuer(p.Issuer)
	c.require(len(p.Pages) == 0 || string(p.Pages) == "null", "pages", "this version knows no pages")
	c.require(len(p.Decisions) == 0, "decisions", "this version knows no decisions")
	c.require(len(p.Steps) == 0, "steps", "this version knows no steps and cannot check their receipts")
	return c.findings
}

func (c *checker) run(r RunInfo) {
	const prefix = "run_"
	c.require(runtime.IsID(prefix, r.ID), "run.id", "%q is no run id", r.ID)
	c.digest(skills.Digest(r.Identity), "run.identity")
	c.require(r.Parent == nil || runtime.IsID(prefix, *r.Parent), "run.parent", "it is no run id")
	c.require(isTime(r.StartedAt), "run.started_at", "%q is no time in UTC with milliseconds", r.StartedAt)
	c.require(isTime(r.FinishedAt), "run.finished_at", "%q is no time in UTC with milliseconds", r.FinishedAt)
}

func (c *checker) process(p Process) {
	c.digest(p.ArgvDigest, "process.argv_digest")
	c.require(p.Command != "" && !strings.Contains(p.Command, "/"), "process.command", "it is no base name")
	switch p.CwdRelation {
	case "skill", "workspace", "tool", "other":
	default:
		c.require(false, "process.cwd_relation", "%q is no known relation", p.CwdRelation)
	}
}

func (c *checker) stream(s Stream, path string) {
	c.require(s.Bytes >= 0, path+".bytes", "%d is negative", s.Bytes)
	c.require(isHex(s.SHA256), path+".sha256", "it is no 64 hex digits")
}

// closure checks that status, disposition, state and result tell one story.
func (c *checker) closure(cl Closure, result *Result) {
	status := runtime.Status(cl.Status)
	if !ended(status) {
		c.require(false, "closure.status", "%q is no status of a run that ended", cl.Status)
		return
	}
	c.require(cl.Disposition == status.Disposition(), "closure.disposition", "%q does not fit status %s", cl.Disposition, status)
	c.require(cl.State == "sealed", "closure.state", "%q does not fit a run that ended", cl.State)
	c.require(isWord(cl.ReasonCode), "closure.reason_code", "it is no code")
	c.require(isSummary(cl.Summary), "closure.summary", "it is no fixed text: %d bytes, or a path or a control character", len(cl.Summary))
	c.require((result != nil) == (status == runtime.Sealed), "result", "a result stands with status sealed and no other, this one is %s", status)
	if result == nil {
		return
	}
	c.digest(result.Digest, "result.digest")
	if result.OutputsDigest != "" {
		c.digest(skills.Digest(result.OutputsDigest), "result.outputs_digest")
	}
	for id, state := range result.Packets {
		c.require(state == "verified" || state == "unresolved", "result.packets", "%q of packet %q is no known state", state, id)
	}
}

func (c *checker) issuer(i Issuer) {
	c.require(knownIssuer(i.Type), "issuer.type", "%q is no known issuer", i.Type)
	c.require(isKID(i.KID), "issuer.kid", "it is no key id")
	c.require(isHex(i.PublicKeySHA256), "issuer.public_key_sha256", "it is no 64 hex digits")
}

func ended(s runtime.Status) bool {
	switch s {
	case runtime.Sealed, runtime.Failed, runtime.TimedOut, runtime.Cancelled, runtime.Denied, runtime.Refused:
		return true
	case runtime.NeedsCredential:
		return false
	}
	return false
}

func knownBoundary(k sandbox.Kind) bool {
	switch k {
	case sandbox.TrustedHostProcess, sandbox.DeterministicWorker, sandbox.NativeCapability,
		sandbox.AgentBoundary, sandbox.Composition:
		return true
	}
	return false
}

func knownIssuer(kind string) bool {
	switch kind {
	case issuerLocal, issuerHosted, issuerCI:
		return true
	}
	return false
}

// isHex says whether text is 64 lower-case hex digits.
func isHex(text string) bool {
	return len(text) == 64 && strings.Trim(text, "0123456789abcdef") == ""
}

func isWord(text string) bool {
	return text != "" && strings.Trim(text, "abcdefghijklmnopqrstuvwxyz0123456789_") == ""
}

// isTime says whether text is RFC 3339 in UTC with exactly three digits of milliseconds.
func isTime(text string) bool {
	const layout = "2006-01-02T15:04:05.000Z"
	t, err := time.Parse(layout, text)
	return err == nil && t.Format(layout) == text
}

// isSummary refuses what can only come from an author or a host: paths, long and many-lined texts.
func isSummary(text string) bool {
	return len(text) <= maxSummaryBytes && !strings.ContainsAny(text, "/\\\n\t") && runtime.Visible(text) == text
}

func isKID(text string) bool {
	return text != "" && len(text) <= maxKIDBytes && !strings.ContainsAny(text, "\n\t") && runtime.Visible(text) == text
}

// visible is the text of an error about a file from outside.
func visible(err error) string { return runtime.Visible(err.Error()) }
