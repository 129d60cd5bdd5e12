package main_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestInit starts the real binary and reads from the runtime's own trace what each package did
// before main: ours allocate nothing, and the libraries that work at start are the known ones.
func TestInit(t *testing.T) {
	t.Parallel()
	binary := filepath.Join(t.TempDir(), "runx.exe")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", binary, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("cannot build runx: %v\n%s", err, out)
	}
	run := exec.CommandContext(t.Context(), binary, "version")
	run.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	var trace strings.Builder
	run.Stderr = &trace
	if err := run.Run(); err != nil {
		t.Fatalf("cannot run runx version: %v\n%s", err, trace.String())
	}
	steps, err := parseInitTrace(trace.String())
	if err != nil {
		t.Fatal(err)
	}
	// Without this the test would pass on a trace that shows nothing.
	const compiles = "github.com/santhosh-tekuri/jsonschema/v6"
	if !slices.ContainsFunc(steps, func(s initStep) bool { return s.Package == compiles && s.Allocs > 0 }) {
		t.Errorf("the trace does not show %s, which is known to allocate at start:\n%s", compiles, trace.String())
	}
	for _, fault := range initFaults(steps) {
		t.Error(fault)
	}
}

// initStep is one line of the trace: what the initialisation of a package allocated.
type initStep struct {
	Package       string
	Bytes, Allocs int
}

// parseInitTrace reads the lines of GODEBUG=inittrace=1 and ignores others.
func parseInitTrace(text string) (steps []initStep, err error) {
	line := regexp.MustCompile(`^init (\S+) @.* clock, (\d+) bytes, (\d+) allocs$`)
	for l := range strings.Lines(text) {
		l = strings.TrimRight(l, "\r\n")
		if !strings.HasPrefix(l, "init ") {
			continue
		}
		m := line.FindStringSubmatch(l)
		if m == nil {
			return nil, fmt.Errorf("cannot read the line %q of the trace", l)
		}
		step := initStep{Package: m[1]}
		step.Bytes, _ = strconv.Atoi(m[2])  // digits, by the pattern
		step.Allocs, _ = strconv.Atoi(m[3]) // the same
		steps = append(steps, step)
	}
	return steps, nil
}

// initFaults returns the packages of ours that allocate. Time is not judged: it is the machine's.
func initFaults(steps []initStep) (faults []string) {
	for _, s := range steps {
		ours := s.Package == "main" || s.Package == modulePath || strings.HasPrefix(s.Package, modulePath+"/")
		if ours && (s.Allocs > 0 || s.Bytes > 0) {
			faults = append(faults, fmt.Sprintf("%s allocates at start: %d allocations, %d bytes; make the value when it is used",
				s.Package, s.Allocs, s.Bytes))
		}
	}
	return faults
}

func TestInitFaults(t *testing.T) {
	t.Parallel()
	const library = "init github.com/santhosh-tekuri/jsonschema/v6 @1.5 ms, 6.2 ms clock, 1812345 bytes, 21000 allocs\n"
	tests := []struct {
		name, trace string
		want        []string
	}{
		{"libraries only", "init internal/bytealg @0.008 ms, 0 ms clock, 0 bytes, 0 allocs\n" + library + "runx dev\n", nil},
		{"ours without work", library + "init " + modulePath + "/internal/cli @2 ms, 0 ms clock, 0 bytes, 0 allocs\n", nil},
		{"ours", library + "init " + modulePath + "/internal/cli @2 ms, 0.01 ms clock, 48 bytes, 1 allocs\n",
			[]string{modulePath + "/internal/cli allocates at start: 1 allocations, 48 bytes; make the value when it is used"}},
		{"main, Windows line ends", "init main @2 ms, 0.01 ms clock, 48 bytes, 1 allocs\r\n",
			[]string{"main allocates at start: 1 allocations, 48 bytes; make the value when it is used"}},
		{"a name that only begins like ours", "init " + modulePath + "ish @2 ms, 0.01 ms clock, 48 bytes, 1 allocs\n", nil},
		{"another format", "init main took 1 ms\n", []string{`cannot read the line "init main took 1 ms" of the trace`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			steps, err := parseInitTrace(tt.trace)
			got := initFaults(steps)
			if err != nil {
				got = append(got, err.Error())
			}
			if diff := cmp.Diff(got, tt.want); diff != "" {
				t.Errorf("faults (-got +want):\n%s", diff)
			}
		})
	}
}
