package secret

import (
	"bytes"
	"encoding/json"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// redactString redacts a JSON string with its quotes. hit says that its raw text holds a form. It
// returns nil when nothing is to be replaced.
func redactString(m *matcher, token []byte, hit bool, depth int) []byte {
	inner := token[1 : len(token)-1]
	if !hit && bytes.IndexByte(inner, '\\') < 0 {
		return nil
	}
	text := unescape(inner)
	found := m.find(text)
	whole := len(found) == 1 && found[0].end-found[0].start == len(text)
	if !whole && depth < maxNested && isDocument(text) {
		// JSON inside a string stays JSON too.
		if out, changed := redactJSON(m, text, depth+1); changed {
			if plain, _, _ := m.replace(nil, text, 0, false); !bytes.Equal(plain, out) {
				return appendQuoted(nil, out)
			}
		}
	}
	switch {
	case len(found) > 0:
		return splice(inner, found)
	case hit:
		// The form takes a quote along, or a part of an escape.
		return []byte(quotedMark)
	}
	return nil
}

// isDocument says whether a text is a JSON array, object or string.
func isDocument(text []byte) bool {
	trimmed := bytes.TrimLeft(text, " \t\r\n")
	return len(trimmed) > 0 && bytes.IndexByte([]byte(`{["`), trimmed[0]) >= 0 && json.Valid(text)
}

// splice puts a mark in place of each part of the decoded text, in the raw text between the quotes.
func splice(inner []byte, found []span) []byte {
	starts := origins(inner)
	out := append(make([]byte, 0, len(inner)+2), '"')
	keep := 0
	for _, s := range found {
		// A part that ends inside a character takes the whole escape along.
		end := s.end
		for end < len(starts)-1 && starts[end] == starts[end-1] {
			end++
		}
		if from := starts[s.start]; from > keep {
			out = append(out, inner[keep:from]...)
		}
		out = append(out, Mark...)
		keep = starts[end]
	}
	return append(append(out, inner[keep:]...), '"')
}

// unescape decodes the inside of a valid JSON string. A lone surrogate becomes U+FFFD.
func unescape(inner []byte) []byte {
	text := make([]byte, 0, len(inner))
	for i := 0; i < len(inner); {
		text, i = unescapeNext(text, inner, i)
	}
	return text
}

// origins holds for each byte that unescape makes, and for the end, where in inner it comes from.
func origins(inner []byte) []int {
	starts := make([]int, 0, len(inner)+1)
	var unit []byte
	for i := 0; i < len(inner); {
		start := i
		unit, i = unescapeNext(unit[:0], inner, i)
		for range unit {
			starts = append(starts, start)
		}
	}
	return append(starts, len(inner))
}

// unescapeNext appends the byte or the escaped character at i and returns the index after it.
func unescapeNext(text, inner []byte, i int) ([]byte, int) {
	if inner[i] != '\\' {
		return append(text, inner[i]), i + 1
	}
	r, next := unescapeOne(inner, i)
	return utf8.AppendRune(text, r), next
}

// unescapeOne decodes the escape at i and returns the index after it.
func unescapeOne(inner []byte, i int) (rune, int) {
	switch c := inner[i+1]; c {
	case 'b':
		return '\b', i + 2
	case 'f':
		return '\f', i + 2
	case 'n':
		return '\n', i + 2
	case 'r':
		return '\r', i + 2
	case 't':
		return '\t', i + 2
	case 'u':
		r := hex4(inner, i+2)
		if utf16.IsSurrogate(r) && i+12 <= len(inner) && inner[i+6] == '\\' && inner[i+7] == 'u' {
			if pair := utf16.DecodeRune(r, hex4(inner, i+8)); pair != utf8.RuneError {
				return pair, i + 12
			}
		}
		return r, i + 6
	default:
		return rune(c), i + 2
	}
}

// hex4 reads four hexadecimal digits, which are there in valid JSON.
func hex4(inner []byte, i int) rune {
	n, err := strconv.ParseUint(string(inner[i:i+4]), 16, 16)
	if err != nil {
		return utf8.RuneError
	}
	return rune(n)
}

const hexDigits = "0123456789abcdef"

// appendQuoted appends text as a JSON string, escaping only what must be.
func appendQuoted(out, text []byte) []byte {
	out = append(out, '"')
	for _, c := range text {
		switch short := shortEscape(rune(c)); {
		case c == '"' || c == '\\':
			out = append(out, '\\', c)
		case short != 0:
			out = append(out, '\\', short)
		case c < ' ':
			out = append(out, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&0xf])
		default:
			out = append(out, c)
		}
	}
	return append(out, '"')
}

// keySet keeps the keys of one object apart when redaction makes them equal. It costs a map only
// once a key was redacted.
type keySet struct {
	tokens [][]byte       // keys as they stand, until names is made
	names  map[string]int // meaning of each key: 0 for one of the author's, else the last number tried
}

// add takes the next key, with quotes. redacted says that it was changed. It returns the key to
// use instead, or nil to keep it.
func (k *keySet) add(token []byte, redacted bool) []byte {
	if k.names == nil {
		if !redacted {
			k.tokens = append(k.tokens, token)
			return nil
		}
		k.names = make(map[string]int, len(k.tokens)+1)
		for _, t := range k.tokens {
			k.names[meaning(t)] = 0
		}
		k.tokens = nil
	}
	name := meaning(token)
	number, taken := k.names[name]
	switch {
	case !taken && redacted:
		k.names[name] = 1
		return nil
	case !taken:
		k.names[name] = 0
		return nil
	case !redacted && number == 0:
		return nil // a duplicate of the author's
	}
	for number = max(number, 1) + 1; ; number++ {
		unique := name + " " + strconv.Itoa(number)
		if _, taken := k.names[unique]; !taken {
			k.names[name], k.names[unique] = number, 1
			return appendQuoted(nil, []byte(unique))
		}
	}
}

func meaning(token []byte) string {
	return string(unescape(token[1 : len(token)-1]))
}
