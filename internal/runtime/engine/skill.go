package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/runx-go/runx/internal/runtime"
	"github.com/runx-go/runx/internal/runtime/receipt"
	"github.com/runx-go/runx/internal/runtime/runner"
	"github.com/runx-go/runx/internal/runtime/runner/clitool"
	"github.com/runx-go/runx/internal/runtime/session"
	"github.com/runx-go/runx/internal/sandbox/fsroot"
	"github.com/runx-go/runx/internal/skills"
	"github.com/runx-go/runx/internal/skills/admission"
	"github.com/runx-go/runx/internal/skills/codec"
)

// SkillRequest is one run of one runner, its inputs already bound.
type SkillRequest struct {
	Package *admission.Package
	Runner  *admission.Runner
	Inputs  codec.Object
	Profile string // --profile, or ""
	// Timeout limits the whole run; 0 does not.
	Timeout time.Duration
	// Next is the literal command that starts this run again.
	Next string
}

// run is one run under way.
type run struct {
	*Engine
	req      SkillRequest
	started  time.Time
	envelope session.Run
	recorder *session.Recorder
	record   *session.Record
	state    *fsroot.Dir
	signer   *receipt.Signer
	outcome  runner.Outcome
	attempts int
	cred     *runner.Credential
	// late is the first event that could not be recorded or shown after something had run. The
	// receipt and the record are made all the same.
	late error
}

// RunSkill runs a runner to its end and returns the envelope, also of a run that failed, was
// refused or waits for a credential. An error (a *runtime.Error) means that no run exists, or that
// its record could not be kept.
func (e *Engine) RunSkill(ctx context.Context, req SkillRequest) (session.Run, error) {
	signer, err := e.signer() //nolint:contextcheck // making a key waits for another process, not for the run
	if err != nil {
		return session.Run{}, err
	}
	state, err := e.openState()
	if err != nil {
		return session.Run{}, fileError("state_write", "cannot use the state directory "+e.opts.StateDir, err)
	}
	defer state.Close()
	r := &run{Engine: e, req: req, started: e.opts.Now(), state: state, signer: signer}
	// What can fail for reasons of the machine is tried before the run exists.
	resolved, err := r.resolveCredential(req)
	if err != nil {
		return session.Run{}, err
	}
	tmp, err := state.Sub("tmp")
	if err != nil {
		return session.Run{}, fileError("state_write", "cannot use the folder of input files", err)
	}
	defer tmp.Close()
	if err := r.open(); err != nil {
		return session.Run{}, err
	}
	defer r.record.Close() //nolint:errcheck // only the lock is left; what was kept is synced
	if req.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, req.Timeout, runtime.ErrRunTimeout)
		defer cancel()
	}
	if err := r.execute(ctx, resolved, tmp); err != nil {
		return session.Run{}, err
	}
	return r.close(ctx)
}

// open makes the record: from here on the run exists.
func (r *run) open() error {
	id, err := runtime.NewID("run_", r.started, r.opts.Rand)
	if err != nil {
		return fmt.Errorf("cannot make a run id: %w", err)
	}
	identity, err := identity(r.req)
	if err != nil {
		return err
	}
	r.envelope = session.Run{
		Schema: session.RunSchema, SkillName: r.req.Package.Name, Runner: r.req.Runner.Name,
		RunnerType: r.req.Runner.Type, RunID: id, Identity: identity,
		PackageDigest: string(r.req.Package.Digest),
	}
	r.record, err = session.NewStore(r.state).Create(id)
	if err != nil {
		return fileError("state_write", "cannot make the record of the run", err)
	}
	r.recorder = r.record.Recorder(session.RecorderOptions{Run: id, Now: r.opts.Now, Next: r.opts.Sink})
	return nil
}

