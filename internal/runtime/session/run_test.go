package session

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/runx-go/runx/internal/runtime"
)

const testRunID = "run_01J9Z3M6Q8V5T2X4C7B1N0K8HD"

// fullRun has every member set.
func fullRun() *Run {
	receipt, closed, next, signal, code := "sha256:aa", "2026-01-01T00:00:01.204Z", "runx resume "+testRunID, "SIGTERM", 3
	return &Run{
		Schema: RunSchema, Status: runtime.Failed, Outcome: "failed", SkillName: "count-birds", Runner: "count",
		RunnerType: "cli-tool", RunID: testRunID, Identity: "sha256:bb", PackageDigest: "sha256:cc", ReceiptID: &receipt,
		Closure:  Closure{Disposition: "failed", ReasonCode: "process_failed", Summary: "process exited 3", ClosedAt: &closed},
		Result:   json.RawMessage(`{"z":1.50,"a":12345678901234567890}`),
		Error:    &runtime.Fault{Code: "exit_status", Message: "m", Hint: "h", Details: json.RawMessage(`{"exit_code":3}`)},
		Requests: []json.RawMessage{json.RawMessage(`{"id":"r1"}`)},
		Requirements: []runtime.Requirement{{Name: "n", Provider: "p", Modes: []string{"token"},
			Variables: []string{"P_TOKEN"}, Setup: "runx credential set p"}},
		Next: &next,
		Process: &Process{ExitCode: &code, Signal: &signal, Cwd: "/w/birds", CwdRelation: "skill",
			TimedOut: true, DescendantHeldPipe: true, EscapedEnded: 2},
		Streams: &Streams{
			Stdout: Stream{Text: "3 <birds> & €\n", Bytes: 16, RetainedBytes: 15, SHA256: "dd", Truncated: true, Replaced: 1},
			Stderr: Stream{SHA256: "ee"}},
		Steps: []json.RawMessage{json.RawMessage(`{"id":"s1"}`)},
		Pages: json.RawMessage(`{"page_count":1}`),
		Environment: Environment{Delivered: []string{"PATH"}, MissingOptional: []string{"LANG"},
			Withheld: []string{"SHELL"}},
		Warnings: []runtime.Warning{{Code: "mirror_dropped", Message: "m", Location: &runtime.Location{File: "X.yaml", Line: 3, Column: 5}}},
		Timing:   Timing{StartedAt: "2026-01-01T00:00:01.100Z", FinishedAt: closed, DurationMS: 104},
	}
}

// The order of the keys is that of skills 2.5.
const fullDocument = `{"schema":"runx.skill_run.v1","status":"failed","outcome":"failed","skill_name":"count-birds","runner":"count","runner_type":"cli-tool",` +
	`"run_id":"` + testRunID + `","identity":"sha256:bb","package_digest":"sha256:cc","receipt_id":"sha256:aa",` +
	`"closure":{"disposition":"failed","reason_code":"process_failed","summary":"process exited 3","closed_at":"2026-01-01T00:00:01.204Z"},` +
	`"result":{"z":1.50,"a":12345678901234567890},"error":{"code":"exit_status","message":"m","hint":"h","details":{"exit_code":3}},` +
	`"requests":[{"id":"r1"}],"requirements":[{"name":"n","provider":"p","modes":["token"],"variables":["P_TOKEN"],"setup":"runx credential set p"}],` +
	`"next":"runx resume ` + testRunID + `",` +
	`"process":{"exit_code":3,"signal":"SIGTERM","cwd":"/w/birds","cwd_relation":"skill","timed_out":true,"descendant_held_pipe":true,"escaped_ended":2},` +
	`"streams":{"stdout":{"text":"3 <birds> & €\n","bytes":16,"retained_bytes":15,"sha256":"dd","truncated":true,"replaced":1},` +
	`"stderr":{"text":"","bytes":0,"retained_bytes":0,"sha256":"ee","truncated":false,"replaced":0}},` +
	`"steps":[{"id":"s1"}],"pages":{"page_count":1},"environment":{"delivered":["PATH"],"missing_optional":["LANG"],"withheld":["SHELL"]},` +
	`"warnings":[{"code":"mirror_dropped","message":"m","location":{"file":"X.yaml","line":3,"column":5}}],` +
	`"timing":{"started_at":"2026-01-01T00:00:01.100Z","finished_at":"2026-01-01T00:00:01.204Z","duration_ms":104}}`

const emptyDocument = `{"schema":"runx.skill_run.v1","status":"","outcome":"","skill_name":"","runner":"","runner_type":"",` +
	`"run_id":"","identity":"","package_digest":"","receipt_id":null,` +
	`"closure":{"disposition":"","reason_code":"","summary":"","closed_at":null},"result":null,"error":null,` +
	`"requests":[],"requirements":[],"next":null,"process":null,"streams":null,"steps":[],"pages":null,` +
	`"environment":{"delivered":[],"missing_optional":[],"withheld":[]},"warnings":[],` +
	`"timing":{"started_at":"","finished_at":"","duration_ms":0}}`

