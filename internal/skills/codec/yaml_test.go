package codec

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func parseYAML(t *testing.T, text string) *Document {
	t.Helper()
	d, err := ParseYAML("X.yaml", []byte(text), 1<<20, 0)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return d
}

// faults are "code line:col @offset message" of an error.
func faults(err error) []string {
	all, _ := errors.AsType[Errors](err)
	var out []string
	for _, e := range all {
		out = append(out, fmt.Sprintf("%s %d:%d @%d %s", e.Code, e.Line, e.Col, e.Offset, e.Msg))
	}
	return out
}

func TestParseYAMLRefuses(t *testing.T) {
	const explicit = "an explicit key (? ) is not allowed"
	tests := []struct {
		name, text string
		want       []string
	}{
		{"duplicate", "a: 1\nb: 2\na: 3", []string{`duplicate_key 3:1 @10 the key "a" is given twice, on line 1 and line 3`}},
		{"duplicate in a flow mapping", "x: {é: 1,\n b: 2, é: 3}", []string{`duplicate_key 2:8 @18 the key "é" is given twice, on line 1 and line 2`}},
		{"duplicate nested, quoted", "- - a: 1\n    'a': 2", []string{`duplicate_key 2:5 @13 the key "a" is given twice, on line 1 and line 2`}},
		{"anchor and alias", "a: &x 1\nb: *x", []string{"yaml_feature 1:4 @3 an anchor (&x) is not allowed", "yaml_feature 2:4 @11 an alias (*x) is not allowed"}},
		{"anchor of a mapping", "&x a: b", []string{"yaml_feature 1:1 @0 an anchor (&x) is not allowed"}},
		{"anchor without a value", "a: &x\nb: c", []string{"yaml_feature 1:4 @3 an anchor (&x) is not allowed"}},
		{"unknown alias", "a: 1\nb: [2*x, *x]", []string{"yaml_feature 2:10 @14 an alias (*x) is not allowed"}},
		{"tag", "a: !!str 1\nb: !x {}", []string{"yaml_feature 1:4 @3 a tag (!!str) is not allowed", "yaml_feature 2:4 @14 a tag (!x) is not allowed"}},
		{"tag without a name", "a: ! b", []string{"yaml_feature 1:4 @3 a tag (!) is not allowed"}},
		{"tag of a key", "!!str a: b", []string{"yaml_feature 1:1 @0 a tag (!!str) is not allowed"}},
		{"directive", "%YAML 1.2\n---\na: 1", []string{"yaml_feature 1:1 @0 a directive (%YAML) is not allowed"}},
		{"merge key", "a: 1\n<<: {b: 1}", []string{"yaml_feature 2:1 @5 a merge key (<<) is not allowed"}},
		{"merge key in flow", "{<<: {b: 1}}", []string{"yaml_feature 1:2 @1 a merge key (<<) is not allowed"}},
		{"explicit key", "? a\n: b", []string{"yaml_feature 1:3 @2 " + explicit}},
		{"explicit second key", "a: b\n? c\n: d", []string{"yaml_feature 2:3 @7 " + explicit}},
		{"explicit block scalar key", "? |\n  a\n: b", []string{"yaml_feature 1:3 @2 " + explicit}},
		{"explicit key in a flow mapping", "a: {b: '?', # ? ]\n ? c : d}", []string{"yaml_feature 2:2 @19 " + explicit}},
		{"explicit key in a flow sequence", "a: [\"\\\"? x\", ? b : c]", []string{"yaml_feature 1:14 @13 " + explicit}},
		{"second document", "---\na: 1\n--- \nb: 2", []string{"yaml_feature 3:1 @9 a second document (---) is not allowed"}},
		{"second document in a block scalar", "a: |\n  b\n---\n", []string{"yaml_feature 3:1 @9 a second document (---) is not allowed"}},
		{"document end", "a: 1\n...", []string{"yaml_feature 2:1 @5 a document end marker (...) is not allowed"}},
		{"key that is a list", "[a]: b", []string{"yaml_feature 1:1 @0 a key that is a mapping or a list is not allowed"}},
		{"key that is a mapping", "{{a: b}: c}", []string{"yaml_feature 1:2 @1 a key that is a mapping or a list is not allowed"}},
		{"no key", "a: b\n: c", []string{"yaml_syntax 2:1 @5 did not find expected key"}},
		{"empty explicit key", "a: b\n?\n: c", []string{"yaml_feature 2:2 @6 " + explicit}},
		{"tab indents", "a:\n\t- b", []string{"yaml_syntax 2:1 @3 a tab cannot indent"}},
		{"unquoted colon (D1)", "name: x\r\ndescription: Use it when: always\r\n", []string{"yaml_syntax 2:25 @33 a colon and a blank inside a value that is not quoted"}},
		{"key indented too far", "a: 1\n  b: 2", []string{"yaml_syntax 2:4 @8 a key cannot stand here"}},
		{"at sign (D1)", "a: 1\nname: @scope/x", []string{"yaml_syntax 2:7 @11 a value cannot begin with @"}},
		{"percent (D1)", "description: %d items", []string{"yaml_syntax 1:14 @13 a value cannot begin with %"}},
		{"list and text (D1)", "a: 1\nargument-hint: [a] - x", []string{"yaml_syntax 2:1 @5 block sequence entries are not allowed in this context"}},
		{"open bracket", "a: 1\nb: [1, 2\nc: 3\nd: 4", []string{"yaml_syntax 2:1 @5 did not find expected ',' or ']'"}},
		{"no colon", "x:\n  y: 1\n  z 2\n  w: 3\n", []string{"yaml_syntax 3:3 @12 could not find expected ':'"}},
		{"dedent into nothing", "a:\n  - b\n c: d", []string{"yaml_syntax 3:2 @10 did not find expected key"}},
		{"carriage return alone", "a: b\rc: d", []string{"yaml_syntax 1:5 @4 a carriage return without a line feed is not allowed"}},
		{"line separator", "a: b\u2028c", []string{"yaml_syntax 1:5 @4 the character U+2028 is not allowed"}},
		{"control character", "a: 1\nü: \x1b", []string{"yaml_syntax 2:4 @9 the character U+001B is not allowed"}},
		{"byte-order mark inside", "a: 1\n\ufeffb: 2", []string{"yaml_syntax 2:1 @5 the character U+FEFF is not allowed"}},
		{"UTF-16", "\xff\xfea\x00", []string{"encoding 1:1 @0 the text is UTF-16, not UTF-8 (byte offset 0)"}},
		{"not UTF-8", "a: ü\nb: \xff", []string{"encoding 2:4 @9 the text is not UTF-8 at byte offset 9"}},
		{"after a mark the offset counts the mark", "\ufeffa: &x 1", []string{"yaml_feature 1:4 @6 an anchor (&x) is not allowed"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := ParseYAML("X.yaml", []byte(tt.text), 1<<20, 0)
			if diff := cmp.Diff(faults(err), tt.want); diff != "" {
				t.Errorf("got, want:\n%s", diff)
			}
		})
	}
}

