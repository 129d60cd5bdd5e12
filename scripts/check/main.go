package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
)

func main() {
	fast := flag.Bool("fast", false, "check only the packages changed since the last commit")
	only := flag.String("run", "", "run only the steps whose name matches this `regexp`")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	ok, err := check(ctx, *fast, *only)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
	}
	if err != nil || !ok {
		os.Exit(1)
	}
}

// check runs the steps and says whether all hold.
func check(ctx context.Context, fast bool, only string) (bool, error) {
	pattern, err := regexp.Compile(only)
	if err != nil {
		return false, fmt.Errorf("cannot read -run: %w", err)
	}
	if _, err := os.Stat("go.mod"); err != nil {
		return false, fmt.Errorf("cannot find go.mod: run this from the root of the repository")
	}
	temp, err := os.MkdirTemp("", "runx-check-")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(temp) //nolint:errcheck // a leftover in the temporary directory harms nobody
	steps := fullSteps(temp)
	if fast {
		packages, err := changedPackages(ctx)
		if err != nil {
			return false, err
		}
		fmt.Println("changed:", strings.Join(packages, " "))
		steps = fastSteps(packages)
	}
	var chosen []step
	for _, s := range steps {
		if pattern.MatchString(s.name) {
			chosen = append(chosen, s)
		}
	}
	if len(chosen) == 0 {
		return false, fmt.Errorf("no step matches %q", only)
	}
	return runSteps(ctx, os.Stdout, chosen, slots()), nil
}

// slots is how many steps run beside each other. Each go command uses all processors by itself, so
// two are enough to fill the gaps.
func slots() int { return min(2, runtime.NumCPU()) }

// fullSteps are all steps, the long ones first.
func fullSteps(temp string) []step {
	steps := []step{
		{name: "lint", run: lint("./...")},
		{name: "gofmt", run: gofmt},
		{name: "vet", run: goCommand(nil, "vet", "./...")},
	}
	for _, system := range []string{"windows", "darwin"} {
		env := []string{"GOOS=" + system, "GOARCH=amd64", "CGO_ENABLED=0"}
		steps = append(steps,
			step{name: system + " build", run: goCommand(env, "build", "./...")},
			step{name: system + " vet", run: goCommand(env, "vet", "./...")})
	}
	for _, target := range targets() {
		steps = append(steps, step{name: "static " + target.String(), run: staticBuild(target, temp)})
	}
	return append(steps,
		step{name: "mod tidy", run: goCommand(nil, "mod", "tidy", "-diff")},
		step{name: "mod verify", run: goCommand(nil, "mod", "verify")},
		step{name: "layers", run: namedTests("./cmd/runx", "TestLayers", "TestSources", "TestInit")},
		step{name: "docs", run: namedTests("./cmd/runx", "TestCommandReference")},
		// Tests supervise processes against real time limits: nothing else runs beside them.
		step{name: "test -race", alone: true, run: raceTests},
	)
}

// fastSteps are the steps for some packages: no cross builds, no race detector.
func fastSteps(packages []string) []step {
	steps := []step{
		{name: "gofmt", run: gofmt},
		{name: "layers", run: namedTests("./cmd/runx", "TestLayers", "TestSources")},
	}
	if len(packages) == 0 {
		return steps
	}
	return append(steps,
		step{name: "vet", run: goCommand(nil, append([]string{"vet"}, packages...)...)},
		step{name: "lint", run: lint(packages...)},
		step{name: "test", alone: true, run: goTests(nil, packages...)})
}

// gofmt lists Go files that are not formatted.
func gofmt(ctx context.Context, out *output) error {
	root, err := out.capture(ctx, "go", "env", "GOROOT")
	if err != nil {
		return err
	}
	program := filepath.Join(strings.TrimSpace(root), "bin", "gofmt")
	listed, err := out.capture(ctx, program, "-l", "cmd", "internal", "scripts")
	if err != nil {
		return err
	}
	if names := strings.TrimSpace(listed); names != "" {
		out.printf("%s\n", names)
		return fmt.Errorf("not formatted; run: gofmt -w cmd internal scripts")
	}
	return nil
}
