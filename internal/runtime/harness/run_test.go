package harness

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	goruntime "runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/runx-go/runx/internal/runtime"
	"github.com/runx-go/runx/internal/sandbox"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// testOptions run cases in a directory of the test.
func testOptions(t *testing.T) RunOptions {
	t.Helper()
	dir := t.TempDir()
	return RunOptions{
		TempDir: dir, Alive: func(int) bool { return false },
		Host: sandbox.Host{
			OS: goruntime.GOOS, Executable: filepath.Join(dir, "runx"), Dir: dir,
			Env: []string{"PATH=/bin", "SECRET=s", "LANG=C"},
		},
	}
}

// envelopeOf is the document of a run that printed a text.
func envelopeOf(status, stdout string) json.RawMessage {
	return fmt.Appendf(nil, `{"schema":"runx.skill_run.v1","status":%q,"result":null,"error":null,
		"process":{"exit_code":0,"signal":null,"cwd_relation":"skill","descendant_held_pipe":false},
		"streams":{"stdout":{"text":%q,"bytes":%d},"stderr":{"text":""}},"warnings":[]}`, status, stdout, len(stdout))
}

// fakeRun answers by the mode of the case, which it reads in the generated package.
func fakeRun(ctx context.Context, req RunRequest) (json.RawMessage, error) {
	profile, err := os.ReadFile(filepath.Join(req.PackageDir, "X.yaml"))
	if err != nil {
		return nil, err
	}
	mode := func(word string) bool { return bytes.Contains(profile, []byte(`"`+word+`"`)) }
	switch {
	case mode("good"):
		return envelopeOf("sealed", "hello\n"), nil
	case mode("bad"):
		return envelopeOf("failed", "in "+req.PackageDir+"\n"), nil
	case mode("panic"):
		panic("in " + req.PackageDir)
	case mode("refuse"):
		return nil, &runtime.Error{Class: runtime.ClassInvalid, Code: "template_unknown", Message: "cannot read", Hint: "name"}
	case mode("broken"):
		return nil, &runtime.Error{Class: runtime.ClassFailed, Code: "state_write", Message: "cannot write " + req.PackageDir}
	case mode("empty"):
		return json.RawMessage(`{}`), nil
	}
	return nil, errors.New("no such mode")
}

func caseOf(id, mode, expected string) Case {
	want, err := parseExpected(json.RawMessage(expected))
	if err != nil {
		panic(err)
	}
	return Case{ID: id, Lane: LaneCLITool, Expected: want, setup: setup{args: []string{mode}}}
}

func mixedCases() []Case {
	other := caseOf("z-other", "good", `{"status":"sealed"}`)
	other.Platforms = []string{"windows"}
	if goruntime.GOOS == "windows" {
		other.Platforms = []string{"linux"}
	}
	lane := caseOf("y-lane", "good", `{"status":"sealed"}`)
	lane.Lane = LaneLocalTool
	return []Case{
		caseOf("a-good", "good", `{"status":"sealed","stdout":"hello\n"}`),
		caseOf("b-bad", "bad", `{"status":"sealed","stdout":"in there\n"}`),
		caseOf("c-panic", "panic", `{"status":"sealed"}`),
		caseOf("d-refused", "refuse", `{"status":"refused","error_code":"template_unknown","message_contains":["name"]}`),
		caseOf("e-broken", "broken", `{"status":"refused"}`),
		caseOf("f-empty", "empty", `{"status":"sealed"}`),
		caseOf("g-missing", "good", ""),
		lane, other,
	}
}

