package codec

import (
	"bytes"
	"strconv"
	"unicode/utf8"
)

// bom is the UTF-8 byte-order mark.
const bom = "\xef\xbb\xbf"

// place turns a byte offset into line and column. A byte-order mark at the start is no character.
func place(data []byte, offset int) (line, col int) {
	offset = min(max(offset, 0), len(data))
	line = 1 + bytes.Count(data[:offset], []byte{'\n'})
	start := bytes.LastIndexByte(data[:offset], '\n') + 1
	if start == 0 && bytes.HasPrefix(data, []byte(bom)) {
		start = min(len(bom), offset)
	}
	return line, 1 + utf8.RuneCount(data[start:offset])
}

// utf16Text reports whether data looks like UTF-16: a mark, or a NUL among the first two bytes.
func utf16Text(data []byte) bool {
	if len(data) < 2 {
		return false
	}
	switch {
	case data[0] == 0xfe && data[1] == 0xff, data[0] == 0xff && data[1] == 0xfe:
		return true
	default:
		return (data[0] == 0) != (data[1] == 0)
	}
}

// badByte is the offset of the first byte that is not UTF-8, or -1.
func badByte(data []byte) int {
	if utf8.Valid(data) {
		return -1
	}
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}

// checkEncoding returns the fault of a text that is not UTF-8, with the code given, or nil.
func checkEncoding(code, file string, data []byte) *SyntaxError {
	fault := &SyntaxError{Code: code, File: file, Line: 1, Col: 1, Hint: "save the file as UTF-8"}
	if utf16Text(data) {
		fault.Msg = "the text is UTF-16, not UTF-8 (byte offset 0)"
		return fault
	}
	at := badByte(data)
	if at < 0 {
		return nil
	}
	fault.Offset = at
	fault.Line, fault.Col = place(data, at)
	fault.Msg = "the text is not UTF-8 at byte offset " + strconv.Itoa(at)
	return fault
}
