package harness

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/runx-go/runx/internal/runtime"
	"github.com/runx-go/runx/internal/skills/codec"
)

// envelopeSchema is the version of the document that a RunFunc returns.
const envelopeSchema = "runx.skill_run.v1"

// Observation is what an author can see of a run, and nothing else.
type Observation struct {
	Status    string
	ErrorCode string
	Message   string // the error's message and hint
	ExitCode  *int
	Signal    string
	// Stdout and Stderr are nil when no process was started.
	Stdout, Stderr *Stream
	Result         json.RawMessage
	Cwd            string // "" without a process
	HeldPipe       *bool
	Warnings       []string
	// Reported is what the program printed about itself.
	Reported Reported
	// Survivors is set when the program printed pids and they could be looked for.
	Survivors *int
	Duration  time.Duration
	// Started says whether the probe left its mark in the workspace.
	Started bool
}

// Stream is a captured stream as the envelope has it.
type Stream struct {
	Text          string `json:"text"`
	Bytes         int64  `json:"bytes"`
	RetainedBytes int64  `json:"retained_bytes"`
	SHA256        string `json:"sha256"`
	Truncated     bool   `json:"truncated"`
	Replaced      int    `json:"replaced"`
}

// Reported is what a program says about itself in the JSON object on its stdout; nil fields were
// not said.
type Reported struct {
	InputsSource *string
	Variables    *[]string
	PIDs         *[]int
}

// envelope is the part of the public document that is observed.
type envelope struct {
	Schema string          `json:"schema"`
	Status string          `json:"status"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    string `json:"code"`
		Message string `json:"message"`
		Hint    string `json:"hint"`
	} `json:"error"`
	Process *struct {
		ExitCode           *int    `json:"exit_code"`
		Signal             *string `json:"signal"`
		CwdRelation        string  `json:"cwd_relation"`
		DescendantHeldPipe bool    `json:"descendant_held_pipe"`
	} `json:"process"`
	Streams *struct {
		Stdout *Stream `json:"stdout"`
		Stderr *Stream `json:"stderr"`
	} `json:"streams"`
	Warnings []struct {
		Code string `json:"code"`
	} `json:"warnings"`
}

// Observe reads what a RunFunc returned. A *runtime.Error that says that nothing was started is the
// observation refused; any other error, and a document that is no envelope, is an error: the case
// crashed.
func Observe(document json.RawMessage, err error) (Observation, error) {
	if err != nil {
		return observeError(err)
	}
	var e envelope
	if err := json.Unmarshal(document, &e); err != nil {
		return Observation{}, fmt.Errorf("cannot read the envelope: %w", err)
	}
	if e.Schema != envelopeSchema || e.Status == "" {
		return Observation{}, fmt.Errorf("cannot read the envelope: its schema is %q and its status %q", e.Schema, e.Status)
	}
	out := Observation{Status: e.Status, Result: e.Result}
	if e.Error != nil {
		out.ErrorCode, out.Message = e.Error.Code, e.Error.Message+"\n"+e.Error.Hint
	}
	if p := e.Process; p != nil {
		out.ExitCode, out.Cwd, out.HeldPipe = p.ExitCode, p.CwdRelation, &p.DescendantHeldPipe
		if p.Signal != nil {
			out.Signal = *p.Signal
		}
	}
	if e.Streams != nil {
		out.Stdout, out.Stderr = e.Streams.Stdout, e.Streams.Stderr
	}
	for _, w := range e.Warnings {
		out.Warnings = append(out.Warnings, w.Code)
	}
	slices.Sort(out.Warnings)
	if out.Stdout != nil {
		out.Reported = parseReported(out.Stdout.Text)
	}
	return out, nil
}

func observeError(err error) (Observation, error) {
	fault, ok := errors.AsType[*runtime.Error](err)
	if !ok || fault.Class != runtime.ClassInvalid && fault.Class != runtime.ClassRefused && fault.Class != runtime.ClassUnconfined {
		return Observation{}, err
	}
	return Observation{
		Status: string(runtime.Refused), ErrorCode: fault.Code, Message: fault.Message + "\n" + fault.Hint,
	}, nil
}

// parseReported reads the members that the gate knows of a JSON object; a member of another type
// was not said.
func parseReported(stdout string) Reported {
	var out Reported
	object, err := codec.ParseObject("stdout", []byte(stdout), codec.Limits{})
	if err != nil {
		return out
	}
	out.InputsSource = member[string](object, "inputs_source")
	out.Variables = member[[]string](object, "variables")
	out.PIDs = member[[]int](object, "pids")
	return out
}

func member[T any](object codec.Object, name string) *T {
	raw, ok := object.Lookup(name)
	if !ok || string(raw) == "null" {
		return nil
	}
	var value T
	if err := json.Unmarshal(raw, &value); err != nil {
		return nil
	}
	return &value
}

// countAlive waits until all processes are gone, at most for wait, and returns how many are left.
func countAlive(pids []int, alive func(int) bool, wait time.Duration) int {
	deadline := time.Now().Add(wait)
	for {
		left := 0
		for _, pid := range pids {
			if alive(pid) {
				left++
			}
		}
		if left == 0 || !time.Now().Before(deadline) {
			return left
		}
		time.Sleep(pollInterval)
	}
}
