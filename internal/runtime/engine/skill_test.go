package engine

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/runx-go/runx/internal/runtime"
	"github.com/runx-go/runx/internal/runtime/receipt"
	"github.com/runx-go/runx/internal/runtime/session"
	"github.com/runx-go/runx/internal/sandbox/secret"
	"github.com/runx-go/runx/internal/skills/codec"
)

const acme = `credentials: {api: {provider: acme, audience: "https://acme.example", auth: {token: {delivery: {env: ACME_TOKEN}}}}}`

func TestRunSealed(t *testing.T) {
	w := newWorld(t, program(t, []string{"print", `{"b":1.0,"a":"x"}`, "note", "0"}, "inputs: {text: {}}", "outputs: {b: number, a: string}",
		"environment: {optional: [NOT_SET, GREETING]}"), "GREETING=canary-greeting", "PATH=/bin", "OTHER=canary-other")
	req := w.request(t, `{ "text": "canary-input" }`)
	run := w.run(t, req)
	if run.Status != runtime.Sealed || run.Outcome != "completed" || string(run.Result) != `{"b":1.0,"a":"x"}` || run.Error != nil || run.Next != nil {
		t.Fatalf("run %+v, fault %+v", run, run.Error)
	}
	if diff := cmp.Diff(session.Closure{Disposition: "closed", ReasonCode: "process_closed", Summary: "process exited 0", ClosedAt: &run.Timing.FinishedAt}, run.Closure); diff != "" {
		t.Errorf("closure (-want +got)\n%s", diff)
	}
	if run.SkillName != "pack" || run.Runner != "main" || run.RunnerType != "cli-tool" || run.PackageDigest != string(req.Package.Digest) {
		t.Errorf("run of %s %s %s %s", run.SkillName, run.Runner, run.RunnerType, run.PackageDigest)
	}
	if run.Process == nil || run.Process.Cwd != w.pack || run.Process.CwdRelation != "skill" || *run.Process.ExitCode != 0 {
		t.Errorf("process %+v", run.Process)
	}
	if run.Streams.Stdout.Text != `{"b":1.0,"a":"x"}` || run.Streams.Stderr.Text != "note" {
		t.Errorf("streams %+v", run.Streams)
	}

	p := w.receipt(t, run)
	if p.Runx != "1.2.3" || p.Version != "1.10" || p.Run.ID != run.RunID || p.Run.Identity != run.Identity || p.ManualDigest != req.Package.ManualDigest || p.Credential != nil {
		t.Errorf("predicate %+v", p)
	}
	if diff := cmp.Diff(receipt.Environment{Names: []string{"GREETING", "RUNX_CWD"}, Absent: []string{"NOT_SET"}}, p.Environment); diff != "" {
		t.Errorf("environment of the receipt (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff(receipt.Closure{Status: "sealed", Disposition: "closed", ReasonCode: "process_closed", Summary: "process exited 0", State: "sealed"}, p.Closure); diff != "" {
		t.Errorf("closure of the receipt (-want +got)\n%s", diff)
	}
	digest, err := codec.DigestJSON(json.RawMessage(`{"a":"x","b":1}`))
	if err != nil || p.Result == nil || string(p.Result.Digest) != digest || p.Result.OutputsDigest == "" {
		t.Errorf("result of the receipt %+v, want digest %s (%v)", p.Result, digest, err)
	}
	if p.Inputs.Bytes != int64(len(`{ "text": "canary-input" }`)) || !cmp.Equal(p.Inputs.Names, []string{"text"}) || p.Process == nil || p.Streams == nil {
		t.Errorf("inputs of the receipt %+v, process %+v, streams %+v", p.Inputs, p.Process, p.Streams)
	}
	// Values of the environment and of inputs are in no record; names of the package's path are not in the receipt.
	for _, canary := range []string{"canary-greeting", "canary-other", "canary-input"} {
		if found := filesWith(t, w.state, canary); found != nil {
			t.Errorf("%s is in %v", canary, found)
		}
	}
}

func TestRunFailed(t *testing.T) {
	w := newWorld(t, program(t, []string{"print", "{}", "boom", "3"}))
	run := w.run(t, w.request(t, `{}`))
	if run.Status != runtime.Failed || run.Outcome != "failed" || run.Result != nil || run.Error.Code != "process_exit" || *run.Process.ExitCode != 3 {
		t.Errorf("run %+v, fault %+v", run, run.Error)
	}
	if p := w.receipt(t, run); p.Closure.Status != "failed" || p.Closure.Disposition != "failed" || p.Result != nil || *p.Process.ExitCode != 3 {
		t.Errorf("receipt %+v", p)
	}
}

// Every refusal has its code, a receipt and a record, and starts nothing.
func TestRunRefused(t *testing.T) {
	two := `credentials: {api: {provider: acme, auth: {token: {delivery: {env: ACME_TOKEN}}, key: {delivery: {env: ACME_KEY}}}}}`
	long := strings.Repeat("x", 200_000)
	tests := []struct {
		name   string
		fields []string
		inputs string
		host   []string
		store  *secret.Entry
		code   string
	}{
		{name: "two inputs with one variable", fields: []string{"inputs: {a.b: {}, a-b: {}}"}, code: "name_collision"},
		{name: "an input without a name", fields: []string{"inputs: {é: {}}"}, code: "input_name_empty"},
		{name: "a reserved name", fields: []string{"environment: {optional: [RUNX_X]}"}, code: "env_reserved"},
		{name: "a missing variable", fields: []string{"environment: {required: [NOT_SET]}"}, code: "env_missing"},
		{name: "NUL in an argument", fields: []string{"inputs: {a: {}}"}, inputs: `{"a":"x\u0000y"}`, code: "arg_nul"},
		{name: "an argument that does not fit", fields: []string{"inputs: {a: {}}"}, inputs: `{"a":"` + long + `"}`, code: "arg_too_large"},
		{name: "a variable that does not fit", fields: []string{"environment: {required: [LONG]}"}, host: []string{"LONG=" + long}, code: "env_too_large"},
		{name: "two modes on the host", fields: []string{two, "credential: api"}, host: []string{"ACME_TOKEN=abcd", "ACME_KEY=efgh"}, code: "credential_ambiguous"},
		{name: "a profile of another mode", fields: []string{acme, "credential: api"}, store: &secret.Entry{Provider: "acme", Profile: "default", Mode: "key"}, code: "credential_mode"},
		{name: "a profile for another audience", fields: []string{acme, "credential: api"},
			store: &secret.Entry{Provider: "acme", Profile: "default", Audience: "https://other.example"}, code: "credential_audience"},
		{name: "a short credential", fields: []string{acme, "credential: api"}, host: []string{"ACME_TOKEN=abc"}, code: "credential_short"},
		{name: "an empty credential", fields: []string{acme, "credential: api"}, host: []string{"ACME_TOKEN="}, code: "credential_short"},
		{name: "a change tried twice without a key", fields: []string{"mutating: true", "retry: {max_attempts: 2}"}, code: "retry_needs_key"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			args := []string{"print", "", "", "0"}
			if tt.inputs != "" {
				args = append(args, "{{a}}")
			} else {
				tt.inputs = `{}`
			}
			w := newWorld(t, program(t, args, tt.fields...), tt.host...)
			if tt.store != nil {
				w.store(t, *tt.store, "canary-value-123")
			}
			run := w.run(t, w.request(t, tt.inputs))
			if run.Status != runtime.Refused || run.Outcome != "blocked" || run.Error == nil || run.Error.Code != tt.code || run.Error.Hint == "" || run.Result != nil {
				t.Fatalf("status %s, fault %+v, want refused, %s and a hint", run.Status, run.Error, tt.code)
			}
			want := session.Closure{Disposition: "blocked", ReasonCode: "preflight_refused", Summary: "preflight refused: " + tt.code, ClosedAt: &run.Timing.FinishedAt}
			if diff := cmp.Diff(want, run.Closure); diff != "" {
				t.Errorf("closure (-want +got)\n%s", diff)
			}
			p := w.receipt(t, run)
			if n := w.starts(t); n != 0 || run.Process != nil || run.Streams != nil || p.Process != nil || p.Streams != nil {
				t.Errorf("started %d times, process %+v, in the receipt %+v", n, run.Process, p.Process)
			}
			if p.Closure.Status != "refused" || p.Closure.Summary != "preflight refused: "+tt.code {
				t.Errorf("closure of the receipt %+v", p.Closure)
			}
			if found := filesWith(t, w.state, "canary-value-123"); found != nil {
				t.Errorf("the credential is in %v", found)
			}
		})
	}
}