func TestParseYAMLHintQuotesTheValue(t *testing.T) {
	_, err := ParseYAML("SKILL.md", []byte("name: x\ndescription: Use it when: always"), 1<<20, 1)
	all, _ := errors.AsType[Errors](err)
	want := Errors{{Code: "yaml_syntax", File: "SKILL.md", Line: 3, Col: 25, Offset: 32,
		Msg: "a colon and a blank inside a value that is not quoted", Hint: `quote the value: description: "Use it when: always"`}}
	if diff := cmp.Diff(all, want); diff != "" {
		t.Errorf("got, want:\n%s", diff)
	}
	if got, want := err.Error(), "SKILL.md:3:25: a colon and a blank inside a value that is not quoted"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestParseYAMLLimits(t *testing.T) {
	for _, open := range []string{"- ", "[", "{a: "} {
		closing := map[string]string{"- ": "", "[": "]", "{a: ": "}"}[open]
		at := strings.Repeat(open, yamlDepth) + "x" + strings.Repeat(closing, yamlDepth)
		if _, err := ParseYAML("", []byte(at), 1<<20, 0); err != nil {
			t.Errorf("%q at the limit: %v", open, err)
		}
		_, err := ParseYAML("", []byte(open+at+closing), 1<<20, 0)
		got := faults(err)
		if len(got) != 1 || !strings.HasPrefix(got[0], "yaml_limit 1:") || !strings.HasSuffix(got[0], "the nesting is deeper than 64") {
			t.Errorf("%q over the limit: got %v", open, got)
		}
	}
	text := []byte("a: 1")
	if _, err := ParseYAML("", text, len(text), 0); err != nil {
		t.Errorf("at the size: %v", err)
	}
	_, err := ParseYAML("", text, len(text)-1, 0)
	if diff := cmp.Diff(faults(err), []string{"yaml_limit 1:1 @0 the YAML text has 4 bytes, the limit is 3"}); diff != "" {
		t.Errorf("over the size, got, want:\n%s", diff)
	}
	_, err = ParseYAML("", []byte(strings.Repeat("- &a b\n", maxFaults+3)), 1<<20, 0)
	got := faults(err)
	if want := "yaml_feature 100:3 @695 3 more faults are not shown"; len(got) != maxFaults+1 || got[maxFaults] != want {
		t.Errorf("got %d faults, the last %q, want %q", len(got), got[len(got)-1], want)
	}
}

func TestParseYAMLKeepsTheAuthorsCharacters(t *testing.T) {
	text := "\ufeff---\r\nversion: 1.10\r\nname: 007\r\nbool: no\r\nempty:\r\nquoted: \"\"\r\nü: {a: [x, 'y']}\r\nblock: |\r\n  é\r\n"
	node := func(kind Kind, text string, line, col int, plain bool) *Node {
		return &Node{Kind: kind, Text: text, Line: line, Col: col, Plain: plain, Empty: plain && text == ""}
	}
	pair := func(key string, line int, value *Node) Pair { return Pair{node(Scalar, key, line, 1, true), value} }
	want := &Node{Kind: Mapping, Line: 2, Col: 1, Pairs: []Pair{
		pair("version", 2, node(Scalar, "1.10", 2, 10, true)), pair("name", 3, node(Scalar, "007", 3, 7, true)),
		pair("bool", 4, node(Scalar, "no", 4, 7, true)), pair("empty", 5, node(Scalar, "", 5, 7, true)),
		pair("quoted", 6, node(Scalar, "", 6, 9, false)),
		pair("ü", 7, &Node{Kind: Mapping, Flow: true, Line: 7, Col: 4, Pairs: []Pair{{node(Scalar, "a", 7, 5, true),
			&Node{Kind: Sequence, Flow: true, Line: 7, Col: 8, Items: []*Node{node(Scalar, "x", 7, 9, true), node(Scalar, "y", 7, 12, false)}}}}}),
		pair("block", 8, node(Scalar, "é\n", 8, 8, false)),
	}}
	if diff := cmp.Diff(parseYAML(t, text).Root, want); diff != "" {
		t.Errorf("got, want:\n%s", diff)
	}
	if got := parseYAML(t, text).Root.Get("name").Text; got != "007" {
		t.Errorf("got %q, want 007", got)
	}
	if diff := cmp.Diff(parseYAML(t, "# nothing\n").Root, &Node{Kind: Scalar, Plain: true, Empty: true, Line: 1, Col: 1}); diff != "" {
		t.Errorf("empty file, got, want:\n%s", diff)
	}
}

func TestYAMLCommentWarning(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string
	}{
		{"cut value", "a: fix #12 now", []string{`1:8 @7 the value ends before "#12": a # after a blank begins a comment`}},
		{"cut to nothing", "color: #fff", []string{`1:8 @7 the value ends before "#fff": a # after a blank begins a comment`}},
		{"in a list and in flow", "- é  #x\n- [a #b\n  ]", []string{`1:6 @6 the value ends before "#x": a # after a blank begins a comment`, `2:6 @14 the value ends before "#b": a # after a blank begins a comment`}},
		{"last line of several", "a: b\n  c d #e\nf: g", []string{`2:7 @11 the value ends before "#e": a # after a blank begins a comment`}},
		{"ordinary", "a: b # c\nd: e #\nf: #\ng: h #\tx\r\n", nil},
		{"quoted, block, inside a word, before a mapping", "a: 'b #c'\nd: \"e\" #f\ng: |\n  h #i\nj: k#l\nm: #n\n  o: p", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, w := range parseYAML(t, tt.text).Warnings {
				got = append(got, fmt.Sprintf("%d:%d @%d %s", w.Line, w.Col, w.Offset, w.Msg))
			}
			if diff := cmp.Diff(got, tt.want); diff != "" {
				t.Errorf("got, want:\n%s", diff)
			}
		})
	}
}

