package secret

import (
	"encoding/base64"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// unit is one byte of a form and the ways in which it may be written.
type unit struct {
	raw    byte   // as it is; also %XX
	alt    byte   // the same in another alphabet; also %XX; 0 for none
	short  byte   // after backslashes; 0 for none
	width  uint8  // how many units \uXXXX stands for from here; 0 for none
	code   uint16 // its XXXX
	low    uint16 // the XXXX of the \uXXXX after it, of a surrogate pair; 0 for none
	bare   bool   // only as it is
	wrap   bool   // a line break may stand before it
	accept bool   // the units before it are a form
	end    bool   // it is no unit but follows the last one
	plain  int    // how many units from here on have no other reading where the text has them raw
}

// forms are what a Redactor looks for, one after the other with an end behind each.
type forms struct {
	units  []unit
	starts []int // index of the first unit of each
	run    int   // the longest run of backslashes in a value
}

// add adds a value: itself, as decoders have it that replace what is not UTF-8, and as base64.
func (f *forms) add(value string) {
	f.text(value)
	if !utf8.ValidString(value) && len(strings.ToValidUTF8(value, "")) >= MinValueBytes {
		f.text(string([]rune(value)))
	}
	for before := range 3 {
		f.base64(value, "", before)
		f.base64(value, "\n", before) // the newline that a shell's echo adds
	}
}

// text adds a text whose bytes may be percent-encoded or escaped, each in its own way.
func (f *forms) text(text string) {
	f.starts = append(f.starts, len(f.units))
	run := 0
	for i, r := range text {
		if run++; r != '\\' {
			run = 0
		}
		f.run = max(f.run, run)
		u := unit{raw: text[i], width: uint8(utf8.RuneLen(r)), code: uint16(r)}
		switch {
		case r == ' ':
			u.alt = '+'
		case r == '"' || r == '\\' || r == '/':
			u.short = byte(r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			u.code, u.low = uint16(high), uint16(low)
		case r == utf8.RuneError && !strings.HasPrefix(text[i:], string(r)):
			u.width, u.code = 1, 0xdc00|uint16(text[i]) // as Python has it
		default:
			u.short = shortEscape(r)
		}
		f.units = append(f.units, u)
		for j := 1; j < int(u.width); j++ {
			f.units = append(f.units, unit{raw: text[i+j]})
		}
	}
	f.end()
}

// base64 adds what a value looks like inside the base64 of a text: before bytes stand before it
// (modulo 3), and it ends the text, or after does. The characters that depend on nothing but the
// value are a form of their own when they are minCore or more; fewer are one only as the whole
// text.
func (f *forms) base64(value, after string, before int) {
	text := strings.Repeat("\x00", before) + value
	from, to := (8*before+5)/6, 8*len(text)/6
	if to-from < minCore && before > 0 {
		return
	}
	line := base64.StdEncoding.EncodeToString([]byte(text + after))
	padding := len(strings.TrimRight(line, "="))
	f.starts = append(f.starts, len(f.units))
	for i := from; i < len(line); i++ {
		u := unit{raw: line[i], wrap: i > from, accept: i == to && to-from >= minCore || i >= padding}
		switch u.raw {
		case '+':
			u.alt = '-'
		case '/':
			u.alt, u.short = '_', '/'
		case '=':
		default:
			u.bare = true
		}
		if !u.bare {
			u.width, u.code = 1, uint16(u.raw)
		}
		f.units = append(f.units, u)
	}
	f.end()
}

// end ends a form and counts its plain units.
func (f *forms) end() {
	f.units = append(f.units, unit{accept: true, end: true})
	first := f.starts[len(f.starts)-1]
	for i := len(f.units) - 2; i >= first; i-- {
		switch u, next := &f.units[i], f.units[i+1]; {
		case u.raw == '%' || u.raw == '\\':
		case next.accept:
			u.plain = 1
		default:
			u.plain = next.plain + 1
		}
	}
}

// shortEscape is the letter that JSON has after the backslash for a control character, or 0.
func shortEscape(r rune) byte {
	switch r {
	case '\b':
		return 'b'
	case '\f':
		return 'f'
	case '\n':
		return 'n'
	case '\r':
		return 'r'
	case '\t':
		return 't'
	}
	return 0
}
