package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"regexp"
	"runtime"
)

// budgets are the recorded limits.
const (
	versionBudget = 7.0      // runx version, in times of a program that prints one line
	skillBudget   = 3.0      // runx skill, in times of runx version and the program together
	drainBudget   = 0.6      // speed of draining, as a part of the speed of hashing
	memoryBudget  = 64 << 20 // resident bytes of runx while it drains
	timeoutBudget = 1.2      // return after a time limit, in times of the limit and the grace
)

// scale is how much is measured.
type scale struct {
	runs       int // of each program that is compared; at least 30 for a record
	drainBytes int
	timeouts   int // runs that end at their limit
	beside     int // of them at once
}

func main() {
	quick := flag.Bool("quick", false, "measure little, and judge nothing")
	only := flag.String("only", "", "measure only what matches this `regexp`")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	held, err := run(ctx, *quick, *only)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
	}
	if err != nil || !held && !*quick {
		os.Exit(1)
	}
}

// run measures what the pattern chooses and says whether every budget is kept.
func run(ctx context.Context, quick bool, only string) (held bool, err error) {
	pattern, err := regexp.Compile(only)
	if err != nil {
		return false, fmt.Errorf("cannot read -only: %w", err)
	}
	size := scale{runs: 40, drainBytes: 2 << 30, timeouts: 200, beside: 8}
	if quick {
		size = scale{runs: 5, drainBytes: 64 << 20, timeouts: 8, beside: 4}
	}
	temp, err := os.MkdirTemp("", "runx-bench-")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(temp) //nolint:errcheck // a leftover in the temporary directory harms nobody
	b, err := newBench(ctx, temp, size)
	if err != nil {
		return false, err
	}
	fmt.Printf("%s, %s/%s, %d processors\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	held = true
	for _, m := range []struct {
		name    string
		measure func(*bench, context.Context) ([]finding, error)
	}{
		{"version", (*bench).version},
		{"skill", (*bench).skill},
		{"drain", (*bench).drain},
		{"timeout", (*bench).timeout},
		{"go", (*bench).goBenchmarks},
	} {
		if !pattern.MatchString(m.name) {
			continue
		}
		fmt.Printf("\n%s\n", m.name)
		findings, err := m.measure(b, ctx)
		if err != nil {
			return false, fmt.Errorf("cannot measure %s: %w", m.name, err)
		}
		for _, f := range findings {
			fmt.Printf("  %s\n", f)
			held = held && f.held()
		}
	}
	return held, nil
}
