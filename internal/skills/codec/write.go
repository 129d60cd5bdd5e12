package codec

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
)

// appendString appends a JSON string with the escapes of RFC 8785: the short ones, \u00xx for other
// control characters, nothing else.
func appendString(out, text []byte) []byte {
	const hex = "0123456789abcdef"
	out = append(out, '"')
	run := 0
	for i := plainRun(text, 0); i < len(text); i = plainRun(text, i+1) {
		out = append(out, text[run:i]...)
		run = i + 1
		switch c := text[i]; c {
		case '"', '\\':
			out = append(out, '\\', c)
		case '\b':
			out = append(out, '\\', 'b')
		case '\f':
			out = append(out, '\\', 'f')
		case '\n':
			out = append(out, '\\', 'n')
		case '\r':
			out = append(out, '\\', 'r')
		case '\t':
			out = append(out, '\\', 't')
		default:
			out = append(out, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
	}
	out = append(out, text[run:]...)
	return append(out, '"')
}

// Quote is a Go string as JSON text with minimal escapes. Bytes that are not UTF-8 become U+FFFD.
func Quote(text string) json.RawMessage {
	return appendString(nil, bytes.ToValidUTF8([]byte(text), []byte("\uFFFD")))
}

// Marshal encodes a Go value (structs, json.RawMessage inside) without HTML escaping and without
// a trailing newline. A json.RawMessage or Object inside keeps its digits, its escapes and its key
// order; only blanks between its tokens are removed. A json.RawMessage or Object that is itself the
// value is returned byte for byte. There is no limit of size.
func Marshal(v any) (json.RawMessage, error) {
	switch raw := v.(type) {
	case json.RawMessage:
		if raw != nil {
			return raw, nil
		}
	case Object:
		return raw.Raw(), nil
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return nil, fmt.Errorf("cannot encode JSON: %w", err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte{'\n'}), nil
}

// Render is the rendered value of skills "Words": a string is its decoded text, null is empty,
// anything else is its JSON text. The error is that of a text that is not valid JSON.
func Render(raw json.RawMessage) (string, error) {
	text, err := parse("", raw, Limits{Bytes: math.MaxInt, Depth: innerDepth}, nil, nil)
	if err != nil {
		return "", err
	}
	switch text[0] {
	case '"':
		s := scanner{data: text}
		decoded, _ := s.text(true)
		return string(decoded), nil
	case 'n':
		return "", nil
	default:
		return string(text), nil
	}
}
