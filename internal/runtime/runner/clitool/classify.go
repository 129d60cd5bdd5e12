package clitool

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/runx-go/runx/internal/runtime"
	"github.com/runx-go/runx/internal/runtime/runner"
	"github.com/runx-go/runx/internal/sandbox/proc"
	"github.com/runx-go/runx/internal/sandbox/secret"
	"github.com/runx-go/runx/internal/skills/admission"
	"github.com/runx-go/runx/internal/skills/codec"
)

// ending is everything that the classification of an ended process depends on.
type ending struct {
	runner         *admission.Runner
	timeoutSeconds int64
	result         proc.Result
	redactor       *secret.Redactor
	// The ends of the streams, redacted.
	stdoutTail, stderrTail []byte
}

// classify decides status, value, fault and warnings of a process that ended. The value is parsed
// and held against its contract before it is redacted.
func classify(e ending) runner.Outcome {
	out := runner.Outcome{Boundary: e.result.Boundary, Packets: map[string]string{}}
	out.Stdout, out.Stderr = stream(e.result.Stdout, e.redactor), stream(e.result.Stderr, e.redactor)
	warn := func(code, message string) {
		out.Warnings = append(out.Warnings, runtime.Warning{Code: code, Message: message})
	}
	if e.result.DescendantHeldPipe {
		warn("descendant_held_pipe", "a process that the command left behind still held its output; it was ended")
	}
	for _, s := range []struct {
		name string
		*runner.Stream
	}{{"stdout", out.Stdout}, {"stderr", out.Stderr}} {
		if s.Replaced > 0 {
			warn("stream_encoding", fmt.Sprintf("%s is not UTF-8: %d invalid parts are shown as U+FFFD", s.name, s.Replaced))
		}
	}
	if out.Stderr.Truncated {
		out.Limits = append(out.Limits, "stderr_retained")
		warn("stderr_truncated", fmt.Sprintf("stderr has %d bytes; the first %d are kept", out.Stderr.Bytes, out.Stderr.Retained))
	}
	if out.Stdout.Truncated {
		out.Limits = append(out.Limits, "stdout_retained")
	}
	conclude(&out, e)
	return out
}

func conclude(out *runner.Outcome, e ending) {
	r := e.result
	switch {
	case r.Cause == proc.TimedOut:
		fail(out, runtime.TimedOut, "process_timed_out", fmt.Sprintf("process reached its limit of %d s", e.timeoutSeconds),
			runtime.Fault{Code: "process_timed_out",
				Message: fmt.Sprintf("the command did not end within its limit of %d s and was ended", e.timeoutSeconds),
				Hint:    "raise timeout_seconds of the runner, or find out what the command waits for"})
		out.Limits = append(out.Limits, "timeout_seconds")
	case r.Cause == proc.Cancelled:
		cancelled(out, r.CancelCause)
	case r.Signal != "":
		fail(out, runtime.Failed, "process_failed", "process was ended by "+r.Signal,
			runtime.Fault{Code: "process_signal", Message: withTail("the command was ended by "+r.Signal, e)})
	case r.ExitCode != 0:
		fail(out, runtime.Failed, "process_failed", fmt.Sprintf("process exited %d", r.ExitCode),
			runtime.Fault{Code: "process_exit", Message: withTail(fmt.Sprintf("the command exited with code %d", r.ExitCode), e)})
	case r.Stdout.Truncated:
		fail(out, runtime.Failed, "process_failed", "process output was truncated",
			runtime.Fault{Code: "output_truncated",
				Message: fmt.Sprintf("stdout has %d bytes, more than the %d that can be a result", r.Stdout.Bytes, len(r.Stdout.Prefix)),
				Hint:    "write large results to a file of the workspace and print its name"})
	default:
		sealed(out, e)
	}
}

