package main

import (
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

// readSecret asks on stderr and reads a line without echo.
func readSecret(prompt string) (string, error) {
	fmt.Fprint(os.Stderr, prompt)
	text, err := term.ReadPassword(int(os.Stdin.Fd()))
	fmt.Fprintln(os.Stderr)
	if err != nil {
		return "", errors.New("cannot read from the terminal")
	}
	return string(text), nil
}
