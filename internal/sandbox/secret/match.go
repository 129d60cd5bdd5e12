package secret

import (
	"encoding/binary"
	"slices"
	"strings"
)

// matcher finds any of its forms in bytes. Every form has at least keyBytes bytes, so that its
// first ones are a key: a bitmap tells for almost every position that no form starts there.
type matcher struct {
	forms  []string         // longest first
	byKey  map[uint32][]int // indices of forms, longest first
	filter [1 << filterBits / 64]uint64
}

const (
	keyBytes   = MinValueBytes
	filterBits = 16
)

// span is a part of a text: from start up to but without end.
type span struct{ start, end int }

func newMatcher(all []string) *matcher {
	slices.SortStableFunc(all, func(a, b string) int { return len(b) - len(a) })
	m := &matcher{forms: all, byKey: make(map[uint32][]int)}
	for i, form := range all {
		key := binary.LittleEndian.Uint32([]byte(form[:keyBytes]))
		m.byKey[key] = append(m.byKey[key], i)
		h := hash(key)
		m.filter[h/64] |= 1 << (h % 64)
	}
	return m
}

func hash(key uint32) uint32 { return key * 0x9e3779b1 >> (32 - filterBits) }

// next finds the first position from p on where the longest form of n bytes starts. With open, the
// text may go on: undecided says that its end at pos is the beginning of a form that is longer than
// what matched. Without either, pos is the length of the text.
func (m *matcher) next(text []byte, p int, open bool) (pos, n int, undecided bool) {
	for ; p+keyBytes <= len(text); p++ {
		key := binary.LittleEndian.Uint32(text[p:])
		if h := hash(key); m.filter[h/64]&(1<<(h%64)) == 0 {
			continue
		}
		if n, undecided := m.at(text[p:], key, open); n > 0 || undecided {
			return p, n, undecided
		}
	}
	for ; open && p < len(text); p++ {
		rest := string(text[p:])
		if slices.ContainsFunc(m.forms, func(form string) bool { return strings.HasPrefix(form, rest) }) {
			return p, 0, true
		}
	}
	return len(text), 0, false
}

// at is next for one position whose key is known.
func (m *matcher) at(text []byte, key uint32, open bool) (n int, undecided bool) {
	for _, i := range m.byKey[key] {
		form := m.forms[i]
		switch {
		case len(form) <= len(text) && string(text[:len(form)]) == form:
			return len(form), undecided
		case open && len(form) > len(text) && form[:len(text)] == string(text):
			undecided = true
		}
	}
	return 0, undecided
}

// replace appends text to out with Mark in place of each form. Forms that overlap become one mark:
// no end of one may stay. skip is how many bytes at the start belong to a mark that is written.
// It returns how many bytes it is done with: all of them unless open, when the rest may be the
// beginning of a form, and how many of the rest to skip.
func (m *matcher) replace(out, text []byte, skip int, open bool) (result []byte, done, rest int) {
	keep := skip // the first byte that no mark stands for
	for p := 0; ; p++ {
		pos, n, undecided := m.next(text, p, open)
		if undecided || pos == len(text) {
			if pos > keep {
				out = append(out, text[keep:pos]...)
			}
			return out, pos, max(keep-pos, 0)
		}
		if pos >= keep {
			out = append(append(out, text[keep:pos]...), Mark...)
		}
		keep = max(keep, pos+n)
		p = pos
	}
}

// find returns the parts of a whole text that replace replaces, in order and without overlap.
func (m *matcher) find(text []byte) []span {
	var found []span
	for p := 0; ; p++ {
		pos, n, _ := m.next(text, p, false)
		if pos == len(text) {
			return found
		}
		if last := len(found) - 1; last >= 0 && pos < found[last].end {
			found[last].end = max(found[last].end, pos+n)
		} else {
			found = append(found, span{pos, pos + n})
		}
		p = pos
	}
}
