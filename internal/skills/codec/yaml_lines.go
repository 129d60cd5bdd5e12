package codec

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// scanLines makes the table of lines and finds what the library would hide or misread, on the text
// alone: characters that YAML does not allow or takes for line breaks, directives, document markers.
// In YAML a marker at the start of a line is one in every context, block scalars included.
func (y *yamlReader) scanLines() {
	y.scanCharacters()
	started, content := false, false
	for start := 0; start <= len(y.text); {
		y.lines = append(y.lines, start)
		end := len(y.text)
		if i := bytes.IndexByte(y.text[start:], '\n'); i >= 0 {
			end = start + i
		}
		line := bytes.TrimSuffix(y.text[start:end], []byte{'\r'})
		switch {
		case isMarker(line, "---") && (started || content):
			y.fault("yaml_feature", start, "a second document (---) is not allowed", "one document a file")
		case isMarker(line, "---"):
			started = true
			rest := bytes.TrimLeft(line[3:], " \t")
			content = len(rest) > 0 && rest[0] != '#'
		case isMarker(line, "..."):
			y.fault("yaml_feature", start, "a document end marker (...) is not allowed", "remove the line")
		case len(line) > 0 && line[0] == '%' && !content && !started:
			y.fault("yaml_feature", start, "a directive ("+firstWord(line)+") is not allowed", "remove the line, or quote a value that begins with %")
		default:
			rest := bytes.TrimLeft(line, " \t")
			content = content || len(rest) > 0 && rest[0] != '#'
		}
		start = end + 1
	}
}

// scanCharacters refuses control characters, and the characters other than LF and CRLF that the
// library counts as line breaks: they would shift lines and be folded into blanks.
func (y *yamlReader) scanCharacters() {
	for i := 0; i < len(y.text); {
		c := y.text[i]
		if c >= 0x20 && c < 0x7f || c == '\n' || c == '\t' {
			i++
			continue
		}
		if c == '\r' {
			if i+1 >= len(y.text) || y.text[i+1] != '\n' {
				y.fault("yaml_syntax", i, "a carriage return without a line feed is not allowed", "end lines with LF or CRLF")
			}
			i++
			continue
		}
		r, size := utf8.DecodeRune(y.text[i:])
		if r < 0xa0 || r == 0x2028 || r == 0x2029 || r == 0xfffe || r == 0xffff || r == 0xfeff {
			y.fault("yaml_syntax", i, fmt.Sprintf("the character U+%04X is not allowed", r),
				fmt.Sprintf("remove it, or write it as \\u%04x in double quotes", r))
		}
		i += size
	}
}

// isMarker reports whether a line is a document marker: the mark alone or before a blank.
func isMarker(line []byte, mark string) bool {
	return bytes.HasPrefix(line, []byte(mark)) &&
		(len(line) == len(mark) || line[len(mark)] == ' ' || line[len(mark)] == '\t')
}

// firstWord is the text up to the next blank, at most 40 bytes of it.
func firstWord(text []byte) string {
	const shown = 40
	cut := text[:min(len(text), shown)]
	if i := bytes.IndexAny(cut, " \t\r\n"); i >= 0 {
		return string(cut[:i])
	}
	word := strings.ToValidUTF8(string(cut), "")
	if len(text) > shown {
		word += "…"
	}
	return word
}
