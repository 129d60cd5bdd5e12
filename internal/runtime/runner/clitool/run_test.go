package clitool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	rt "github.com/runx-go/runx/internal/runtime"
	"github.com/runx-go/runx/internal/runtime/runner"
	"github.com/runx-go/runx/internal/sandbox/secret"
	"go.uber.org/goleak"
)

// retained is how much of a stream is kept (skills specification, 3.7).
const retained = 8 << 20

func run(t *testing.T, req runner.Request) runner.Outcome {
	t.Helper()
	out, err := (Runner{}).Run(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	if entries, err := os.ReadDir(req.Tmp.Name()); err != nil || len(entries) != 0 {
		t.Errorf("the input files were left: %v (%v)", entries, err)
	}
	return out
}

func TestRunSealed(t *testing.T) {
	req, taken := request(t, program(t, []string{"print", "{{text}}", "note", "0"}, "inputs: {text: {}}"), `{"text":"{\"a\": 1.0}\n"}`, "PATH=/bin", "OTHER=x")
	out := run(t, req)
	if out.Status != rt.Sealed || string(out.Value) != `{"a": 1.0}` || out.Err != nil || len(out.Warnings) != 0 {
		t.Fatalf("outcome %+v, fault %+v", out, out.Err)
	}
	if got := taken.text(t, "stdout"); got != "{\"a\": 1.0}\n" {
		t.Errorf("live stdout %q", got)
	}
	if got := taken.text(t, "stderr"); got != "note" {
		t.Errorf("live stderr %q", got)
	}
	exe, code := filepath.Base(os.Args[0]), 0
	want := &runner.Process{Argv: out.Process.Argv, Command: exe, Cwd: req.Package.Dir, CwdRelation: "skill", ExitCode: &code}
	if diff := cmp.Diff(want, out.Process); diff != "" {
		t.Errorf("process (-want +got)\n%s", diff)
	}
	if got, want := out.Process.Argv[1:], []string{helperArg, "print", "{\"a\": 1.0}\n", "note", "0"}; !cmp.Equal(got, want) {
		t.Errorf("argv %q, want %q", got, want)
	}
	if !cmp.Equal(out.Environment.Declared, []string{"RUNX_CWD"}) || !strings.Contains(strings.Join(out.Environment.Withheld, " "), "OTHER") {
		t.Errorf("environment %+v", out.Environment)
	}
}

func TestRunFailed(t *testing.T) {
	req, _ := request(t, program(t, []string{"print", "out", "boom\n", "3"}), `{}`)
	out := run(t, req)
	code := 3
	if out.Status != rt.Failed || out.Err.Code != "process_exit" || out.Err.Message != "the command exited with code 3; stderr ends with: boom" ||
		!cmp.Equal(out.Process.ExitCode, &code) || out.Value != nil {
		t.Errorf("outcome %+v, fault %+v", out, out.Err)
	}
}

// The inputs stand on stdin, byte for byte.
func TestRunStdin(t *testing.T) {
	const inputs = `{ "a" : 1.0 }`
	req, _ := request(t, program(t, []string{"cat"}, "input_mode: stdin", "inputs: {a: {type: number}}"), inputs)
	if out := run(t, req); out.Stdout.Text != inputs {
		t.Errorf("stdout %q, want %q (fault %+v)", out.Stdout.Text, inputs, out.Err)
	}
}

// What could not be started is a failed run whose process has no end.
func TestRunSpawnFails(t *testing.T) {
	req, taken := request(t, "runners:\n  main:\n    type: cli-tool\n    command: ./missing-tool\n", `{}`)
	out := run(t, req)
	if out.Status != rt.Failed || out.ReasonCode != "process_failed" || out.Summary != "process could not be started: spawn_not_found" || out.Err.Code != "spawn_not_found" {
		t.Errorf("outcome %+v, fault %+v", out, out.Err)
	}
	var details struct{ File string }
	if err := json.Unmarshal(out.Err.Details, &details); err != nil || filepath.Base(details.File) != "missing-tool" {
		t.Errorf("details %s (%v) name no file", out.Err.Details, err)
	}
	if out.Process == nil || out.Process.ExitCode != nil || out.Process.Signal != nil || out.Stdout != nil || len(taken.chunks) != 0 {
		t.Errorf("process %+v, stdout %+v, %d chunks, want no sign of a process", out.Process, out.Stdout, len(taken.chunks))
	}
}

// A credential in the name of what cannot be started is not shown.
func TestSpawnFaultRedacted(t *testing.T) {
	out := startFailed(fmt.Errorf("cannot start /x/%s", testSecret), redactor(t, testSecret))
	if out.Err.Code != "spawn_failed" || out.Err.Message != "cannot start /x/"+secret.Mark {
		t.Errorf("fault %+v", out.Err)
	}
}

func TestRunRefused(t *testing.T) {
	tests := []struct {
		name, field string
		token       string // "": no credential
		code        string
	}{
		{name: "a variable is missing", field: "environment: {required: [NOT_SET]}", code: "env_missing"},
		{name: "a credential under 4 bytes", field: "description: x", token: "abc", code: "credential_short"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			req, taken := request(t, program(t, []string{"print", "ran", "", "0"}, tt.field), `{}`)
			if tt.token != "" {
				req.Credential = credential(tt.token)
			}
			out := run(t, req)
			if out.Status != rt.Refused || out.ReasonCode != "preflight_refused" || out.Summary != "preflight refused: "+tt.code || out.Err.Code != tt.code {
				t.Errorf("outcome %+v, fault %+v", out, out.Err)
			}
			if out.Process != nil || out.Stdout != nil || len(taken.chunks) != 0 {
				t.Errorf("process %+v and %d chunks of a refused run", out.Process, len(taken.chunks))
			}
			if strings.Contains(out.Err.Message+out.Err.Hint, "abc") {
				t.Errorf("fault %+v shows the credential", out.Err)
			}
		})
	}
}

