package harness

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Compare holds an observation against an expectation and returns one line for each difference, in
// the order of the keys of Expected, empty when all hold. It is pure. At most 20 lines come back;
// the last one counts the rest.
func Compare(want *Expected, got Observation) []string {
	var d diff
	if want == nil {
		d.add("expected", "an expectation", "none")
		return d.lines
	}
	if want.Status != got.Status {
		d.add("status", shown(want.Status), shown(got.Status))
		if got.Message != "" {
			d.note("error", strings.TrimSpace(got.Message))
		}
	}
	d.text("error_code", want.ErrorCode, got.ErrorCode)
	for _, part := range want.MessageContains {
		if !strings.Contains(got.Message, part) {
			d.add("message_contains", shown(part), shown(strings.TrimSpace(got.Message)))
		}
	}
	d.integer("exit_code", want.ExitCode, got.ExitCode)
	d.text("signal", want.Signal, got.Signal)
	d.stream("stdout", want.Stdout, got.Stdout)
	d.stream("stderr", want.Stderr, got.Stderr)
	if want.Result != nil {
		d.json("result", want.Result, got.Result)
	}
	d.text("cwd", want.Cwd, got.Cwd)
	d.reported(want, got.Reported)
	d.integer("survivors", want.Survivors, got.Survivors)
	if want.DescendantHeldPipe != nil && (got.HeldPipe == nil || *got.HeldPipe != *want.DescendantHeldPipe) {
		d.add("descendant_held_pipe", strconv.FormatBool(*want.DescendantHeldPipe), orNone(got.HeldPipe, strconv.FormatBool))
	}
	for _, code := range want.Warnings {
		if !slices.Contains(got.Warnings, code) {
			d.add("warnings", shown(code), shown(strings.Join(got.Warnings, ", ")))
		}
	}
	if want.MaxDurationMS != nil && got.Duration > time.Duration(*want.MaxDurationMS)*time.Millisecond {
		// The time itself is left out: a report is the same every time.
		d.add("max_duration_ms", fmt.Sprintf("at most %d", *want.MaxDurationMS), "more")
	}
	return d.capped()
}

// reported compares what the program says about itself.
func (d *diff) reported(want *Expected, got Reported) {
	if want.InputsSource != nil && got.InputsSource == nil {
		d.add("inputs_source", shown(*want.InputsSource), "no such member of a JSON object on stdout")
	} else if want.InputsSource != nil {
		d.text("inputs_source", want.InputsSource, *got.InputsSource)
	}
	if want.Variables == nil {
		return
	}
	if got.Variables == nil {
		d.add("variables", "names", "no such member of a JSON object on stdout")
		return
	}
	for _, name := range want.Variables.Present {
		if !slices.Contains(*got.Variables, name) {
			d.add("variables."+name, "present", "absent")
		}
	}
	for _, name := range want.Variables.Absent {
		if slices.Contains(*got.Variables, name) {
			d.add("variables."+name, "absent", "present")
		}
	}
	if len(want.Variables.Only) == 0 {
		return
	}
	for _, name := range *got.Variables {
		if !slices.Contains(want.Variables.Only, name) {
			d.add("variables."+name, "absent (not in only)", "present")
		}
	}
}

// stream compares one stream; the other one has no part in it.
func (d *diff) stream(path string, want *StreamWant, got *Stream) {
	if want == nil {
		return
	}
	if got == nil {
		d.add(path, "a stream", "none: nothing was started")
		return
	}
	switch {
	case want.Measure != nil:
		d.measure(path, want.Measure, got)
	case want.Text != nil:
		if got.Truncated {
			d.add(path+".truncated", "false", "true")
		}
		d.lineByLine(path, *want.Text, got.Text)
		if got.Replaced > 0 {
			d.add(path+".replaced", "0", strconv.Itoa(got.Replaced))
		}
	case want.JSON != nil:
		d.json(path, want.JSON, []byte(got.Text))
	default:
		sum := sha256.Sum256(want.Bytes)
		size, digest := int64(len(want.Bytes)), hex.EncodeToString(sum[:])
		before := len(d.lines)
		d.measure(path, &Measure{Bytes: &size, SHA256: &digest}, got)
		if len(d.lines) > before {
			d.lineByLine(path, strings.ToValidUTF8(string(want.Bytes), "\uFFFD"), got.Text)
		}
	}
}

func (d *diff) measure(path string, want *Measure, got *Stream) {
	number := func(name string, want *int64, got int64) {
		if want != nil && *want != got {
			d.add(path+"."+name, strconv.FormatInt(*want, 10), strconv.FormatInt(got, 10))
		}
	}
	number("bytes", want.Bytes, got.Bytes)
	number("retained_bytes", want.RetainedBytes, got.RetainedBytes)
	if want.SHA256 != nil && *want.SHA256 != got.SHA256 {
		d.add(path+".sha256", *want.SHA256, got.SHA256)
	}
	if want.Truncated != nil && *want.Truncated != got.Truncated {
		d.add(path+".truncated", strconv.FormatBool(*want.Truncated), strconv.FormatBool(got.Truncated))
	}
	if want.Replaced != nil && *want.Replaced != got.Replaced {
		d.add(path+".replaced", strconv.Itoa(*want.Replaced), strconv.Itoa(got.Replaced))
	}
}
