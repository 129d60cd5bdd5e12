package harness

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/runx-go/runx/internal/sandbox/fsroot"
	"github.com/runx-go/runx/internal/skills/codec"
)

// update rewrites the expectations of the failed cases in their files; everything else in a file
// stays byte for byte. It returns one line "DIR: ID" for each expectation that changed.
func update(opts CheckOptions, cases []Case, results []CaseResult, observed []*Observation) ([]string, error) {
	var changes []string
	for _, name := range opts.Dirs {
		wanted := map[string]*Expected{}
		for i, c := range cases {
			if c.Dir != name || observed[i] == nil || results[i].Status != Failed {
				continue
			}
			wanted[c.ID] = renew(c.Expected, *observed[i])
		}
		if len(wanted) == 0 {
			continue
		}
		dir := name
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(opts.Host.Dir, dir)
		}
		changed, err := rewriteFile(dir, wanted)
		if err != nil {
			return changes, fmt.Errorf("cannot update the expectations of %s: %w", name, err)
		}
		for _, id := range changed {
			changes = append(changes, name+": "+id)
		}
	}
	return changes, nil
}

func rewriteFile(dir string, wanted map[string]*Expected) ([]string, error) {
	data, err := readFixtures(dir)
	if err != nil {
		return nil, err
	}
	rewritten, changed, err := rewrite(data, wanted)
	if err != nil || len(changed) == 0 {
		return nil, err
	}
	root, err := fsroot.Open(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	if err := root.WriteAtomic(fsroot.RelPath(fixturesName), rewritten); err != nil {
		return nil, err
	}
	return changed, nil
}

// renew makes the expectation that the observation meets, about the same things as the old one.
// What could not be observed is dropped; a time is kept: it is no golden value.
func renew(old *Expected, got Observation) *Expected {
	if old == nil {
		return firstExpected(got)
	}
	out := &Expected{Status: got.Status, MaxDurationMS: old.MaxDurationMS}
	if old.ErrorCode != nil {
		out.ErrorCode = &got.ErrorCode
	}
	if old.ExitCode != nil {
		out.ExitCode = got.ExitCode
	}
	if old.Signal != nil {
		out.Signal = &got.Signal
	}
	if old.Cwd != nil && got.Cwd != "" {
		out.Cwd = &got.Cwd
	}
	if old.Result != nil {
		out.Result = got.Result
	}
	if old.InputsSource != nil {
		out.InputsSource = got.Reported.InputsSource
	}
	if old.Survivors != nil {
		out.Survivors = got.Survivors
	}
	if old.DescendantHeldPipe != nil {
		out.DescendantHeldPipe = got.HeldPipe
	}
	out.Stdout, out.Stderr = renewStream(old.Stdout, got.Stdout), renewStream(old.Stderr, got.Stderr)
	out.Variables = renewVariables(old.Variables, got.Reported.Variables)
	out.MessageContains = slices.DeleteFunc(slices.Clone(old.MessageContains), func(part string) bool {
		return !bytes.Contains([]byte(got.Message), []byte(part))
	})
	out.Warnings = slices.DeleteFunc(slices.Clone(old.Warnings), func(code string) bool {
		return !slices.Contains(got.Warnings, code)
	})
	return out
}

// firstExpected is the expectation of a case that had none.
func firstExpected(got Observation) *Expected {
	out := &Expected{Status: got.Status, ExitCode: got.ExitCode}
	if got.ErrorCode != "" {
		out.ErrorCode = &got.ErrorCode
	}
	if got.Cwd != "" {
		out.Cwd = &got.Cwd
	}
	empty := ""
	text := &StreamWant{Text: &empty}
	out.Stdout, out.Stderr = renewStream(text, got.Stdout), renewStream(text, got.Stderr)
	return out
}

// renewStream keeps the form of an expectation where the stream can have it, else measures it.
func renewStream(old *StreamWant, got *Stream) *StreamWant {
	if old == nil || got == nil {
		return nil
	}
	exact := !got.Truncated && got.Replaced == 0
	all := Measure{
		Bytes: &got.Bytes, RetainedBytes: &got.RetainedBytes, SHA256: &got.SHA256,
		Truncated: &got.Truncated, Replaced: &got.Replaced,
	}
	switch {
	case old.Measure != nil:
		return &StreamWant{Measure: masked(all, *old.Measure)}
	case !exact || len(got.Text) > maxGoldenText:
		return &StreamWant{Measure: &all}
	case old.JSON != nil:
		if value, err := codec.ParseValue("stdout", []byte(got.Text), codec.Limits{}); err == nil {
			return &StreamWant{JSON: value}
		}
	case old.Text == nil:
		return &StreamWant{Bytes: []byte(got.Text)}
	}
	return &StreamWant{Text: &got.Text}
}

// masked keeps the fields that the old measure has.
func masked(all, old Measure) *Measure {
	if old.Bytes == nil {
		all.Bytes = nil
	}
	if old.RetainedBytes == nil {
		all.RetainedBytes = nil
	}
	if old.SHA256 == nil {
		all.SHA256 = nil
	}
	if old.Truncated == nil {
		all.Truncated = nil
	}
	if old.Replaced == nil {
		all.Replaced = nil
	}
	return &all
}

// renewVariables sorts each named variable into present or absent; only is widened.
func renewVariables(old *VariablesWant, got *[]string) *VariablesWant {
	if old == nil || got == nil {
		return nil
	}
	out := &VariablesWant{Only: slices.Clone(old.Only)}
	for _, name := range slices.Concat(old.Present, old.Absent) {
		if slices.Contains(*got, name) {
			out.Present = append(out.Present, name)
		} else {
			out.Absent = append(out.Absent, name)
		}
	}
	if len(out.Only) > 0 {
		for _, name := range *got {
			if !slices.Contains(out.Only, name) {
				out.Only = append(out.Only, name)
			}
		}
	}
	return out
}

// encodeExpected prints an expectation for a file: two blanks a level below the given indentation,
// with the file's own line ends.
func encodeExpected(e *Expected, indent string, crlf bool) ([]byte, error) {
	raw, err := codec.Marshal(e)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := json.Indent(&b, raw, indent, "  "); err != nil {
		return nil, err
	}
	if crlf {
		return bytes.ReplaceAll(b.Bytes(), []byte("\n"), []byte("\r\n")), nil
	}
	return b.Bytes(), nil
}
