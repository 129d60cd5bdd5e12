package manifest

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"github.com/runx-go/runx/internal/skills/codec"
)

// wrongType adds yaml_type: field is the author's word, want what it must be.
func (r *reader) wrongType(n *codec.Node, field, want, hint string) {
	r.fault(n, "yaml_type", hint, "%s must be %s, found %s", field, want, found(n))
}

// found says what a node is.
func found(n *codec.Node) string {
	switch {
	case n.Kind != codec.Scalar:
		return n.Kind.String()
	case n.Empty:
		return "no value"
	default:
		return strconv.Quote(shorten(n.Text))
	}
}

// text reads a string field: any scalar, in the author's characters.
func (r *reader) text(n *codec.Node, field string) (string, bool) {
	if n.Kind != codec.Scalar || n.Empty {
		r.wrongType(n, field, "a string", "")
		return "", false
	}
	return n.Text, true
}

// filled reads a string field that must not be blank.
func (r *reader) filled(n *codec.Node, field string) (string, bool) {
	text, ok := r.text(n, field)
	if ok && strings.TrimSpace(text) == "" {
		r.fault(n, "field_value", "", "%s must not be blank", field)
		return "", false
	}
	return text, ok
}

// boolean reads true or false, and nothing that other readers of YAML take for them.
func (r *reader) boolean(n *codec.Node, field string) bool {
	if n.Kind == codec.Scalar && n.Plain && (n.Text == "true" || n.Text == "false") {
		return n.Text == "true"
	}
	r.wrongType(n, field, "a boolean", "true or false")
	return false
}

// integer reads a whole number; one that is too big for 64 bits is the nearest that fits.
func (r *reader) integer(n *codec.Node, field string) (int64, bool) {
	if n.Kind != codec.Scalar || !n.Plain || !wholeNumber(n.Text) {
		r.wrongType(n, field, "an integer", "")
		return 0, false
	}
	value, err := strconv.ParseInt(n.Text, 10, 64)
	return value, err == nil || errors.Is(err, strconv.ErrRange)
}

// wholeNumber reports whether text is an integer as JSON writes it.
func wholeNumber(text string) bool {
	digits := strings.TrimPrefix(text, "-")
	if digits == "" || strings.Trim(digits, "0123456789") != "" {
		return false
	}
	return digits == "0" || digits[0] != '0'
}

// mapping reports whether a node is a mapping, and says so when it is not.
func (r *reader) mapping(n *codec.Node, field string) bool {
	if n.Kind != codec.Mapping {
		r.wrongType(n, field, "a mapping", "")
		return false
	}
	return true
}

// list reports whether a node is a list, and says so when it is not.
func (r *reader) list(n *codec.Node, field string) bool {
	if n.Kind != codec.Sequence {
		r.wrongType(n, field, "a list", "")
		return false
	}
	return true
}

// texts reads a list of strings; item is the noun of one of them.
func (r *reader) texts(n *codec.Node, field, item string, read func(*codec.Node, string) (string, bool)) []string {
	if !r.list(n, field) {
		return nil
	}
	var out []string
	for _, entry := range n.Items {
		if text, ok := read(entry, item); ok {
			out = append(out, text)
		}
	}
	return out
}

// closed walks a mapping with closed keys. use returns false for a key that it does not know.
func (r *reader) closed(n *codec.Node, where string, known []string, use func(codec.Pair) bool) {
	for _, pair := range n.Pairs {
		if !use(pair) {
			r.unknown(pair.Key, where, known)
		}
	}
}

// free reads a value of any shape as JSON text; nil when it is none.
func (r *reader) free(n *codec.Node) json.RawMessage {
	raw, warnings, err := n.JSON(r.file)
	r.syntaxWarnings(warnings)
	if err != nil {
		r.syntaxFaults(err)
		return nil
	}
	return raw
}
