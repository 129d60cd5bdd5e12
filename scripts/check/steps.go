package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// step is one check. alone means that no other step runs beside it.
type step struct {
	name  string
	alone bool
	run   func(ctx context.Context, out *output) error
}

// output collects what a step has to show: all of it is printed when the step fails, the notes
// always.
type output struct {
	text  bytes.Buffer
	notes []string
}

func (o *output) printf(format string, args ...any) { fmt.Fprintf(&o.text, format, args...) }

func (o *output) note(format string, args ...any) {
	o.notes = append(o.notes, fmt.Sprintf(format, args...))
}

// capture runs a command and returns its standard output; standard error goes to the step's output.
func (o *output) capture(ctx context.Context, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Stderr = &o.text
	listed, err := cmd.Output()
	if err != nil {
		return string(listed), fmt.Errorf("cannot run %s: %w", describe(nil, name, args), err)
	}
	return string(listed), nil
}

// command runs a command whose streams both go to the step's output.
func (o *output) command(ctx context.Context, env []string, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = append(os.Environ(), env...)
	cmd.Stdout, cmd.Stderr = &o.text, &o.text
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w", describe(env, name, args), err)
	}
	return nil
}

// describe is the line to type to see the same.
func describe(env []string, name string, args []string) string {
	return strings.Join(append(append(append([]string(nil), env...), name), args...), " ")
}

// goCommand is a step that holds when a go command succeeds.
func goCommand(env []string, args ...string) func(context.Context, *output) error {
	return func(ctx context.Context, out *output) error { return out.command(ctx, env, "go", args...) }
}

// result is how a step ended.
type result struct {
	name string
	err  error
	took time.Duration
}

// runSteps runs all steps, at most slots at once and those that are alone after the others, prints
// each when it ends and a summary in the given order. It says whether all hold.
func runSteps(ctx context.Context, w io.Writer, steps []step, slots int) bool {
	begun := time.Now()
	results := make([]result, len(steps))
	var printing sync.Mutex
	runOne := func(i int) {
		var out output
		began := time.Now()
		err := steps[i].run(ctx, &out)
		results[i] = result{steps[i].name, err, time.Since(began)}
		printing.Lock()
		defer printing.Unlock()
		printResult(w, results[i], &out)
	}
	var group sync.WaitGroup
	free := make(chan struct{}, slots)
	for i, s := range steps {
		if s.alone {
			continue
		}
		free <- struct{}{}
		group.Go(func() {
			defer func() { <-free }()
			runOne(i)
		})
	}
	group.Wait()
	for i, s := range steps {
		if s.alone {
			runOne(i)
		}
	}
	return printSummary(w, results, time.Since(begun))
}

func printResult(w io.Writer, r result, out *output) {
	fmt.Fprintf(w, "%-4s  %-22s %6.1fs\n", verdict(r.err), r.name, r.took.Seconds())
	for _, note := range out.notes {
		fmt.Fprintf(w, "      %s\n", note)
	}
	if r.err == nil {
		return
	}
	if text := strings.TrimRight(out.text.String(), "\n"); text != "" {
		fmt.Fprintf(w, "      %s\n", strings.ReplaceAll(text, "\n", "\n      "))
	}
	fmt.Fprintf(w, "      %v\n", r.err)
}

func printSummary(w io.Writer, results []result, took time.Duration) bool {
	var failed []string
	for _, r := range results {
		if r.err != nil {
			failed = append(failed, r.name)
		}
	}
	fmt.Fprintf(w, "\n%d of %d steps hold, %.1fs\n", len(results)-len(failed), len(results), took.Seconds())
	if len(failed) > 0 {
		fmt.Fprintf(w, "failed: %s\n", strings.Join(failed, ", "))
	}
	return len(failed) == 0
}

func verdict(err error) string {
	switch {
	case err == nil:
		return "ok"
	case errors.Is(err, context.Canceled):
		return "stop"
	}
	return "FAIL"
}