// identity is the digest that equal runs share.
func identity(req SkillRequest) (string, error) {
	raw, err := codec.Marshal(struct {
		PackageDigest skills.Digest   `json:"package_digest"`
		Runner        string          `json:"runner"`
		Inputs        json.RawMessage `json:"inputs"`
	}{req.Package.Digest, req.Runner.Name, req.Inputs.Raw()})
	if err != nil {
		return "", fmt.Errorf("cannot describe the run: %w", err)
	}
	digest, err := codec.DigestJSON(raw)
	if err != nil {
		return "", fmt.Errorf("cannot digest the run: %w", err)
	}
	return digest, nil
}

// emit records and shows an event. Once the run is being cancelled, a display that cannot show it
// changes nothing any more.
func (r *run) emit(ctx context.Context, body runtime.Body) error {
	err := r.recorder.Emit(ctx, runtime.Event{Body: body})
	switch {
	case err == nil:
		return nil
	case errors.Is(err, runtime.ErrReaderGone):
		return err
	}
	if _, ok := errors.AsType[*runtime.Error](err); ok {
		return err // a display that could not show it
	}
	return fileError("state_write", "cannot record the run", err)
}

// emitLate is emit for what happens after something has run. When that was stopped, a display that
// does not take the event is not waited for.
func (r *run) emitLate(ctx context.Context, body runtime.Body) {
	if s := r.outcome.Status; s == runtime.Cancelled || s == runtime.TimedOut {
		r.recorder.Hurry()
	}
	if err := r.emit(ctx, body); err != nil && r.late == nil {
		r.late = err
	}
}

// execute does the preflight and the attempts.
func (r *run) execute(ctx context.Context, resolved resolution, tmp *fsroot.Dir) error {
	if err := r.emit(ctx, runtime.RunStarted{
		SkillName: r.envelope.SkillName, Runner: r.envelope.Runner, RunnerType: r.envelope.RunnerType,
		Identity: r.envelope.Identity, PackageDigest: r.envelope.PackageDigest,
	}); err != nil {
		return err
	}
	var early []runtime.Warning
	for _, w := range r.req.Package.Warnings {
		early = append(early, packageWarning(w))
	}
	r.cred = resolved.found
	if err := sweepTmp(session.NewStore(r.state), tmp); err != nil {
		early = append(early, runtime.Warning{Code: "tmp_left",
			Message: fmt.Sprintf("cannot remove the input files of runs that were killed: %v", err)})
	}
	request := runner.Request{
		Package: r.req.Package, Runner: r.req.Runner, Inputs: r.req.Inputs, Host: r.opts.Host,
		Workspace: r.opts.Workspace, ReceiptDir: r.opts.DeliverReceiptDir, Tmp: tmp, Execution: r.envelope.RunID,
		Credential: resolved.found, Sink: r.recorder, Kill: r.opts.Kill,
	}
	if fault := r.preflight(request, resolved); fault != nil {
		r.outcome = refusedOutcome(fault)
	} else if resolved.missing != nil {
		r.outcome = waiting(resolved.missing, r.req.Next)
		r.envelope.Requirements = []runtime.Requirement{*resolved.missing}
		r.envelope.Next = &r.req.Next
	} else if err := r.attempt(ctx, request); err != nil {
		return err
	}
	r.outcome.Warnings = append(early, r.outcome.Warnings...)
	return nil
}

func (r *run) preflight(request runner.Request, resolved resolution) *runtime.Fault {
	if resolved.missing != nil {
		// The names are judged before the missing value is asked for.
		request.Credential = &runner.Credential{Variable: firstOf(resolved.missing.Variables)}
	}
	if fault := clitool.Check(request); fault != nil {
		return fault
	}
	if resolved.refused != nil {
		return resolved.refused
	}
	retry := r.req.Runner.Retry
	if retry.MaxAttempts > 1 && r.req.Runner.Mutating && r.req.Runner.Idempotency == "" {
		return &runtime.Fault{Code: "retry_needs_key",
			Message: fmt.Sprintf("runner %q changes something and is tried up to %d times without an idempotency key", r.req.Runner.Name, retry.MaxAttempts),
			Hint:    "set idempotency, or max_attempts: 1"}
	}
	return nil
}

