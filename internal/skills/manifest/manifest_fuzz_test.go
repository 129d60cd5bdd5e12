package manifest

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/runx-go/runx/internal/skills"
	"github.com/runx-go/runx/internal/skills/codec"
)

// insideText checks that every finding has a code, a message, and a place that the text has: a
// column may stand one behind the last character of its line, and a line one behind the last.
func insideText(t *testing.T, data []byte, findings []skills.Finding) {
	t.Helper()
	lines := bytes.Split(bytes.TrimPrefix(data, []byte("\ufeff")), []byte{'\n'})
	last := 0
	for _, f := range findings {
		if f.Code == "" || f.Message == "" || f.File == "" || strings.ContainsAny(f.Message, "\n\r") {
			t.Errorf("finding without code, message or file, or with a line break: %+v", f)
		}
		if f.Line < last {
			t.Errorf("%s stands before line %d", f, last)
		}
		last = f.Line
		if f.Line < 1 || f.Line > len(lines)+1 {
			t.Fatalf("%s is on line %d of %d", f, f.Line, len(lines))
		}
		width := 0
		if f.Line <= len(lines) {
			width = utf8.RuneCount(lines[f.Line-1])
		}
		if f.Column < 1 || f.Column > width+1 {
			t.Errorf("%s is in column %d of %d", f, f.Column, width)
		}
	}
}

func refused(findings []skills.Finding) bool {
	for _, f := range findings {
		if f.Severity == skills.SeverityError {
			return true
		}
	}
	return false
}

func FuzzParseProfile(f *testing.F) {
	f.Add([]byte("skill: a\nversion: 1.10\nrunners:\n  r:\n    type: cli-tool\n    run: {command: x, args: ['{{a}}']}\n    inputs: {a: {definition: d}}\ninput_definitions: {d: {default: {x: 1e400}}}\n"))
	f.Add([]byte("runners: {a: {type: mcp}, b: {type: graph, graph: {}, outputs: {}}, c: {type: javascript, credential: c}}\ncredentials: {c: {provider: p, auth: {m: {delivery: {env: X}}}}}\nharness: {files: [a], cases: [{name: b}]}"))
	f.Add([]byte("\ufeffrunners:\r\n  r: {type: agent-step, inputMode: stdin, input_mode: none, runx: {payment_authority: 1}}\r\n"))
	f.Add([]byte("runners: {a: &x {}, b: *x}"))
	f.Add([]byte("runners: {r: {type: cli-tool, command: x, inputs: {a: {default: .nan}}, environment: {required: [A, A]}, retry: {max_attempts: 0}}}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		profile, findings := ParseProfile("X.yaml", data, "a")
		insideText(t, data, findings)
		if profile == nil && !refused(findings) {
			t.Fatal("no profile and no reason")
		}
		if profile == nil || refused(findings) {
			return
		}
		if len(profile.Runners) == 0 || profile.Skill != "a" {
			t.Fatalf("accepted %+v", profile)
		}
		for _, r := range profile.Runners {
			if r.Source == nil && len(r.Unavailable) == 0 {
				t.Errorf("runner %q can neither run nor says why", r.Name)
			}
			for _, in := range r.Inputs {
				if in.Default != nil && !json.Valid(in.Default) {
					t.Errorf("default %s", in.Default)
				}
			}
			if len(r.Examples) != len(r.ExamplesAt) {
				t.Errorf("%d examples at %d places", len(r.Examples), len(r.ExamplesAt))
			}
		}
		// Written as JSON, which is YAML, the file has the same meaning.
		doc, err := codec.ParseYAML("X.yaml", data, len(data), 0)
		if err != nil {
			t.Fatal(err)
		}
		again, more := ParseProfile("X.yaml", asJSON(nil, doc.Root), "a")
		if refused(more) {
			t.Fatalf("rewritten as %s it is refused: %v", asJSON(nil, doc.Root), lines(more))
		}
		if first, second := value(profile), value(again); first != second {
			t.Errorf("rewritten as %s it means\n%s\ninstead of\n%s", asJSON(nil, doc.Root), second, first)
		}
	})
}

// asJSON writes a node as JSON whose scalars stay what they are: what is no JSON scalar is quoted.
func asJSON(out []byte, n *codec.Node) []byte {
	switch n.Kind {
	case codec.Mapping:
		out = append(out, '{')
		for i, pair := range n.Pairs {
			if i > 0 {
				out = append(out, ", "...)
			}
			out = append(append(out, codec.Quote(pair.Key.Text)...), ": "...)
			out = asJSON(out, pair.Value)
		}
		return append(out, '}')
	case codec.Sequence:
		out = append(out, '[')
		for i, item := range n.Items {
			if i > 0 {
				out = append(out, ", "...)
			}
			out = asJSON(out, item)
		}
		return append(out, ']')
	default:
		raw, _, err := n.JSON("")
		if err != nil || n.Plain && n.Empty {
			return append(out, n.Text...)
		}
		return append(out, raw...)
	}
}

func FuzzParseManual(f *testing.F) {
	f.Add([]byte("---\nname: a\ndescription: b\n---\nbody\n"), "a")
	f.Add([]byte("\ufeff---\r\nname: 007\r\nmetadata: {a: [b]}\r\n--- \r\n---\r\n"), "007")
	f.Add([]byte("---\nname: [a]\nallowed-tools:\n- x\nrunners: {}\n---"), "")
	f.Add([]byte("---\nname: fix #12\n"), "fix")
	f.Add([]byte("\xff\xfe-\x00"), "x")
	f.Fuzz(func(t *testing.T, data []byte, dir string) {
		manual, findings := ParseManual("SKILL.md", data)
		insideText(t, data, findings)
		standard := CheckStandard("SKILL.md", data, dir)
		insideText(t, data, standard)
		if !bytes.HasSuffix(data, manual.Body) {
			t.Error("the body is not the end of the file")
		}
		if refused(findings) {
			return
		}
		if strings.TrimSpace(manual.Name) == "" {
			t.Fatal("accepted without a name")
		}
		written := append([]byte("---\nname: "), codec.Quote(manual.Name)...)
		written = append(append(written, "\ndescription: "...), codec.Quote(manual.Description)...)
		written = append(append(written, "\n---\n"...), manual.Body...)
		again, more := ParseManual("SKILL.md", written)
		if refused(more) || again.Name != manual.Name || again.Description != manual.Description || !bytes.Equal(again.Body, manual.Body) {
			t.Errorf("rewritten as %q it is %+v %v, not %+v", written, again, lines(more), manual)
		}
	})
}
