package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/runx-go/runx/internal/cli/render"
	"github.com/runx-go/runx/internal/runtime"
	"github.com/runx-go/runx/internal/sandbox"
	"github.com/runx-go/runx/internal/sandbox/fsroot"
	"github.com/runx-go/runx/internal/skills"
	"github.com/runx-go/runx/internal/skills/admission"
	"github.com/runx-go/runx/internal/skills/codec"
	"github.com/runx-go/runx/internal/skills/schema"
)

// reported is the end of a command that has printed all it had to say: only its class is left.
type reported struct {
	class runtime.Class
	cause error // of ClassCancelled
}

func (r *reported) Error() string { return fmt.Sprintf("reported (class %d)", r.class) }

// exitCode is the one place that turns the end of a command into a number.
func exitCode(err error) int {
	if err == nil {
		return 0
	}
	class, cause := runtime.ClassOf(err), err
	if r, ok := errors.AsType[*reported](err); ok {
		class, cause = r.class, r.cause
	}
	switch class {
	case runtime.ClassFailed, runtime.ClassTimedOut, runtime.ClassDenied, runtime.ClassRefused:
		return 1
	case runtime.ClassMissing:
		return 2
	case runtime.ClassMismatch:
		return 3
	case runtime.ClassStopped:
		return 5
	case runtime.ClassUnconfined:
		return 6
	case runtime.ClassInvalid:
		return 64
	case runtime.ClassCancelled:
		switch {
		case errors.Is(cause, runtime.ErrInterrupted):
			return 130
		case errors.Is(cause, runtime.ErrTerminated):
			return 143
		}
		return 1
	case runtime.ClassInternal:
	}
	return 70
}

// classOf is the class of a run's status.
func classOf(status runtime.Status) runtime.Class {
	switch status {
	case runtime.Failed:
		return runtime.ClassFailed
	case runtime.TimedOut:
		return runtime.ClassTimedOut
	case runtime.Denied:
		return runtime.ClassDenied
	case runtime.Refused:
		return runtime.ClassRefused
	case runtime.Cancelled:
		return runtime.ClassCancelled
	case runtime.NeedsCredential:
		return runtime.ClassMissing
	case runtime.Sealed:
	}
	return runtime.ClassInternal
}

// usage is a fault in the words of a command line.
func usage(code, message, hint string) *runtime.Error {
	return &runtime.Error{Class: runtime.ClassInvalid, Code: code, Message: message, Hint: hint}
}

// asError gives an error of a lower room its class and code, once.
func asError(ctx context.Context, err error) *runtime.Error {
	if e, ok := errors.AsType[*runtime.Error](err); ok {
		return e
	}
	if e, ok := errors.AsType[*admission.RefusedError](err); ok {
		return refusedPackage(e)
	}
	if e, ok := errors.AsType[*admission.ChoiceError](err); ok {
		return &runtime.Error{Class: runtime.ClassInvalid, Code: e.Code, Message: e.Msg, Err: err,
			Hint: cmp.Or(e.Hint, "runx skill inspect shows what a package offers"), Details: details("reasons", e.Reasons, len(e.Reasons))}
	}
	if e, ok := errors.AsType[*schema.BindError](err); ok && len(e.Failures) > 0 {
		return badInputs(e)
	}
	if e, ok := errors.AsType[*codec.SyntaxError](err); ok {
		return &runtime.Error{Class: runtime.ClassInvalid, Code: e.Code, Message: e.Error(), Err: err,
			Hint: cmp.Or(e.Hint, "correct it at that place"), Details: position(e)}
	}
	if e, ok := errors.AsType[*sandbox.WorkspaceError](err); ok {
		return &runtime.Error{Class: runtime.ClassInvalid, Code: "workspace_invalid", Message: e.Error(), Err: err,
			Hint: workspaceHint(e)}
	}
	if e, ok := errors.AsType[*fsroot.PermissionError](err); ok {
		return &runtime.Error{Class: runtime.ClassFailed, Code: "permissions", Message: e.Error(), Hint: e.Repair, Err: err}
	}
	if isEnd(err) {
		return &runtime.Error{Class: runtime.ClassCancelled, Code: "cancelled", Message: "cancelled: " + err.Error(), Hint: hintAgain, Err: err}
	}
	if errors.Is(err, context.Canceled) {
		return &runtime.Error{Class: runtime.ClassCancelled, Code: "cancelled", Message: "cancelled", Hint: hintAgain, Err: context.Cause(ctx)}
	}
	return &runtime.Error{Class: runtime.ClassInternal, Code: "internal", Message: err.Error(), Err: err,
		Hint: "this is a bug in runx: run it again with --debug and report what it prints"}
}

