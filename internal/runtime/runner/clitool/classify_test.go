package clitool

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	rt "github.com/runx-go/runx/internal/runtime"
	"github.com/runx-go/runx/internal/runtime/runner"
	"github.com/runx-go/runx/internal/sandbox"
	"github.com/runx-go/runx/internal/sandbox/proc"
	"github.com/runx-go/runx/internal/sandbox/secret"
	"github.com/runx-go/runx/internal/skills"
	"github.com/runx-go/runx/internal/skills/admission"
	"github.com/runx-go/runx/internal/skills/schema"
)

func whole(text string) proc.Stream {
	return proc.Stream{Prefix: []byte(text), Bytes: int64(len(text)), SHA256: "digest"}
}

func cut(prefix string, bytes int64) proc.Stream {
	return proc.Stream{Prefix: []byte(prefix), Bytes: bytes, SHA256: "digest", Truncated: true}
}

// declaring is a runner with these outputs and artifacts; packets by id.
func declaring(t testing.TB, outputs []skills.Output, artifacts skills.Artifacts, packets map[string]skills.Packet) *admission.Runner {
	t.Helper()
	contract, err := schema.NewOutputs(outputs)
	if err != nil {
		t.Fatal(err)
	}
	return &admission.Runner{Runner: skills.Runner{Name: "main", Outputs: outputs, Artifacts: artifacts}, Outputs: contract, Packets: packets}
}

func fault(code, message, hint string) *rt.Fault {
	return &rt.Fault{Code: code, Message: message, Hint: hint, Details: json.RawMessage("{}")}
}