// A value of 4 bytes is the shortest that is delivered, and it is redacted.
func TestRunShortestCredential(t *testing.T) {
	req, _ := request(t, program(t, []string{"leak"}), `{}`)
	req.Credential = credential("q7z9")
	if out := run(t, req); out.Status != rt.Sealed || strings.Contains(out.Stdout.Text, "q7z9") || string(out.Value) != `{"token":"`+secret.Mark+`","`+secret.Mark+`":1}` {
		t.Errorf("value %s, stdout %q", out.Value, out.Stdout.Text)
	}
}

// A credential is delivered, and appears in no chunk, text, value or fault.
func TestRunRedacts(t *testing.T) {
	tests := []struct {
		name, program string
		fields        []string
		status        rt.Status
		stdout        string
		stderr        string
		message       string
	}{
		{name: "in a result", program: "leak", status: rt.Sealed, stdout: `{"token":"` + secret.Mark + `","` + secret.Mark + `":1}`, stderr: "bearer " + secret.Mark + "\n"},
		{name: "in a broken result", program: "leak", fields: []string{"outputs: {token: string}"}, status: rt.Failed,
			stdout: `{"token":"` + secret.Mark + `","` + secret.Mark + `":1}`, stderr: "bearer " + secret.Mark + "\n",
			message: `the output "` + secret.Mark + `" is not declared`},
		{name: "in a failure", program: "leak-fail", status: rt.Failed, stderr: "cannot use " + secret.Mark,
			message: "the command exited with code 3; stderr ends with: cannot use " + secret.Mark},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			req, taken := request(t, program(t, []string{tt.program}, tt.fields...), `{}`)
			req.Credential = credential(testSecret)
			out := run(t, req)
			if out.Status != tt.status || out.Stdout.Text != tt.stdout || out.Stderr.Text != tt.stderr {
				t.Errorf("status %s, stdout %q, stderr %q", out.Status, out.Stdout.Text, out.Stderr.Text)
			}
			if got := taken.text(t, "stdout"); got != tt.stdout {
				t.Errorf("live stdout %q, want %q", got, tt.stdout)
			}
			if got := taken.text(t, "stderr"); got != tt.stderr {
				t.Errorf("live stderr %q, want %q", got, tt.stderr)
			}
			if tt.message != "" && (out.Err == nil || out.Err.Message != tt.message) {
				t.Errorf("fault %+v, want message %q", out.Err, tt.message)
			}
			all, err := json.Marshal(out)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(all), testSecret) {
				t.Errorf("the outcome holds the credential: %s", all)
			}
			if !strings.Contains(strings.Join(out.Environment.Delivered, " ")+" ", "RUNX_CWD") || strings.Contains(strings.Join(out.Environment.Delivered, " "), "SECRET_TOKEN") {
				t.Errorf("delivered %v, want the names of rules 1 to 3", out.Environment.Delivered)
			}
		})
	}
}

