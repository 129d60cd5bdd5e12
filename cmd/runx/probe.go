package main

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

// probeMode is the hidden first argument that makes this binary the probe of the author gate
// (skills 10.2): a program that shows what it was given and behaves as badly as it is asked to.
const probeMode = "__runx_probe"

// probeStdinBytes is how much of its stdin the probe reads: the largest input object, 64 MiB.
const probeStdinBytes = 64 << 20

// Exit codes of the probe that no case of the gate expects.
const (
	probeUsage  = 64 // the mode is unknown or malformed
	probeBroken = 70 // the probe could not do what it was asked
)

// probe is one run of the probe.
type probe struct {
	args    []string // after the mode
	environ []string
	stdin   io.Reader
	stdout  io.Writer
	stderr  io.Writer
}

// probeMain runs the probe; args are the words after probeMode, the first of which is the mode. It
// reads nothing of the environment but in the modes that report it. Modes:
//
//	report[:SOURCE] [NAME…]  report on stdout, facts on stderr (probe_report.go)
//	mark [NAME…]             make the file probe-started in the current directory, then report
//	argv [WORD…]             print the words as a JSON array
//	echo, count-stdin        copy stdin to stdout; read it to its end and print how long it was
//	exit:N                   write "out" and "err" lines without reading stdin and exit with N
//	print:BASE64             write exactly these bytes to stdout
//	flood:STREAM:N           write N bytes of pattern to stdout, stderr or both at once
//	utf8-cut                 write a character over the edge of 8 MiB
//	kill-self                end by a signal that cannot be caught
//	tree[:setsid|:ready]     a leader and a child that ignore signals (probe_tree.go)
//	leave:HOW                end at once and leave a child: hold, setsid or tail
//	child:HOW                such a child
//
// The code is that of the mode, 64 for an unknown mode, 70 when the mode could not be done.
func probeMain(args []string, environ []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if len(args) == 0 {
		fmt.Fprintln(stderr, "probe: a mode is needed")
		return probeUsage
	}
	p := probe{args: args[1:], environ: environ, stdin: stdin, stdout: stdout, stderr: stderr}
	mode, rest, _ := strings.Cut(args[0], ":")
	code, err := p.run(mode, rest)
	if err == nil {
		return code
	}
	fmt.Fprintf(stderr, "probe: cannot do %s: %v\n", args[0], err)
	if errors.Is(err, errProbeMode) {
		return probeUsage
	}
	return probeBroken
}

var errProbeMode = errors.New("no such mode")

func (p probe) run(mode, rest string) (int, error) {
	switch mode {
	case "report":
		return 0, p.report(rest)
	case "mark":
		if err := os.WriteFile("probe-started", nil, 0o600); err != nil {
			return 0, err
		}
		return 0, p.report(rest)
	case "argv":
		return 0, p.argv()
	case "echo":
		_, err := io.Copy(p.stdout, p.stdin)
		return 0, err
	case "count-stdin":
		n, err := io.Copy(io.Discard, p.stdin)
		if err != nil {
			return 0, err
		}
		_, err = fmt.Fprintf(p.stdout, "{\"stdin_bytes\":%d}\n", n)
		return 0, err
	case "exit":
		return p.exit(rest)
	case "print":
		data, err := base64.StdEncoding.DecodeString(rest)
		if err != nil {
			return 0, fmt.Errorf("%w: %w", errProbeMode, err)
		}
		_, err = p.stdout.Write(data)
		return 0, err
	case "flood":
		return 0, p.flood(rest)
	case "utf8-cut":
		return 0, p.utf8Cut()
	case "kill-self":
		return 0, killSelf()
	case "tree":
		return p.tree(rest)
	case "leave":
		return 0, p.leave(rest)
	case "child":
		return 0, p.child(rest)
	}
	return 0, errProbeMode
}

func (p probe) argv() error {
	encoder := json.NewEncoder(p.stdout)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(append([]string{}, p.args...))
}

func (p probe) exit(rest string) (int, error) {
	code, err := strconv.Atoi(rest)
	if err != nil {
		return 0, fmt.Errorf("%w: %w", errProbeMode, err)
	}
	if _, err := io.WriteString(p.stdout, "out\n"); err != nil {
		return 0, err
	}
	_, err = io.WriteString(p.stderr, "err\n")
	return code, err
}

// flood writes the pattern abc…z over and over.
func (p probe) flood(rest string) error {
	stream, size, _ := strings.Cut(rest, ":")
	n, err := strconv.ParseInt(size, 10, 64)
	if err != nil || n < 0 {
		return fmt.Errorf("%w: %q is no number of bytes", errProbeMode, size)
	}
	switch stream {
	case "stdout":
		return writePattern(p.stdout, n)
	case "stderr":
		return writePattern(p.stderr, n)
	case "both":
		done := make(chan error, 1)
		go func() { done <- writePattern(p.stderr, n) }()
		return errors.Join(writePattern(p.stdout, n), <-done)
	}
	return fmt.Errorf("%w: %q is no stream", errProbeMode, stream)
}

func writePattern(w io.Writer, n int64) error {
	const alphabet = "abcdefghijklmnopqrstuvwxyz"
	block := []byte(strings.Repeat(alphabet, 4096))
	for n > 0 {
		part := block[:min(int64(len(block)), n)]
		if _, err := w.Write(part); err != nil {
			return err
		}
		n -= int64(len(part))
	}
	return nil
}

// utf8Cut writes one byte less than 8 MiB and then ten characters of three bytes.
func (p probe) utf8Cut() error {
	text := strings.Repeat("a", 8<<20-1) + strings.Repeat("€", 10)
	_, err := io.WriteString(p.stdout, text)
	return err
}
