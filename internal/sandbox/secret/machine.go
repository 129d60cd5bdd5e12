package secret

// state is a place in the forms: a unit, and how much of it has been read. The low byte is a step,
// with flags.
type state uint64

// Steps: what has been read of a unit.
const (
	stepStart        state = iota // nothing
	stepPercent                   // %
	stepPercentDigit              // %X
	stepBreakDigit                // %0 of a line break
	stepPercentSlash              // %5 of a backslash before an escaped character
	stepBackslash                 // backslashes
	stepShort                     // backslashes, %
	stepShortDigit                // backslashes, %X
	stepUnicode                   // backslashes, u
	stepUnicode1                  // backslashes, uX
	stepUnicode2                  // backslashes, uXX
	stepUnicode3                  // backslashes, uXXX

	stepMask = 0xf
)

const (
	flagLow state = 1 << (iota + 4) // the first half of a surrogate pair has been read
	flagCR                          // a carriage return has
	flagLF                          // a line feed has

	unitShift = 8
)

func (s state) unit() int           { return int(s >> unitShift) }
func (s state) step() state         { return s & stepMask }
func (s state) with(to state) state { return s&^stepMask | to }

// set is a set of states in ascending order.
type set struct {
	states   []state
	accepted bool // a form has been read
}

func (t *set) clear() { t.states, t.accepted = t.states[:0], false }

// add adds a state. The states before come from smaller ones, whose units are at most four behind:
// the place is near the end.
func (t *set) add(s state) {
	i := len(t.states)
	for i > 0 && t.states[i-1] > s {
		i--
	}
	if i > 0 && t.states[i-1] == s {
		return
	}
	t.states = append(t.states, s)
	if last := len(t.states) - 1; i < last {
		copy(t.states[i+1:], t.states[i:last])
		t.states[i] = s
	}
}

// advance adds the state after the n units from that of s on.
func (m *matcher) advance(t *set, s state, n int) {
	i := s.unit() + n
	t.accepted = t.accepted || m.units[i].accept
	if !m.units[i].end {
		t.add(state(i) << unitShift)
	}
}

// step adds the states that follow s when the text goes on with c. With more, c may be or end one
// more backslash before an escaped character.
func (m *matcher) step(t *set, s state, c byte, more bool) {
	u := &m.units[s.unit()]
	whole := s&flagLow == 0
	switch s.step() {
	case stepStart:
		m.start(t, s, c, more)
	case stepPercent:
		h := digit(c)
		if whole && !u.bare && u.hasDigit(uint16(u.raw), 4, h) {
			t.add(s.with(stepPercentDigit))
		}
		if u.wrap && h == 0 {
			t.add(s.with(stepBreakDigit))
		}
		if h == 5 && u.escapes() {
			t.add(s.with(stepPercentSlash))
		}
	case stepPercentDigit:
		if u.hasDigit(uint16(u.raw), 0, digit(c)) {
			m.advance(t, s, 1)
		}
	case stepBreakDigit:
		t.addBreak(s, digit(c))
	case stepPercentSlash:
		if digit(c) == 0xc && more {
			t.add(s.with(stepBackslash))
		}
	case stepBackslash:
		m.escape(t, s, c, more)
	case stepShort:
		h := digit(c)
		if h == 5 {
			t.add(s.with(stepPercentSlash))
		}
		if whole && u.short != 0 && h == int(u.short>>4) {
			t.add(s.with(stepShortDigit))
		}
	case stepShortDigit:
		if digit(c) == int(u.short&0xf) {
			m.advance(t, s, 1)
		}
	default:
		m.unicode(t, s, c)
	}
}

// start is step where nothing of a unit has been read.
func (m *matcher) start(t *set, s state, c byte, more bool) {
	u := &m.units[s.unit()]
	whole := s&flagLow == 0
	if whole && (c == u.raw || u.alt != 0 && c == u.alt) {
		m.advance(t, s, 1)
	}
	switch {
	case c == '%' && (!u.bare || u.wrap):
		t.add(s.with(stepPercent))
	case c == '\\' && more && u.escapes():
		t.add(s.with(stepBackslash))
	case u.wrap && (c == '\n' || c == '\r'):
		t.addBreak(s, int(c))
	}
}

// escape is step after backslashes.
func (m *matcher) escape(t *set, s state, c byte, more bool) {
	u := &m.units[s.unit()]
	if s&flagLow == 0 && u.short != 0 && c == u.short {
		m.advance(t, s, 1)
	}
	switch {
	case c == '\\' && more:
		t.add(s)
	case c == '%':
		t.add(s.with(stepShort))
	case c == 'u' && u.width > 0:
		t.add(s.with(stepUnicode))
	case c == 'n' && u.wrap:
		t.addBreak(s, '\n')
	case c == 'r' && u.wrap:
		t.addBreak(s, '\r')
	}
}

// unicode is step among the digits of \uXXXX.
func (m *matcher) unicode(t *set, s state, c byte) {
	u := &m.units[s.unit()]
	code, low := u.code, s&flagLow != 0
	if low {
		code = u.low
	}
	n := s.step() - stepUnicode
	switch {
	case !u.hasDigit(code, 12-4*n, digit(c)):
	case n < 3:
		t.add(s + 1)
	case u.low != 0 && !low:
		t.add(s.with(stepStart) | flagLow)
	default:
		m.advance(t, s, int(u.width))
	}
}

// addBreak adds the state after a line feed, or after a carriage return that may stand before one.
func (t *set) addBreak(s state, c int) {
	switch {
	case c == '\n' && s&flagLF == 0:
		t.add(s.with(stepStart)&^flagCR | flagLF)
	case c == '\r' && s&(flagCR|flagLF) == 0:
		t.add(s.with(stepStart) | flagCR)
	}
}

// escapes says whether backslashes may stand in the unit, or in a line break before it.
func (u *unit) escapes() bool { return u.width > 0 || u.wrap }

// hasDigit says whether h is the hexadecimal digit of code, or of the other alphabet's character,
// from the bit shift on.
func (u *unit) hasDigit(code uint16, shift state, h int) bool {
	return h == int(code>>shift&0xf) || u.alt != 0 && h == int(uint16(u.alt)>>shift&0xf)
}

// digit is the value of a hexadecimal digit, or -1.
func digit(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}
