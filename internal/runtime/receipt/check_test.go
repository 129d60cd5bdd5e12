package receipt

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/runx-go/runx/internal/skills"
)

// brokenPredicate is one change that makes a full predicate untrue.
type brokenPredicate struct {
	name    string
	change  func(*Predicate)
	path    string
	message string
}

func brokenPredicates() []brokenPredicate {
	const noDigest = "it is no sha256 digest"
	return []brokenPredicate{
		{"no version of runx", func(p *Predicate) { p.Runx = "" }, "predicate.runx", "it is empty"},
		{"no skill", func(p *Predicate) { p.Skill = "" }, "predicate.skill", "it is empty"},
		{"no runner", func(p *Predicate) { p.Runner = "" }, "predicate.runner", "it is empty"},
		{"no lane", func(p *Predicate) { p.RunnerType = "" }, "predicate.runner_type", "it is empty"},
		{"run id", func(p *Predicate) { p.Run.ID = "run_../x" }, "predicate.run.id", `"run_../x" is no run id`},
		{"identity", func(p *Predicate) { p.Run.Identity = "" }, "predicate.run.identity", noDigest},
		{"parent", func(p *Predicate) { p.Run.Parent = ptr("") }, "predicate.run.parent", "it is no run id"},
		{"time with a zone", func(p *Predicate) { p.Run.StartedAt = "2026-01-01T00:00:01.100+01:00" }, "predicate.run.started_at", "\"2026-01-01T00:00:01.100+01:00\" is no time"},
		{"time without milliseconds", func(p *Predicate) { p.Run.FinishedAt = "2026-01-01T00:00:01Z" }, "predicate.run.finished_at", `"2026-01-01T00:00:01Z" is no time`},
		{"package digest", func(p *Predicate) { p.PackageDigest = "" }, "predicate.package_digest", noDigest},
		{"upper case", func(p *Predicate) { p.PackageDigest = skills.Digest("sha256:" + strings.Repeat("A", 64)) }, "predicate.package_digest", noDigest},
		{"manual digest", func(p *Predicate) { p.ManualDigest = "x" }, "predicate.manual_digest", noDigest},
		{"closure digest", func(p *Predicate) { p.ClosureDigests[0] = "x" }, "predicate.closure_digests[0]", noDigest},
		{"inputs digest", func(p *Predicate) { p.Inputs.Digest = "x" }, "predicate.inputs.digest", noDigest},
		{"raw digest", func(p *Predicate) { p.Inputs.RawDigest = "x" }, "predicate.inputs.raw_digest", noDigest},
		{"negative size", func(p *Predicate) { p.Inputs.Bytes = -1 }, "predicate.inputs.bytes", "-1 is negative"},
		{"boundary", func(p *Predicate) { p.Boundary.Kind = "vm" }, "predicate.boundary.kind", `"vm" is no known boundary`},
		{"argv digest", func(p *Predicate) { p.Process.ArgvDigest = "" }, "predicate.process.argv_digest", noDigest},
		{"path as command", func(p *Predicate) { p.Process.Command = "/usr/bin/birds" }, "predicate.process.command", "it is no base name"},
		{"no command", func(p *Predicate) { p.Process.Command = "" }, "predicate.process.command", "it is no base name"},
		{"path as relation", func(p *Predicate) { p.Process.CwdRelation = "/w" }, "predicate.process.cwd_relation", `"/w" is no known relation`},
		{"stdout digest", func(p *Predicate) { p.Streams.Stdout.SHA256 = string(digestOf("8")) }, "predicate.streams.stdout.sha256", "it is no 64 hex digits"},
		{"stderr size", func(p *Predicate) { p.Streams.Stderr.Bytes = -2 }, "predicate.streams.stderr.bytes", "-2 is negative"},
		{"unknown status", func(p *Predicate) { p.Closure.Status = "done" }, "predicate.closure.status", `"done" is no status of a run that ended`},
		{"waiting status", func(p *Predicate) { p.Closure.Status, p.Result = "needs_credential", nil }, "predicate.closure.status", `"needs_credential" is no status of a run that ended`},
		{"disposition", func(p *Predicate) { p.Closure.Disposition = "failed" }, "predicate.closure.disposition", `"failed" does not fit status sealed`},
		{"state", func(p *Predicate) { p.Closure.State = "deferred" }, "predicate.closure.state", `"deferred" does not fit a run that ended`},
		{"reason", func(p *Predicate) { p.Closure.ReasonCode = "Not a code" }, "predicate.closure.reason_code", "it is no code"},
		{"path in the summary", func(p *Predicate) { p.Closure.Summary = "cannot start /usr/bin/birds" }, "predicate.closure.summary", "it is no fixed text"},
		{"path of Windows in the summary", func(p *Predicate) { p.Closure.Summary = `cannot start C:\birds` }, "predicate.closure.summary", "it is no fixed text"},
		{"lines in the summary", func(p *Predicate) { p.Closure.Summary = "a\nb" }, "predicate.closure.summary", "it is no fixed text"},
		{"escape in the summary", func(p *Predicate) { p.Closure.Summary = "a\x1b[2J" }, "predicate.closure.summary", "it is no fixed text"},
		{"summary over the limit", func(p *Predicate) { p.Closure.Summary = strings.Repeat("x", maxSummaryBytes+1) }, "predicate.closure.summary", "it is no fixed text: 201 bytes"},
		{"sealed without result", func(p *Predicate) { p.Result = nil }, "predicate.result", "a result stands with status sealed"},
		{"result of a failure", func(p *Predicate) { p.Closure.Status, p.Closure.Disposition = "failed", "failed" }, "predicate.result", "a result stands with status sealed and no other, this one is failed"},
		{"result digest", func(p *Predicate) { p.Result.Digest = "" }, "predicate.result.digest", noDigest},
		{"outputs digest", func(p *Predicate) { p.Result.OutputsDigest = "x" }, "predicate.result.outputs_digest", noDigest},
		{"packet state", func(p *Predicate) { p.Result.Packets["acme.count.v1"] = "" }, "predicate.result.packets", `"" of packet "acme.count.v1" is no known state`},
		{"pages", func(p *Predicate) { p.Pages = json.RawMessage("{}") }, "predicate.pages", "this version knows no pages"},
		{"decisions", func(p *Predicate) { p.Decisions = []json.RawMessage{json.RawMessage("{}")} }, "predicate.decisions", "this version knows no decisions"},
		{"steps", func(p *Predicate) { p.Steps = []json.RawMessage{json.RawMessage("{}")} }, "predicate.steps", "this version knows no steps"},
	}
}

