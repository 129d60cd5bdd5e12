package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
)

func TestRunSteps(t *testing.T) {
	t.Parallel()
	var beside atomic.Int32
	beside.Store(0)
	quick := func(context.Context, *output) error {
		beside.Add(1)
		return nil
	}
	steps := []step{
		{name: "alone", alone: true, run: func(_ context.Context, out *output) error {
			if n := beside.Load(); n != 2 {
				return errors.New("it did not run after the others")
			}
			out.note("a note")
			return nil
		}},
		{name: "quick", run: quick},
		{name: "broken", run: func(_ context.Context, out *output) error {
			out.printf("line 1\nline 2\n")
			return errors.New("it is broken")
		}},
		{name: "after", run: quick},
	}
	var w bytes.Buffer
	if runSteps(t.Context(), &w, steps, 1) {
		t.Error("a failed step was not reported")
	}
	got := regexp.MustCompile(`\d+\.\ds`).ReplaceAllString(w.String(), "T")
	want := `ok    quick                     T
FAIL  broken                    T
      line 1
      line 2
      it is broken
ok    after                     T
ok    alone                     T
      a note

3 of 4 steps hold, T
failed: broken
`
	if got = strings.ReplaceAll(got, "   T", "T"); got != strings.ReplaceAll(want, "   T", "T") {
		t.Errorf("printed:\n%s\nwant:\n%s", got, want)
	}
	w.Reset()
	if !runSteps(t.Context(), &w, []step{{name: "quick", run: quick}}, 2) || strings.Contains(w.String(), "failed") {
		t.Errorf("steps that hold were reported as failed:\n%s", w.String())
	}
}

func TestParseChanged(t *testing.T) {
	t.Parallel()
	exists := func(dir string) bool { return dir != "gone" && dir != "docs" && dir != "." }
	tests := []struct {
		name, status string
		want         []string
	}{
		{"nothing", "", nil},
		{"changed and new, each once", " M internal/b/x.go\n?? internal/a/y.go\nA  internal/b/z.go\r\n", []string{"./internal/a", "./internal/b"}},
		{"testdata is of the package above", " M internal/a/testdata/fuzz/F/1\n M internal/c/testdata/x\n", []string{"./internal/a", "./internal/c"}},
		{"quoted", "?? \"internal/a/\\303\\274.go\"\n", []string{"./internal/a"}},
		{"no package", " D gone/x.go\n M docs/a.md\n M go.mod\n", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := parseChanged(tt.status, exists); !slices.Equal(got, tt.want) {
				t.Errorf("packages %q, want %q", got, tt.want)
			}
		})
	}
}

func TestReadTests(t *testing.T) {
	t.Parallel()
	text := strings.Join([]string{
		`{"Action":"run","Package":"p","Test":"TestA"}`,
		`{"Action":"output","Package":"p","Test":"TestA","Output":"--- PASS: TestA\n"}`,
		`{"Action":"pass","Package":"p","Test":"TestA"}`,
		`{"Action":"output","Package":"p","Test":"TestB","Output":"    b_test.go:7: got 1, want 2\n"}`,
		`{"Action":"fail","Package":"p","Test":"TestB"}`,
		`{"Action":"output","Package":"p","Test":"TestC","Output":"    c_test.go:7: needs a moon\n"}`,
		`{"Action":"output","Package":"p","Test":"TestC","Output":"--- SKIP: TestC (0.00s)\n"}`,
		`{"Action":"skip","Package":"p","Test":"TestC"}`,
		`{"Action":"skip","Package":"p","Test":"TestD"}`,
		`{"Action":"output","Package":"p","Output":"FAIL\tp\n"}`,
		`{"Action":"fail","Package":"p"}`,
		`{"Action":"skip","Package":"none"}`,
		`{"ImportPath":"q","Action":"build-output","Output":"q.go:1: no\n"}`,
		`panic: not JSON`,
	}, "\n") + "\n"
	report, err := readTests(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if report.passed != 1 {
		t.Errorf("passed %d, want 1", report.passed)
	}
	want := "    b_test.go:7: got 1, want 2\nFAIL\tp\nq.go:1: no\npanic: not JSON\n"
	if got := report.failures.String(); got != want {
		t.Errorf("failures %q, want %q", got, want)
	}
	if want := []skip{{"p.TestC", "needs a moon"}, {"p.TestD", "no reason"}}; !slices.Equal(report.skips, want) {
		t.Errorf("skips %q, want %q", report.skips, want)
	}
	if got, want := unknownSkips(report.skips, []string{"needs a"}), []string{"p.TestD"}; !slices.Equal(got, want) {
		t.Errorf("unknown skips %q, want %q", got, want)
	}
}

func TestCheckStatic(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	source := filepath.Join(dir, "main.go")
	if err := os.WriteFile(source, []byte("package main\n\nfunc main() {}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct{ name, mode, want string }{
		{"static", "exe", ""},
		{"with a loader", "pie", "with-loader is not static: it names a loader"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var out output
			file := filepath.Join(dir, map[string]string{"exe": "static", "pie": "with-loader"}[tt.mode])
			env := []string{"GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=0"}
			if err := out.command(t.Context(), env, "go", "build", "-buildmode="+tt.mode, "-o", file, source); err != nil {
				t.Fatalf("%v\n%s", err, out.text.String())
			}
			got := ""
			if err := checkStatic(file); err != nil {
				got = err.Error()
			}
			if got != tt.want {
				t.Errorf("error %q, want %q", got, tt.want)
			}
		})
	}
}

func TestNamedTests(t *testing.T) {
	t.Parallel()
	var out output
	if err := namedTests(".", "TestParseChanged")(t.Context(), &out); err != nil {
		t.Errorf("a test that exists: %v\n%s", err, out.text.String())
	}
	err := namedTests(".", "TestParseChanged", "TestNobodyWrote")(t.Context(), &out)
	if err == nil || err.Error() != ". has no test TestNobodyWrote" {
		t.Errorf("error %v, want one that names the test", err)
	}
}

// TestTargets keeps the six systems of a release.
func TestTargets(t *testing.T) {
	t.Parallel()
	var got []string
	for _, target := range targets() {
		got = append(got, target.String())
	}
	want := "linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64"
	if strings.Join(got, " ") != want {
		t.Errorf("targets %q, want %q", got, want)
	}
}

// TestKnownSkips keeps Linux, which the gate runs on, from skipping what only others may.
func TestKnownSkips(t *testing.T) {
	t.Parallel()
	skips := []skip{{"a", "this file system ignores case"}, {"b", "modes deny nothing to this user"}}
	if got, want := unknownSkips(skips, knownSkips("linux")), []string{"a"}; !slices.Equal(got, want) {
		t.Errorf("unknown on Linux %q, want %q", got, want)
	}
	if got := unknownSkips(skips, knownSkips("darwin")); got != nil {
		t.Errorf("unknown on macOS %q, want none", got)
	}
}