func sealed(out *runner.Outcome, e ending) {
	value, err := codec.ParseValue("stdout", e.result.Stdout.Prefix, codec.Limits{})
	if err != nil {
		text, _ := runtime.ValidText(e.result.Stdout.Prefix)
		if value, err = codec.Marshal(text); err != nil {
			value = json.RawMessage("null")
		}
	}
	packets, fault := runner.CheckValue(e.runner, value)
	out.Packets = packets
	if fault != nil {
		fail(out, runtime.Failed, "process_failed", "process exited 0, its result broke "+fault.Code, shownFault(e, value, *fault))
		return
	}
	out.Status, out.ReasonCode, out.Summary = runtime.Sealed, "process_closed", "process exited 0"
	out.Value = e.redactor.JSON(value)
}

// shownFault words a broken contract without the credential. A message can show the beginning of a
// value, and with it of a credential that is then no longer recognised: the words are made again
// from the redacted value.
func shownFault(e ending, value json.RawMessage, fault runtime.Fault) runtime.Fault {
	if safe := e.redactor.JSON(value); !bytes.Equal(safe, value) {
		_, again := runner.CheckValue(e.runner, safe)
		if again == nil || again.Code != fault.Code {
			again = &runtime.Fault{Code: fault.Code, Hint: fault.Hint,
				Message: "the result does not hold its contract; it has the credential in it, so no part is shown"}
		}
		fault = *again
	}
	fault.Message = e.redactor.String(fault.Message)
	if fault.Details != nil {
		fault.Details = e.redactor.JSON(fault.Details)
	}
	return fault
}

// cancelled tells the ways apart in which a run is stopped from outside.
func cancelled(out *runner.Outcome, cause error) {
	if e, ok := errors.AsType[*runtime.Error](cause); ok {
		fail(out, runtime.Failed, "process_failed", "the output could not be shown: "+e.Code, e.Fault())
		return
	}
	switch {
	case errors.Is(cause, runtime.ErrRunTimeout):
		fail(out, runtime.TimedOut, "run_timed_out", "the limit of the run passed",
			runtime.Fault{Code: "run_timed_out", Message: "the run did not end within the limit of --timeout and was ended",
				Hint: "raise --timeout"})
		out.Limits = append(out.Limits, "run_timeout")
	case errors.Is(cause, runtime.ErrReaderGone):
		fail(out, runtime.Cancelled, "cancelled", "the reader of stdout went away",
			runtime.Fault{Code: "cancelled", Message: "the reader of stdout went away, the command was ended"})
	default:
		fail(out, runtime.Cancelled, "cancelled", "the run was cancelled",
			runtime.Fault{Code: "cancelled", Message: "the run was cancelled, the command was ended"})
	}
}

func fail(out *runner.Outcome, status runtime.Status, reason, summary string, fault runtime.Fault) {
	if fault.Details == nil {
		fault.Details = json.RawMessage("{}")
	}
	out.Status, out.ReasonCode, out.Summary, out.Err = status, reason, summary, &fault
}

// withTail ends a message with the end of stderr, else of stdout.
func withTail(message string, e ending) string {
	for _, tail := range []struct {
		name string
		data []byte
	}{{"stderr", e.stderrTail}, {"stdout", e.stdoutTail}} {
		text, _ := runtime.ValidText(trimPartialRune(tail.data))
		text = strings.TrimSpace(lastRunes(text, tailBytes))
		if text != "" {
			return fmt.Sprintf("%s; %s ends with: %s", message, tail.name, text)
		}
	}
	return message
}

// trimPartialRune drops the rest of a character that a cut at the front left behind.
func trimPartialRune(data []byte) []byte {
	if len(data) < tailBytes {
		return data
	}
	for i := 0; i < 3 && len(data) > 0 && data[0]&0xC0 == 0x80; i++ {
		data = data[1:]
	}
	return data
}

// stream shows a captured stream. What a cut left of a credential's beginning is not shown.
func stream(s proc.Stream, redactor *secret.Redactor) *runner.Stream {
	data := s.Prefix
	if !redactor.Empty() {
		filter := redactor.Stream()
		data = append([]byte(nil), filter.Write(s.Prefix)...)
		if !s.Truncated {
			data = append(data, filter.Flush()...)
		}
	}
	text, replaced := runtime.ValidText(data)
	return &runner.Stream{
		Text: text, Bytes: s.Bytes, Retained: int64(len(s.Prefix)), SHA256: s.SHA256,
		Truncated: s.Truncated, Replaced: replaced,
	}
}
