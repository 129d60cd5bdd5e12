// Package clitool executes a cli-tool source: it plans what the child receives, supervises the
// process tree, and turns its end into an outcome. It starts no shell, interprets no output beyond
// one JSON text, and retries nothing. Only runtime/engine makes a runner of it.
package clitool

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/runx-go/runx/internal/runtime"
	"github.com/runx-go/runx/internal/runtime/runner"
	"github.com/runx-go/runx/internal/sandbox"
	"github.com/runx-go/runx/internal/sandbox/delivery"
	"github.com/runx-go/runx/internal/sandbox/proc"
	"github.com/runx-go/runx/internal/sandbox/secret"
	"github.com/runx-go/runx/internal/skills"
)

// Runner runs cli-tool sources. The zero value is ready.
type Runner struct{}

var _ runner.Runner = Runner{}

// Check plans an execution without making or starting anything. It returns the fault for which the
// run would be refused, or nil.
func Check(req runner.Request) *runtime.Fault {
	source, ok := req.Runner.Source.(skills.CLITool)
	if !ok {
		return &runtime.Fault{Code: "runner_unavailable", Message: "the runner is no cli-tool"}
	}
	if _, err := plan(req, source); err != nil {
		return refusalFault(err)
	}
	return nil
}

// CheckNames reports what a run of this runner would be refused for whatever its inputs are: names
// that collide, are empty or reserved (for skill validate).
func CheckNames(os string, r *skills.Runner, credential string) []skills.Finding {
	source, ok := r.Source.(skills.CLITool)
	if !ok {
		return nil
	}
	var declared []string
	for _, in := range r.Inputs {
		declared = append(declared, in.Name)
	}
	names := slices.Concat(source.Environment.Required, source.Environment.Optional)
	var out []skills.Finding
	for _, refusal := range delivery.CheckNames(os, declared, names, credential) {
		out = append(out, skills.Finding{
			Code: refusal.Code, Severity: skills.SeverityError, File: r.At.File, Line: r.At.Line,
			Column: r.At.Col, Message: fmt.Sprintf("runner %q: %s", r.Name, refusal.Msg), Hint: refusal.Hint,
		})
	}
	return out
}

// Run implements runner.Runner.
func (Runner) Run(ctx context.Context, req runner.Request) (runner.Outcome, error) {
	source, ok := req.Runner.Source.(skills.CLITool)
	if !ok {
		return runner.Outcome{}, fmt.Errorf("cannot run %q: it is no cli-tool", req.Runner.Name)
	}
	p, err := plan(req, source)
	if err != nil {
		return refused(err), nil
	}
	var redactor *secret.Redactor
	if req.Credential != nil {
		if redactor, err = secret.NewRedactor(req.Credential.Value); err != nil {
			return refused(&delivery.Refusal{Code: "credential_short", //nolint:nilerr // the outcome carries it
				Msg:  fmt.Sprintf("the value of credential %q has under 4 bytes: it cannot be kept out of output", req.Credential.Name),
				Hint: "store a longer value with runx credential set"}), nil
		}
	}
	files, err := p.Write(req.Tmp)
	if err != nil {
		return runner.Outcome{}, &runtime.Error{Class: runtime.ClassFailed, Code: "state_write",
			Message: fmt.Sprintf("cannot write the input files of the run: %v", err),
			Hint:    "check that the state directory is writable and its disk is not full", Err: err}
	}
	out := execute(ctx, req, source, p, redactor)
	if err := files.Close(); err != nil {
		out.Warnings = append(out.Warnings, runtime.Warning{Code: "tmp_left",
			Message: fmt.Sprintf("cannot remove the input files of the run: %v", err)})
	}
	return out, nil
}

