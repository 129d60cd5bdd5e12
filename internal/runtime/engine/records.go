package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/runx-go/runx/internal/runtime"
	"github.com/runx-go/runx/internal/runtime/receipt"
	"github.com/runx-go/runx/internal/runtime/runner"
	"github.com/runx-go/runx/internal/runtime/session"
	"github.com/runx-go/runx/internal/sandbox"
	"github.com/runx-go/runx/internal/sandbox/fsroot"
	"github.com/runx-go/runx/internal/sandbox/secret"
	"github.com/runx-go/runx/internal/skills"
	"github.com/runx-go/runx/internal/skills/codec"
)

// close fills the envelope, seals the receipt of a run that ended, keeps both, and emits the last
// events.
func (r *run) close(ctx context.Context) (session.Run, error) {
	finished := r.opts.Now()
	r.fill(finished)
	if !r.outcome.Status.Waiting() {
		id, err := r.seal(finished)
		if err != nil {
			r.receiptFailed(err)
		} else {
			r.envelope.ReceiptID = &id
		}
	}
	// What is recorded now must be written also when the run was cancelled.
	ctx = context.WithoutCancel(ctx)
	if err := r.record.Save(&r.envelope); err != nil {
		return r.envelope, fileError("state_write", fmt.Sprintf("cannot keep the record of %s, which ended %s", r.envelope.RunID, r.envelope.Status), err)
	}
	for _, w := range r.envelope.Warnings {
		r.emitLate(ctx, runtime.Warned{Warning: w})
	}
	r.emitLate(ctx, runtime.RunFinished{Run: &r.envelope})
	return r.envelope, r.late
}

func (r *run) fill(finished time.Time) {
	e, o := &r.envelope, r.outcome
	at := session.FormatTime(finished)
	e.Status, e.Outcome = o.Status, o.Status.Outcome()
	e.Closure = session.Closure{Disposition: o.Status.Disposition(), ReasonCode: o.ReasonCode, Summary: o.Summary}
	if !o.Status.Waiting() {
		e.Closure.ClosedAt = &at
	}
	e.Result, e.Error, e.Warnings = o.Value, o.Err, o.Warnings
	redactor := r.redactor()
	for i := range e.Warnings {
		e.Warnings[i].Message = redactor.String(e.Warnings[i].Message)
	}
	if p := o.Process; p != nil {
		e.Process = &session.Process{ExitCode: p.ExitCode, Signal: p.Signal, Cwd: redactor.String(p.Cwd), CwdRelation: p.CwdRelation,
			TimedOut: p.TimedOut, DescendantHeldPipe: p.DescendantHeldPipe, EscapedEnded: p.EscapedEnded}
	}
	if o.Stdout != nil && o.Stderr != nil {
		e.Streams = &session.Streams{Stdout: envelopeStream(o.Stdout), Stderr: envelopeStream(o.Stderr)}
	}
	e.Environment = session.Environment{Delivered: o.Environment.Delivered,
		MissingOptional: o.Environment.MissingOptional, Withheld: o.Environment.Withheld}
	e.Timing = session.Timing{StartedAt: session.FormatTime(r.started), FinishedAt: at,
		DurationMS: finished.Sub(r.started).Milliseconds()}
}

// redactor knows the delivered credential; nil when there is none, or one too short to be delivered.
func (r *run) redactor() *secret.Redactor {
	if r.cred == nil {
		return nil
	}
	redactor, err := secret.NewRedactor(r.cred.Value)
	if err != nil {
		return nil
	}
	return redactor
}

func envelopeStream(s *runner.Stream) session.Stream {
	return session.Stream{Text: s.Text, Bytes: s.Bytes, RetainedBytes: s.Retained, SHA256: s.SHA256,
		Truncated: s.Truncated, Replaced: s.Replaced}
}

// receiptFailed turns a run whose receipt could not be written into a failed one that says what ran.
func (r *run) receiptFailed(err error) {
	ended := r.envelope.Status
	fault := fileError("receipt_write", fmt.Sprintf("the run ended %s, but its receipt cannot be written", ended), err).Fault()
	r.outcome.Status, r.outcome.ReasonCode = runtime.Failed, "process_failed"
	r.outcome.Summary, r.outcome.Err, r.outcome.Value = "the receipt could not be written", &fault, nil
	r.fill(r.opts.Now())
}

// seal builds, signs and stores the receipt.
func (r *run) seal(finished time.Time) (string, error) {
	predicate, err := r.predicate(finished)
	if err != nil {
		return "", err
	}
	sealed, err := receipt.Seal(predicate, r.signer)
	if err != nil {
		return "", err
	}
	dir, err := r.receiptDir()
	if err != nil {
		return "", err
	}
	defer dir.Close()
	if err := receipt.NewStore(dir).Put(sealed); err != nil {
		return "", err
	}
	return sealed.ID, nil
}

// receiptDir opens the folder of receipts, the default one through the state directory, which
// nothing leaves.
func (r *run) receiptDir() (*fsroot.Dir, error) {
	if r.opts.ReceiptDir == filepath.Join(r.opts.StateDir, "receipts") {
		return r.state.Sub("receipts")
	}
	return fsroot.Create(r.opts.ReceiptDir, false)
}