func TestDocument(t *testing.T) {
	tests := []struct {
		name string
		run  *Run
		want string
	}{
		{"every member, in order, digits and characters kept", fullRun(), fullDocument},
		{"nothing set: every key is there, lists are not null", &Run{}, emptyDocument},
		{"lists inside", &Run{Requirements: []runtime.Requirement{{Name: "n"}}, Error: &runtime.Fault{Code: "c"}},
			strings.NewReplacer(
				`"requirements":[]`, `"requirements":[{"name":"n","provider":"","modes":[],"variables":[],"setup":""}]`,
				`"error":null`, `"error":{"code":"c","message":"","hint":"","details":{}}`).Replace(emptyDocument)},
		{"a result over several lines becomes one line", &Run{Result: json.RawMessage("{\n  \"b\": [1, 2.0],\r\n\t\"a\": \"x \\n y\"\n}")},
			strings.Replace(emptyDocument, `"result":null`, `"result":{"b":[1,2.0],"a":"x \n y"}`, 1)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			before := *tt.run
			got, err := tt.run.Document()
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, string(got)); diff != "" {
				t.Errorf("document (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(before, *tt.run); diff != "" {
				t.Errorf("the run was changed (-before +after):\n%s", diff)
			}
		})
	}
}

func TestDocumentRefusesWhatIsNotJSON(t *testing.T) {
	run := &Run{RunID: testRunID, Result: json.RawMessage(`{"a":`)}
	if got, err := run.Document(); err == nil || !strings.Contains(err.Error(), "cannot encode the envelope of "+testRunID) {
		t.Errorf("got %s, %v", got, err)
	}
}

func TestFormatTime(t *testing.T) {
	zone := time.FixedZone("", 2*60*60)
	tests := []struct {
		name string
		at   time.Time
		want string
	}{
		{"milliseconds are cut, not rounded", time.Date(2026, 3, 4, 5, 6, 7, 999_999_999, time.UTC), "2026-03-04T05:06:07.999Z"},
		{"three digits always", time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC), "2026-03-04T05:06:07.000Z"},
		{"UTC whatever the zone", time.Date(2026, 3, 4, 1, 0, 0, 50_000_000, zone), "2026-03-03T23:00:00.050Z"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := FormatTime(tt.at); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestParseRunIsTheInverseOfDocument(t *testing.T) {
	got, err := parseRun("run.json", []byte(fullDocument+"\n"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(fullRun(), got); diff != "" {
		t.Errorf("run (-want +got):\n%s", diff)
	}
	waiting, err := parseRun("run.json", []byte(emptyDocument))
	if err != nil {
		t.Fatal(err)
	}
	if waiting.Result != nil || waiting.Pages != nil {
		t.Errorf("null is kept as %s and %s, want nil", waiting.Result, waiting.Pages)
	}
}

func TestParseRunRefuses(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"another schema", strings.Replace(fullDocument, "skill_run.v1", "skill_run.v2", 1), `its schema is "runx.skill_run.v2", not runx.skill_run.v1`},
		{"an unknown key", strings.Replace(fullDocument, `"status":`, `"statu":`, 1), "statu"},
		{"a key twice", strings.Replace(fullDocument, `"outcome":`, `"status":`, 1), "status"},
		{"bytes behind it", fullDocument + "{}", "run.json:1:"},
		{"another type", `[]`, "run.json:1:1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := parseRun("run.json", []byte(tt.text))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v and error %v, want one with %q", got, err, tt.want)
			}
		})
	}
}

// A crash can leave a part of a file: no part of a document is taken for a run.
func TestParseRunRefusesEveryPart(t *testing.T) {
	for n := range len(fullDocument) {
		if _, err := parseRun("run.json", []byte(fullDocument[:n])); err == nil {
			t.Fatalf("the first %d of %d bytes were accepted", n, len(fullDocument))
		}
	}
}

func TestParseRunDepth(t *testing.T) {
	for _, tt := range []struct {
		name   string
		nested int
		ok     bool
	}{{"deepest result of a run", 1000, true}, {"over the limit", maxRunDepth, false}} {
		t.Run(tt.name, func(t *testing.T) {
			run := &Run{Result: json.RawMessage(strings.Repeat("[", tt.nested) + strings.Repeat("]", tt.nested))}
			document, err := run.Document()
			if err != nil {
				t.Fatal(err)
			}
			if _, err := parseRun("run.json", document); (err == nil) != tt.ok {
				t.Errorf("nesting %d: error %v, want accepted %v", tt.nested, err, tt.ok)
			}
		})
	}
}
