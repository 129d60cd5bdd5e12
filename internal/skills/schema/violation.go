package schema

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/runx-go/runx/internal/skills/codec"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// Violation is one place where a value does not hold.
type Violation struct {
	Pointer string // JSON pointer into the value, "" for the whole
	Message string // what does not hold, without the place
}

// placed is a violation with its JSON path relative to the value, such as .a[0].
type placed struct {
	Violation
	path string
}

// flatten turns the library's tree into its leaves, in order of their pointers.
func flatten(report *jsonschema.ValidationError, value any) []placed {
	f := &flattener{value: value}
	f.add(report)
	slices.SortStableFunc(f.out, func(a, b placed) int {
		return cmp.Or(cmp.Compare(a.Pointer, b.Pointer), cmp.Compare(a.Message, b.Message))
	})
	f.out = slices.Compact(f.out)
	if extra := len(f.out) - maxViolations; extra > 0 {
		f.out = append(f.out[:maxViolations], placed{Violation: Violation{Message: fmt.Sprintf("%d more violations are not shown", extra)}})
	}
	return f.out
}

type flattener struct {
	value any
	out   []placed
}

func (f *flattener) put(tokens []string, message string) {
	p := placed{Violation: Violation{Message: message}}
	value := f.value
	for _, token := range tokens {
		p.Pointer += "/" + escapeToken(token)
		switch v := value.(type) {
		case []any:
			p.path += "[" + token + "]"
			if i, err := strconv.Atoi(token); err == nil && i >= 0 && i < len(v) {
				value = v[i]
			}
		case map[string]any:
			p.path = codec.JoinPath(p.path, token)
			value = v[token]
		}
	}
	f.out = append(f.out, p)
}

// add adds the leaves of one node of the tree. A choice (anyOf, oneOf) that nothing fits is one
// violation: the leaves of all its branches together would contradict one another.
func (f *flattener) add(e *jsonschema.ValidationError) {
	at := e.InstanceLocation
	switch k := e.ErrorKind.(type) {
	case *kind.AnyOf:
		f.put(at, "must fit one of the allowed forms"+f.branches(e))
	case *kind.OneOf:
		if len(k.Subschemas) > 0 {
			f.put(at, "must fit exactly one of the allowed forms, but fits several")
			return
		}
		f.put(at, "must fit one of the allowed forms"+f.branches(e))
	case *kind.Required:
		for _, name := range k.Missing {
			f.put(at, fmt.Sprintf("the member %q is missing", name))
		}
	case *kind.AdditionalProperties:
		for _, name := range k.Properties {
			f.put(append(slices.Clone(at), name), "the member is not allowed")
		}
	case *kind.PropertyNames:
		message := "the name is not allowed"
		if inner := first(e, f.value); inner != "" {
			message += ": it " + inner
		}
		f.put(append(slices.Clone(at), k.Property), message)
	default:
		if len(e.Causes) == 0 {
			f.put(at, words(e.ErrorKind))
			return
		}
		for _, cause := range e.Causes {
			f.add(cause)
		}
	}
}

// branches says why each of the first branches does not fit.
func (f *flattener) branches(e *jsonschema.ValidationError) string {
	const shown = 3
	var reasons []string
	for _, cause := range e.Causes {
		if reason := first(cause, f.value); reason != "" && !slices.Contains(reasons, reason) {
			reasons = append(reasons, reason)
		}
	}
	if len(reasons) == 0 {
		return ""
	}
	if len(reasons) > shown {
		reasons = append(reasons[:shown], "…")
	}
	return ": " + strings.Join(reasons, "; or ")
}

// first is the first violation below a node, in words.
func first(e *jsonschema.ValidationError, value any) string {
	inner := &flattener{value: value}
	if len(e.Causes) == 0 || !isGroup(e.ErrorKind) {
		inner.add(e)
	}
	for _, cause := range e.Causes {
		if len(inner.out) == 0 {
			inner.add(cause)
		}
	}
	if len(inner.out) == 0 {
		return ""
	}
	return inner.out[0].Message
}

// isGroup reports whether a node only holds others.
func isGroup(k jsonschema.ErrorKind) bool {
	switch k.(type) {
	case *kind.AnyOf, *kind.OneOf, *kind.Required, *kind.AdditionalProperties:
		return false
	default:
		return true
	}
}