func firstOf(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return names[0]
}

// attempt runs the executor, and again after a failure as often as the runner allows.
func (r *run) attempt(ctx context.Context, request runner.Request) error {
	executor, ok := runnerFor(r.req.Runner.Source)
	if !ok {
		return fmt.Errorf("cannot run %q: no executor for its type %s", r.req.Runner.Name, r.req.Runner.Type)
	}
	most := max(r.req.Runner.Retry.MaxAttempts, 1)
	var failures []runtime.Warning
	for r.attempts = 1; ; r.attempts++ {
		if err := r.emit(ctx, runtime.StepStarted{Attempt: r.attempts}); err != nil {
			if r.attempts == 1 {
				return err
			}
			r.attempts--
			r.late = err
			stopped(&r.outcome, err)
			break
		}
		request.Execution = r.envelope.RunID + "-" + strconv.Itoa(r.attempts)
		outcome, again := once(ctx, executor, request)
		r.outcome = outcome
		if !again || r.attempts == most {
			break
		}
		failures = append(failures, runtime.Warning{Code: "attempt_failed",
			Message: "attempt " + strconv.Itoa(r.attempts) + " of " + strconv.Itoa(most) + " failed: " + outcome.Err.Code})
		if !pause(ctx, backoff(r.req.Runner.Retry.BackoffMS, r.attempts)) {
			stopped(&r.outcome, context.Cause(ctx))
			break
		}
	}
	r.outcome.Warnings = append(failures, r.outcome.Warnings...)
	r.emitLate(ctx, runtime.StepFinished{Status: r.outcome.Status, Attempts: r.attempts, Reason: r.outcome.ReasonCode})
	return nil
}

// once runs the executor and says whether the attempt may be repeated: not when it failed because
// its output could not be shown, which the next would meet as well.
func once(ctx context.Context, executor runner.Runner, request runner.Request) (outcome runner.Outcome, again bool) {
	outcome, err := executor.Run(ctx, request)
	if err != nil {
		return notStarted(err), false
	}
	return outcome, outcome.Status == runtime.Failed && outcome.Err.Code != runtime.CodeStdoutWrite
}

// notStarted is the outcome of an execution whose input files could not be written.
func notStarted(err error) runner.Outcome {
	fault := runtime.Fault{Code: "internal", Message: err.Error(), Details: json.RawMessage("{}")}
	if e, ok := errors.AsType[*runtime.Error](err); ok {
		fault = e.Fault()
	}
	return runner.Outcome{Status: runtime.Failed, ReasonCode: "process_failed",
		Summary: "process could not be started: " + fault.Code, Err: &fault}
}

// stopped turns the outcome of a failed attempt into that of a run which was stopped before the
// next one could begin.
func stopped(out *runner.Outcome, cause error) {
	out.Status, out.ReasonCode, out.Summary = runtime.Cancelled, "cancelled", "the run was cancelled"
	fault := runtime.Fault{Code: "cancelled", Message: "the run was cancelled before its next attempt", Details: json.RawMessage("{}")}
	if errors.Is(cause, runtime.ErrRunTimeout) {
		out.Status, out.ReasonCode, out.Summary = runtime.TimedOut, "run_timed_out", "the limit of the run passed"
		fault.Code, fault.Message, fault.Hint = "run_timed_out", "the limit of --timeout passed before the next attempt", "raise --timeout"
		out.Limits = append(out.Limits, "run_timeout")
	}
	out.Err = &fault
}

// backoff is the wait after the n-th failed attempt: it doubles, up to one minute.
func backoff(ms int64, attempt int) time.Duration {
	const most = time.Minute
	wait := time.Duration(ms) * time.Millisecond
	for range attempt - 1 {
		if wait *= 2; wait >= most {
			return most
		}
	}
	return min(wait, most)
}

func pause(ctx context.Context, wait time.Duration) bool {
	if wait <= 0 {
		return ctx.Err() == nil
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
