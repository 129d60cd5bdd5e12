package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

// knownSkips are the reasons for which a test may be skipped, by system. A skip with another reason
// fails the check: a test that runs nowhere proves nothing.
func knownSkips(system string) []string {
	// Which user runs the tests, and what the file system can do, decides about these.
	known := []string{
		"needs a user whom file modes bind",
		"needs to give a file to another user",
		"modes deny nothing to this user",
	}
	switch system {
	case "windows":
		known = append(known,
			"files have no permission bits on Windows",
			"symbolic links cannot be made here",
			"this system has no such file names",
			"this file system ignores case",
			"this system does not list open files",
			"a pseudo-terminal is needed")
	case "darwin":
		known = append(known, "this system has no such file names", "this file system ignores case")
	}
	return known
}

// raceTests is the step that runs every test under the race detector.
func raceTests(ctx context.Context, out *output) error {
	if err := needCompiler(ctx, out); err != nil {
		return err
	}
	return goTests([]string{"-race"}, "./...")(ctx, out)
}

// goTests is a step that runs the tests of some packages, shows the output of those that fail, and
// lists what was skipped and why.
func goTests(flags []string, packages ...string) func(context.Context, *output) error {
	return func(ctx context.Context, out *output) error {
		args := append(append([]string{"test", "-json"}, flags...), packages...)
		cmd := exec.CommandContext(ctx, "go", args...)
		cmd.Env = os.Environ()
		cmd.Stderr = &out.text
		pipe, err := cmd.StdoutPipe()
		if err != nil {
			return err
		}
		if err := cmd.Start(); err != nil {
			return err
		}
		report, readErr := readTests(pipe)
		if readErr != nil {
			_, _ = io.Copy(io.Discard, pipe) // so that the command can end
		}
		err = cmd.Wait()
		out.printf("%s", report.failures.String())
		out.note("%d tests passed, %d were skipped", report.passed, len(report.skips))
		unknown := unknownSkips(report.skips, knownSkips(runtime.GOOS))
		for _, s := range report.skips {
			out.note("skipped %s: %s", s.test, s.reason)
		}
		if len(unknown) > 0 {
			err = errors.Join(err, fmt.Errorf("skipped for a reason that knownSkips does not have: %s", strings.Join(unknown, ", ")))
		}
		return errors.Join(err, readErr)
	}
}

// namedTests is a step that runs some tests by name and fails when one of them does not exist.
func namedTests(pkg string, names ...string) func(context.Context, *output) error {
	return func(ctx context.Context, out *output) error {
		pattern := "^(" + strings.Join(names, "|") + ")$"
		text, err := out.capture(ctx, "go", "test", "-v", "-run", pattern, pkg)
		if err != nil {
			out.printf("%s", text)
			return err
		}
		for _, name := range names {
			if !strings.Contains(text, "--- PASS: "+name+" ") {
				return fmt.Errorf("%s has no test %s", pkg, name)
			}
		}
		return nil
	}
}

// testReport is what a run of go test -json says.
type testReport struct {
	passed   int
	skips    []skip
	failures strings.Builder
}

type skip struct{ test, reason string }

// testEvent is one line of go test -json.
type testEvent struct {
	Action, Package, ImportPath, Test, Output string
}

// readTests reads go test -json. Of tests and packages that fail it keeps the output.
func readTests(r io.Reader) (*testReport, error) {
	report := &testReport{}
	printed := map[[2]string]*strings.Builder{}
	lines := bufio.NewReader(r)
	for {
		line, err := lines.ReadString('\n')
		if line != "" {
			report.take(line, printed)
		}
		if errors.Is(err, io.EOF) {
			return report, nil
		}
		if err != nil {
			return report, fmt.Errorf("cannot read the output of go test: %w", err)
		}
	}
}

func (r *testReport) take(line string, printed map[[2]string]*strings.Builder) {
	var e testEvent
	if json.Unmarshal([]byte(line), &e) != nil {
		r.failures.WriteString(line) // go test itself speaks, for example of a bad flag
		return
	}
	key := [2]string{e.Package, e.Test}
	if printed[key] == nil {
		printed[key] = &strings.Builder{}
	}
	switch e.Action {
	case "build-output":
		r.failures.WriteString(e.Output)
	case "output":
		printed[key].WriteString(e.Output)
	case "pass":
		if e.Test != "" {
			r.passed++
		}
		delete(printed, key)
	case "fail":
		r.failures.WriteString(printed[key].String())
		delete(printed, key)
	case "skip":
		if e.Test != "" {
			r.skips = append(r.skips, skip{e.Package + "." + e.Test, skipReason(printed[key].String())})
		}
		delete(printed, key)
	}
}

// skipReason finds the reason in the output of a skipped test: the last line that names its file.
func skipReason(text string) string {
	found := regexp.MustCompile(`(?m)^\s+\S+\.go:\d+: (.*)$`).FindAllStringSubmatch(text, -1)
	if len(found) == 0 {
		return "no reason"
	}
	return found[len(found)-1][1]
}

// unknownSkips returns the tests whose reason begins like none of the known ones.
func unknownSkips(skips []skip, known []string) (tests []string) {
	for _, s := range skips {
		if !slices.ContainsFunc(known, func(reason string) bool { return strings.HasPrefix(s.reason, reason) }) {
			tests = append(tests, s.test)
		}
	}
	return tests
}
