package harness

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/runx-go/runx/internal/skills/codec"
)

// Expected is what a case must show. Its keys are closed, status is required, and a key that is
// absent is not compared. null is refused except as the value of result: it would look like an
// expectation and be none. What is wanted but cannot be observed is a mismatch.
type Expected struct {
	// Status is the status of the envelope, or refused when the package did not load.
	Status string `json:"status"`
	// ErrorCode is the code of the error; the empty text means that there is no error.
	ErrorCode *string `json:"error_code,omitempty"`
	// MessageContains are texts that the error's message or its hint has.
	MessageContains []string `json:"message_contains,omitempty"`
	// ExitCode and Signal are how the process ended. An empty signal means none.
	ExitCode *int    `json:"exit_code,omitempty"`
	Signal   *string `json:"signal,omitempty"`
	// Stdout and Stderr are each one of: a text, {"text": TEXT}, {"base64": BYTES},
	// {"json": VALUE}, an object with only bytes, retained_bytes, sha256, truncated and replaced, or
	// any other JSON value, which the stream must be as a whole.
	Stdout *StreamWant `json:"stdout,omitempty"`
	Stderr *StreamWant `json:"stderr,omitempty"`
	// Result is the value of the run, compared as JSON.
	Result json.RawMessage `json:"result,omitempty"`
	// Cwd is the relation of the working directory: skill, workspace, tool or other.
	Cwd *string `json:"cwd,omitempty"`
	// InputsSource is what the program says it read its inputs from: path, json, stdin, argument.
	InputsSource *string `json:"inputs_source,omitempty"`
	// Variables are the names in the environment that the program says it has.
	Variables *VariablesWant `json:"variables,omitempty"`
	// Survivors is how many of the pids that the program printed are alive one second after the
	// return.
	Survivors *int `json:"survivors,omitempty"`
	// DescendantHeldPipe is the process's word of the envelope.
	DescendantHeldPipe *bool `json:"descendant_held_pipe,omitempty"`
	// Warnings are codes that the envelope has, perhaps among others.
	Warnings []string `json:"warnings,omitempty"`
	// MaxDurationMS is a loose limit of the whole call in milliseconds.
	MaxDurationMS *int64 `json:"max_duration_ms,omitempty"`
}

// VariablesWant is about names of variables.
type VariablesWant struct {
	Present []string `json:"present,omitempty"`
	Absent  []string `json:"absent,omitempty"`
	// Only, when not empty, lists everything that may be there.
	Only []string `json:"only,omitempty"`
}

// StreamWant is what a stream must be: exactly one of its fields is set.
type StreamWant struct {
	Text    *string
	Bytes   []byte
	JSON    json.RawMessage
	Measure *Measure
}

// Measure is what runx says of a stream. Absent fields are not compared.
type Measure struct {
	Bytes         *int64  `json:"bytes,omitempty"`
	RetainedBytes *int64  `json:"retained_bytes,omitempty"`
	SHA256        *string `json:"sha256,omitempty"`
	Truncated     *bool   `json:"truncated,omitempty"`
	Replaced      *int    `json:"replaced,omitempty"`
}

// UnmarshalJSON reads the forms of a stream.
func (w *StreamWant) UnmarshalJSON(data []byte) error {
	data = bytes.TrimSpace(data)
	if len(data) > 0 && data[0] == '"' {
		return json.Unmarshal(data, &w.Text)
	}
	if bytes.Equal(data, []byte("null")) {
		return errors.New(`null is no expectation of a stream: write {"json": null}`)
	}
	w.JSON = slices.Clone(data)
	if data[0] != '{' {
		return nil
	}
	object, err := codec.ParseObject("", data, codec.Limits{})
	if err != nil {
		return err
	}
	if len(object.Members()) == 1 {
		return w.single(object.Members()[0])
	}
	return w.measure(object)
}

// single reads an object of one member, which may be one of the tagged forms.
func (w *StreamWant) single(m codec.Member) error {
	switch m.Name {
	case "text":
		w.JSON = nil
		if err := json.Unmarshal(m.Raw, &w.Text); err != nil || w.Text == nil {
			return errors.New("text must be a string")
		}
	case "base64":
		w.JSON = nil
		var text *string
		if err := json.Unmarshal(m.Raw, &text); err != nil || text == nil {
			return errors.New("base64 must be a string")
		}
		decoded, err := base64.StdEncoding.DecodeString(*text)
		if err != nil {
			return fmt.Errorf("cannot decode base64: %w", err)
		}
		w.Bytes = append([]byte{}, decoded...)
	case "json":
		w.JSON = m.Raw
	default:
		if isMeasure(m.Name) {
			return w.readMeasure(w.JSON)
		}
	}
	return nil
}

// measure reads an object of several members: a measure when all of them are of one.
func (w *StreamWant) measure(object codec.Object) error {
	for _, m := range object.Members() {
		if !isMeasure(m.Name) {
			return nil
		}
	}
	if len(object.Members()) == 0 {
		return nil
	}
	return w.readMeasure(object.Raw())
}

func (w *StreamWant) readMeasure(raw json.RawMessage) error {
	w.JSON = nil
	if err := json.Unmarshal(raw, &w.Measure); err != nil {
		return fmt.Errorf("cannot read the measure of a stream: %w", err)
	}
	return nil
}

func isMeasure(name string) bool {
	switch name {
	case "bytes", "retained_bytes", "sha256", "truncated", "replaced":
		return true
	}
	return false
}

// MarshalJSON writes the form that UnmarshalJSON reads to the same value.
func (w StreamWant) MarshalJSON() ([]byte, error) {
	switch {
	case w.Text != nil:
		return codec.Quote(*w.Text), nil
	case w.Measure != nil:
		return codec.Marshal(w.Measure)
	case w.JSON != nil:
		return codec.Marshal(struct {
			JSON json.RawMessage `json:"json"`
		}{w.JSON})
	}
	return codec.Marshal(struct {
		Base64 []byte `json:"base64"`
	}{append([]byte{}, w.Bytes...)})
}

// check finds what would make an expectation hold by accident.
func (e *Expected) check() error {
	if e.Status == "" {
		return errors.New("expected needs a status")
	}
	if !knownStatus(e.Status) {
		return fmt.Errorf("status %q is not known", e.Status)
	}
	if e.Cwd != nil && !slices.Contains([]string{"skill", "workspace", "tool", "other"}, *e.Cwd) {
		return fmt.Errorf("cwd must be skill, workspace, tool or other, not %q", *e.Cwd)
	}
	if e.InputsSource != nil && !slices.Contains([]string{"path", "json", "stdin", "argument"}, *e.InputsSource) {
		return fmt.Errorf("inputs_source must be path, json, stdin or argument, not %q", *e.InputsSource)
	}
	if e.MaxDurationMS != nil && *e.MaxDurationMS <= 0 {
		return errors.New("max_duration_ms must be positive")
	}
	if e.Survivors != nil && *e.Survivors < 0 {
		return errors.New("survivors must not be negative")
	}
	if v := e.Variables; v != nil && len(v.Present)+len(v.Absent)+len(v.Only) == 0 {
		return errors.New("variables names nothing")
	}
	return nil
}

func knownStatus(word string) bool {
	switch word {
	case "sealed", "failed", "timed_out", "cancelled", "denied", "refused", "stopped",
		"needs_agent", "needs_approval", "needs_credential":
		return true
	}
	return false
}
