package codec

import (
	"unicode/utf16"
	"unicode/utf8"
)

// escape reads one escape sequence, or a surrogate pair of two.
func (s *scanner) escape() (rune, bool) {
	start := s.pos
	if s.pos+1 >= len(s.data) {
		return 0, s.fail(start, "the string ends in an escape", "add the closing double quote")
	}
	c := s.data[s.pos+1]
	s.pos += 2
	switch c {
	case '"', '\\', '/':
		return rune(c), true
	case 'b':
		return '\b', true
	case 'f':
		return '\f', true
	case 'n':
		return '\n', true
	case 'r':
		return '\r', true
	case 't':
		return '\t', true
	case 'u':
		return s.unicodeEscape(start)
	}
	return 0, s.fail(start, "the escape \\"+string(firstRune(s.data[start+1:]))+" is not one of JSON", `write \\ for a backslash`)
}

// unicodeEscape reads the digits behind \u and, for a high surrogate, the low one that must follow.
func (s *scanner) unicodeEscape(start int) (rune, bool) {
	r, ok := s.hex4()
	if !ok {
		return 0, s.fail(start, "four hexadecimal digits must follow \\u", "")
	}
	if !utf16.IsSurrogate(r) {
		return r, true
	}
	if s.pos+1 < len(s.data) && s.data[s.pos] == '\\' && s.data[s.pos+1] == 'u' {
		s.pos += 2
		if low, ok := s.hex4(); ok {
			if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
				return pair, true
			}
		}
	}
	return 0, s.fail(start, "a lone surrogate ("+string(s.data[start:start+6])+") is not a character", "escape both halves of the pair, or write the character itself")
}

func (s *scanner) hex4() (rune, bool) {
	if s.pos+4 > len(s.data) {
		return 0, false
	}
	var r rune
	for _, c := range s.data[s.pos : s.pos+4] {
		switch {
		case c >= '0' && c <= '9':
			r = r<<4 | rune(c-'0')
		case c >= 'a' && c <= 'f':
			r = r<<4 | rune(c-'a'+10)
		case c >= 'A' && c <= 'F':
			r = r<<4 | rune(c-'A'+10)
		default:
			return 0, false
		}
	}
	s.pos += 4
	return r, true
}

func firstRune(data []byte) rune {
	r, _ := utf8.DecodeRune(data)
	return r
}
