package runtime

import (
	"context"
	"encoding/json"
	"slices"
	"time"
)

// Event is one thing that happened in a run. Executors fill Body; the recorder stamps it.
type Event struct {
	Stamp
	Body Body
}

// Stamp is who said an event, and when.
type Stamp struct {
	Seq  int64     // rises by one within a run, from 1
	At   time.Time // UTC
	Run  string    // run id
	Step string    // "" outside a step
}

// Body is what an event says: one of the concrete types of this package.
type Body interface {
	// Type is the name of the event in public streams.
	Type() string
	body()
}

// RunStarted is the first event of a run.
type RunStarted struct {
	SkillName     string `json:"skill_name"`
	Runner        string `json:"runner"`
	RunnerType    string `json:"runner_type"`
	Identity      string `json:"identity"`
	PackageDigest string `json:"package_digest"`
}

// StepStarted says that an attempt begins.
type StepStarted struct {
	Attempt int `json:"attempt"`
}

// StepFinished says how the attempts ended.
type StepFinished struct {
	Status   Status `json:"status"`
	Attempts int    `json:"attempts"`
	Reason   string `json:"reason"`
}

// OutputChunk is a piece of a child's stream, as it arrived and after redaction. The bytes belong
// to the sender: a sink that keeps them copies them.
type OutputChunk struct {
	Stream string // stdout or stderr
	Offset int64  // of its first byte in the (redacted) stream
	Bytes  []byte
	// End marks the last event of a stream; Bytes may be empty.
	End bool
}

// Warned is something that was dropped, changed or not enforced.
type Warned struct{ Warning }

// RunPaused says what the run waits for; the envelope is printed by RunFinished too.
type RunPaused struct {
	Requirements []Requirement `json:"requirements"`
	Next         string        `json:"next"`
}

// RunFinished is the last event; nothing is emitted after it. Run is the envelope; nil, as in the
// record of a run, which has the envelope beside it, is null. It is encoded when a display asks for
// it: most do not, and it can be large.
type RunFinished struct{ Run Envelope }

// Envelope is the public document of a run.
type Envelope interface {
	Document() (json.RawMessage, error)
}

// MarshalJSON encodes the data of the event.
func (e RunFinished) MarshalJSON() ([]byte, error) {
	document := json.RawMessage("null")
	if e.Run != nil {
		var err error
		if document, err = e.Run.Document(); err != nil {
			return nil, err
		}
	}
	return slices.Concat([]byte(`{"run":`), document, []byte("}")), nil
}

// Warning is one warning of an envelope.
type Warning struct {
	Code     string    `json:"code"`
	Message  string    `json:"message"`
	Location *Location `json:"location"`
}

// Location is a place in a file of a package.
type Location struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

// Requirement is a credential that is missing, and how to supply it.
type Requirement struct {
	Name      string   `json:"name"`
	Provider  string   `json:"provider"`
	Modes     []string `json:"modes"`
	Variables []string `json:"variables"`
	Setup     string   `json:"setup"` // the literal command
}

// The names of the events in public streams.
func (RunStarted) Type() string   { return "run.started" }
func (StepStarted) Type() string  { return "step.started" }
func (StepFinished) Type() string { return "step.finished" }
func (OutputChunk) Type() string  { return "stream" }
func (Warned) Type() string       { return "warning" }
func (RunPaused) Type() string    { return "run.paused" }
func (RunFinished) Type() string  { return "run.finished" }

func (RunStarted) body()   {}
func (StepStarted) body()  {}
func (StepFinished) body() {}
func (OutputChunk) body()  {}
func (Warned) body()       {}
func (RunPaused) body()    {}
func (RunFinished) body()  {}

// Sink takes events. Emit is synchronous and safe for concurrent use; an error stops the run.
type Sink interface {
	Emit(ctx context.Context, e Event) error
}

// SinkFunc is a Sink made of a function.
type SinkFunc func(ctx context.Context, e Event) error

// Emit calls the function.
func (f SinkFunc) Emit(ctx context.Context, e Event) error { return f(ctx, e) }

// Discard takes every event and shows none.
type Discard struct{}

// Emit implements Sink.
func (Discard) Emit(context.Context, Event) error { return nil }

var _ Sink = Discard{}
