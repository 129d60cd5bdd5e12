package codec

import (
	"encoding/json"
	"strings"
)

// JSON turns a free value into JSON text by rule 5 of skills 1.2: a plain scalar is null, boolean
// or number only when it is so in JSON; integers keep all digits; key order is kept; a key without
// a value is null; .nan and .inf are errors (Errors with code yaml_type). The warnings are
// yaml_scalar: plain scalars that are strings here and something else to other readers of YAML.
// Offset of these faults is 0, because a Node has none.
func (n *Node) JSON(file string) (raw json.RawMessage, warnings []*SyntaxError, err error) {
	w := &freeWriter{file: file}
	w.value(n)
	if len(w.faults) > 0 {
		sortFaults(w.faults)
		return nil, w.warnings, Errors(w.faults)
	}
	return w.out, w.warnings, nil
}

type freeWriter struct {
	file             string
	out              []byte
	warnings, faults []*SyntaxError
}

func (w *freeWriter) value(n *Node) {
	switch {
	case n == nil:
		w.out = append(w.out, "null"...)
	case n.Kind == Mapping:
		w.out = append(w.out, '{')
		for i, pair := range n.Pairs {
			if i > 0 {
				w.out = append(w.out, ',')
			}
			w.out = appendString(w.out, []byte(pair.Key.Text))
			w.out = append(w.out, ':')
			w.value(pair.Value)
		}
		w.out = append(w.out, '}')
	case n.Kind == Sequence:
		w.out = append(w.out, '[')
		for i, item := range n.Items {
			if i > 0 {
				w.out = append(w.out, ',')
			}
			w.value(item)
		}
		w.out = append(w.out, ']')
	default:
		w.scalar(n)
	}
}

func (w *freeWriter) scalar(n *Node) {
	switch {
	case n.Empty:
		w.out = append(w.out, "null"...)
		return
	case n.Plain && (n.Text == "null" || n.Text == "true" || n.Text == "false" || isNumber(n.Text)):
		w.out = append(w.out, n.Text...)
		return
	case n.Plain && notFinite(n.Text):
		w.faults = append(w.faults, w.at(n, "yaml_type", n.Text+" is not a JSON value", "quote it if it is text"))
		return
	case n.Plain && convertible(n.Text):
		w.warnings = append(w.warnings, w.at(n, "yaml_scalar",
			n.Text+" is a string here, but other readers of YAML convert it", "quote it, or write it as JSON does"))
	}
	w.out = appendString(w.out, []byte(n.Text))
}

func (w *freeWriter) at(n *Node, code, msg, hint string) *SyntaxError {
	return &SyntaxError{Code: code, File: w.file, Line: n.Line, Col: n.Col, Msg: msg, Hint: hint}
}

// isNumber reports whether text is a number by the grammar of JSON.
func isNumber(text string) bool {
	s := scanner{data: []byte(text)}
	return text != "" && strings.IndexByte("-0123456789", text[0]) >= 0 && s.number() && s.pos == len(text)
}

// notFinite is .nan and .inf in any case; .inf with a sign.
func notFinite(text string) bool {
	text = strings.ToLower(text)
	return text == ".nan" || strings.TrimLeft(text, "+-") == ".inf" && len(text) <= len("-.inf")
}

// convertible reports whether some reader of YAML 1.1 or 1.2 takes a plain scalar that is no JSON
// value for null, a boolean, a number or a date.
func convertible(text string) bool {
	switch strings.ToLower(text) {
	case "~", "null", "true", "false", "yes", "no", "on", "off", "y", "n":
		return true
	}
	body := strings.TrimLeft(text, "+-")
	if len(text)-len(body) > 1 || body == "" {
		return false
	}
	for _, form := range [...]struct{ prefix, digits string }{{"0x", "0123456789abcdefABCDEF_"}, {"0o", "01234567_"}, {"0b", "01_"}} {
		if rest, ok := strings.CutPrefix(body, form.prefix); ok {
			return rest != "" && strings.Trim(rest, form.digits) == ""
		}
	}
	return numberLike(body) || dateLike(text)
}

// numberLike is digits with underscores, a point, an exponent, or the parts of a base-60 number.
func numberLike(body string) bool {
	mantissa, exponent := body, ""
	if i := strings.IndexAny(body, "eE"); i >= 0 {
		mantissa, exponent = body[:i], strings.TrimLeft(body[i+1:], "+-")
		if exponent == "" || strings.Trim(exponent, "0123456789") != "" {
			return false
		}
	}
	const digits = "0123456789_"
	if strings.Count(mantissa, ".") > 1 || strings.Trim(mantissa, digits+".:") != "" || mantissa[:min(1, len(mantissa))] == "_" {
		return false
	}
	if strings.Contains(mantissa, ":") {
		for _, part := range strings.Split(strings.TrimRight(mantissa, "."), ":") {
			whole, _, _ := strings.Cut(part, ".")
			if whole == "" {
				return false
			}
		}
		return exponent == ""
	}
	return strings.Trim(mantissa, "._") != ""
}

// dateLike is a text that begins like 2026-01-02 and goes on with nothing or a time.
func dateLike(text string) bool {
	const shape = "dddd-"
	if len(text) < len(shape)+3 || text[4] != '-' || strings.Trim(text[:4], "0123456789") != "" {
		return false
	}
	return strings.Trim(text[len(shape):], "0123456789-:.+TtZz ") == ""
}