func workspaceHint(e *sandbox.WorkspaceError) string {
	if e.Variable == "" {
		return "change to a directory that exists, or set RUNX_CWD to the absolute path of one"
	}
	return "unset " + e.Variable + ", or set it to the absolute path of a directory"
}

// hintAgain is all that can be tried after a command was cancelled.
const hintAgain = "run it again"

// isEnd says whether an error is the end that a signal asked for.
func isEnd(err error) bool {
	return errors.Is(err, runtime.ErrInterrupted) || errors.Is(err, runtime.ErrTerminated)
}

func refusedPackage(e *admission.RefusedError) *runtime.Error {
	out := &runtime.Error{Class: runtime.ClassInvalid, Code: "package_invalid", Message: e.Error(), Err: e,
		Hint: "runx skill validate " + quoteArg(e.Dir)}
	if len(e.Reasons) > 0 {
		first := e.Reasons[0]
		out.Code, out.Hint = first.Code, cmp.Or(first.Hint, out.Hint)
		out.Details = details("reasons", e.Reasons, len(e.Reasons))
	}
	return out
}

// refusedText words a refused package for people: its only reason in the sentence, or all of them
// below it.
func refusedText(c *console, e *admission.RefusedError) (string, []skills.Finding) {
	dir := c.shown(e.Dir)
	if len(e.Reasons) == 1 {
		return fmt.Sprintf("cannot load package %s: %s", dir, e.Reasons[0]), nil
	}
	return fmt.Sprintf("cannot load package %s: it has %d faults", dir, len(e.Reasons)), e.Reasons
}

func badInputs(e *schema.BindError) *runtime.Error {
	first := e.Failures[0]
	message := first.Message
	if more := len(e.Failures) - 1; more > 0 {
		message = fmt.Sprintf("%s (and %d more)", message, more)
	}
	return &runtime.Error{Class: runtime.ClassInvalid, Code: first.Code, Message: message, Hint: cmp.Or(first.Hint, "--help behind the package shows its inputs"),
		Details: details("failures", e.Failures, len(e.Failures)), Err: e}
}

func position(e *codec.SyntaxError) json.RawMessage {
	raw, err := codec.Marshal(struct {
		Location runtime.Location `json:"location"`
		Offset   int              `json:"offset"`
	}{runtime.Location{File: e.File, Line: e.Line, Column: e.Col}, e.Offset})
	if err != nil {
		return nil
	}
	return raw
}

// details is an object with one list; nil when the list is empty.
func details(name string, list any, n int) json.RawMessage {
	if n == 0 {
		return nil
	}
	raw, err := codec.Marshal(map[string]any{name: list})
	if err != nil {
		return nil
	}
	return raw
}

// report prints an error in the form that the command line asks for, and nothing for one that has
// been reported or whose reader went away.
func report(ctx context.Context, c *console, err error) int {
	if err == nil && c.out.gone.Load() {
		return 1 // help does not tell that nobody read it
	}
	if fault := c.out.failed.Load(); err == nil && fault != nil {
		err = fault // nor that its output was cut
	}
	if _, ok := errors.AsType[*reported](err); ok || err == nil {
		return exitCode(err)
	}
	if errors.Is(err, runtime.ErrReaderGone) || c.out.gone.Load() {
		return 1
	}
	e := asError(ctx, err)
	if c.json && c.out.failed.Load() == nil {
		err := render.JSON(c.out, render.ErrorDocument{Error: e.Fault()})
		if err == nil {
			return exitCode(e)
		}
		if errors.Is(err, runtime.ErrReaderGone) {
			return 1
		}
	}
	fault, reasons := e.Fault(), []skills.Finding(nil)
	if refused, ok := errors.AsType[*admission.RefusedError](err); ok {
		fault.Message, reasons = refusedText(c, refused)
	}
	if choice, ok := errors.AsType[*admission.ChoiceError](err); ok && len(choice.Reasons) > 1 {
		reasons = choice.Reasons
	}
	render.Error(c.err, c.errStyle, fault, reasons)
	if c.debug && e.Err != nil {
		fmt.Fprintf(c.err, "  cause: %T: %s\n", e.Err, runtime.VisibleLine(e.Err.Error()))
	}
	return exitCode(e)
}