// Verify finds by itself what Seal would have refused: a forger with the key is still seen.
func TestVerifyRefusesAPredicateThatDoesNotHold(t *testing.T) {
	s := ciSigner(t)
	for _, tt := range brokenPredicates() {
		t.Run(tt.name, func(t *testing.T) {
			p := fullPredicate()
			tt.change(&p)
			p.Issuer = s.Issuer()
			body, err := payload(p)
			if err != nil {
				t.Fatal(err)
			}
			v := Verify(sign(t, s, payloadType, body), ciKeys(t), Expect{})
			found := slices.ContainsFunc(v.Findings, func(f Finding) bool {
				return f.Code == codePredicate && f.Path == tt.path && strings.HasPrefix(f.Message, tt.message)
			})
			if v.Valid || v.Signature.Status != "valid" || !found {
				t.Errorf("valid %v, signature %s, want %s at %s: %q among\n%+v", v.Valid, v.Signature.Status, codePredicate, tt.path, tt.message, v.Findings)
			}
		})
	}
}

func TestSummaryAtTheLimit(t *testing.T) {
	p := fullPredicate()
	p.Closure.Summary = strings.Repeat("x", maxSummaryBytes)
	if _, err := Seal(p, ciSigner(t)); err != nil {
		t.Error(err)
	}
}

// Every status of a run that ended can be sealed.
func TestEveryEndHasAReceipt(t *testing.T) {
	for status, disposition := range map[string]string{"failed": "failed", "timed_out": "timed_out", "cancelled": "killed",
		"denied": "blocked", "refused": "blocked"} {
		p := smallPredicate()
		p.Closure.Status, p.Closure.Disposition = status, disposition
		if v := Verify(sealed(t, p, ciSigner(t)).Envelope, ciKeys(t), Expect{}); !v.Valid {
			t.Errorf("%s: %+v", status, v.Findings)
		}
	}
}

// A receipt has no place for a value. Whoever adds a member reads skills 11 ("Never in a receipt")
// and adds it here.
func TestPredicateHasNoPlaceForValues(t *testing.T) {
	want := []string{
		"boundary.claims.enforced", "boundary.claims.name", "boundary.claims.reason", "boundary.kind",
		"closure.disposition", "closure.reason_code", "closure.state", "closure.status", "closure.summary", "closure_digests",
		"credential.mode", "credential.name", "credential.profile", "credential.provider", "decisions",
		"environment.absent", "environment.names", "inputs.bytes", "inputs.digest", "inputs.names", "inputs.raw_digest",
		"issuer.kid", "issuer.public_key_sha256", "issuer.type", "limits", "manual_digest", "package_digest", "pages",
		"process.argv_digest", "process.command", "process.cwd_relation", "process.descendant_held_pipe", "process.exit_code",
		"process.signal", "process.timed_out", "result.digest", "result.outputs_digest", "result.packets",
		"run.finished_at", "run.id", "run.identity", "run.parent", "run.resumed", "run.started_at",
		"runner", "runner_type", "runx", "skill", "steps",
		"streams.stderr.bytes", "streams.stderr.sha256", "streams.stderr.truncated",
		"streams.stdout.bytes", "streams.stdout.sha256", "streams.stdout.truncated", "version",
	}
	got := members(reflect.TypeFor[Predicate](), "")
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("members of the predicate (-want +got):\n%s", diff)
	}
}

func members(t reflect.Type, prefix string) []string {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice && t.Elem().Kind() != reflect.Uint8 {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return []string{strings.TrimSuffix(prefix, ".")}
	}
	var out []string
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		out = append(out, members(f.Type, prefix+name+".")...)
	}
	return out
}