func (r *run) predicate(finished time.Time) (receipt.Predicate, error) {
	o := r.outcome
	p := receipt.Predicate{
		Runx: r.opts.Version,
		Run: receipt.RunInfo{ID: r.envelope.RunID, Identity: r.envelope.Identity,
			StartedAt: session.FormatTime(r.started), FinishedAt: session.FormatTime(finished)},
		Skill: r.envelope.SkillName, Runner: r.envelope.Runner, RunnerType: r.envelope.RunnerType,
		Version:       r.req.Package.Profile.Version,
		PackageDigest: r.req.Package.Digest, ManualDigest: r.req.Package.ManualDigest,
		Environment: receipt.Environment{Names: o.Environment.Declared, Absent: o.Environment.MissingOptional},
		Boundary:    o.Boundary,
		Closure: receipt.Closure{Status: string(o.Status), Disposition: o.Status.Disposition(),
			ReasonCode: o.ReasonCode, Summary: o.Summary, State: "sealed"},
		Limits: o.Limits,
	}
	if p.Boundary.Kind == "" {
		p.Boundary.Kind = sandbox.TrustedHostProcess
	}
	if err := r.inputs(&p); err != nil {
		return p, err
	}
	if c := r.cred; c != nil {
		p.Credential = &receipt.Credential{Name: c.Name, Provider: c.Provider, Mode: c.Mode, Profile: c.Profile}
	}
	if err := processEvidence(&p, o); err != nil {
		return p, err
	}
	err := r.result(&p)
	return p, err
}

func (r *run) inputs(p *receipt.Predicate) error {
	raw := r.req.Inputs.Raw()
	digest, err := codec.DigestJSON(raw)
	if err != nil {
		return fmt.Errorf("cannot digest the inputs: %w", err)
	}
	p.Inputs = receipt.Inputs{Digest: skills.Digest(digest), RawDigest: skills.DigestBytes(raw), Bytes: int64(len(raw))}
	for _, m := range r.req.Inputs.Members() {
		p.Inputs.Names = append(p.Inputs.Names, m.Name)
	}
	return nil
}

func (r *run) result(p *receipt.Predicate) error {
	if r.outcome.Status != runtime.Sealed {
		return nil
	}
	digest, err := codec.DigestJSON(r.outcome.Value)
	if err != nil {
		return fmt.Errorf("cannot digest the result: %w", err)
	}
	p.Result = &receipt.Result{Digest: skills.Digest(digest), Packets: r.outcome.Packets}
	if r.req.Runner.Outputs != nil {
		_, p.Result.OutputsDigest = r.req.Runner.Outputs.Schema()
	}
	return nil
}

func processEvidence(p *receipt.Predicate, o runner.Outcome) error {
	if o.Process != nil {
		argv, err := codec.Marshal(o.Process.Argv)
		if err != nil {
			return fmt.Errorf("cannot describe the command: %w", err)
		}
		digest, err := codec.DigestJSON(argv)
		if err != nil {
			return fmt.Errorf("cannot digest the command: %w", err)
		}
		p.Process = &receipt.Process{ArgvDigest: skills.Digest(digest), Command: o.Process.Command,
			CwdRelation: o.Process.CwdRelation, ExitCode: o.Process.ExitCode, Signal: o.Process.Signal,
			TimedOut: o.Process.TimedOut, DescendantHeldPipe: o.Process.DescendantHeldPipe}
	}
	if o.Stdout != nil && o.Stderr != nil {
		p.Streams = &receipt.Streams{
			Stdout: receipt.Stream{Bytes: o.Stdout.Bytes, SHA256: o.Stdout.SHA256, Truncated: o.Stdout.Truncated},
			Stderr: receipt.Stream{Bytes: o.Stderr.Bytes, SHA256: o.Stderr.SHA256, Truncated: o.Stderr.Truncated},
		}
	}
	return nil
}

func packageWarning(f skills.Finding) runtime.Warning {
	w := runtime.Warning{Code: f.Code, Message: f.Message}
	if f.File != "" {
		w.Location = &runtime.Location{File: f.File, Line: f.Line, Column: f.Column}
	}
	return w
}

func refusedOutcome(fault *runtime.Fault) runner.Outcome {
	if fault.Details == nil {
		fault.Details = json.RawMessage("{}")
	}
	return runner.Outcome{Status: runtime.Refused, ReasonCode: "preflight_refused",
		Summary: "preflight refused: " + fault.Code, Err: fault}
}

func waiting(missing *runtime.Requirement, next string) runner.Outcome {
	details, err := codec.Marshal(struct {
		Setup string `json:"setup"`
		Next  string `json:"next"`
	}{missing.Setup, next})
	if err != nil {
		details = json.RawMessage("{}")
	}
	return runner.Outcome{Status: runtime.NeedsCredential, ReasonCode: "waiting", Summary: "a credential is missing",
		Err: &runtime.Fault{Code: "credential_missing",
			Message: fmt.Sprintf("credential %q of provider %q is missing", missing.Name, missing.Provider),
			Hint:    missing.Setup + ", then: " + next, Details: details}}
}

// Receipts opens the folder of receipts for reading; fs.ErrNotExist when there is none yet.
func Receipts(dir string) (*receipt.Store, func() error, error) {
	opened, err := fsroot.Open(dir)
	if err != nil {
		return nil, func() error { return nil }, err
	}
	return receipt.NewStore(opened), opened.Close, nil
}

// Keys finds the public keys for receipt verify.
func Keys(host sandbox.Host) (*receipt.Keys, error) {
	var config *fsroot.Dir
	if host.UserConfigDir != "" {
		dir, err := fsroot.Open(host.UserConfigDir)
		if err == nil {
			defer dir.Close()
			config = dir
		} else if !errors.Is(err, fs.ErrNotExist) {
			return nil, fileError("user_config", "cannot open the user's configuration folder", err)
		}
	}
	keys, err := receipt.NewKeys(VerifyConfig(host), SigningConfig(host), config)
	if err != nil {
		return nil, signingError(err)
	}
	return keys, nil
}
