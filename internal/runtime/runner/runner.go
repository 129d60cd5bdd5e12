// Package runner says what running a runner means: the request that every executor takes, the
// outcome it returns, and how a value is held against the outputs and packets that the runner
// declares. Executors live below it and are chosen by runtime/engine; nothing else may call them.
package runner

import (
	"context"
	"encoding/json"

	"github.com/runx-go/runx/internal/runtime"
	"github.com/runx-go/runx/internal/sandbox"
	"github.com/runx-go/runx/internal/sandbox/fsroot"
	"github.com/runx-go/runx/internal/sandbox/secret"
	"github.com/runx-go/runx/internal/skills/admission"
	"github.com/runx-go/runx/internal/skills/codec"
)

// Runner executes one attempt.
type Runner interface {
	// Run returns an outcome for everything that can happen to an execution; an error only when
	// a record could not be kept (state_write) or runx itself is at fault.
	Run(ctx context.Context, req Request) (Outcome, error)
}

// Request is one execution, bound and ready to be planned.
type Request struct {
	Package   *admission.Package
	Runner    *admission.Runner
	Inputs    codec.Object
	Host      sandbox.Host
	Workspace string
	// ReceiptDir is delivered as RUNX_RECEIPT_DIR when not empty.
	ReceiptDir string
	// Tmp is the open folder for input files; Execution, unique an attempt, names the entry that
	// is made below it.
	Tmp        *fsroot.Dir
	Execution  string
	Credential *Credential // nil when the runner has none
	Sink       runtime.Sink
	// Kill, when closed, ends every process at once.
	Kill <-chan struct{}
}

// Credential is a resolved credential and where it came from.
type Credential struct {
	Name     string // in the profile's credentials
	Provider string
	Mode     string
	Profile  string // "" when it came from the host's variable
	Variable string // the variable that delivers it
	Value    secret.Value
}

// Outcome is how one attempt ended, already redacted.
type Outcome struct {
	Status     runtime.Status
	ReasonCode string
	// Summary is a fixed text with codes and numbers: it goes into the receipt.
	Summary string
	Err     *runtime.Fault
	Value   json.RawMessage // nil unless Status is sealed
	// Packets is id to verified or unresolved.
	Packets     map[string]string
	Process     *Process
	Stdout      *Stream
	Stderr      *Stream
	Environment Environment
	Warnings    []runtime.Warning
	Limits      []string
	Boundary    sandbox.Boundary
}

// Process is what is recorded of a child's leader.
type Process struct {
	Argv               []string // digested, never recorded
	Command            string   // base name
	Cwd                string
	CwdRelation        string
	ExitCode           *int
	Signal             *string
	TimedOut           bool
	DescendantHeldPipe bool
	EscapedEnded       int
}

// Stream is a captured stream: the redacted text that was kept and the measure of the raw whole.
type Stream struct {
	Text      string
	Bytes     int64
	Retained  int64
	SHA256    string
	Truncated bool
	Replaced  int
}

// Environment has sorted names, never values. Declared are the names of Delivered that the runner
// declared or that runx adds for transport, without the baseline.
type Environment struct{ Delivered, Declared, MissingOptional, Withheld []string }
