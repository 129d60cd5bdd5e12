package harness

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/runx-go/runx/internal/skills/codec"
)

func TestStreamWantForms(t *testing.T) {
	tests := []struct {
		name, raw string
		want      StreamWant
	}{
		{"text", `"a\n"`, StreamWant{Text: new("a\n")}},
		{"tagged text", `{"text":""}`, StreamWant{Text: new("")}},
		{"bytes", `{"base64":"//4="}`, StreamWant{Bytes: []byte{0xFF, 0xFE}}},
		{"no bytes", `{"base64":""}`, StreamWant{Bytes: []byte{}}},
		{"json", `{"json":{"bytes":1}}`, StreamWant{JSON: json.RawMessage(`{"bytes":1}`)}},
		{"json null", `{"json":null}`, StreamWant{JSON: json.RawMessage(`null`)}},
		{"bare value", `[1]`, StreamWant{JSON: json.RawMessage(`[1]`)}},
		{"bare object", `{"bytes":1,"x":2}`, StreamWant{JSON: json.RawMessage(`{"bytes":1,"x":2}`)}},
		{"bare object of one", `{"a":1}`, StreamWant{JSON: json.RawMessage(`{"a":1}`)}},
		{"empty object", `{}`, StreamWant{JSON: json.RawMessage(`{}`)}},
		{"measure", `{"bytes":1,"truncated":false}`, StreamWant{Measure: &Measure{Bytes: new(int64(1)), Truncated: new(false)}}},
		{"measure of one", `{"sha256":"00"}`, StreamWant{Measure: &Measure{SHA256: new("00")}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got StreamWant
			if err := json.Unmarshal([]byte(tt.raw), &got); err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(got, tt.want); d != "" {
				t.Errorf("(-got +want):\n%s", d)
			}
			written, err := codec.Marshal(got)
			if err != nil {
				t.Fatal(err)
			}
			var again StreamWant
			if err := json.Unmarshal(written, &again); err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(again, got); d != "" {
				t.Errorf("written %s reads to another value (-got +want):\n%s", written, d)
			}
		})
	}
}

func TestParseExpectedRefuses(t *testing.T) {
	tests := []struct{ name, raw, want string }{
		{"no status", `{"exit_code":0}`, "needs a status"},
		{"unknown status", `{"status":"success"}`, `status "success" is not known`},
		{"unknown key", `{"status":"sealed","exitcode":0}`, "exitcode"},
		{"null", `{"status":"sealed","error_code":null}`, "expected.error_code is null"},
		{"stream null", `{"status":"sealed","stdout":null}`, "expected.stdout is null"},
		{"stream type", `{"status":"sealed","stdout":{"text":1}}`, "text must be a string"},
		{"base64", `{"status":"sealed","stdout":{"base64":"*"}}`, "cannot decode base64"},
		{"measure type", `{"status":"sealed","stdout":{"bytes":"1"}}`, "string for int64"},
		{"relation", `{"status":"sealed","cwd":"/tmp"}`, "cwd must be"},
		{"source", `{"status":"sealed","inputs_source":"env"}`, "inputs_source must be"},
		{"time", `{"status":"sealed","max_duration_ms":0}`, "must be positive"},
		{"survivors", `{"status":"sealed","survivors":-1}`, "must not be negative"},
		{"no variables", `{"status":"sealed","variables":{}}`, "names nothing"},
		{"unknown key of variables", `{"status":"sealed","variables":{"here":[]}}`, "here"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := parseExpected(json.RawMessage(tt.raw))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error is %v, want one with %q", err, tt.want)
			}
		})
	}
}
