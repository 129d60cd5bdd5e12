package manifest

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/runx-go/runx/internal/skills"
	"github.com/runx-go/runx/internal/skills/codec"
)

// reader collects what is found in one file.
type reader struct {
	file             string
	faults, warnings findings
}

// findings keeps a bounded number of findings and counts the others, so that a fault is never
// crowded out by warnings.
type findings struct {
	kept    []skills.Finding
	dropped int
}

func (f *findings) add(finding skills.Finding) {
	if len(f.kept) == maxFindings {
		f.dropped++
		return
	}
	f.kept = append(f.kept, finding)
}

// all are the findings in source order with a last one that counts what was dropped.
func (f *findings) all() []skills.Finding {
	sortFindings(f.kept)
	if f.dropped == 0 {
		return f.kept
	}
	last := f.kept[len(f.kept)-1]
	return append(f.kept, skills.Finding{
		Code: "more_findings", Severity: last.Severity, File: last.File, Line: last.Line, Column: last.Column,
		Message: fmt.Sprintf("%d more findings are not shown", f.dropped), Hint: "repair those above first",
	})
}

// done returns everything in source order.
func (r *reader) done() []skills.Finding {
	out := append(r.faults.all(), r.warnings.all()...)
	sortFindings(out)
	return out
}

func sortFindings(list []skills.Finding) {
	slices.SortStableFunc(list, func(a, b skills.Finding) int {
		return cmp.Or(a.Line-b.Line, a.Column-b.Column)
	})
}

// fault adds an error at a node.
func (r *reader) fault(n *codec.Node, code, hint, format string, args ...any) {
	r.faults.add(r.finding(n, code, skills.SeverityError, hint, fmt.Sprintf(format, args...)))
}

// warn adds a warning at a node.
func (r *reader) warn(n *codec.Node, code, hint, format string, args ...any) {
	r.warnings.add(r.finding(n, code, skills.SeverityWarning, hint, fmt.Sprintf(format, args...)))
}

func (r *reader) finding(n *codec.Node, code string, severity skills.Severity, hint, message string) skills.Finding {
	f := skills.Finding{Code: code, Severity: severity, File: r.file, Message: message, Hint: hint}
	if n != nil {
		f.Line, f.Column = n.Line, n.Col
	}
	return f
}

// at is the place of a node.
func (r *reader) at(n *codec.Node) skills.Position {
	return skills.Position{File: r.file, Line: n.Line, Col: n.Col}
}

// syntaxFaults adds the faults of the codec.
func (r *reader) syntaxFaults(err error) {
	if several, ok := errors.AsType[codec.Errors](err); ok {
		for _, fault := range several {
			r.faults.add(syntaxFinding(fault, r.file, skills.SeverityError))
		}
		return
	}
	if one, ok := errors.AsType[*codec.SyntaxError](err); ok {
		r.faults.add(syntaxFinding(one, r.file, skills.SeverityError))
		return
	}
	r.fault(nil, "yaml_syntax", "", "cannot read the file: %v", err)
}

func (r *reader) syntaxWarnings(warnings []*codec.SyntaxError) {
	for _, w := range warnings {
		r.warnings.add(syntaxFinding(w, r.file, skills.SeverityWarning))
	}
}

func syntaxFinding(e *codec.SyntaxError, file string, severity skills.Severity) skills.Finding {
	f := skills.Finding{
		Code: e.Code, Severity: severity, File: file, Line: e.Line, Column: e.Col, Message: e.Msg, Hint: e.Hint,
	}
	if f.Hint == "" && e.Nearest != "" {
		f.Hint = didYouMean(e.Nearest)
	}
	return f
}

// unknown adds unknown_key for a key that is none of the known ones. where is said after "in".
func (r *reader) unknown(key *codec.Node, where string, known []string) {
	r.fault(key, "unknown_key", keyHint(key.Text, known), "the key %q is not known in %s", shorten(key.Text), where)
}

// keyHint is what to do about an unknown key.
func keyHint(key string, known []string) string {
	if key == "instructions" {
		return "the manual is SKILL.md"
	}
	return nearHint(key, known)
}

// nearHint names the nearest known word, else all of them when they are few.
func nearHint(word string, known []string) string {
	if near := codec.Nearest(word, known, 1); len(near) > 0 {
		return didYouMean(near[0])
	}
	const few = 12
	if len(known) > 0 && len(known) <= few {
		return "known: " + strings.Join(known, ", ")
	}
	return ""
}

func didYouMean(word string) string { return fmt.Sprintf("did you mean %q?", word) }

// shorten cuts a text of the author's that is quoted in a message.
func shorten(text string) string {
	const shown = 60
	if len(text) > shown {
		return strings.ToValidUTF8(text[:shown], "") + "…"
	}
	return text
}