// A stream that was cut inside a credential shows nothing of it, nor does the message.
func TestRunTruncatedInsideCredential(t *testing.T) {
	req, taken := request(t, program(t, []string{"flood", fmt.Sprint(retained - 8)}), `{}`)
	req.Credential = credential(testSecret)
	out := run(t, req)
	if out.Status != rt.Failed || out.Err.Code != "output_truncated" || !out.Stdout.Truncated || out.Stdout.Retained != retained {
		t.Fatalf("status %s, fault %+v, retained %d", out.Status, out.Err, out.Stdout.Retained)
	}
	if text := out.Stdout.Text; strings.Trim(text, "x") != "" || len(text) != retained-8 {
		t.Errorf("the retained text has %d bytes and ends %q", len(text), text[len(text)-12:])
	}
	if want := int64(retained - 8 + len(testSecret) + len(" and the end")); out.Stdout.Bytes != want {
		t.Errorf("counted %d bytes, want %d", out.Stdout.Bytes, want)
	}
	if live := taken.text(t, "stdout"); !strings.HasSuffix(live, "x"+secret.Mark+" and the end") {
		t.Errorf("the live stream ends %q", live[len(live)-50:])
	}
}

// Exactly what can be kept is a result; one byte more is none.
func TestRunOutputLimit(t *testing.T) {
	end := len(" and the end")
	for over, status := range []rt.Status{rt.Sealed, rt.Failed} {
		req, _ := request(t, program(t, []string{"flood", fmt.Sprint(retained - end + over)}), `{}`)
		if out := run(t, req); out.Status != status || out.Stdout.Truncated != (over == 1) || out.Stdout.Retained != retained {
			t.Errorf("%d over: status %s, truncated %v, retained %d, want %s", over, out.Status, out.Stdout.Truncated, out.Stdout.Retained, status)
		}
	}
}

// Every way to stop a run from outside ends the command and says who did.
func TestRunStopped(t *testing.T) {
	tests := []struct {
		name, field string
		stop        func(cancel context.CancelCauseFunc, kill chan struct{}) error // when the first bytes have come
		status      rt.Status
		code        string
	}{
		{name: "interrupted", field: "description: x", status: rt.Cancelled, code: "cancelled",
			stop: func(cancel context.CancelCauseFunc, _ chan struct{}) error { cancel(rt.ErrInterrupted); return nil }},
		{name: "the limit of the run", field: "description: x", status: rt.TimedOut, code: "run_timed_out",
			stop: func(cancel context.CancelCauseFunc, _ chan struct{}) error { cancel(rt.ErrRunTimeout); return nil }},
		{name: "killed", field: "description: x", status: rt.Cancelled, code: "cancelled",
			stop: func(_ context.CancelCauseFunc, kill chan struct{}) error { close(kill); return nil }},
		{name: "the reader went away", field: "description: x", status: rt.Cancelled, code: "cancelled",
			stop: func(context.CancelCauseFunc, chan struct{}) error { return rt.ErrReaderGone }},
		{name: "its own limit", field: "timeout_seconds: 1", status: rt.TimedOut, code: "process_timed_out",
			stop: func(context.CancelCauseFunc, chan struct{}) error { return nil }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			req, taken := request(t, program(t, []string{"sleep"}, tt.field), `{}`)
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			kill := make(chan struct{})
			req.Kill = kill
			stopped := false
			taken.fail = func(chunk rt.OutputChunk) error {
				if stopped || len(chunk.Bytes) == 0 {
					return nil
				}
				stopped = true
				return tt.stop(cancel, kill)
			}
			out, err := (Runner{}).Run(ctx, req)
			if err != nil {
				t.Fatal(err)
			}
			if out.Status != tt.status || out.Err == nil || out.Err.Code != tt.code || out.Value != nil {
				t.Errorf("outcome %+v, fault %+v, want %s %s", out, out.Err, tt.status, tt.code)
			}
			if strings.TrimSpace(out.Stdout.Text) != "started" {
				t.Errorf("stdout %q, want what had come", out.Stdout.Text)
			}
			if got := out.Process.TimedOut; got != (tt.status == rt.TimedOut) {
				t.Errorf("timed_out %v", got)
			}
			if entries, err := os.ReadDir(req.Tmp.Name()); err != nil || len(entries) != 0 {
				t.Errorf("the input files were left: %v (%v)", entries, err)
			}
		})
	}
}