func TestNodeJSON(t *testing.T) {
	tests := []struct {
		text, want string
		warnings   int
	}{
		{"9007199254740993", "9007199254740993", 0}, {"1.10", "1.10", 0}, {"-0", "-0", 0}, {"1e5", "1e5", 0}, {"true", "true", 0}, {"null", "null", 0},
		{"0123", `"0123"`, 1}, {"0x1f", `"0x1f"`, 1}, {"0o17", `"0o17"`, 1}, {"1_000", `"1_000"`, 1}, {"12:30:00", `"12:30:00"`, 1}, {"2026-01-02", `"2026-01-02"`, 1},
		{"2026-01-02T03:04:05Z", `"2026-01-02T03:04:05Z"`, 1}, {"yes", `"yes"`, 1}, {"No", `"No"`, 1}, {"~", `"~"`, 1}, {"True", `"True"`, 1}, {".5", `".5"`, 1}, {"+1", `"+1"`, 1}, {"1.", `"1."`, 1},
		{"abc", `"abc"`, 0}, {"1.2.3", `"1.2.3"`, 0}, {"12 monkeys", `"12 monkeys"`, 0}, {"v1", `"v1"`, 0}, {"e5", `"e5"`, 0}, {"a:b", `"a:b"`, 0}, {"...x", `"...x"`, 0},
		{`"yes"`, `"yes"`, 0}, {"'1'", `"1"`, 0}, {"|\n  1", `"1"`, 0}, {"", "null", 0}, {`"a\tb\"<>&"`, `"a\tb\"<>&"`, 0},
		{"{z: 1, a: [x, 1.0, {}], \"q\": }", `{"z":1,"a":["x",1.0,{}],"q":null}`, 0},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			raw, warnings, err := parseYAML(t, tt.text).Root.JSON("X.yaml")
			if err != nil || string(raw) != tt.want || len(warnings) != tt.warnings {
				t.Errorf("got %s, %v, %v, want %s, %d warnings", raw, warnings, err, tt.want, tt.warnings)
			}
		})
	}
	for _, text := range []string{".nan", ".NaN", ".inf", "-.INF", "+.Inf"} {
		_, _, err := parseYAML(t, "a:\n  - "+text).Root.JSON("X.yaml")
		if diff := cmp.Diff(faults(err), []string{"yaml_type 2:5 @0 " + text + " is not a JSON value"}); diff != "" {
			t.Errorf("got, want:\n%s", diff)
		}
	}
}

