package runtime

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Visible makes text from outside safe for a terminal and honest to its reader: whatever would
// move the cursor, start an escape sequence, change the order of characters or not be seen at all
// becomes a mark. Newline and tab stay. Controls become their pictures (ESC is ␛, NUL ␀, CR ␍,
// DEL ␡), other invisible characters \u{202E}, bytes that are no UTF-8 \xff. Nothing is cut; text
// without such characters comes back unchanged, and so does text that Visible has made. Whoever
// shows text in one line replaces newlines and tabs first.
func Visible(text string) string {
	start := 0
	for start < len(text) {
		r, size := utf8.DecodeRuneInString(text[start:])
		if hidden(r, size) {
			break
		}
		start += size
	}
	if start == len(text) {
		return text
	}
	var b strings.Builder
	b.Grow(len(text) + 16)
	b.WriteString(text[:start])
	for rest := text[start:]; rest != ""; {
		r, size := utf8.DecodeRuneInString(rest)
		if hidden(r, size) {
			writeMark(&b, r, rest[:size])
		} else {
			b.WriteString(rest[:size])
		}
		rest = rest[size:]
	}
	return b.String()
}

// hidden says whether a rune, decoded from size bytes, must not reach a terminal as it is.
func hidden(r rune, size int) bool {
	switch {
	case r == '\n' || r == '\t':
		return false
	case r < ' ':
		return true
	case r < 0x7f:
		return false
	case r <= 0x9f:
		return true
	case r == utf8.RuneError:
		return size <= 1
	}
	// Signs that stand before Arabic and Syriac numbers are format characters by class, but seen.
	if unicode.Is(unicode.Prepended_Concatenation_Mark, r) {
		return false
	}
	return unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point) ||
		r >= 0xE0100 && r <= 0xE01EF // variation selectors 17 to 256 can carry hidden bytes
}

func writeMark(b *strings.Builder, r rune, raw string) {
	const pictures, deletePicture = 0x2400, '␡'
	switch {
	case r < ' ':
		b.WriteRune(pictures + r)
	case r == 0x7f:
		b.WriteRune(deletePicture)
	case r == utf8.RuneError:
		fmt.Fprintf(b, `\x%02x`, raw[0])
	default:
		fmt.Fprintf(b, `\u{%04X}`, r)
	}
}

// VisibleLine is Visible for text that stands in one line, such as a cell of a table or a file
// name: a newline becomes ␊ and a tab ␉, so that nothing can forge a line of output.
func VisibleLine(text string) string {
	return strings.NewReplacer("\n", "␊", "\t", "␉").Replace(Visible(text))
}
