package delivery

import (
	"bytes"
	"encoding/json"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// textError is a raw value that cannot have passed strict reading.
type textError struct{}

func (textError) Error() string { return "it is no JSON text" }

// render returns the rendered value of a JSON text: the decoded text of a string, nothing for
// null, the text itself for anything else. The result shares the memory of raw where it can, as
// inputs may have many megabytes; raw was parsed strictly before and is not checked again.
func render(raw json.RawMessage) ([]byte, error) {
	text := bytes.Trim(raw, " \t\r\n")
	switch {
	case len(text) == 0:
		return nil, textError{}
	case string(text) == "null":
		return []byte{}, nil
	case text[0] != '"':
		return text[:len(text):len(text)], nil
	case len(text) < 2 || text[len(text)-1] != '"':
		return nil, textError{}
	}
	text = text[1 : len(text)-1]
	if bytes.IndexByte(text, '\\') < 0 {
		return text[:len(text):len(text)], nil
	}
	return unescape(text)
}

// unescape decodes what stands between the quotes of a JSON string. A text never grows by it.
func unescape(text []byte) ([]byte, error) {
	out := make([]byte, 0, len(text))
	for {
		i := bytes.IndexByte(text, '\\')
		if i < 0 {
			return append(out, text...), nil
		}
		out = append(out, text[:i]...)
		text = text[i+1:]
		if len(text) == 0 {
			return nil, textError{}
		}
		c := text[0]
		switch c {
		case '"', '\\', '/':
		case 'b':
			c = '\b'
		case 'f':
			c = '\f'
		case 'n':
			c = '\n'
		case 'r':
			c = '\r'
		case 't':
			c = '\t'
		case 'u':
			r, rest, err := unescapeRune(text[1:])
			if err != nil {
				return nil, err
			}
			out, text = utf8.AppendRune(out, r), rest
			continue
		default:
			return nil, textError{}
		}
		out, text = append(out, c), text[1:]
	}
}

// unescapeRune reads the digits after \u, and the second half of a pair.
func unescapeRune(text []byte) (r rune, rest []byte, err error) {
	high, text, err := unit(text)
	if err != nil || !utf16.IsSurrogate(high) {
		return high, text, err
	}
	text, ok := bytes.CutPrefix(text, []byte(`\u`))
	if !ok {
		return 0, nil, textError{}
	}
	low, text, err := unit(text)
	if err != nil {
		return 0, nil, err
	}
	if r = utf16.DecodeRune(high, low); r == utf8.RuneError {
		return 0, nil, textError{}
	}
	return r, text, nil
}

func unit(text []byte) (rune, []byte, error) {
	if len(text) < 4 {
		return 0, nil, textError{}
	}
	n, err := strconv.ParseUint(string(text[:4]), 16, 16)
	if err != nil {
		return 0, nil, textError{}
	}
	return rune(n), text[4:], nil
}
