package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// grace is what a child gets between SIGTERM and SIGKILL.
const grace = 500 * time.Millisecond

// version compares runx version with a program that prints one line.
func (b *bench) version(ctx context.Context) ([]finding, error) {
	times, _, err := b.alternate(ctx, b.runs, contender{program: b.hello}, contender{program: b.runx, args: []string{"version"}})
	if err != nil {
		return nil, err
	}
	floor, value := median(times[0]), median(times[1])
	r, err := ratio(value, floor)
	return []finding{{what: "runx version / hello", value: r, budget: versionBudget, unit: "x",
		detail: milliseconds(value) + " / " + milliseconds(floor)}}, err
}

// skill compares runx skill, with its receipt, with runx version and the program by itself.
func (b *bench) skill(ctx context.Context) ([]finding, error) {
	dir, err := b.writeSkill("noop", 60, b.noop)
	if err != nil {
		return nil, err
	}
	times, _, err := b.alternate(ctx, b.runs,
		contender{program: b.noop},
		contender{program: b.runx, args: []string{"version"}},
		contender{program: b.runx, args: []string{"skill", dir}})
	if err != nil {
		return nil, err
	}
	receipts, err := os.ReadDir(filepath.Join(b.workspace, ".runx", "receipts"))
	if err != nil {
		return nil, err
	}
	if len(receipts) < b.runs+1 {
		return nil, fmt.Errorf("%d runs left %d receipts", b.runs+1, len(receipts))
	}
	alone, version, value := median(times[0]), median(times[1]), median(times[2])
	r, err := ratio(value, alone+version)
	return []finding{{what: "runx skill / (version + program)", value: r, budget: skillBudget, unit: "x",
		detail: fmt.Sprintf("%s / (%s + %s)", milliseconds(value), milliseconds(version), milliseconds(alone))}}, err
}

// drain compares the time in which runx reads and hashes what a child writes with the time in which
// one process hashes the same bytes that it has in memory.
func (b *bench) drain(ctx context.Context) ([]finding, error) {
	count := strconv.Itoa(b.drainBytes)
	dir, err := b.writeSkill("flood", 600, b.flood, count)
	if err != nil {
		return nil, err
	}
	sum, err := b.start(ctx, true, 0, b.hash, count)
	if err != nil {
		return nil, err
	}
	// Truncated output is a failed run: exit 1. The document shows that nothing was left out.
	document, err := b.start(ctx, true, 1, b.runx, "skill", dir, "--json")
	if err != nil {
		return nil, err
	}
	if !bytes.Contains(document.stdout, bytes.TrimSpace(sum.stdout)) {
		return nil, fmt.Errorf("the result does not name the digest %s of all %s bytes", bytes.TrimSpace(sum.stdout), count)
	}
	times, memory, err := b.alternate(ctx, b.runs,
		contender{program: b.hash, args: []string{count}},
		contender{wantCode: 1, program: b.runx, args: []string{"skill", dir}})
	if err != nil {
		return nil, err
	}
	floor, value := median(times[0]), median(times[1])
	r, err := ratio(floor, value)
	if err != nil {
		return nil, err
	}
	speed := func(d time.Duration) string { return fmt.Sprintf("%.0f MB/s", float64(b.drainBytes)/1e6/d.Seconds()) }
	findings := []finding{{what: "drain speed / hash speed", value: r, budget: drainBudget, atLeast: true, unit: "x",
		detail: speed(value) + " / " + speed(floor)}}
	if peak := max(memory[1], document.memory); peak > 0 {
		findings = append(findings, finding{what: "memory while draining", value: float64(peak) / (1 << 20),
			budget: memoryBudget / (1 << 20), unit: " MiB",
			detail: fmt.Sprintf("highest resident size: %d MiB passed through, %d MiB with --json", memory[1]>>20, document.memory>>20)})
	}
	return findings, nil
}

// timeout measures how long runx takes to return from a tree that ignores every request to end, and
// counts the processes that are left.
func (b *bench) timeout(ctx context.Context) ([]finding, error) {
	if b.stubborn == "" {
		fmt.Println("  not measured on", runtime.GOOS)
		return nil, nil
	}
	pids := filepath.Join(b.workspace, "pids")
	if err := os.Mkdir(pids, 0o700); err != nil {
		return nil, err
	}
	limit := time.Second
	dir, err := b.writeSkill("stubborn", int(limit/time.Second), b.stubborn, pids)
	if err != nil {
		return nil, err
	}
	var times []time.Duration
	for len(times) < b.timeouts {
		batch, err := b.together(ctx, min(b.beside, b.timeouts-len(times)), dir)
		if err != nil {
			return nil, err
		}
		times = append(times, batch...)
	}
	if shortest := slices.Min(times); shortest < limit {
		return nil, fmt.Errorf("a run ended after %v, before its limit of %v", shortest, limit)
	}
	started, survivors, err := countSurvivors(pids, b.stubborn)
	if err != nil {
		return nil, err
	}
	if wanted := 2 * len(times); started < wanted {
		return nil, fmt.Errorf("%d processes were started in %d runs, want at least %d", started, len(times), wanted)
	}
	floor := limit + grace
	typical, err := ratio(median(times), floor)
	if err != nil {
		return nil, err
	}
	worst, err := ratio(slices.Max(times), floor)
	detail := fmt.Sprintf("limit %v, grace %v, %d at once", limit, grace, b.beside)
	return []finding{
		{what: "return, median / (limit + grace)", value: typical, budget: timeoutBudget, unit: "x", detail: detail},
		{what: "return, longest / (limit + grace)", value: worst, budget: timeoutBudget, unit: "x", detail: detail},
		{what: "survivors", value: float64(survivors), detail: fmt.Sprintf("of %d processes in %d runs", started, len(times))},
	}, err
}

// together runs the skill n times at once.
func (b *bench) together(ctx context.Context, n int, dir string) ([]time.Duration, error) {
	times, faults := make([]time.Duration, n), make([]error, n)
	var group sync.WaitGroup
	for i := range n {
		group.Go(func() {
			s, err := b.measure(ctx, 1, b.runx, "skill", dir)
			times[i], faults[i] = s.took, err
		})
	}
	group.Wait()
	for _, err := range faults {
		if err != nil {
			return nil, err
		}
	}
	return times, nil
}

// countSurvivors reads the files that the processes left and looks which of them still run. A
// process id that another program has by now is no survivor, where that can be told.
func countSurvivors(pids, program string) (started, survivors int, err error) {
	entries, err := os.ReadDir(pids)
	if err != nil {
		return 0, 0, err
	}
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil {
			return 0, 0, fmt.Errorf("cannot read the process id %q: %w", entry.Name(), err)
		}
		started++
		if runs(pid, program) {
			survivors++
		}
	}
	return started, survivors, nil
}

// runs says whether a process has this id and, on Linux, runs this program.
func runs(pid int, program string) bool {
	if runtime.GOOS == "linux" {
		file, err := os.Readlink("/proc/" + strconv.Itoa(pid) + "/exe")
		return err == nil && strings.TrimSuffix(file, " (deleted)") == program
	}
	return signalled(pid)
}
