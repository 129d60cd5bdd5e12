package harness

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// seen is an observation of a well-behaved probe; tests change it.
func seen(change func(*Observation)) Observation {
	variables, pids := []string{"PATH", "RUNX_CWD"}, []int{}
	o := Observation{
		Status: "sealed", ExitCode: new(0), Cwd: "skill", HeldPipe: new(false),
		Stdout: &Stream{Text: "hello\n", Bytes: 6, RetainedBytes: 6, SHA256: digest([]byte("hello\n"))},
		Stderr: &Stream{Text: `{"n":1.0}`, Bytes: 9, RetainedBytes: 9, SHA256: digest([]byte(`{"n":1.0}`))},
		Result: json.RawMessage(`"hello\n"`), Warnings: []string{"stream_encoding"},
		Reported:  Reported{InputsSource: new("path"), Variables: &variables, PIDs: &pids},
		Survivors: new(0), Duration: 40 * time.Millisecond,
	}
	if change != nil {
		change(&o)
	}
	return o
}

func TestCompare(t *testing.T) {
	type row struct {
		name string
		want string // expected, as a file has it
		got  Observation
		diff []string
	}
	hidden := func(o *Observation) { o.Reported = Reported{}; o.Survivors = nil }
	tests := []row{
		{"everything holds", `{"status":"sealed","error_code":"","exit_code":0,"signal":"","stdout":"hello\n","stderr":{"json":{"n":1}},
			"result":"hello\n","cwd":"skill","inputs_source":"path","variables":{"present":["PATH"],"absent":["HOME"],"only":["PATH","RUNX_CWD"]},
			"survivors":0,"descendant_held_pipe":false,"warnings":["stream_encoding"],"max_duration_ms":40}`, seen(nil), nil},
		{"status brings the message", `{"status":"sealed"}`, seen(func(o *Observation) { o.Status, o.Message = "failed", "it broke\n" }),
			[]string{`status: wanted "sealed", got "failed"`, `error: "it broke"`}},
		{"error code", `{"status":"sealed","error_code":""}`, seen(func(o *Observation) { o.ErrorCode = "x" }),
			[]string{`error_code: wanted "", got "x"`}},
		{"message", `{"status":"sealed","message_contains":["REGION"]}`, seen(func(o *Observation) { o.Message = "no\nhint" }),
			[]string{`message_contains: wanted "REGION", got "no\nhint"`}},
		{"exit code without a process", `{"status":"sealed","exit_code":0}`, seen(func(o *Observation) { o.ExitCode = nil }),
			[]string{"exit_code: wanted 0, got none"}},
		{"signal", `{"status":"sealed","signal":"SIGKILL"}`, seen(nil), []string{`signal: wanted "SIGKILL", got ""`}},
		{"carriage return is visible", `{"status":"sealed","stdout":"a\nb\n"}`, seen(func(o *Observation) { o.Stdout.Text = "a\r\nb\r\n" }),
			[]string{`stdout line 1: wanted "a\n", got "a␍\n"`}},
		{"missing final newline", `{"status":"sealed","stdout":"hello"}`, seen(nil), []string{`stdout line 1: wanted "hello", got "hello\n"`}},
		{"one line more", `{"status":"sealed","stdout":"hello\nyou\n"}`, seen(nil), []string{`stdout line 2: wanted "you\n", got the end`}},
		{"text of a cut stream", `{"status":"sealed","stdout":"hello\n"}`, seen(func(o *Observation) { o.Stdout.Truncated = true }),
			[]string{"stdout.truncated: wanted false, got true"}},
		{"text of a replaced stream", `{"status":"sealed","stdout":"\ufffd"}`, seen(func(o *Observation) { *o.Stdout = Stream{Text: "\ufffd", Replaced: 1} }),
			[]string{"stdout.replaced: wanted 0, got 1"}},
		{"stream of a refusal", `{"status":"sealed","stdout":""}`, seen(func(o *Observation) { o.Stdout = nil }),
			[]string{"stdout: wanted a stream, got none: nothing was started"}},
		{"stderr is not stdout", `{"status":"sealed","stderr":"hello\n"}`, seen(nil), []string{`stderr line 1: wanted "hello\n", got "{\"n\":1.0}"`}},
		{"json", `{"status":"sealed","stderr":{"n":[1,{"a":2}],"x":1}}`, seen(func(o *Observation) { o.Stderr.Text = `{"n":[1,{"a":3}],"y":"s"}` }),
			[]string{"stderr.n[1].a: wanted 2, got 3", "stderr.x: wanted 1, got nothing", `stderr.y: wanted nothing, got "s"`}},
		{"json length", `{"status":"sealed","stderr":{"json":[1,2]}}`, seen(func(o *Observation) { o.Stderr.Text = `[1]` }),
			[]string{"stderr: wanted 2 elements, got 1"}},
		{"json digits", `{"status":"sealed","result":9007199254740993}`, seen(func(o *Observation) { o.Result = json.RawMessage("9007199254740992") }),
			[]string{"result: wanted 9007199254740993, got 9007199254740992"}},
		{"no json", `{"status":"sealed","stdout":{"json":"hello"}}`, seen(nil), []string{`stdout: wanted one JSON text, got "hello\n"`}},
		{"no result", `{"status":"sealed","result":null}`, seen(func(o *Observation) { o.Result = nil }), []string{`result: wanted one JSON text, got ""`}},
		{"measure", `{"status":"sealed","stdout":{"bytes":7,"retained_bytes":6,"sha256":"00","truncated":true,"replaced":2}}`, seen(nil), []string{
			"stdout.bytes: wanted 7, got 6", "stdout.sha256: wanted 00, got " + digest([]byte("hello\n")),
			"stdout.truncated: wanted true, got false", "stdout.replaced: wanted 2, got 0"}},
		{"bytes hold", `{"status":"sealed","stdout":{"base64":"aGVsbG8K"}}`, seen(nil), nil},
		{"bytes differ", `{"status":"sealed","stdout":{"base64":"aGVsbG8NCg=="}}`, seen(nil), []string{
			"stdout.bytes: wanted 7, got 6", "stdout.sha256: wanted " + digest([]byte("hello\r\n")) + ", got " + digest([]byte("hello\n")),
			`stdout line 1: wanted "hello␍\n", got "hello\n"`}},
		{"cwd", `{"status":"sealed","cwd":"workspace"}`, seen(nil), []string{`cwd: wanted "workspace", got "skill"`}},
		{"source", `{"status":"sealed","inputs_source":"stdin"}`, seen(nil), []string{`inputs_source: wanted "stdin", got "path"`}},
		{"what cannot be held", `{"status":"sealed","inputs_source":"path","variables":{"absent":["X"]},"survivors":0}`, seen(hidden), []string{
			`inputs_source: wanted "path", got no such member of a JSON object on stdout`,
			"variables: wanted names, got no such member of a JSON object on stdout", "survivors: wanted 0, got none"}},
		{"variables", `{"status":"sealed","variables":{"present":["HOME"],"absent":["PATH"],"only":["PATH"]}}`, seen(nil), []string{
			"variables.HOME: wanted present, got absent", "variables.PATH: wanted absent, got present",
			"variables.RUNX_CWD: wanted absent (not in only), got present"}},
		{"survivors", `{"status":"sealed","survivors":0}`, seen(func(o *Observation) { o.Survivors = new(2) }), []string{"survivors: wanted 0, got 2"}},
		{"held pipe", `{"status":"sealed","descendant_held_pipe":true}`, seen(nil), []string{"descendant_held_pipe: wanted true, got false"}},
		{"held pipe without process", `{"status":"sealed","descendant_held_pipe":false}`, seen(func(o *Observation) { o.HeldPipe = nil }),
			[]string{"descendant_held_pipe: wanted false, got none"}},
		{"warning", `{"status":"sealed","warnings":["stderr_truncated"]}`, seen(nil), []string{`warnings: wanted "stderr_truncated", got "stream_encoding"`}},
		{"time", `{"status":"sealed","max_duration_ms":39}`, seen(nil), []string{"max_duration_ms: wanted at most 39, got more"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			want, err := parseExpected(json.RawMessage(tt.want))
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(Compare(want, tt.got), tt.diff); d != "" {
				t.Errorf("Compare (-got +want):\n%s", d)
			}
		})
	}
}