// best is the shortest of up to three runs; it stops when one is within the limit.
func best(limit time.Duration, run func()) time.Duration {
	shortest := time.Duration(math.MaxInt64)
	for range 3 {
		start := time.Now()
		run()
		if shortest = min(shortest, time.Since(start)); shortest <= limit {
			break
		}
	}
	return shortest
}

// TestParseYAMLWorkIsBounded reads texts that make careless readers slow. Each is compared with a
// harmless text of the same size in the same run, so that a busy machine or the race detector does
// not matter: proportional work is up to 6 times as much, quadratic work was over 50 times.
func TestParseYAMLWorkIsBounded(t *testing.T) {
	const size, factor = 1 << 18, 20
	fill := func(head, unit, tail string) string {
		return head + strings.Repeat(unit, (size-len(head)-len(tail))/len(unit)) + tail
	}
	var bomb strings.Builder
	bomb.WriteString("a0: &a0 [x, x]\n")
	for i := range 40 {
		fmt.Fprintf(&bomb, "a%d: &a%d [*a%d, *a%d, *a%d]\n", i+1, i+1, i, i, i)
	}
	texts := map[string]string{
		"alias bomb": bomb.String(), "anchors": fill("", "- &a b\n", ""), "aliases": fill("- &a x\n", "- *a\n", ""), "tags": fill("", "- !x y\n", ""),
		"open brackets": fill("", "[", ""), "open braces": fill("", "{a: ", ""), "deep then wide": fill(strings.Repeat("[", 9000), "1,", ""),
		"dashes": fill("", "- ", ""), "question marks": fill("", "? ", ""), "colons": fill("", ": ", ""), "wide flow": fill("[", "é #x\n,", "]"),
		"one long line of flow": fill("[", "é: b, ", "]"), "comments": fill("", "#\n", ""), "cut values": fill("", "- a #b\n", ""), "same keys": fill("", "a: b\n", ""),
		"wide mapping on a line": fill("{", "\"é\": é, ", "}"), "anchors on a line": fill("[", "&é b,", "]"), "wide é on a line": fill("{", "é: ? é, ", "}"),
		"nested flow": fill("[", "[a],", "]"), "long scalar": fill("a: ", "b ", ""), "long quoted": fill(`a: "`, `\n`, `"`), "flow of quotes": fill("[", `"a",`, "]"),
		"many lines": fill("a: |\n", "  b\n", ""), "late error": fill("", "- a\n", "b: c: d"), "marks": fill("", "---\n", ""), "controls": fill("", "\x01", ""),
		"late error where lines are searched": strings.Repeat("- a\n", searchBytes/4-4) + "b: c: d", "error where lines are searched": "[" + strings.Repeat("a,\n", searchBytes/3-4),
		"folded lines": fill("a:\n", "  b\n", ""), "folded lines with warnings": fill("", "- a\n  b #c\n", ""),
	}
	harmless := []byte(fill("", "- a: b\n", ""))
	limit := factor * best(0, func() {
		if _, err := ParseYAML("X.yaml", harmless, size, 0); err != nil {
			t.Fatal(err)
		}
	})
	for name, text := range texts {
		t.Run(name, func(t *testing.T) {
			took := best(limit, func() {
				_, err := ParseYAML("X.yaml", []byte(text), size, 0)
				for _, line := range faults(err) {
					if len(line) > 400 {
						t.Errorf("a message of %d bytes", len(line))
					}
				}
			})
			if took > limit {
				t.Errorf("took %v, a harmless text %v", took, limit/factor)
			}
		})
	}
}

// A document is there beside faults that leave its keys and values in their places.
func TestParseYAMLBesideFaults(t *testing.T) {
	for text, want := range map[string]string{
		"a: 1\nb: {c: 2, c: 3}\na: [4]": `{"a":1,"b":{"c":2}}`,
		"a: &x 1\nb: !!str 2":           `{"a":1,"b":2}`,
		"a: &x 1\nb: *x":                "",
		"a: {<<: {b: 1}}":               "",
		"? a\n: b":                      "",
		"a: [b, ? c]":                   "",
		"a: [b]: c":                     "",
		"[a]: c":                        "",
		"a: 1\n---\nb: 1":               "",
		"a: 1\na: " + strings.Repeat("[", yamlDepth) + strings.Repeat("]", yamlDepth): "",
	} {
		d, err := ParseYAML("X.yaml", []byte(text), 1<<20, 0)
		if err == nil {
			t.Errorf("%q has no fault", text)
		}
		got := ""
		if d != nil {
			raw, _, err := d.Root.JSON("X.yaml")
			if err != nil {
				t.Fatal(err)
			}
			got = string(raw)
		}
		if got != want {
			t.Errorf("%q gives %q, want %q", text, got, want)
		}
	}
}
