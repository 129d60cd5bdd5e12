package secret

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"sync"
)

// matcher finds its forms in bytes, as a machine that is at several places in them at once. For
// almost every position a bitmap tells from two bytes that no form starts there. A position costs
// at most the length of the longest form; for a form that does not repeat itself the positions of a
// text together cost about the length of the text.
type matcher struct {
	units  []unit
	raw    []byte               // of the units
	run    int                  // how many backslashes in a row may stand before escaped characters
	lead   bool                 // a form starts with a backslash
	places sync.Pool            // of *places
	first  [256][]state         // the states after the first byte
	pairs  [1 << 16 / 64]uint64 // which two bytes a form may start with
}

// places are where the machine is, and where it goes with the next byte.
type places struct{ here, there set }

// span is a part of a text: from start up to but without end.
type span struct{ start, end int }

func newMatcher(f *forms) *matcher {
	m := &matcher{
		units:  f.units,
		run:    maxBackslashes * (1 + f.run),
		places: sync.Pool{New: func() any { return new(places) }},
	}
	for _, u := range m.units {
		m.raw = append(m.raw, u.raw)
	}
	var t set
	for c := range m.first {
		t.clear()
		for _, i := range f.starts {
			m.lead = m.lead || m.units[i].raw == '\\'
			m.step(&t, state(i)<<unitShift, byte(c), true)
		}
		m.first[c] = slices.Clone(t.states)
		for d := range 256 {
			t.clear()
			for _, s := range m.first[c] {
				m.step(&t, s, byte(d), true)
			}
			if len(t.states) > 0 {
				m.pairs[(c<<8|d)/64] |= 1 << (d % 64)
			}
		}
	}
	return m
}

// next finds the first position from p on where the longest form of n bytes starts. With open, the
// text may go on: undecided says that its end at pos is the beginning of a form that is longer than
// what matched. Without either, pos is the length of the text.
func (m *matcher) next(text []byte, p int, open bool) (pos, n int, undecided bool) {
	p = m.candidate(text, p)
	if p+1 < len(text) {
		now, _ := m.places.Get().(*places)
		defer m.places.Put(now)
		for ; p+1 < len(text); p = m.candidate(text, p+1) {
			if n, undecided := m.at(now, text[p:], open); n > 0 || undecided {
				return p, n, undecided
			}
			if text[p] == '\\' {
				p += m.skip(text[p:])
			}
		}
	}
	if open && p < len(text) && len(m.first[text[p]]) > 0 {
		return p, 0, true
	}
	return len(text), 0, false
}

// candidate returns the first position from p on where two bytes stand with which a form may start,
// or the last position of text.
func (m *matcher) candidate(text []byte, p int) int {
	for ; p+1 < len(text); p++ {
		c, d := text[p], text[p+1]
		if m.pairs[(int(c)<<8|int(d))/64]&(1<<(d%64)) != 0 {
			break
		}
	}
	return p
}

// skip says how many positions after the backslash at the start of text need no look when no form
// starts at it: as many backslashes as one more before would not matter.
func (m *matcher) skip(text []byte) int {
	n := backslashes(text, m.run+1)
	switch {
	case n <= m.run && (n == len(text) || text[n] != '%'):
		return n - 1
	case n <= m.run || m.lead:
		return 0
	}
	return backslashes(text, len(text)) - m.run - 1
}

// at is next for the position at the start of text, which is not empty.
func (m *matcher) at(now *places, text []byte, open bool) (n int, undecided bool) {
	now.here.states = append(now.here.states[:0], m.first[text[0]]...)
	run := countRun(text, 0, 0)
	for p := 1; len(now.here.states) > 0; p++ {
		if k := m.literal(&now.here, text[p:]); k > 0 {
			run, p = 0, p+k
			if now.here.accepted {
				n = p
			}
			if len(now.here.states) == 0 {
				break
			}
		}
		if p == len(text) {
			return n, open
		}
		run = countRun(text, p, run)
		now.there.clear()
		for _, s := range now.here.states {
			m.step(&now.there, s, text[p], run <= m.run)
		}
		if now.there.accepted {
			n = p + 1
		}
		if text[p] == '\\' && !now.there.accepted && slices.Equal(now.here.states, now.there.states) {
			// More backslashes change nothing before there are too many.
			k := backslashes(text[p+1:], m.run-run)
			run, p = run+k, p+k
		}
		now.here, now.there = now.there, now.here
	}
	return n, false
}

// literal reads as far as there is only one way to read on: the bytes as they are.
func (m *matcher) literal(t *set, text []byte) int {
	s := t.states[0]
	if len(t.states) > 1 || s&(stepMask|flagLow) != stepStart {
		return 0
	}
	k := common(text, m.raw[s.unit():][:m.units[s.unit()].plain])
	if k > 0 {
		t.clear()
		m.advance(t, s, k)
	}
	return k
}

// countRun counts on the backslashes in a row that end at p; those that are percent-encoded count
// more.
func countRun(text []byte, p, run int) int {
	switch c := text[p]; {
	case c == '\\':
		return run + 1
	case (c == 'c' || c == 'C') && p > 1 && text[p-1] == '5' && text[p-2] == '%':
		return run + maxBackslashes/maxPercentBackslashes
	case c == '%' || c == '5':
		return run
	}
	return 0
}

// backslashes counts those at the start of text, up to limit.
func backslashes(text []byte, limit int) int {
	n := 0
	for n < len(text) && n < limit && text[n] == '\\' {
		n++
	}
	return n
}

// common is the length of what two texts have in common at their starts.
func common(text, form []byte) int {
	n := min(len(text), len(form))
	i := 0
	for ; i+8 <= n; i += 8 {
		if x := binary.LittleEndian.Uint64(text[i:]) ^ binary.LittleEndian.Uint64(form[i:]); x != 0 {
			return i + bits.TrailingZeros64(x)/8
		}
	}
	for i < n && text[i] == form[i] {
		i++
	}
	return i
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