func TestCompareMissingExpectation(t *testing.T) {
	want := []string{"expected: wanted an expectation, got none"}
	for _, raw := range []string{"", "null", "{}"} {
		expected, err := parseExpected(json.RawMessage(raw))
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(Compare(expected, seen(nil)), want); d != "" {
			t.Errorf("expected %q (-got +want):\n%s", raw, d)
		}
	}
}

func TestCompareIsBounded(t *testing.T) {
	var members, others []string
	for i := range 60 {
		members = append(members, fmt.Sprintf(`"k%d":1`, i))
		others = append(others, fmt.Sprintf(`"k%d":2`, i))
	}
	want := &Expected{Status: "sealed", Result: json.RawMessage("{" + strings.Join(members, ",") + "}")}
	got := Compare(want, seen(func(o *Observation) { o.Result = json.RawMessage("{" + strings.Join(others, ",") + "}") }))
	if len(got) != maxDiffLines || !strings.HasPrefix(got[maxDiffLines-1], "and ") {
		t.Errorf("%d lines, last %q; want %d with a count", len(got), got[len(got)-1], maxDiffLines)
	}
	long := strings.Repeat("é", maxDiffText)
	if line := shown(long); len(line) > maxDiffText+40 || !strings.Contains(line, fmt.Sprintf("(%d bytes)", len(long))) {
		t.Errorf("shown(long) is %q", line)
	}
}

func TestShown(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"plain", "a b", `"a b"`},
		{"carriage return", "a\r\n", `"a␍\n"`},
		{"quotes", `a"\`, `"a\"\\"`},
		{"escape sequence", "\x1b[31m", `"\x1b[31m"`},
		{"invalid", "\xff\xfe", `"\xff\xfe"`},
		{"bidi mark", "\u202e", `"\u202e"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := shown(tt.text); got != tt.want {
				t.Errorf("shown(%q) = %s, want %s", tt.text, got, tt.want)
			}
		})
	}
}