func TestRun(t *testing.T) {
	report := Run(t.Context(), fakeRun, mixedCases(), testOptions(t))
	want := []CaseResult{
		{ID: "a-good", Lane: "C", Status: Passed, Diff: []string{}},
		{ID: "b-bad", Lane: "C", Status: Failed, Diff: []string{
			`status: wanted "sealed", got "failed"`,
			fmt.Sprintf(`stdout line 1: wanted "in there\n", got "in %s\n"`, filepath.Join("<case>", "fixture", "skill")),
		}},
		{ID: "c-panic", Lane: "C", Status: Failed, Crashed: true, Diff: []string{
			fmt.Sprintf(`crash: wanted an observation, got "a panic: in %s"`, filepath.Join("<case>", "fixture", "skill"))}},
		{ID: "d-refused", Lane: "C", Status: Passed, Diff: []string{}},
		{ID: "e-broken", Lane: "C", Status: Failed, Crashed: true, Diff: []string{
			fmt.Sprintf(`crash: wanted an observation, got "cannot write %s"`, filepath.Join("<case>", "fixture", "skill"))}},
		{ID: "f-empty", Lane: "C", Status: Failed, Crashed: true, Diff: []string{
			`crash: wanted an observation, got "cannot read the envelope: its schema is \"\" and its status \"\""`}},
		{ID: "g-missing", Lane: "C", Status: Failed, Diff: []string{"expected: wanted an expectation, got none"}},
		{ID: "y-lane", Lane: "T", Status: Skipped, Diff: []string{"lane: T is not in this version, which has lane C"}},
		{ID: "z-other", Lane: "C", Status: NotApplicable, Diff: []string{}},
	}
	if d := cmp.Diff(report.Cases, want); d != "" {
		t.Errorf("cases (-got +want):\n%s", d)
	}
	if got, want := [5]int{report.Total, report.Passed, report.Failed, report.Skipped, report.NotApplicable}, [5]int{9, 2, 5, 1, 1}; got != want {
		t.Errorf("counts are %v, want %v", got, want)
	}
}

func TestRunIsTheSameInEveryOrder(t *testing.T) {
	opts := testOptions(t)
	var first []byte
	for _, jobs := range []int{1, 2, 16} {
		opts.Jobs = jobs
		cases := mixedCases()
		if jobs > 1 {
			slices.Reverse(cases)
		}
		report := Run(t.Context(), fakeRun, cases, opts)
		raw, err := report.JSON()
		if err != nil {
			t.Fatal(err)
		}
		junit, err := report.JUnit()
		if err != nil {
			t.Fatal(err)
		}
		all := slices.Concat(raw, junit, []byte(report.Text()))
		if first == nil {
			first = all
		}
		if !bytes.Equal(all, first) {
			t.Errorf("jobs %d: the report differs:\n%s\nfirst:\n%s", jobs, all, first)
		}
	}
	left, err := os.ReadDir(opts.TempDir)
	if err != nil || len(left) > 0 {
		t.Errorf("%d directories of cases are left (%v)", len(left), err)
	}
}

func TestRunStopped(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(runtime.ErrInterrupted)
	report := Run(ctx, fakeRun, []Case{caseOf("a", "good", `{"status":"sealed"}`)}, testOptions(t))
	if report.Holds() || !strings.Contains(report.Cases[0].Diff[0], "interrupted") {
		t.Errorf("a stopped gate reports %+v", report.Cases)
	}
}

func TestCaseHost(t *testing.T) {
	var mu sync.Mutex
	var got RunRequest
	run := func(ctx context.Context, req RunRequest) (json.RawMessage, error) {
		mu.Lock()
		defer mu.Unlock()
		got = req
		for dir, place := range map[string]string{
			req.Host.Dir: "workspace", req.PackageDir: "skill", filepath.Join(req.PackageDir, "..", "target"): "target",
		} {
			if text, err := os.ReadFile(filepath.Join(dir, "gate-place")); err != nil || string(text) != place {
				t.Errorf("%s is marked %q (%v), want %q", dir, text, err, place)
			}
		}
		return envelopeOf("sealed", `{"pids":[7,8]}`), nil
	}
	opts := testOptions(t)
	asked := map[int]int{}
	opts.Alive = func(pid int) bool { asked[pid]++; return pid == 8 && asked[8] < 3 }
	c := caseOf("a", "good", `{"status":"sealed","survivors":0}`)
	c.setup.env = map[string]*string{"PATH": nil, "EXTRA": new("x")}
	c = c.inputs(`{"a": 1}`)
	if report := Run(t.Context(), run, []Case{c}, opts); !report.Holds() {
		t.Errorf("report is %+v", report.Cases)
	}
	if d := cmp.Diff(asked, map[int]int{7: 3, 8: 3}); d != "" {
		t.Errorf("processes asked for (-got +want):\n%s", d)
	}
	if d := cmp.Diff(got.Host.Env, []string{"LANG=C", "EXTRA=x"}); d != "" {
		t.Errorf("environment (-got +want):\n%s", d)
	}
	if string(got.Inputs) != `{"a": 1}` || got.Runner != "case" {
		t.Errorf("request is %+v", got)
	}
	if !strings.HasPrefix(got.Host.UserConfigDir, filepath.Dir(got.Host.Dir)) {
		t.Errorf("the configuration is in %s, outside the case", got.Host.UserConfigDir)
	}
}

