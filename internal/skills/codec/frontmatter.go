package codec

import (
	"bytes"
	"fmt"
)

// Frontmatter splits SKILL.md: skills 1.3. yaml is the text between the fences, yamlLine the line
// of its first line, body all after the closing fence, byte for byte (a BOM at the start of the
// file removed), bodyLine its first line. The error is *SyntaxError with code frontmatter or
// encoding or yaml_limit. The body is not checked: it may hold any bytes.
func Frontmatter(file string, data []byte) (yaml []byte, yamlLine int, body []byte, bodyLine int, err error) {
	fail := func(code string, line, offset int, msg, hint string) error {
		return &SyntaxError{Code: code, File: file, Line: line, Col: 1, Offset: offset, Msg: msg, Hint: hint}
	}
	if utf16Text(data) {
		return nil, 0, nil, 0, checkEncoding("encoding", file, data)
	}
	const example = "begin the file with ---, name: …, description: …, ---"
	text := bytes.TrimPrefix(data, []byte(bom))
	base := len(data) - len(text)
	if len(bytes.TrimSpace(text)) == 0 {
		return nil, 0, nil, 0, fail("frontmatter", 1, 0, "the file is empty", example)
	}
	first, next := cutLine(text, 0)
	if !isFence(first) {
		return nil, 0, nil, 0, fail("frontmatter", 1, base, "the file does not begin with a frontmatter (---)", example)
	}
	start := next
	for line := 2; next < len(text); line++ {
		at := next
		var content []byte
		content, next = cutLine(text, at)
		if !isFence(content) {
			continue
		}
		yaml = text[start:at:at]
		if len(yaml) > frontmatterBytes {
			return nil, 0, nil, 0, fail("yaml_limit", 2, base+start,
				fmt.Sprintf("the frontmatter has %d bytes, the limit is %d", len(yaml), frontmatterBytes), "move text into the body")
		}
		if bad := badByte(yaml); bad >= 0 {
			return nil, 0, nil, 0, checkEncoding("encoding", file, data[:base+at])
		}
		return yaml, 2, text[next:], line + 1, nil
	}
	return nil, 0, nil, 0, fail("frontmatter", 1, base, "the frontmatter is not closed: no line --- follows", "end the frontmatter with a line ---")
}

// cutLine is the line at an offset without its line feed, and the offset of the next one.
func cutLine(text []byte, at int) (line []byte, next int) {
	if i := bytes.IndexByte(text[at:], '\n'); i >= 0 {
		return text[at : at+i], at + i + 1
	}
	return text[at:], len(text)
}

// isFence reports whether a line is --- and blanks.
func isFence(line []byte) bool {
	return bytes.HasPrefix(line, []byte("---")) && len(bytes.TrimRight(line, " \t\r")) == len("---")
}
