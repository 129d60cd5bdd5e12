package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/runx-go/runx/internal/cli"
	"golang.org/x/term"
)

// terminal adds to the streams which of them are terminals, and how to ask for a secret.
func terminal(streams cli.IO) cli.IO {
	isTerminal := func(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }
	streams.InTerminal, streams.OutTerminal, streams.ErrTerminal = isTerminal(os.Stdin), isTerminal(os.Stdout), isTerminal(os.Stderr)
	if streams.InTerminal && streams.ErrTerminal {
		streams.ReadSecret = readSecret
	}
	return streams
}

// readSecret asks on stderr and reads a line without echo. However it ends, the terminal is as it
// was.
func readSecret(ctx context.Context, prompt string) (string, error) {
	terminal := int(os.Stdin.Fd())
	before, err := term.GetState(terminal)
	if err != nil {
		return "", fmt.Errorf("cannot read the state of the terminal: %w", err)
	}
	fmt.Fprint(os.Stderr, prompt)
	defer fmt.Fprintln(os.Stderr)
	type answer struct {
		text []byte
		err  error
	}
	answers := make(chan answer, 1)
	go func() {
		text, err := term.ReadPassword(terminal)
		answers <- answer{text, err}
	}()
	select {
	case got := <-answers:
		if got.err != nil {
			return "", fmt.Errorf("cannot read from the terminal: %w", got.err)
		}
		return string(got.text), nil
	case <-ctx.Done():
		return "", errors.Join(context.Cause(ctx), term.Restore(terminal, before))
	}
}
