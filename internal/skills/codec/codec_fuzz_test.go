package codec

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"
	"unicode/utf8"
)

// inside fails when a fault does not lie in the text or has an empty field that must be set.
func inside(t *testing.T, data []byte, e *SyntaxError) {
	t.Helper()
	if e.Code == "" || e.Msg == "" || e.Line < 1 || e.Col < 1 || e.Offset < 0 || e.Offset > len(data) || e.Line > 1+bytes.Count(data, []byte{'\n'}) {
		t.Fatalf("%+v lies outside the text %q", e, data)
	}
	if line, col := place(data, e.Offset); utf8.Valid(data) && (line != e.Line || col != e.Col) {
		t.Fatalf("%+v: the offset is at %d:%d of %q", e, line, col, data)
	}
}

// FuzzParseYAML: every fault and warning lies inside the text and its offset agrees with its line and
// column; a document beside faults has no key twice; an accepted text becomes JSON that is accepted and, read as YAML again, is the same value.
func FuzzParseYAML(f *testing.F) {
	for _, seed := range []string{
		"a: 1\nb: [x, {y: z}]\n", "description: Use it when: always", "a: fix #12 now", "a: &x 1\nb: *x", "? a\n: b", "{? a : b}", "a: !!str 1", "%YAML 1.2\n---\na: 1", "---\na: |\n  x\n",
		"a: \"\\u0000\\x85\"", "<<: a", "a: 'it''s'", "é: [ü, \"a\"]", "a:\r\n- b\r\n", "\ufeffa: b", "a: >-\n  b\n\n  c\n", "[a: b, c: d]", "- - - a: b", "a: .inf", "a:\n\tb: c", "a: [http://x?y]", "{\"a\":b}", "a: b\n...\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := ParseYAML("X.yaml", data, 1<<16, 0)
		if err != nil {
			all, ok := errors.AsType[Errors](err)
			if !ok || len(all) == 0 {
				t.Fatalf("got %v, want Errors", err)
			}
			for _, e := range all {
				inside(t, data, e)
			}
			if d != nil {
				unique(t, d.Root)
			}
			return
		}
		for _, w := range d.Warnings {
			inside(t, data, w)
		}
		raw, _, err := d.Root.JSON("X.yaml")
		if err != nil {
			return
		}
		value, err := ParseValue("", raw, Limits{})
		if err != nil {
			t.Fatalf("%q became %s: %v", data, raw, err)
		}
		again, err := ParseYAML("", quoteForYAML(value), 1<<24, 0)
		if err != nil {
			t.Fatalf("%q became %s, which is refused: %v", data, value, err)
		}
		back, _, err := again.Root.JSON("")
		if same, equalErr := Equal(value, back); err != nil || equalErr != nil || !same {
			t.Fatalf("%q became %s, then %s: %v, %v", data, value, back, err, equalErr)
		}
	})
}

// unique says that no mapping has a key twice.
func unique(t *testing.T, n *Node) {
	t.Helper()
	seen := map[string]bool{}
	for _, pair := range n.Pairs {
		if seen[pair.Key.Text] {
			t.Errorf("the key %q is there twice", pair.Key.Text)
		}
		seen[pair.Key.Text] = true
		unique(t, pair.Value)
	}
	for _, item := range n.Items {
		unique(t, item)
	}
}

// quoteForYAML escapes what JSON text may hold unescaped and ParseYAML refuses; JSON text on one line
// is YAML otherwise.
func quoteForYAML(text []byte) []byte {
	var out []byte
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		switch {
		case r >= 0x7f && r < 0xa0 || r == 0x2028 || r == 0x2029 || r == 0xfffe || r == 0xffff || r == 0xfeff:
			const hex = "0123456789abcdef"
			out = append(out, '\\', 'u', hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15])
		default:
			out = append(out, text[:size]...)
		}
		text = text[size:]
	}
	return out
}

// FuzzParseValue: the parser accepts what encoding/json accepts but for the stricter rules, and what
// it accepts is the text itself; canonical text is stable, equal to the text, and never depends on
// blanks.
func FuzzParseValue(f *testing.F) {
	for _, seed := range []string{`{"a":1,"b":[1,2,{"c":null}]}`, `"\ud83d\ude00\u0000"`, `-0.0e-5`, `1e400`, `[[],{}]`, ` true `, "\ufeff{}", `{"a":1,"\u0061":2}`, `"\ud800"`, `01`, `{"b":{"d":1,"c":2},"a":3}`, "\"\x7f\u2028\"", `[1,]`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		raw, err := ParseValue("in", data, Limits{Bytes: 1 << 16})
		if err != nil {
			e, ok := errors.AsType[*SyntaxError](err)
			if !ok {
				t.Fatalf("got %v, want a SyntaxError", err)
			}
			inside(t, data, e)
			return
		}
		if !json.Valid(raw) || !bytes.Contains(data, raw) {
			t.Fatalf("%q gave %q", data, raw)
		}
		canonical, err := Canonical(data)
		if err != nil {
			t.Fatal(err)
		}
		again, err := Canonical(canonical)
		if err != nil || !bytes.Equal(again, canonical) {
			t.Fatalf("%q: canonical %q, then %q, %v", data, canonical, again, err)
		}
		var compact bytes.Buffer
		if err := json.Compact(&compact, raw); err != nil {
			t.Fatal(err)
		}
		if same, err := Canonical(compact.Bytes()); err != nil || !bytes.Equal(same, canonical) {
			t.Fatalf("%q: canonical %q, without blanks %q, %v", data, canonical, same, err)
		}
		if same, err := Equal(raw, compact.Bytes()); err != nil || !same {
			t.Fatalf("%q is not equal to itself", raw)
		}
		if object, err := ParseObject("", data, Limits{}); err == nil {
			joined, err := JoinObject(object.Members())
			if same, equalErr := Equal(joined.Raw(), raw); err != nil || equalErr != nil || !same {
				t.Fatalf("%q joined is %q: %v", raw, joined.Raw(), err)
			}
		}
	})
}

// FuzzFrontmatter: the parts are the file, in order, and the lines are right.
func FuzzFrontmatter(f *testing.F) {
	for _, seed := range []string{"---\nname: a\n---\nbody\n", "\ufeff---\r\na: b\r\n--- \r\n---\n", "---\n---", "---\na", "", "--- x\n---\n", "\xff\xfe-\x00"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		yaml, yamlLine, body, bodyLine, err := Frontmatter("SKILL.md", data)
		if err != nil {
			e, ok := errors.AsType[*SyntaxError](err)
			if !ok {
				t.Fatalf("got %v, want a SyntaxError", err)
			}
			inside(t, data, e)
			return
		}
		text := bytes.TrimPrefix(data, []byte(bom))
		if !bytes.HasSuffix(text, body) || !bytes.Contains(text, yaml) || yamlLine != 2 {
			t.Fatalf("%q gave %q and %q", data, yaml, body)
		}
		if head := text[:len(text)-len(body)]; len(body) > 0 && bodyLine != 1+bytes.Count(head, []byte{'\n'}) {
			t.Fatalf("%q: the body begins on line %d", data, bodyLine)
		}
	})
}
