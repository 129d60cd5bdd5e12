package harness

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/runx-go/runx/internal/runtime"
	"github.com/runx-go/runx/internal/sandbox"
)

// RunRequest is one run that a case asks for.
type RunRequest struct {
	// Host is the process facts of the case: its environment, and the workspace as the current
	// directory. The state directory is .runx of the workspace.
	Host sandbox.Host
	// PackageDir is the absolute directory of the package, Runner the runner in it.
	PackageDir string
	Runner     string
	// Inputs is the exact text of the input object, as if it were read with --inputs.
	Inputs []byte
}

// RunFunc runs a skill as runx does for a user and returns the public envelope
// (runx.skill_run.v1), also of a run that failed. Faults of usage and loading come back as a
// *runtime.Error; it is observed as refused with the error's code. A context that is cancelled with
// runtime.ErrInterrupted ends the run as SIGINT does.
type RunFunc func(ctx context.Context, req RunRequest) (json.RawMessage, error)

// RunOptions say how cases are run.
type RunOptions struct {
	// Host is the real one: its baseline variables, executable and limits are those of each case.
	Host sandbox.Host
	// Alive says whether a process exists and has not ended (a zombie has). nil knows of none:
	// expectations of survivors do not hold then.
	Alive func(pid int) bool
	// Jobs is how many cases run at once, 1 to 64; 0 means 4.
	Jobs int
	// AllowSkips makes a skipped case no failure of the report.
	AllowSkips bool
	// TempDir is where the directories of cases are made; empty means the host's place.
	TempDir string
}

// Run runs the cases and reports them in the order of their ids, whatever the order they ended in.
// It returns when all have ended. When ctx ends, the cases that were not finished fail.
func Run(ctx context.Context, run RunFunc, cases []Case, opts RunOptions) Report {
	results, _ := runCases(ctx, run, cases, opts)
	return newReport(results, opts.AllowSkips)
}

// runCases also returns what was observed, nil for a case that was not run or crashed; both are in
// the order of the sorted cases.
func runCases(ctx context.Context, run RunFunc, cases []Case, opts RunOptions) ([]CaseResult, []*Observation) {
	cases = sorted(cases)
	if opts.TempDir == "" {
		opts.TempDir = tempDir(opts.Host)
	}
	jobs := opts.Jobs
	if jobs <= 0 {
		jobs = defaultJobs
	}
	results := make([]CaseResult, len(cases))
	observed := make([]*Observation, len(cases))
	next := make(chan int)
	var workers sync.WaitGroup
	for range min(jobs, maxJobs, len(cases)) {
		workers.Go(func() {
			for i := range next {
				results[i], observed[i] = runCase(ctx, run, cases[i], opts)
			}
		})
	}
	for i := range cases {
		next <- i
	}
	close(next)
	workers.Wait()
	return results, observed
}

func sorted(cases []Case) []Case {
	cases = slices.Clone(cases)
	slices.SortStableFunc(cases, func(a, b Case) int {
		return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.Lane, b.Lane))
	})
	return cases
}

// runCase runs one case to its result; a panic is a crashed case.
func runCase(ctx context.Context, run RunFunc, c Case, opts RunOptions) (result CaseResult, observed *Observation) {
	result = CaseResult{ID: c.ID, Lane: c.Lane, Status: Passed, Diff: []string{}, Dir: c.Dir}
	crash := func(err error) (CaseResult, *Observation) {
		result.Status, result.Crashed = Failed, true
		result.Diff = []string{"crash: wanted an observation, got " + shown(err.Error())}
		return result, nil
	}
	switch {
	case !c.appliesTo(opts.Host.OS):
		result.Status = NotApplicable
		return result, nil
	case !c.Lane.available():
		result.Status = Skipped
		result.Diff = []string{fmt.Sprintf("lane: %s is not in this version, which has lane %s", c.Lane, LaneCLITool)}
		return result, nil
	case ctx.Err() != nil:
		return crash(fmt.Errorf("the gate was stopped: %w", context.Cause(ctx)))
	}
	s, err := prepare(c, opts)
	if err != nil {
		return crash(err)
	}
	defer func() {
		// What a case leaves open keeps its directory on Windows; the next case has its own.
		_ = s.remove()
	}()
	observation, err := observeCase(ctx, run, c, s, opts)
	if err != nil {
		return crash(errors.New(s.hide(err.Error())))
	}
	want := c.expected()
	diff := append(Compare(want, observation), compareStarted(c.setup.started, observation.Started)...)
	for _, line := range diff {
		result.Diff = append(result.Diff, s.hide(line))
	}
	if len(diff) > 0 {
		result.Status = Failed
	}
	return result, &observation
}

// compareStarted holds the probe's mark of a built-in case: a refusal must have started nothing.
func compareStarted(want *bool, got bool) []string {
	if want == nil || *want == got {
		return nil
	}
	var d diff
	if *want {
		d.add("started", "the probe's mark", "none")
	} else {
		d.add("started", "nothing", "the probe's mark")
	}
	return d.lines
}

// observeCase makes the call of one case and looks at what it left.
func observeCase(ctx context.Context, run RunFunc, c Case, s *stage, opts RunOptions) (Observation, error) {
	if c.setup.cancel {
		cancelled, stop := context.WithCancelCause(ctx)
		defer stop(nil)
		watch, endWatch := context.WithTimeout(ctx, readyWait)
		var watcher sync.WaitGroup
		watcher.Go(func() { interruptWhenReady(watch, s, stop) })
		defer watcher.Wait()
		defer endWatch()
		ctx = cancelled
	}
	begun := time.Now()
	document, err := safely(ctx, run, RunRequest{Host: s.host, PackageDir: s.pkg, Runner: "case", Inputs: s.inputs})
	took := time.Since(begun)
	observation, err := Observe(document, err)
	if err != nil {
		return Observation{}, err
	}
	observation.Duration = took
	observation.Started = s.exists(startedFile)
	if pids := observation.Reported.PIDs; pids != nil && opts.Alive != nil {
		left := countAlive(*pids, opts.Alive, survivorWait)
		observation.Survivors = &left
	}
	return observation, nil
}

// interruptWhenReady cancels a run as SIGINT does once the probe has made its file. A probe that
// does not get ready is ended too, and its case fails by what is observed.
func interruptWhenReady(ctx context.Context, s *stage, stop context.CancelCauseFunc) {
	ticker := time.NewTicker(pollInterval)
	defer ticker.Stop()
	for {
		if s.exists(readyFile) {
			stop(runtime.ErrInterrupted)
			return
		}
		select {
		case <-ctx.Done():
			stop(errors.New("the probe did not get ready"))
			return
		case <-ticker.C:
		}
	}
}

// safely makes a panic of the run an error.
func safely(ctx context.Context, run RunFunc, req RunRequest) (document json.RawMessage, err error) {
	defer func() {
		if caught := recover(); caught != nil {
			err = fmt.Errorf("a panic: %v", caught)
		}
	}()
	return run(ctx, req)
}
