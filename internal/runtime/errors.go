package runtime

import (
	"encoding/json"
	"errors"
)

// Class is the kind of an error, from which alone the exit code follows. The zero value is a bug.
type Class int

// The classes, in the words of the exit codes.
const (
	ClassInternal Class = iota // a bug in runx
	ClassFailed                // ran and failed, or a record could not be kept
	ClassTimedOut
	ClassDenied
	ClassRefused
	ClassMissing    // a person or agent can supply what is missing
	ClassMismatch   // a gate, replay or verification does not match
	ClassStopped    // a budget
	ClassUnconfined // required confinement is unavailable
	ClassInvalid    // wrong usage, manifest, configuration or inputs
	ClassCancelled
)

// Error is a fault as a user sees it.
type Error struct {
	Class   Class
	Code    string
	Message string          // one sentence: what, on what, why
	Hint    string          // one thing to try
	Details json.RawMessage // an object, or nil
	Err     error           // the cause, for errors.Is; may be nil
}

func (e *Error) Error() string { return e.Message }

func (e *Error) Unwrap() error { return e.Err }

// Fault is the error object of public documents.
type Fault struct {
	Code    string          `json:"code"`
	Message string          `json:"message"`
	Hint    string          `json:"hint"`
	Details json.RawMessage `json:"details"`
}

// Fault returns the public form; details are {} when there are none.
func (e *Error) Fault() Fault {
	details := e.Details
	if len(details) == 0 {
		details = json.RawMessage("{}")
	}
	return Fault{Code: e.Code, Message: e.Message, Hint: e.Hint, Details: details}
}

// ClassOf finds the class of an error; an error that carries none is ClassInternal.
func ClassOf(err error) Class {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Class
	}
	return ClassInternal
}

// CodeStdoutWrite is the code of a stdout that cannot be written for another reason than a reader
// that went away.
const CodeStdoutWrite = "stdout_write"

// Causes of a cancelled context.
var (
	ErrInterrupted = errors.New("interrupted")            // SIGINT: exit 130
	ErrTerminated  = errors.New("terminated")             // SIGTERM, SIGHUP: exit 143
	ErrReaderGone  = errors.New("the reader went away")   // closed stdout: exit 1
	ErrRunTimeout  = errors.New("the run's limit passed") // --timeout: timed_out
)