func TestClassify(t *testing.T) {
	boundary := sandbox.Boundary{Kind: sandbox.TrustedHostProcess, Claims: []sandbox.Claim{{Name: "process_group", Enforced: true}}}
	text, number := []skills.Output{{Name: "a", Type: skills.TypeString, Required: true}}, []skills.Output{{Name: "a", Type: skills.TypeInteger, Required: true}}
	wrap := skills.Artifacts{WrapAs: "a", Packet: "p.v1"}
	packet := map[string]skills.Packet{"p.v1": {ID: "p.v1", Schema: json.RawMessage(`{"type":"string"}`)}}
	timedOut := fault("process_timed_out", "the command did not end within its limit of 7 s and was ended",
		"raise timeout_seconds of the runner, or find out what the command waits for")
	cancelled := fault("cancelled", "the run was cancelled, the command was ended", "")
	tests := []struct {
		name      string
		outputs   []skills.Output
		artifacts skills.Artifacts
		packets   map[string]skills.Packet
		result    proc.Result
		tails     [2]string // of stdout and stderr
		want      runner.Outcome
	}{
		{name: "exit 0, a text", result: proc.Result{Cause: proc.Exited, Stdout: whole("hi\n"), Stderr: whole("note")},
			want: runner.Outcome{Status: rt.Sealed, ReasonCode: "process_closed", Summary: "process exited 0", Value: json.RawMessage(`"hi\n"`)}},
		{name: "exit 0, nothing", result: proc.Result{Cause: proc.Exited},
			want: runner.Outcome{Status: rt.Sealed, ReasonCode: "process_closed", Summary: "process exited 0", Value: json.RawMessage(`""`)}},
		{name: "exit 0, JSON keeps numbers and order", result: proc.Result{Cause: proc.Exited, Stdout: whole(" {\"b\":1.0,\"a\":1e6}\n")},
			want: runner.Outcome{Status: rt.Sealed, ReasonCode: "process_closed", Summary: "process exited 0", Value: json.RawMessage(`{"b":1.0,"a":1e6}`)}},
		{name: "exit 0, a JSON number", result: proc.Result{Cause: proc.Exited, Stdout: whole("-0\n")},
			want: runner.Outcome{Status: rt.Sealed, ReasonCode: "process_closed", Summary: "process exited 0", Value: json.RawMessage(`-0`)}},
		{name: "exit 0, two JSON texts are a text", result: proc.Result{Cause: proc.Exited, Stdout: whole("{}{}")},
			want: runner.Outcome{Status: rt.Sealed, ReasonCode: "process_closed", Summary: "process exited 0", Value: json.RawMessage(`"{}{}"`)}},
		{name: "exit 0, a key twice is a text", result: proc.Result{Cause: proc.Exited, Stdout: whole(`{"a":1,"a":2}`)},
			want: runner.Outcome{Status: rt.Sealed, ReasonCode: "process_closed", Summary: "process exited 0", Value: json.RawMessage(`"{\"a\":1,\"a\":2}"`)}},
		{name: "exit 0, bytes that are no text", result: proc.Result{Cause: proc.Exited, Stdout: whole("a\xff\xffb"), Stderr: whole("\xe2\x82")},
			want: runner.Outcome{Status: rt.Sealed, ReasonCode: "process_closed", Summary: "process exited 0", Value: json.RawMessage(`"a��b"`),
				Warnings: []rt.Warning{
					{Code: "stream_encoding", Message: "stdout is not UTF-8: 2 invalid parts are shown as U+FFFD"},
					{Code: "stream_encoding", Message: "stderr is not UTF-8: 1 invalid parts are shown as U+FFFD"},
				}}},
		{name: "only stderr truncated", result: proc.Result{Cause: proc.Exited, Stdout: whole("1"), Stderr: cut("abc", 10)},
			want: runner.Outcome{Status: rt.Sealed, ReasonCode: "process_closed", Summary: "process exited 0", Value: json.RawMessage(`1`), Limits: []string{"stderr_retained"},
				Warnings: []rt.Warning{{Code: "stderr_truncated", Message: "stderr has 10 bytes; the first 3 are kept"}}}},
		{name: "stdout truncated, although it is JSON so far", result: proc.Result{Cause: proc.Exited, Stdout: cut("12", 10)},
			want: runner.Outcome{Status: rt.Failed, ReasonCode: "process_failed", Summary: "process output was truncated", Limits: []string{"stdout_retained"},
				Err: fault("output_truncated", "stdout has 10 bytes, more than the 2 that can be a result", "write large results to a file of the workspace and print its name")}},
		{name: "exit 3 wins over truncated", result: proc.Result{Cause: proc.Exited, ExitCode: 3, Stdout: cut("12", 10)}, tails: [2]string{"out\n", "err\n"},
			want: runner.Outcome{Status: rt.Failed, ReasonCode: "process_failed", Summary: "process exited 3", Limits: []string{"stdout_retained"},
				Err: fault("process_exit", "the command exited with code 3; stderr ends with: err", "")}},
		{name: "exit 3 without stderr", result: proc.Result{Cause: proc.Exited, ExitCode: 3, Stdout: whole("{}")}, tails: [2]string{"out\n", " \n"},
			want: runner.Outcome{Status: rt.Failed, ReasonCode: "process_failed", Summary: "process exited 3",
				Err: fault("process_exit", "the command exited with code 3; stdout ends with: out", "")}},
		{name: "exit 3 without a word", result: proc.Result{Cause: proc.Exited, ExitCode: 3},
			want: runner.Outcome{Status: rt.Failed, ReasonCode: "process_failed", Summary: "process exited 3",
				Err: fault("process_exit", "the command exited with code 3", "")}},
		{name: "a signal", result: proc.Result{Cause: proc.Exited, ExitCode: -1, Signal: "SIGSEGV"}, tails: [2]string{"", "core"},
			want: runner.Outcome{Status: rt.Failed, ReasonCode: "process_failed", Summary: "process was ended by SIGSEGV",
				Err: fault("process_signal", "the command was ended by SIGSEGV; stderr ends with: core", "")}},
		{name: "the limit, also with exit 0", result: proc.Result{Cause: proc.TimedOut, Stdout: whole("{}")},
			want: runner.Outcome{Status: rt.TimedOut, ReasonCode: "process_timed_out", Summary: "process reached its limit of 7 s", Limits: []string{"timeout_seconds"}, Err: timedOut}},
		{name: "the limit wins over the signal that ended it", result: proc.Result{Cause: proc.TimedOut, ExitCode: -1, Signal: "SIGKILL", Stdout: cut("a", 9)},
			want: runner.Outcome{Status: rt.TimedOut, ReasonCode: "process_timed_out", Summary: "process reached its limit of 7 s", Limits: []string{"stdout_retained", "timeout_seconds"}, Err: timedOut}},
		{name: "interrupted", result: proc.Result{Cause: proc.Cancelled, CancelCause: rt.ErrInterrupted, Signal: "SIGTERM"},
			want: runner.Outcome{Status: rt.Cancelled, ReasonCode: "cancelled", Summary: "the run was cancelled", Err: cancelled}},
		{name: "killed", result: proc.Result{Cause: proc.Cancelled, CancelCause: proc.ErrKilled, Signal: "SIGKILL"},
			want: runner.Outcome{Status: rt.Cancelled, ReasonCode: "cancelled", Summary: "the run was cancelled", Err: cancelled}},
		{name: "a cancel with exit 0 is never sealed", result: proc.Result{Cause: proc.Cancelled, CancelCause: errors.New("x"), Stdout: whole("{}")},
			want: runner.Outcome{Status: rt.Cancelled, ReasonCode: "cancelled", Summary: "the run was cancelled", Err: cancelled}},
		{name: "the reader went away", result: proc.Result{Cause: proc.Cancelled, CancelCause: fmt.Errorf("emit: %w", rt.ErrReaderGone)},
			want: runner.Outcome{Status: rt.Cancelled, ReasonCode: "cancelled", Summary: "the reader of stdout went away",
				Err: fault("cancelled", "the reader of stdout went away, the command was ended", "")}},
		{name: "the limit of the run", result: proc.Result{Cause: proc.Cancelled, CancelCause: rt.ErrRunTimeout},
			want: runner.Outcome{Status: rt.TimedOut, ReasonCode: "run_timed_out", Summary: "the limit of the run passed", Limits: []string{"run_timeout"},
				Err: fault("run_timed_out", "the run did not end within the limit of --timeout and was ended", "raise --timeout")}},
		{name: "a descendant held the pipe", result: proc.Result{Cause: proc.Exited, DescendantHeldPipe: true},
			want: runner.Outcome{Status: rt.Sealed, ReasonCode: "process_closed", Summary: "process exited 0", Value: json.RawMessage(`""`),
				Warnings: []rt.Warning{{Code: "descendant_held_pipe", Message: "a process that the command left behind still held its output; it was ended"}}}},
		{name: "outputs hold", outputs: text, result: proc.Result{Cause: proc.Exited, Stdout: whole(`{"a":"x"}`)},
			want: runner.Outcome{Status: rt.Sealed, ReasonCode: "process_closed", Summary: "process exited 0", Value: json.RawMessage(`{"a":"x"}`)}},
		{name: "outputs do not hold", outputs: number, result: proc.Result{Cause: proc.Exited, Stdout: whole(`{"a":"x"}`)},
			want: runner.Outcome{Status: rt.Failed, ReasonCode: "process_failed", Summary: "process exited 0, its result broke output_contract",
				Err: &rt.Fault{Code: "output_contract", Message: `the output "a" must be an integer, found a string`, Hint: "print one JSON object with exactly the declared outputs",
					Details: json.RawMessage(`{"failures":[{"code":"output_contract","input":"a","path":"$.a","message":"the output \"a\" must be an integer, found a string","accepted_schema":{"type":"integer"}}]}`)}}},
		{name: "outputs are not checked when it failed", outputs: number, result: proc.Result{Cause: proc.Exited, ExitCode: 1, Stdout: whole(`{"a":"x"}`)},
			want: runner.Outcome{Status: rt.Failed, ReasonCode: "process_failed", Summary: "process exited 1", Err: fault("process_exit", "the command exited with code 1", "")}},
		{name: "a packet holds", artifacts: wrap, packets: packet, result: proc.Result{Cause: proc.Exited, Stdout: whole(`hello`)},
			want: runner.Outcome{Status: rt.Sealed, ReasonCode: "process_closed", Summary: "process exited 0", Value: json.RawMessage(`"hello"`), Packets: map[string]string{"p.v1": "verified"}}},
		{name: "a packet is not found", artifacts: wrap, result: proc.Result{Cause: proc.Exited, Stdout: whole(`1`)},
			want: runner.Outcome{Status: rt.Sealed, ReasonCode: "process_closed", Summary: "process exited 0", Value: json.RawMessage(`1`), Packets: map[string]string{"p.v1": "unresolved"}}},
		{name: "a packet does not hold", artifacts: wrap, packets: packet, result: proc.Result{Cause: proc.Exited, Stdout: whole(`1`)},
			want: runner.Outcome{Status: rt.Failed, ReasonCode: "process_failed", Summary: "process exited 0, its result broke packet_contract", Packets: map[string]string{"p.v1": "verified"},
				Err: &rt.Fault{Code: "packet_contract", Message: "$.a does not match packet p.v1: must be string, found number", Hint: "make the result match its packet, or correct the packet's schema",
					Details: json.RawMessage(`{"failures":[{"code":"packet_contract","input":"","path":"$.a","message":"$.a does not match packet p.v1: must be string, found number","accepted_schema":null}]}`)}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.result.Boundary, tt.want.Boundary = boundary, boundary
			if tt.want.Packets == nil {
				tt.want.Packets = map[string]string{}
			}
			got := classify(ending{runner: declaring(t, tt.outputs, tt.artifacts, tt.packets), timeoutSeconds: 7, result: tt.result,
				stdoutTail: []byte(tt.tails[0]), stderrTail: []byte(tt.tails[1])})
			if got.Stdout.Bytes != tt.result.Stdout.Bytes || got.Stderr.Bytes != tt.result.Stderr.Bytes {
				t.Errorf("streams %+v and %+v are not those of the process", got.Stdout, got.Stderr)
			}
			if diff := cmp.Diff(tt.want, got, cmpopts.IgnoreFields(runner.Outcome{}, "Stdout", "Stderr")); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// The end of a stream in a message has at most 2 KiB and begins at a character.
func TestMessageTail(t *testing.T) {
	long := strings.Repeat("x", tailBytes-3)
	tests := []struct {
		name, tail, want string
	}{
		{"exactly the limit", "abc" + long, "abc" + long},
		{"a character cut by one byte", "\x82\xac" + long + "y", long + "y"},
		{"a whole character in front", "€" + long, "€" + long},
		{"four bytes, three left", "\x9f\x90\xa6" + long, long},
		{"short text keeps an invalid beginning", "\x82abc", "�abc"},
		{"blanks around it go", "\n a \n", "a"},
		{"growth by U+FFFD is cut", strings.Repeat("\xff", tailBytes), strings.Repeat("�", tailBytes/3)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := withTail("m", ending{stderrTail: []byte(tt.tail)})
			if want := "m; stderr ends with: " + tt.want; got != want {
				t.Errorf("got  %.80q (%d bytes)\nwant %.80q (%d bytes)", got, len(got), want, len(want))
			}
		})
	}
}

// A credential is in no part of an outcome: neither value nor text nor message nor details.
func TestClassifyRedacts(t *testing.T) {
	// The value is longer than what a message shows of one: its beginning alone must not be shown either.
	token := "hunter22-" + strings.Repeat("swordfish", 20)
	enum := []skills.Output{{Name: "a", Type: skills.TypeString, Enum: []json.RawMessage{json.RawMessage(`"b"`)}, Required: true}}
	number := []skills.Output{{Name: "a", Type: skills.TypeInteger, Required: true}}
	mark := secret.Mark
	tests := []struct {
		name          string
		outputs       []skills.Output
		stdout        string
		status        rt.Status
		value         string
		code, message string
	}{
		{name: "in a text", stdout: "token " + token, status: rt.Sealed, value: quote("token " + mark)},
		{name: "in JSON, keys and values", stdout: `{"` + token + `":["` + token + `"]}`, status: rt.Sealed, value: `{"` + mark + `":["` + mark + `"]}`},
		{name: "checked before it is redacted", outputs: []skills.Output{{Name: "a", Type: skills.TypeString, Schema: json.RawMessage(`{"pattern":"^hunter22"}`), Required: true}},
			stdout: quoteMember("a", token), status: rt.Sealed, value: quoteMember("a", mark)},
		{name: "a message that would show its beginning", outputs: enum, stdout: quoteMember("a", token), status: rt.Failed, code: "output_contract",
			message: `the output "a" is none of its 1 allowed values, found "` + mark + `"`},
		{name: "a key that is none", outputs: number, stdout: `{"a":1,"` + token + `":2}`, status: rt.Failed, code: "output_contract",
			message: `the output "` + mark + `" is not declared`},
		{name: "a text where an object must be", outputs: number, stdout: token, status: rt.Failed, code: "output_contract",
			message: "the result must be an object with the declared outputs, found a string"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := classify(ending{runner: declaring(t, tt.outputs, skills.Artifacts{}, nil), redactor: redactor(t, token),
				result: proc.Result{Cause: proc.Exited, Stdout: whole(tt.stdout), Stderr: whole(token)}})
			if got.Status != tt.status || string(got.Value) != tt.value {
				t.Errorf("status %s, value %s, want %s, %s", got.Status, got.Value, tt.status, tt.value)
			}
			shown := *got.Stdout
			if strings.Contains(shown.Text, "hunter22") || shown.Bytes != int64(len(tt.stdout)) || shown.Retained != shown.Bytes || shown.SHA256 != "digest" {
				t.Errorf("stdout %+v holds the credential or another measure than that of the raw stream", shown)
			}
			if got.Stderr.Text != mark {
				t.Errorf("stderr %q, want %q", got.Stderr.Text, mark)
			}
			if tt.code == "" {
				if got.Err != nil {
					t.Errorf("fault %+v, want none", got.Err)
				}
				return
			}
			if got.Err == nil || got.Err.Code != tt.code || got.Err.Message != tt.message {
				t.Fatalf("fault %+v, want %s %q", got.Err, tt.code, tt.message)
			}
			if strings.Contains(string(got.Err.Details), "hunter22") || !json.Valid(got.Err.Details) {
				t.Errorf("details %s hold the credential or are no JSON", got.Err.Details)
			}
		})
	}
}

func quoteMember(name, text string) string { return "{" + quote(name) + ":" + quote(text) + "}" }

// A value that breaks its contract, but would not once it is redacted, shows nothing of itself.
func TestFaultOfValueThatMarkWouldMend(t *testing.T) {
	token := strings.Repeat("x", 200)
	short := []skills.Output{{Name: "a", Type: skills.TypeString, Schema: json.RawMessage(`{"maxLength":100}`), Required: true}}
	got := classify(ending{runner: declaring(t, short, skills.Artifacts{}, nil), redactor: redactor(t, token),
		result: proc.Result{Cause: proc.Exited, Stdout: whole(quoteMember("a", token))}})
	if got.Status != rt.Failed || got.Value != nil || got.Err == nil || got.Err.Code != "output_contract" || strings.Contains(got.Err.Message, "xx") ||
		string(got.Err.Details) != "{}" {
		t.Errorf("outcome %+v, fault %+v", got, got.Err)
	}
}

func TestShownStream(t *testing.T) {
	tests := []struct {
		name   string
		stream proc.Stream
		secret string // "": none
		want   runner.Stream
	}{
		{name: "whole", stream: whole("a €"), want: runner.Stream{Text: "a €", Bytes: 5, Retained: 5, SHA256: "digest"}},
		{name: "no credential, nothing is held back", stream: cut("a hunter", 99), want: runner.Stream{Text: "a hunter", Bytes: 99, Retained: 8, SHA256: "digest", Truncated: true}},
		{name: "replaced", stream: whole("a\xff"), want: runner.Stream{Text: "a�", Bytes: 2, Retained: 2, SHA256: "digest", Replaced: 1}},
		{name: "redacted", stream: whole("a " + testSecret), secret: testSecret,
			want: runner.Stream{Text: "a " + secret.Mark, Bytes: 20, Retained: 20, SHA256: "digest"}},
		{name: "a whole stream may end like a credential begins", stream: whole("a hunter22"), secret: testSecret,
			want: runner.Stream{Text: "a hunter22", Bytes: 10, Retained: 10, SHA256: "digest"}},
		{name: "a cut stream may not", stream: cut("a hunter22", 99), secret: testSecret,
			want: runner.Stream{Text: "a ", Bytes: 99, Retained: 10, SHA256: "digest", Truncated: true}},
		{name: "cut behind one credential and inside the next", stream: cut(testSecret+" h", 99), secret: testSecret,
			want: runner.Stream{Text: secret.Mark + " ", Bytes: 99, Retained: 20, SHA256: "digest", Truncated: true}},
		{name: "cut inside its base64 form", stream: cut("a aHVudGVyMjIt", 99), secret: testSecret,
			want: runner.Stream{Text: "a ", Bytes: 99, Retained: 14, SHA256: "digest", Truncated: true}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var r *secret.Redactor
			if tt.secret != "" {
				r = redactor(t, tt.secret)
			}
			before := string(tt.stream.Prefix)
			if diff := cmp.Diff(&tt.want, stream(tt.stream, r)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if string(tt.stream.Prefix) != before {
				t.Error("the captured prefix was changed")
			}
		})
	}
}
