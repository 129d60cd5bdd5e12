package codec

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"strconv"
	"unicode/utf8"
)

// scanner reads one JSON text in a single pass. It stops at the first fault.
type scanner struct {
	data  []byte
	pos   int
	depth int // how much nesting is left
	limit int // the nesting that was allowed
	err   *scanError
	names []nameRef // names of the objects that are open, innermost last
	// rec is told about objects and their members; nil when nobody asks.
	rec *record
	// top collects the members of the outermost object; nil when nobody asks.
	top *topMembers
}

// scanError is a fault at an offset.
type scanError struct {
	offset    int
	msg, hint string
	key       string
}

func (s *scanner) fail(offset int, msg, hint string) bool {
	if s.err == nil {
		s.err = &scanError{offset: offset, msg: msg, hint: hint}
	}
	return false
}

func (s *scanner) blanks() {
	for s.pos < len(s.data) {
		switch s.data[s.pos] {
		case ' ', '\t', '\n', '\r':
			s.pos++
		default:
			return
		}
	}
}

// peek is the next byte, or 0 at the end.
func (s *scanner) peek() byte {
	if s.pos < len(s.data) {
		return s.data[s.pos]
	}
	return 0
}

// value reads one value that begins at pos.
func (s *scanner) value() bool {
	switch c := s.peek(); {
	case c == '{':
		return s.nested(true)
	case c == '[':
		return s.nested(false)
	case c == '"':
		_, ok := s.text(false)
		return ok
	case c == '-' || c >= '0' && c <= '9':
		return s.number()
	default:
		return s.word()
	}
}

// nested reads a collection one level deeper.
func (s *scanner) nested(object bool) (ok bool) {
	if s.depth == 0 {
		return s.fail(s.pos, fmt.Sprintf("the nesting is deeper than %d", s.limit), "")
	}
	s.depth--
	if object {
		ok = s.object()
	} else {
		ok = s.array()
	}
	s.depth++
	return ok
}

func (s *scanner) array() bool {
	s.pos++
	s.blanks()
	if s.peek() == ']' {
		s.pos++
		return true
	}
	for {
		if s.peek() == ']' {
			return s.fail(s.pos, "a comma before ] is not allowed", "remove the comma")
		}
		if !s.value() {
			return false
		}
		s.blanks()
		switch s.peek() {
		case ',':
			s.pos++
			s.blanks()
		case ']':
			s.pos++
			return true
		default:
			return s.unexpected("a comma or ] must follow")
		}
	}
}

func (s *scanner) object() bool {
	top := s.top
	s.top = nil // members of inner objects are not wanted
	index := s.rec.open()
	set := nameSet{base: len(s.names)}
	s.pos++
	s.blanks()
	if s.peek() == '}' {
		s.pos++
		s.rec.close(index, s.pos)
		return true
	}
	for {
		nameStart := s.pos
		name, ok := s.memberName(&set)
		if !ok {
			return false
		}
		start := s.pos
		s.rec.member(index, name, start)
		if !s.value() {
			return false
		}
		if top != nil {
			top.members = append(top.members, Member{Name: string(name), Raw: s.data[start:s.pos:s.pos]})
			top.names = append(top.names, s.data[nameStart:quotedEnd(s.data, nameStart)])
		}
		s.blanks()
		switch s.peek() {
		case ',':
			s.pos++
			s.blanks()
		case '}':
			s.pos++
			s.names = s.names[:set.base]
			s.rec.close(index, s.pos)
			return true
		default:
			return s.unexpected("a comma or } must follow")
		}
	}
}

// memberName reads a name and its colon and refuses one that the object already has.
func (s *scanner) memberName(set *nameSet) ([]byte, bool) {
	start := s.pos
	switch s.peek() {
	case '"':
	case '}':
		return nil, s.fail(s.pos, "a comma before } is not allowed", "remove the comma")
	default:
		return nil, s.unexpected("a name in double quotes must follow")
	}
	name, ok := s.text(true)
	if !ok {
		return nil, false
	}
	if first, twice := s.add(set, name, start); twice {
		line, _ := place(s.data, first)
		s.fail(start, fmt.Sprintf("the key %q is given twice, first on line %d", shorten(string(name)), line), "keep one of them")
		s.err.key = string(name)
		return nil, false
	}
	s.blanks()
	if s.peek() != ':' {
		return nil, s.unexpected("a colon must follow the name")
	}
	s.pos++
	s.blanks()
	return name, true
}