func execute(ctx context.Context, req runner.Request, source skills.CLITool, p *delivery.Plan, redactor *secret.Redactor) runner.Outcome {
	live := newLive(ctx, req.Sink, redactor)
	mark, _ := p.Env.Lookup("RUNX_INPUTS_PATH")
	result, err := proc.Run(ctx, proc.Command{
		Name: p.Command, Args: p.Args, Dir: p.Dir, Env: p.Env, Stdin: p.Stdin,
		Timeout: time.Duration(source.TimeoutSeconds) * time.Second,
		Mark:    mark, Output: live.write, Kill: req.Kill,
	})
	var out runner.Outcome
	if err != nil {
		out = startFailed(err, redactor)
	} else {
		if err := live.end(ctx, result); err != nil && result.Cause == proc.Exited {
			result.Cause, result.CancelCause = proc.Cancelled, err
		}
		stdoutTail, stderrTail := live.tails(result)
		out = classify(ending{
			runner: req.Runner, timeoutSeconds: source.TimeoutSeconds, result: result, redactor: redactor,
			stdoutTail: stdoutTail, stderrTail: stderrTail,
		})
	}
	if len(p.DroppedMirrors) > 0 {
		out.Warnings = append(out.Warnings, runtime.Warning{Code: "mirror_dropped",
			Message: fmt.Sprintf("the environment would not fit the system: %s left out; their path variables are there", list(p.DroppedMirrors))})
	}
	out.Environment = environment(p, source.Environment)
	out.Process = process(req, source, p, result, err == nil)
	return out
}

// process describes the leader; of a command that could not be started only what was planned.
func process(req runner.Request, source skills.CLITool, p *delivery.Plan, result proc.Result, started bool) *runner.Process {
	out := &runner.Process{
		Argv: append([]string{source.Command}, p.Args...), Command: baseName(source.Command),
		Cwd: p.Dir, CwdRelation: relation(p.Dir, req.Package.Dir, req.Workspace),
	}
	if !started {
		return out
	}
	if result.Signal != "" {
		out.Signal = &result.Signal
	} else if result.Cause == proc.Exited || result.ExitCode >= 0 {
		out.ExitCode = &result.ExitCode
	}
	out.TimedOut = result.Cause == proc.TimedOut || errors.Is(result.CancelCause, runtime.ErrRunTimeout)
	out.DescendantHeldPipe, out.EscapedEnded = result.DescendantHeldPipe, result.EscapedEnded
	return out
}

// relation names a directory by its identity, not its text.
func relation(dir, skill, workspace string) string {
	at, err := os.Stat(dir)
	if err != nil {
		return "other"
	}
	for _, known := range []struct{ name, dir string }{{"skill", skill}, {"workspace", workspace}} {
		if info, err := os.Stat(known.dir); err == nil && os.SameFile(at, info) {
			return known.name
		}
	}
	return "other"
}

func startFailed(err error, redactor *secret.Redactor) runner.Outcome {
	out := runner.Outcome{Packets: map[string]string{}, Boundary: sandbox.Boundary{Kind: sandbox.TrustedHostProcess}}
	fault := runtime.Fault{Code: "spawn_failed", Message: err.Error()}
	if start, ok := errors.AsType[*proc.StartError](err); ok {
		fault = runtime.Fault{Code: start.Code, Message: start.Msg, Hint: start.Hint}
		if details, ok := fileDetails(start.File); ok {
			fault.Details = redactor.JSON(details)
		}
	}
	fault.Message = redactor.String(fault.Message)
	fail(&out, runtime.Failed, "process_failed", "process could not be started: "+fault.Code, fault)
	return out
}

func refused(err error) runner.Outcome {
	fault := refusalFault(err)
	out := runner.Outcome{Packets: map[string]string{}, Boundary: sandbox.Boundary{Kind: sandbox.TrustedHostProcess}}
	fail(&out, runtime.Refused, "preflight_refused", "preflight refused: "+fault.Code, *fault)
	return out
}

func refusalFault(err error) *runtime.Fault {
	if r, ok := errors.AsType[*delivery.Refusal](err); ok {
		return &runtime.Fault{Code: r.Code, Message: r.Msg, Hint: r.Hint}
	}
	return &runtime.Fault{Code: "preflight", Message: err.Error()}
}