// With an idempotency key a change may be tried again, and without retry it needs none.
func TestRetryWithKey(t *testing.T) {
	for _, fields := range [][]string{
		{"mutating: true", "retry: {max_attempts: 2}", "idempotency: {key: k}"},
		{"mutating: true", "retry: {max_attempts: 1}"},
		{"retry: {max_attempts: 2}"},
	} {
		w := newWorld(t, program(t, []string{"print", "", "", "0"}, fields...))
		if run := w.run(t, w.request(t, `{}`)); run.Status != runtime.Sealed {
			t.Errorf("%q: status %s, fault %+v", fields, run.Status, run.Error)
		}
	}
}

// A missing credential waits: it says what is needed and how to go on, and has no receipt yet.
func TestRunNeedsCredential(t *testing.T) {
	w := newWorld(t, program(t, []string{"print", "", "", "0"}, acme, "credential: api"))
	run := w.run(t, w.request(t, `{}`))
	if run.Status != runtime.NeedsCredential || run.Outcome != "deferred" || run.ReceiptID != nil || run.Process != nil {
		t.Fatalf("run %+v", run)
	}
	if diff := cmp.Diff(session.Closure{Disposition: "deferred", ReasonCode: "waiting", Summary: "a credential is missing"}, run.Closure); diff != "" {
		t.Errorf("closure (-want +got)\n%s", diff)
	}
	next := "runx skill ./pack"
	want := []runtime.Requirement{{Name: "api", Provider: "acme", Modes: []string{"token"}, Variables: []string{"ACME_TOKEN"}, Setup: "runx credential set acme"}}
	if diff := cmp.Diff(want, run.Requirements); diff != "" || run.Next == nil || *run.Next != next {
		t.Errorf("next %v, requirements (-want +got)\n%s", run.Next, diff)
	}
	fault := &runtime.Fault{Code: "credential_missing", Message: `credential "api" of provider "acme" is missing`, Hint: "runx credential set acme, then: " + next,
		Details: json.RawMessage(`{"setup":"runx credential set acme","next":"runx skill ./pack"}`)}
	if diff := cmp.Diff(fault, run.Error); diff != "" {
		t.Errorf("fault (-want +got)\n%s", diff)
	}
	if _, err := os.Stat(w.receipts); !os.IsNotExist(err) || w.starts(t) != 0 {
		t.Errorf("receipts: %v, started %d times, want none", err, w.starts(t))
	}
	w.store(t, secret.Entry{Provider: "acme", Profile: "default"}, "a-value")
	if run := w.run(t, w.request(t, `{}`)); run.Status != runtime.Sealed {
		t.Errorf("with the credential: status %s, fault %+v", run.Status, run.Error)
	}
}

