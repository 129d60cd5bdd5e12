package session

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"strings"
	"time"

	"github.com/runx-go/runx/internal/runtime"
	"github.com/runx-go/runx/internal/skills/codec"
)

// RunSchema names the envelope's version.
const RunSchema = "runx.skill_run.v1"

// Run is the envelope of one skill run (skills 2.5): kept as run.json and printed from there. All
// keys are always present; absent things are null, [] or {}. The order of the fields is the order
// of the keys in the document.
type Run struct {
	Schema        string                `json:"schema"` // RunSchema
	Status        runtime.Status        `json:"status"`
	Outcome       string                `json:"outcome"`
	SkillName     string                `json:"skill_name"`
	Runner        string                `json:"runner"`
	RunnerType    string                `json:"runner_type"`
	RunID         string                `json:"run_id"`
	Identity      string                `json:"identity"`
	PackageDigest string                `json:"package_digest"`
	ReceiptID     *string               `json:"receipt_id"` // nil while the run waits
	Closure       Closure               `json:"closure"`
	Result        json.RawMessage       `json:"result"` // nil encodes as null
	Error         *runtime.Fault        `json:"error"`
	Requests      []json.RawMessage     `json:"requests"`
	Requirements  []runtime.Requirement `json:"requirements"`
	Next          *string               `json:"next"`
	Process       *Process              `json:"process"`
	Streams       *Streams              `json:"streams"`
	Steps         []json.RawMessage     `json:"steps"`
	Pages         json.RawMessage       `json:"pages"` // nil encodes as null
	Environment   Environment           `json:"environment"`
	Warnings      []runtime.Warning     `json:"warnings"`
	Timing        Timing                `json:"timing"`
}

// Closure says how a run was closed.
type Closure struct {
	Disposition string  `json:"disposition"`
	ReasonCode  string  `json:"reason_code"`
	Summary     string  `json:"summary"`
	ClosedAt    *string `json:"closed_at"` // nil while the run waits
}

// Process is how a cli-tool's leader ended and where it ran.
type Process struct {
	ExitCode           *int    `json:"exit_code"`
	Signal             *string `json:"signal"`
	Cwd                string  `json:"cwd"`
	CwdRelation        string  `json:"cwd_relation"` // skill, workspace, tool or other
	TimedOut           bool    `json:"timed_out"`
	DescendantHeldPipe bool    `json:"descendant_held_pipe"`
	EscapedEnded       int     `json:"escaped_ended"`
}

// Streams are the child's two streams.
type Streams struct {
	Stdout Stream `json:"stdout"`
	Stderr Stream `json:"stderr"`
}

// Stream is the retained text of a stream and the measure of the whole.
type Stream struct {
	Text          string `json:"text"`
	Bytes         int64  `json:"bytes"`
	RetainedBytes int64  `json:"retained_bytes"`
	SHA256        string `json:"sha256"` // of the whole stream, 64 digits
	Truncated     bool   `json:"truncated"`
	Replaced      int    `json:"replaced"`
}

// Environment has sorted names, never values.
type Environment struct {
	Delivered       []string `json:"delivered"`
	MissingOptional []string `json:"missing_optional"`
	Withheld        []string `json:"withheld"`
}

// Timing in RFC 3339 UTC with milliseconds.
type Timing struct {
	StartedAt  string `json:"started_at"`
	FinishedAt string `json:"finished_at"`
	DurationMS int64  `json:"duration_ms"`
}

