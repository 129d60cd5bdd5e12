package secret

import (
	"bytes"
	"encoding/json"
	"strings"
)

// JSON redacts a JSON text and keeps it JSON: keys, strings, JSON inside strings, and a number (or
// true, false, null) whose text holds the value becomes the mark as a string. Strings are judged
// by what they mean, however they are escaped. A value that reaches over several tokens, such as a
// credential that is a JSON document itself, takes the smallest array or object around it along.
// What is not touched stays byte for byte: order, white space, digits and escapes. Two keys that
// become equal stay apart by " 2", " 3" at their end.
//
// It returns raw itself when there is nothing to replace, and never changes it. Text that is not
// one JSON value is redacted as Bytes does.
func (r *Redactor) JSON(raw []byte) []byte {
	if r.Empty() {
		return raw
	}
	if !json.Valid(raw) {
		return r.Bytes(raw)
	}
	out, _ := redactJSON(r.m, raw, 0)
	return out
}

// walker copies the tokens of a valid JSON text, redacted.
type walker struct {
	m       *matcher
	raw     []byte
	out     []byte
	depth   int  // of JSON inside strings
	changed bool // out differs from raw

	spans  []span // forms in the raw text that no token has been asked about yet
	across []span // forms that do not lie inside one token, until a container takes them
	frames []frame
}

// frame is an open array or object.
type frame struct {
	start  int // in raw
	out    int // in out
	object bool
	key    bool // the next string is a key
	keys   keySet
}

func redactJSON(m *matcher, raw []byte, depth int) (out []byte, changed bool) {
	w := &walker{m: m, raw: raw, depth: depth, spans: m.find(raw)}
	if len(w.spans) == 0 && bytes.IndexByte(raw, '\\') < 0 {
		return raw, false
	}
	w.out = make([]byte, 0, len(raw)+len(Mark))
	for i := 0; i < len(raw); {
		i = w.token(i)
	}
	w.pass(len(raw))
	switch {
	case len(w.across) > 0:
		return []byte(quotedMark), true
	case !w.changed:
		return raw, false
	}
	return w.out, true
}

// token copies the token, or the byte between two, that starts at i and returns its end.
func (w *walker) token(i int) int {
	switch c := w.raw[i]; c {
	case '{', '[':
		w.frames = append(w.frames, frame{start: i, out: len(w.out), object: c == '{', key: c == '{'})
		w.out = append(w.out, c)
	case '}', ']':
		w.out = append(w.out, c)
		w.leave(i + 1)
	case ',':
		w.out = append(w.out, c)
		if top := len(w.frames) - 1; top >= 0 {
			w.frames[top].key = w.frames[top].object
		}
	case ':', ' ', '\t', '\r', '\n':
		w.out = append(w.out, c)
	case '"':
		end := stringEnd(w.raw, i)
		w.str(i, end)
		return end
	default:
		end := i + 1
		for end < len(w.raw) && strings.IndexByte(",]} \t\r\n", w.raw[end]) < 0 {
			end++
		}
		w.scalar(i, end)
		return end
	}
	return i + 1
}

// scalar copies a number, true, false or null.
func (w *walker) scalar(start, end int) {
	if !w.hit(start, end) {
		w.out = append(w.out, w.raw[start:end]...)
		return
	}
	w.out = append(w.out, quotedMark...)
	w.changed = true
}

// str copies a string, which may be a key.
func (w *walker) str(start, end int) {
	token := w.raw[start:end]
	redacted := redactString(w.m, token, w.hit(start, end), w.depth)
	changed := redacted != nil
	if !changed {
		redacted = token
	}
	if top := len(w.frames) - 1; top >= 0 && w.frames[top].key {
		w.frames[top].key = false
		if unique := w.frames[top].keys.add(redacted, changed); unique != nil {
			redacted, changed = unique, true
		}
	}
	w.out = append(w.out, redacted...)
	w.changed = w.changed || changed
}

// pass sets forms that start before end aside: no single token holds them.
func (w *walker) pass(end int) {
	for len(w.spans) > 0 && w.spans[0].start < end {
		w.across = append(w.across, w.spans[0])
		w.spans = w.spans[1:]
	}
}

// hit says whether the token from start to end holds a form; one that reaches over its end is set
// aside.
func (w *walker) hit(start, end int) bool {
	w.pass(start)
	found := false
	for len(w.spans) > 0 && w.spans[0].end <= end {
		found = true
		w.spans = w.spans[1:]
	}
	w.pass(end)
	return found
}

// leave closes the innermost container, which ends at end. It becomes the mark when a form lies in
// it that no token and no container inside holds.
func (w *walker) leave(end int) {
	w.pass(end)
	top := len(w.frames) - 1
	f := w.frames[top]
	w.frames = w.frames[:top]
	outside := w.across[len(w.across):]
	found := false
	for n := len(w.across); n > 0 && w.across[n-1].start >= f.start; n-- {
		if last := w.across[n-1]; last.end <= end {
			found = true
		} else {
			outside = []span{last} // forms do not overlap: at most one reaches over the end
		}
		w.across = w.across[:n-1]
	}
	w.across = append(w.across, outside...)
	if found {
		w.out = append(w.out[:f.out], quotedMark...)
		w.changed = true
	}
}

// stringEnd returns the index after the string that starts at i.
func stringEnd(raw []byte, i int) int {
	for i++; raw[i] != '"'; i++ {
		if raw[i] == '\\' {
			i++
		}
	}
	return i + 1
}
