package harness

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/runx-go/runx/internal/runtime"
)

// CheckOptions are those of one call of the gate.
type CheckOptions struct {
	RunOptions
	Filter
	// Dirs hold cases.json, relative to the host's current directory; none means the built-in
	// matrix.
	Dirs []string
	// Update rewrites the expectation of each chosen case that does not hold. It needs Dirs; that
	// it is not done in CI is the caller's rule.
	Update bool
}

// List returns the cases that Check would run, sorted by id. Errors are those of Check.
func List(opts CheckOptions) ([]Case, error) {
	cases := Builtin(opts.Host.OS)
	if len(opts.Dirs) > 0 {
		cases = nil
	}
	owner := map[string]string{}
	for _, name := range opts.Dirs {
		dir := name
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(opts.Host.Dir, dir)
		}
		loaded, err := Load(name, dir)
		if err != nil {
			return nil, err
		}
		for _, c := range loaded {
			if other, twice := owner[c.ID]; twice {
				return nil, malformed(name, fmt.Errorf("the id %q is also in %s", c.ID, other))
			}
			owner[c.ID] = name
		}
		cases = append(cases, loaded...)
	}
	return Select(cases, opts.Filter)
}

// Check is runx fixtures check: it loads, chooses and runs the cases, and updates their files when
// asked. The report says what to exit with; an error is a *runtime.Error of class invalid for a
// malformed file or a filter that matches nothing, and any other when an update cannot be written.
func Check(ctx context.Context, run RunFunc, opts CheckOptions) (Report, error) {
	if opts.Update && len(opts.Dirs) == 0 {
		return Report{}, filterError("fixtures_update", "cannot update the built-in cases", "name the directory whose cases.json is to be rewritten")
	}
	cases, err := List(opts)
	if err != nil {
		return Report{}, err
	}
	results, observed := runCases(ctx, run, cases, opts.RunOptions)
	report := newReport(results, opts.AllowSkips)
	if !opts.Update {
		return report, nil
	}
	report.Changes, err = update(opts, cases, results, observed)
	if err != nil {
		return report, &runtime.Error{Class: runtime.ClassFailed, Code: "fixtures_update", Message: err.Error(),
			Hint: "check that the file is writable and was not changed meanwhile", Err: err}
	}
	return report, nil
}