// number reads a number by the grammar of JSON; its size is not limited.
func (s *scanner) number() bool {
	start := s.pos
	if s.peek() == '-' {
		s.pos++
	}
	first := s.pos
	if s.digits() == 0 {
		return s.fail(start, "a digit must follow the minus sign", "")
	}
	if s.data[first] == '0' && s.pos-first > 1 {
		return s.fail(start, "a number cannot begin with 0", "remove the leading zeros, or quote the value")
	}
	if s.peek() == '.' {
		s.pos++
		if s.digits() == 0 {
			return s.fail(start, "a digit must follow the decimal point", "")
		}
	}
	if c := s.peek(); c == 'e' || c == 'E' {
		s.pos++
		if c := s.peek(); c == '+' || c == '-' {
			s.pos++
		}
		if s.digits() == 0 {
			return s.fail(start, "a digit must follow the exponent", "")
		}
	}
	return true
}

func (s *scanner) digits() int {
	start := s.pos
	for s.pos < len(s.data) && s.data[s.pos] >= '0' && s.data[s.pos] <= '9' {
		s.pos++
	}
	return s.pos - start
}

// word reads true, false or null.
func (s *scanner) word() bool {
	for _, w := range [...]string{"true", "false", "null"} {
		if len(s.data)-s.pos >= len(w) && string(s.data[s.pos:s.pos+len(w)]) == w {
			s.pos += len(w)
			return true
		}
	}
	return s.unexpected("a value must follow")
}

// unexpected is the fault of a byte that cannot stand here.
func (s *scanner) unexpected(want string) bool {
	if s.pos >= len(s.data) {
		return s.fail(s.pos, "the text ends too early: "+want, "")
	}
	hint := ""
	switch c := s.data[s.pos]; {
	case c == '\'':
		hint = "use double quotes"
	case c == '/' || c == '#':
		hint = "JSON has no comments"
	case string(s.rest(3)) == bom:
		hint = "a byte-order mark may stand only at the start"
	case c == 'N' || c == 'I' || c == '+' || c == '.':
		hint = "NaN, Infinity and signs or points before the first digit are not JSON"
	}
	return s.fail(s.pos, want+", found "+strconv.QuoteRune(firstRune(s.data[s.pos:])), hint)
}

func (s *scanner) rest(n int) []byte { return s.data[s.pos:min(s.pos+n, len(s.data))] }

// text reads a string, which is known to be UTF-8. With decode it returns the decoded bytes, which
// may be a part of data.
func (s *scanner) text(decode bool) ([]byte, bool) {
	start := s.pos
	s.pos = plainRun(s.data, s.pos+1)
	if s.peek() == '"' && s.pos < len(s.data) {
		s.pos++
		return s.data[start+1 : s.pos-1], true
	}
	decoded := []byte(nil)
	run := start + 1
	for {
		if s.pos >= len(s.data) {
			return nil, s.fail(start, "the string is not closed", "add the closing double quote")
		}
		switch c := s.data[s.pos]; {
		case c == '"':
			if decode {
				decoded = append(decoded, s.data[run:s.pos]...)
			}
			s.pos++
			return decoded, true
		case c == '\\':
			if decode {
				decoded = append(decoded, s.data[run:s.pos]...)
			}
			r, ok := s.escape()
			if !ok {
				return nil, false
			}
			if decode {
				decoded = utf8.AppendRune(decoded, r)
			}
			run = s.pos
		default:
			return nil, s.fail(s.pos, fmt.Sprintf("the control character U+%04X must be escaped in a string", c),
				fmt.Sprintf("write \\u%04x", c))
		}
		s.pos = plainRun(s.data, s.pos)
	}
}

// plainRun is the offset of the first byte from at on that ends a run of plain string bytes: a
// quote, a backslash or a control character. It looks at eight bytes at once.
func plainRun(data []byte, at int) int {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	for at+8 <= len(data) {
		w := binary.LittleEndian.Uint64(data[at:])
		quote, slash := w^(ones*'"'), w^(ones*'\\')
		// A byte below its subtrahend borrows into its high bit; the lowest hit is exact.
		hit := ((w - ones*0x20) & ^w) | ((quote - ones) & ^quote) | ((slash - ones) & ^slash)
		if hit &= highs; hit != 0 {
			return at + bits.TrailingZeros64(hit)/8
		}
		at += 8
	}
	for at < len(data) && data[at] != '"' && data[at] != '\\' && data[at] >= 0x20 {
		at++
	}
	return at
}