func TestSurvivorsWithoutKnowingProcesses(t *testing.T) {
	opts := testOptions(t)
	opts.Alive = nil
	run := func(context.Context, RunRequest) (json.RawMessage, error) {
		return envelopeOf("sealed", `{"pids":[]}`), nil
	}
	report := Run(t.Context(), run, []Case{caseOf("a", "good", `{"status":"sealed","survivors":0}`)}, opts)
	if d := cmp.Diff(report.Cases[0].Diff, []string{"survivors: wanted 0, got none"}); d != "" {
		t.Errorf("(-got +want):\n%s", d)
	}
}

func TestCancelWaitsForTheProbe(t *testing.T) {
	run := func(ctx context.Context, req RunRequest) (json.RawMessage, error) {
		if ctx.Err() != nil {
			return nil, errors.New("cancelled before the probe was ready")
		}
		if err := os.WriteFile(filepath.Join(req.Host.Dir, "probe-ready"), nil, 0o600); err != nil {
			return nil, err
		}
		<-ctx.Done()
		if !errors.Is(context.Cause(ctx), runtime.ErrInterrupted) {
			return nil, fmt.Errorf("the cause is %w", context.Cause(ctx))
		}
		return envelopeOf("cancelled", ""), nil
	}
	c := caseOf("a", "good", `{"status":"cancelled"}`)
	c.setup.cancel = true
	if report := Run(t.Context(), run, []Case{c}, testOptions(t)); !report.Holds() {
		t.Errorf("report is %+v", report.Cases)
	}
}

func TestStartedMark(t *testing.T) {
	for _, started := range []bool{true, false} {
		for _, want := range []bool{true, false} {
			run := func(ctx context.Context, req RunRequest) (json.RawMessage, error) {
				if started {
					if err := os.WriteFile(filepath.Join(req.Host.Dir, "probe-started"), nil, 0o600); err != nil {
						return nil, err
					}
				}
				return envelopeOf("sealed", ""), nil
			}
			c := caseOf("a", "good", `{"status":"sealed"}`)
			c.setup.started = &want
			if report := Run(t.Context(), run, []Case{c}, testOptions(t)); report.Holds() != (started == want) {
				t.Errorf("started %t, wanted %t: report is %+v", started, want, report.Cases)
			}
		}
	}
}

func TestObserveRefusals(t *testing.T) {
	tests := []struct {
		name    string
		err     error
		want    string
		crashed bool
	}{
		{"invalid", &runtime.Error{Class: runtime.ClassInvalid, Code: "c"}, "refused", false},
		{"refused", &runtime.Error{Class: runtime.ClassRefused, Code: "c"}, "refused", false},
		{"unconfined", fmt.Errorf("x: %w", &runtime.Error{Class: runtime.ClassUnconfined, Code: "c"}), "refused", false},
		{"a record failed", &runtime.Error{Class: runtime.ClassFailed, Code: "c"}, "", true},
		{"a bug", &runtime.Error{Code: "c"}, "", true},
		{"any other", errors.New("x"), "", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Observe(nil, tt.err)
			if got.Status != tt.want || (err != nil) != tt.crashed {
				t.Errorf("status %q, error %v; want %q, crashed %t", got.Status, err, tt.want, tt.crashed)
			}
		})
	}
}
