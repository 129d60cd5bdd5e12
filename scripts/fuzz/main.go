// Command fuzz runs each fuzz target of the repository in turn, for the time that it is given:
//
//	go run ./scripts/fuzz 30s            every target
//	go run ./scripts/fuzz 5m FuzzParse   those whose name matches a pattern
package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"regexp"
	"strings"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:])
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

// run fuzzes the targets that the arguments choose. A target that finds something does not keep the
// others from running; its input is where go test says.
func run(ctx context.Context, args []string) error {
	limit, pattern, err := parseArguments(args)
	if err != nil {
		return err
	}
	list := exec.CommandContext(ctx, "go", "test", "-list", "^Fuzz", "./...")
	list.Stderr = os.Stderr
	text, err := list.Output()
	if err != nil {
		return fmt.Errorf("cannot list the fuzz targets: %w", err)
	}
	var broken []string
	chosen := 0
	for _, t := range parseTargets(string(text)) {
		if !pattern.MatchString(t.name) {
			continue
		}
		chosen++
		fmt.Printf("\n%s %s\n", t.pkg, t.name)
		fuzz := exec.CommandContext(ctx, "go", "test", "-run", "^$", "-fuzz", "^"+t.name+"$", "-fuzztime", limit.String(), t.pkg)
		fuzz.Stdout, fuzz.Stderr = os.Stdout, os.Stderr
		if err := fuzz.Run(); err != nil {
			broken = append(broken, t.name)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	switch {
	case chosen == 0:
		return fmt.Errorf("no fuzz target matches %q", pattern)
	case len(broken) > 0:
		return fmt.Errorf("%d of %d targets found something: %s", len(broken), chosen, strings.Join(broken, ", "))
	}
	fmt.Printf("\n%d targets found nothing in %s each\n", chosen, limit)
	return nil
}

// parseArguments reads DURATION [PATTERN].
func parseArguments(args []string) (time.Duration, *regexp.Regexp, error) {
	if len(args) == 0 || len(args) > 2 {
		return 0, nil, fmt.Errorf("usage: go run ./scripts/fuzz DURATION [PATTERN]")
	}
	limit, err := time.ParseDuration(args[0])
	if err != nil || limit <= 0 {
		return 0, nil, fmt.Errorf("cannot read the duration %q: it is a positive number with a unit, such as 30s", args[0])
	}
	pattern, err := regexp.Compile(strings.Join(args[1:], ""))
	if err != nil {
		return 0, nil, fmt.Errorf("cannot read the pattern: %w", err)
	}
	return limit, pattern, nil
}

type target struct{ pkg, name string }

// parseTargets reads go test -list: the names of a package, then a line "ok package time".
func parseTargets(text string) (targets []target) {
	var names []string
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		switch {
		case len(fields) == 1 && strings.HasPrefix(fields[0], "Fuzz"):
			names = append(names, fields[0])
		case len(fields) >= 2 && fields[0] == "ok":
			for _, name := range names {
				targets = append(targets, target{pkg: fields[1], name: name})
			}
			names = nil
		}
	}
	return targets
}