// A display that fails with the last words of a command that ended well makes the run cancelled,
// also when it shows the end of the stream.
func TestRunReaderGoneAtTheEnd(t *testing.T) {
	for name, end := range map[string]bool{"with the end": true, "with the last chunk": false} {
		t.Run(name, func(t *testing.T) {
			req, taken := request(t, program(t, []string{"print", "{}", "", "0"}), `{}`)
			taken.fail = func(chunk rt.OutputChunk) error {
				if chunk.End == end {
					return rt.ErrReaderGone
				}
				return nil
			}
			if out := run(t, req); out.Status != rt.Cancelled || out.Value != nil || out.Err.Message != "the reader of stdout went away, the command was ended" {
				t.Errorf("outcome %+v, fault %+v", out, out.Err)
			}
		})
	}
}

// stuck is a sink whose display never comes back from the first bytes.
type stuck struct {
	entered, release chan struct{}
	detached         atomic.Bool
	ends             atomic.Int32
}

func (s *stuck) Emit(_ context.Context, e rt.Event) error {
	if chunk, ok := e.Body.(rt.OutputChunk); ok && chunk.End {
		s.ends.Add(1)
		return nil
	}
	close(s.entered)
	<-s.release
	return nil
}

func (s *stuck) Detach() { s.detached.Store(true) }

// A display that never comes back holds no run that was stopped: the outcome is complete, the input
// files are gone, the display is left behind, and nothing of it is left once it comes back.
func TestRunStuckDisplay(t *testing.T) {
	tests := []struct {
		name, program, field string
		cause                error // of the context, once the display is stuck
		status               rt.Status
		code                 string
	}{
		{"its own limit", "sleep", "timeout_seconds: 1", nil, rt.TimedOut, "process_timed_out"},
		{"the limit of the run", "sleep", "description: x", rt.ErrRunTimeout, rt.TimedOut, "run_timed_out"},
		{"interrupted", "sleep", "description: x", rt.ErrInterrupted, rt.Cancelled, "cancelled"},
		{"interrupted after its end", "print", "description: x", rt.ErrInterrupted, rt.Cancelled, "cancelled"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
			display := &stuck{entered: make(chan struct{}), release: make(chan struct{})}
			defer close(display.release)
			req, _ := request(t, program(t, []string{tt.program, "out", "", "0"}, tt.field), `{}`)
			req.Sink, req.Credential = display, credential(testSecret)
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			if tt.cause != nil {
				go func() { <-display.entered; cancel(tt.cause) }()
			}
			out, err := (Runner{}).Run(ctx, req)
			if err != nil {
				t.Fatal(err)
			}
			if out.Status != tt.status || out.Err == nil || out.Err.Code != tt.code || out.Value != nil || out.Stdout.Bytes == 0 {
				t.Errorf("outcome %+v, fault %+v, want %s %s", out, out.Err, tt.status, tt.code)
			}
			if entries, err := os.ReadDir(req.Tmp.Name()); err != nil || len(entries) != 0 {
				t.Errorf("the input files were left: %v (%v)", entries, err)
			}
			if !display.detached.Load() || display.ends.Load() != 0 {
				t.Errorf("detached %v, %d ends, want the display left behind", display.detached.Load(), display.ends.Load())
			}
		})
	}
}

// Input files that cannot be written are an error of records: nothing is started.
func TestRunCannotWriteInputs(t *testing.T) {
	req, taken := request(t, program(t, []string{"print", "ran", "", "0"}), `{}`)
	if err := os.WriteFile(filepath.Join(req.Tmp.Name(), "run-1"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := (Runner{}).Run(t.Context(), req)
	fault, ok := errors.AsType[*rt.Error](err)
	if !ok || fault.Code != "state_write" || fault.Class != rt.ClassFailed || fault.Hint == "" {
		t.Errorf("error %#v, want state_write of class failed", err)
	}
	if !cmp.Equal(out, runner.Outcome{}) || len(taken.chunks) != 0 {
		t.Errorf("outcome %+v and %d chunks of a run that could not start", out, len(taken.chunks))
	}
}
