package codec

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math"
	"slices"
	"unicode/utf16"
	"unicode/utf8"
)

// Canonical is RFC 8785, except that an integer literal keeps all its digits and a number that a
// double cannot hold (it would become infinite, or zero) keeps its text. A sign is no digit: -0 is
// 0, as in the RFC. raw must be valid JSON; duplicate keys are refused. There is no limit of size.
func Canonical(raw json.RawMessage) (json.RawMessage, error) {
	return rewrite(raw, canonicalNumber)
}

// DigestJSON is "sha256:" + hex of the canonical text.
func DigestJSON(raw json.RawMessage) (string, error) {
	text, err := Canonical(raw)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	return "sha256:" + hex.EncodeToString(sum[:]), nil
}

// Equal compares two JSON texts as values: no key order, numbers by exact value. Its error is that
// of a text that is not valid.
func Equal(a, b json.RawMessage) (bool, error) {
	left, err := rewrite(a, exactNumber)
	if err != nil {
		return false, err
	}
	right, err := rewrite(b, exactNumber)
	if err != nil {
		return false, err
	}
	return bytes.Equal(left, right), nil
}

// rewrite writes a text without blanks, with minimal escapes, sorted keys and rewritten numbers. One
// pass reads and notes where members begin, a second one writes: the work is that of sorting.
func rewrite(raw []byte, number func(out, text []byte) []byte) (json.RawMessage, error) {
	rec := new(record)
	text, err := parse("", raw, Limits{Bytes: math.MaxInt, Depth: innerDepth}, nil, rec)
	if err != nil {
		return nil, err
	}
	w := &rewriter{in: scanner{data: raw}, objects: rec.objects, number: number}
	w.in.pos = bytes.Index(raw, text[:1])
	w.out = make([]byte, 0, len(text))
	w.value()
	return w.out, nil
}

// record notes the objects of a text in document order.
type record struct{ objects []objectRecord }

type objectRecord struct {
	members []memberRecord
	end     int // offset behind the object
	next    int // index of the first object behind this one
}

type memberRecord struct {
	name   []byte // decoded
	at     int    // offset of the value
	object int    // index of the first object at or behind the value
}

// open notes the start of an object; a nil record notes nothing.
func (r *record) open() int {
	if r == nil {
		return 0
	}
	r.objects = append(r.objects, objectRecord{})
	return len(r.objects) - 1
}

func (r *record) member(index int, name []byte, at int) {
	if r == nil {
		return
	}
	o := &r.objects[index]
	o.members = append(o.members, memberRecord{name: name, at: at, object: len(r.objects)})
}

func (r *record) close(index, end int) {
	if r == nil {
		return
	}
	o := &r.objects[index]
	o.end, o.next = end, len(r.objects)
	slices.SortFunc(o.members, func(a, b memberRecord) int { return compareUTF16(a.name, b.name) })
}

// rewriter writes a text that was found valid.
type rewriter struct {
	in      scanner
	objects []objectRecord
	object  int // index of the next object
	out     []byte
	number  func(out, text []byte) []byte
}

func (w *rewriter) value() {
	switch c := w.in.peek(); c {
	case '{':
		w.members()
	case '[':
		w.items()
	case '"':
		text, _ := w.in.text(true)
		w.out = appendString(w.out, text)
	case 't', 'f', 'n':
		start := w.in.pos
		w.in.word()
		w.out = append(w.out, w.in.data[start:w.in.pos]...)
	default:
		start := w.in.pos
		w.in.number()
		w.out = w.number(w.out, w.in.data[start:w.in.pos])
	}
}

func (w *rewriter) members() {
	o := &w.objects[w.object]
	w.out = append(w.out, '{')
	for i, m := range o.members {
		if i > 0 {
			w.out = append(w.out, ',')
		}
		w.out = appendString(w.out, m.name)
		w.out = append(w.out, ':')
		w.in.pos, w.object = m.at, m.object
		w.value()
	}
	w.in.pos, w.object = o.end, o.next
	w.out = append(w.out, '}')
}

func (w *rewriter) items() {
	w.out = append(w.out, '[')
	w.in.pos++
	for w.in.blanks(); w.in.peek() != ']'; w.in.blanks() {
		if w.in.peek() == ',' {
			w.in.pos++
			w.in.blanks()
			w.out = append(w.out, ',')
		}
		w.value()
	}
	w.in.pos++
	w.out = append(w.out, ']')
}

// compareUTF16 orders two UTF-8 texts by their UTF-16 code units (RFC 8785, 3.2.3).
func compareUTF16(a, b []byte) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	if n == len(a) || n == len(b) {
		return len(a) - len(b)
	}
	for n > 0 && !utf8.RuneStart(a[n]) {
		n--
	}
	ra, _ := utf8.DecodeRune(a[n:])
	rb, _ := utf8.DecodeRune(b[n:])
	if ua, ub := firstUnit(ra), firstUnit(rb); ua != ub {
		return int(ua) - int(ub)
	}
	return int(ra) - int(rb)
}

// firstUnit is the first UTF-16 code unit of a character.
func firstUnit(r rune) rune {
	if high, _ := utf16.EncodeRune(r); high != utf8.RuneError {
		return high
	}
	return r
}
