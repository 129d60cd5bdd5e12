package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// bench has the programs that are measured and a workspace for them.
type bench struct {
	scale
	workspace string
	env       []string
	runx      string
	hello     string
	noop      string
	flood     string
	hash      string
	stubborn  string // "" where it cannot be built
}

// newBench builds runx and the floors with the same flags.
func newBench(ctx context.Context, temp string, size scale) (*bench, error) {
	b := &bench{scale: size, workspace: filepath.Join(temp, "workspace")}
	home := filepath.Join(temp, "home")
	for _, dir := range []string{b.workspace, home} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			return nil, err
		}
	}
	b.env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH")}
	if runtime.GOOS == "windows" {
		b.env = append(b.env, "SystemRoot="+os.Getenv("SystemRoot"), "AppData="+home, "LocalAppData="+home)
	}
	programs := []struct {
		file *string
		dir  string
	}{
		{&b.runx, "./cmd/runx"},
		{&b.hello, "./scripts/bench/testdata/hello"},
		{&b.noop, "./scripts/bench/testdata/noop"},
		{&b.flood, "./scripts/bench/testdata/flood"},
		{&b.hash, "./scripts/bench/testdata/hash"},
		{&b.stubborn, "./scripts/bench/testdata/stubborn"},
	}
	for _, p := range programs {
		if p.file == &b.stubborn && runtime.GOOS == "windows" {
			continue
		}
		*p.file = filepath.Join(temp, filepath.Base(p.dir)+".exe")
		build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags=-s -w", "-o", *p.file, p.dir)
		build.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := build.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("cannot build %s: %w\n%s", p.dir, err, out)
		}
	}
	return b, nil
}

// writeSkill makes a package whose one runner starts a program, and returns its directory.
func (b *bench) writeSkill(name string, timeoutSeconds int, program string, args ...string) (string, error) {
	dir := filepath.Join(b.workspace, name)
	if err := os.Mkdir(dir, 0o700); err != nil {
		return "", err
	}
	manual := "---\nname: " + name + "\ndescription: A program that is measured.\n---\n\nIt is started by scripts/bench.\n"
	quoted := make([]string, len(args))
	for i, arg := range args {
		quoted[i] = fmt.Sprintf("%q", arg)
	}
	profile := fmt.Sprintf("skill: %s\nrunners:\n  main:\n    type: cli-tool\n    command: %q\n    args: [%s]\n    timeout_seconds: %d\n",
		name, program, strings.Join(quoted, ", "), timeoutSeconds)
	for file, text := range map[string]string{"SKILL.md": manual, "X.yaml": profile} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
			return "", err
		}
	}
	return dir, nil
}

// sample is one run of a program.
type sample struct {
	took   time.Duration
	memory int64 // highest resident bytes of the process or a descendant it waited for; 0: unknown
	stdout []byte
}

// measure runs a program to its end, its output discarded by the system, and refuses another exit
// code than the wanted one: what fails early is fast.
func (b *bench) measure(ctx context.Context, wantCode int, program string, args ...string) (sample, error) {
	return b.start(ctx, false, wantCode, program, args...)
}

// start is measure; with keep the standard output is returned.
func (b *bench) start(ctx context.Context, keep bool, wantCode int, program string, args ...string) (sample, error) {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.Env = b.workspace, b.env
	var out, errOut bytes.Buffer
	if keep {
		cmd.Stdout, cmd.Stderr = &out, &errOut
	}
	begun := time.Now()
	err := cmd.Run()
	took := time.Since(begun)
	if _, exited := errors.AsType[*exec.ExitError](err); err != nil && !exited {
		return sample{}, err
	}
	if code := cmd.ProcessState.ExitCode(); code != wantCode {
		return sample{}, fmt.Errorf("%s %s: exit %d, want %d\n%s%s",
			filepath.Base(program), strings.Join(args, " "), code, wantCode, out.Bytes(), errOut.Bytes())
	}
	return sample{took: took, memory: residentBytes(cmd.ProcessState), stdout: out.Bytes()}, nil
}

// contender is a program that is compared with others.
type contender struct {
	wantCode int
	program  string
	args     []string
}

// alternate runs every contender once a round, so that a busy moment hits all of them, and returns
// the durations and the highest memory of each. One round before is not counted.
func (b *bench) alternate(ctx context.Context, rounds int, contenders ...contender) (times [][]time.Duration, memory []int64, err error) {
	times, memory = make([][]time.Duration, len(contenders)), make([]int64, len(contenders))
	for round := range rounds + 1 {
		for i, c := range contenders {
			s, err := b.measure(ctx, c.wantCode, c.program, c.args...)
			if err != nil {
				return nil, nil, err
			}
			if round > 0 {
				times[i] = append(times[i], s.took)
				memory[i] = max(memory[i], s.memory)
			}
		}
	}
	return times, memory, nil
}
