package harness

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/runx-go/runx/internal/skills/codec"
)

// diff collects the differences of one case as "path: wanted X, got Y".
type diff struct{ lines []string }

func (d *diff) add(path, want, got string) {
	d.lines = append(d.lines, fmt.Sprintf("%s: wanted %s, got %s", path, want, got))
}

// note adds what helps to understand the line before it.
func (d *diff) note(path, text string) {
	d.lines = append(d.lines, path+": "+shown(text))
}

// capped bounds what is shown.
func (d *diff) capped() []string {
	if len(d.lines) <= maxDiffLines {
		return d.lines
	}
	more := len(d.lines) - maxDiffLines + 1
	return append(d.lines[:maxDiffLines-1], fmt.Sprintf("and %d more", more))
}

func (d *diff) text(path string, want *string, got string) {
	if want != nil && *want != got {
		d.add(path, shown(*want), shown(got))
	}
}

func (d *diff) integer(path string, want, got *int) {
	if want != nil && (got == nil || *want != *got) {
		d.add(path, strconv.Itoa(*want), orNone(got, strconv.Itoa))
	}
}

func orNone[T any](value *T, text func(T) string) string {
	if value == nil {
		return "none"
	}
	return text(*value)
}

// lineByLine shows the first line in which two texts differ.
func (d *diff) lineByLine(path, want, got string) {
	if want == got {
		return
	}
	wanted, gotten := strings.SplitAfter(want, "\n"), strings.SplitAfter(got, "\n")
	for i := 0; ; i++ {
		switch {
		case i >= len(wanted) || i >= len(gotten):
			d.add(fmt.Sprintf("%s line %d", path, i+1), lineAt(wanted, i), lineAt(gotten, i))
			return
		case wanted[i] != gotten[i]:
			d.add(fmt.Sprintf("%s line %d", path, i+1), lineAt(wanted, i), lineAt(gotten, i))
			return
		}
	}
}

// lineAt is a line as shown; past the end, or the empty rest behind the last newline, it is none.
func lineAt(lines []string, i int) string {
	if i >= len(lines) || i > 0 && lines[i] == "" {
		return "the end"
	}
	return shown(lines[i])
}

// shown quotes a text for a report: CR is the visible ␍, other control and invalid characters are
// escaped, and a long text is cut with its length.
func shown(text string) string {
	escaped, cut := escape(text, true)
	if cut {
		return fmt.Sprintf("\"%s…\" (%d bytes)", escaped, len(text))
	}
	return `"` + escaped + `"`
}

// escape makes a text fit to be shown in one line, at most about maxDiffText bytes of it.
func escape(text string, quotes bool) (out string, cut bool) {
	var b strings.Builder
	for i := 0; i < len(text); {
		if b.Len() > maxDiffText {
			return b.String(), true
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == '\r':
			b.WriteRune('␍')
		case quotes && (r == '"' || r == '\\'):
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == utf8.RuneError && size <= 1:
			fmt.Fprintf(&b, `\x%02x`, text[i])
		case unicode.IsPrint(r):
			b.WriteRune(r)
		default:
			b.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
		}
		i += size
	}
	return b.String(), false
}

// json compares two JSON texts as values and names the first places where they differ.
func (d *diff) json(path string, want json.RawMessage, got []byte) {
	value, err := codec.ParseValue(path, got, codec.Limits{})
	if err != nil {
		d.add(path, "one JSON text", shown(string(got)))
		return
	}
	d.values(path, want, value)
}

func (d *diff) values(path string, want, got json.RawMessage) {
	if equal, err := codec.Equal(want, got); err != nil || equal {
		if err != nil {
			d.add(path, shown(string(want)), shown(string(got)))
		}
		return
	}
	if len(d.lines) > maxDiffLines {
		return
	}
	switch {
	case want[0] == '{' && got[0] == '{':
		d.objects(path, want, got)
	case want[0] == '[' && got[0] == '[':
		d.arrays(path, want, got)
	default:
		d.add(path, shownJSON(want), shownJSON(got))
	}
}

func (d *diff) objects(path string, want, got json.RawMessage) {
	a, errA := codec.ParseObject(path, want, codec.Limits{})
	b, errB := codec.ParseObject(path, got, codec.Limits{})
	if errA != nil || errB != nil {
		d.add(path, shownJSON(want), shownJSON(got))
		return
	}
	var names []string
	for _, m := range slices.Concat(a.Members(), b.Members()) {
		names = append(names, m.Name)
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		x, inA := a.Lookup(name)
		y, inB := b.Lookup(name)
		at := codec.JoinPath(path, name)
		switch {
		case inA && inB:
			d.values(at, x, y)
		case inA:
			d.add(at, shownJSON(x), "nothing")
		default:
			d.add(at, "nothing", shownJSON(y))
		}
	}
}

func (d *diff) arrays(path string, want, got json.RawMessage) {
	var a, b []json.RawMessage
	if json.Unmarshal(want, &a) != nil || json.Unmarshal(got, &b) != nil {
		d.add(path, shownJSON(want), shownJSON(got))
		return
	}
	if len(a) != len(b) {
		d.add(path, fmt.Sprintf("%d elements", len(a)), strconv.Itoa(len(b)))
	}
	for i := range min(len(a), len(b)) {
		d.values(fmt.Sprintf("%s[%d]", path, i), a[i], b[i])
	}
}

// shownJSON shows a JSON text; a string in it is shown as its text.
func shownJSON(raw json.RawMessage) string {
	if len(raw) > 0 && raw[0] == '"' {
		if text, err := codec.Render(raw); err == nil {
			return shown(text)
		}
	}
	escaped, cut := escape(string(raw), false)
	if cut {
		return fmt.Sprintf("%s… (%d bytes)", escaped, len(raw))
	}
	return escaped
}
