package runtime

import (
	"strings"
	"unicode/utf8"
)

// ValidText shows bytes as text: each maximal invalid part becomes one U+FFFD, as the Unicode
// standard recommends for decoders, and is counted. Valid bytes come back unchanged.
func ValidText(data []byte) (text string, replaced int) {
	if utf8.Valid(data) {
		return string(data), 0
	}
	var b strings.Builder
	b.Grow(len(data) + 16)
	for len(data) > 0 {
		r, size := utf8.DecodeRune(data)
		if r == utf8.RuneError && size <= 1 {
			size = invalidPart(data)
			b.WriteRune(utf8.RuneError)
			replaced++
		} else {
			b.Write(data[:size])
		}
		data = data[size:]
	}
	return b.String(), replaced
}

// CutText splits a chunk of a stream before a character that has not arrived whole, so that text
// can be shown while it comes. rest is at most 3 bytes and begins the next chunk.
func CutText(data []byte) (whole, rest []byte) {
	for back := 1; back <= min(3, len(data)); back++ {
		start := len(data) - back
		if !utf8.RuneStart(data[start]) {
			continue
		}
		if data[start] >= 0xC0 && !utf8.FullRune(data[start:]) {
			return data[:start], data[start:]
		}
		break
	}
	return data, nil
}

// invalidPart is how many bytes of an ill-formed beginning belong together: the longest beginning
// of a well-formed sequence, or one byte.
func invalidPart(data []byte) int {
	low, high, more := byte(0x80), byte(0xBF), 0
	switch lead := data[0]; {
	case lead >= 0xC2 && lead <= 0xDF:
		more = 1
	case lead >= 0xE0 && lead <= 0xEF:
		more = 2
		if lead == 0xE0 {
			low = 0xA0
		} else if lead == 0xED {
			high = 0x9F
		}
	case lead >= 0xF0 && lead <= 0xF4:
		more = 3
		if lead == 0xF0 {
			low = 0x90
		} else if lead == 0xF4 {
			high = 0x8F
		}
	}
	n := 1
	for n <= more && n < len(data) && data[n] >= low && data[n] <= high {
		low, high = 0x80, 0xBF
		n++
	}
	return n
}