// What would be refused is refused before a missing credential is asked for.
func TestRefusedBeforeAsked(t *testing.T) {
	w := newWorld(t, program(t, nil, acme, "credential: api", "environment: {required: [NOT_SET]}"))
	if run := w.run(t, w.request(t, `{}`)); run.Status != runtime.Refused || run.Error.Code != "env_missing" {
		t.Errorf("status %s, fault %+v, want refused, env_missing", run.Status, run.Error)
	}
}

// Where a credential came from is in the receipt; its value, and what the host has besides, is
// nowhere.
func TestCredentialInNoRecord(t *testing.T) {
	const canary, other, seed = "canary-value-123", "canary-other-456", "canary-seed-789"
	w := newWorld(t, program(t, []string{"leak"}, acme, "credential: api"),
		"ACME_KEY="+other, "RUNX_RECEIPT_VERIFY_X="+seed, "ACME_TOKEN="+other)
	w.store(t, secret.Entry{Provider: "acme", Profile: "ci", Mode: "token", Audience: "https://acme.example"}, canary)
	req := w.request(t, `{}`)
	req.Profile = "ci"
	shown := &seen{}
	run, err := w.engine(t, shown).RunSkill(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	w.checkRecord(t, run)
	if want := "ACME_TOKEN=" + secret.Mark; run.Status != runtime.Sealed || !strings.Contains(run.Streams.Stdout.Text, want) || !strings.Contains(run.Streams.Stderr.Text, want) {
		t.Fatalf("status %s, streams %+v, want %s", run.Status, run.Streams, want)
	}
	if diff := cmp.Diff(&receipt.Credential{Name: "api", Provider: "acme", Mode: "token", Profile: "ci"}, w.receipt(t, run).Credential); diff != "" {
		t.Errorf("credential of the receipt (-want +got)\n%s", diff)
	}
	document, err := run.Document()
	if err != nil {
		t.Fatal(err)
	}
	var live strings.Builder
	for _, e := range shown.events {
		if chunk, ok := e.Body.(runtime.OutputChunk); ok {
			live.Write(chunk.Bytes)
		}
	}
	for _, text := range []string{canary, other, seed} {
		if found := filesWith(t, w.state, text); found != nil {
			t.Errorf("%s is in %v", text, found)
		}
		if strings.Contains(string(document)+live.String(), text) {
			t.Errorf("%s is in the envelope or the live streams", text)
		}
	}
}

// Events come in order, numbered without a gap; the file has all but the pieces of streams.
func TestEvents(t *testing.T) {
	w := newWorld(t, program(t, []string{"garble"}))
	shown := &seen{}
	run, err := w.engine(t, shown).RunSkill(t.Context(), w.request(t, `{}`))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"run.started", "step.started", "stream", "stream", "stream", "step.finished", "warning", "run.finished"}
	if diff := cmp.Diff(want, shown.types()); diff != "" {
		t.Errorf("shown (-want +got)\n%s", diff)
	}
	for i, e := range shown.events {
		if e.Seq != int64(i+1) || e.Run != run.RunID {
			t.Errorf("event %d has number %d of run %s", i+1, e.Seq, e.Run)
		}
	}
	document, err := run.Document()
	if err != nil {
		t.Fatal(err)
	}
	last := shown.events[len(shown.events)-1].Body.(runtime.RunFinished)
	if got, err := last.Run.Document(); err != nil || string(got) != string(document) {
		t.Errorf("run.finished has %s, %v, want %s", got, err, document)
	}
	if diff := cmp.Diff([]string{"run.started", "step.started", "step.finished", "warning", "run.finished"}, w.recorded(t, run)); diff != "" {
		t.Errorf("recorded (-want +got)\n%s", diff)
	}
}