// FormatTime is RFC 3339 in UTC with exactly three digits of milliseconds; what is finer is cut.
func FormatTime(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// Document encodes the envelope as one line without a newline; empty lists are []. The run itself
// is not changed. The error is that of a raw member which is not JSON.
func (r *Run) Document() (json.RawMessage, error) {
	var out bytes.Buffer
	if _, err := r.WriteTo(&out); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// complete is the run with every absent list and object in its public form.
func (r *Run) complete() Run {
	doc := *r
	doc.Schema = RunSchema
	if doc.Error != nil && len(doc.Error.Details) == 0 {
		fault := *doc.Error
		fault.Details = json.RawMessage("{}")
		doc.Error = &fault
	}
	doc.Requests, doc.Steps = list(doc.Requests), list(doc.Steps)
	doc.Requirements, doc.Warnings = requirements(doc.Requirements), list(doc.Warnings)
	doc.Environment = Environment{
		Delivered:       list(r.Environment.Delivered),
		MissingOptional: list(r.Environment.MissingOptional),
		Withheld:        list(r.Environment.Withheld),
	}
	return doc
}

// WriteTo writes the document without a newline, piece by piece: the text of a stream, which can be
// far larger as JSON than in memory, is never held twice. It implements io.WriterTo.
func (r *Run) WriteTo(w io.Writer) (int64, error) {
	out := &counter{w: w}
	doc := reflect.ValueOf(r.complete())
	for i := range doc.NumField() {
		name, _, _ := strings.Cut(doc.Type().Field(i).Tag.Get("json"), ",")
		separator := ","
		if i == 0 {
			separator = "{"
		}
		out.text(separator + `"` + name + `":`)
		if streams, ok := doc.Field(i).Interface().(*Streams); ok && streams != nil {
			out.text(`{"stdout":`)
			out.stream(streams.Stdout)
			out.text(`,"stderr":`)
			out.stream(streams.Stderr)
			out.text("}")
			continue
		}
		out.value(doc.Field(i).Interface())
	}
	out.text("}")
	if out.err != nil {
		return out.n, fmt.Errorf("cannot encode the envelope of %s: %w", r.RunID, out.err)
	}
	return out.n, nil
}

// counter writes until the first error.
type counter struct {
	w   io.Writer
	n   int64
	err error
}

func (c *counter) bytes(data []byte) {
	if c.err == nil {
		var n int
		n, c.err = c.w.Write(data)
		c.n += int64(n)
	}
}

func (c *counter) text(text string) { c.bytes([]byte(text)) }

// value writes a field. It is encoded inside a list, which checks a raw member and takes out the
// blanks between its tokens.
func (c *counter) value(v any) {
	raw, err := codec.Marshal([]any{v})
	if err != nil {
		if c.err == nil {
			c.err = err
		}
		return
	}
	c.bytes(raw[1 : len(raw)-1])
}

// stream writes a stream whose text stands first, as in Stream.
func (c *counter) stream(s Stream) {
	text := s.Text
	c.text(`{"text":"`)
	for text != "" {
		piece := text
		if len(piece) > pieceBytes {
			whole, _ := runtime.CutText([]byte(piece[:pieceBytes]))
			piece = piece[:len(whole)]
		}
		quoted, err := codec.Marshal(piece)
		if c.err == nil {
			c.err = err
		}
		if len(quoted) > 2 {
			c.bytes(quoted[1 : len(quoted)-1])
		}
		text = text[len(piece):]
	}
	s.Text = ""
	rest, err := codec.Marshal(s)
	if c.err == nil {
		c.err = err
	}
	c.bytes(bytes.TrimPrefix(rest, []byte(`{"text":"`)))
}

// parseRun reads what Document wrote.
func parseRun(file string, data []byte) (*Run, error) {
	var run Run
	limits := codec.Limits{Bytes: int(maxRunBytes), Depth: maxRunDepth}
	if err := codec.DecodeStrict(file, data, limits, &run); err != nil {
		return nil, err
	}
	if run.Schema != RunSchema {
		return nil, fmt.Errorf("cannot read %s: its schema is %q, not %s", file, run.Schema, RunSchema)
	}
	for _, raw := range []*json.RawMessage{&run.Result, &run.Pages} {
		if string(*raw) == "null" {
			*raw = nil
		}
	}
	return &run, nil
}

// list is the given list, never nil.
func list[T any](items []T) []T {
	if items == nil {
		return []T{}
	}
	return items
}

func requirements(given []runtime.Requirement) []runtime.Requirement {
	out := make([]runtime.Requirement, 0, len(given))
	for _, r := range given {
		r.Modes, r.Variables = list(r.Modes), list(r.Variables)
		out = append(out, r)
	}
	return out
}