// recorded are the types of the events in the record.
func (w *world) recorded(t testing.TB, run session.Run) []string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(w.state, "runs", run.RunID, "events.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for line := range strings.Lines(string(data)) {
		var event struct{ Type string }
		if err := json.Unmarshal([]byte(line), &event); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		out = append(out, event.Type)
	}
	return out
}

// Equal runs share their identity, and no run shares its id.
func TestIdentity(t *testing.T) {
	w := newWorld(t, program(t, []string{"print", "", "", "0"}, "inputs: {a: {type: number}, b: {}}"))
	first, again := w.run(t, w.request(t, `{"a":1.0,"b":"x"}`)), w.run(t, w.request(t, ` {"b":"x", "a":1}`))
	other := w.run(t, w.request(t, `{"a":2,"b":"x"}`))
	if first.Identity != again.Identity || first.RunID == again.RunID || *first.ReceiptID == *again.ReceiptID {
		t.Errorf("equal runs: %s %s, %s %s", first.RunID, first.Identity, again.RunID, again.Identity)
	}
	if other.Identity == first.Identity {
		t.Errorf("runs with other inputs share the identity %s", other.Identity)
	}
	want, err := codec.DigestJSON(json.RawMessage(`{"package_digest":"` + first.PackageDigest + `","runner":"main","inputs":{"a":1,"b":"x"}}`))
	if err != nil || first.Identity != want {
		t.Errorf("identity %s, want %s (%v)", first.Identity, want, err)
	}
}

// Two runs at once in one workspace do not disturb each other.
func TestRunsAtOnce(t *testing.T) {
	const many = 4
	w := newWorld(t, program(t, []string{"print", "{{a}}", "", "0"}, "inputs: {a: {}}"))
	e := w.engine(t, &seen{})
	runs, errs := make([]session.Run, many), make([]error, many)
	var all sync.WaitGroup
	for i := range many {
		req := w.request(t, `{"a":"text `+string(rune('a'+i))+`"}`)
		all.Go(func() { runs[i], errs[i] = e.RunSkill(context.Background(), req) })
	}
	all.Wait()
	ids := map[string]bool{}
	for i, run := range runs {
		if errs[i] != nil {
			t.Fatal(errs[i])
		}
		w.checkRecord(t, run)
		if want := `"text ` + string(rune('a'+i)) + `"`; run.Status != runtime.Sealed || string(run.Result) != want {
			t.Errorf("status %s, result %s, want %s", run.Status, run.Result, want)
		}
		w.receipt(t, run)
		ids[run.RunID] = true
	}
	if len(ids) != many {
		t.Errorf("%d runs have %d ids", many, len(ids))
	}
}

// A receipt directory of its own is delivered only when it was named.
func TestReceiptDirDelivered(t *testing.T) {
	w := newWorld(t, program(t, []string{"leak"}))
	if run := w.run(t, w.request(t, `{}`)); strings.Contains(run.Streams.Stdout.Text, "RUNX_RECEIPT_DIR") {
		t.Errorf("delivered %s", run.Streams.Stdout.Text)
	}
	e := w.engine(t, nil)
	e.opts.DeliverReceiptDir = w.receipts
	run, err := e.RunSkill(t.Context(), w.request(t, `{}`))
	if err != nil || !strings.Contains(run.Streams.Stdout.Text, "RUNX_RECEIPT_DIR="+w.receipts) {
		t.Errorf("delivered %s (%v)", run.Streams.Stdout.Text, err)
	}
}
