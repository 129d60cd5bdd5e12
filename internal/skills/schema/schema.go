package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strings"

	"github.com/runx-go/runx/internal/skills/codec"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// location is the address of every schema document; references are resolved against it.
const location = "runx:///schema"

// Schema is a compiled JSON Schema. It may be used by several goroutines at once. The zero Schema
// must not be used.
type Schema struct{ compiled *jsonschema.Schema }

// CompileError says why a schema fragment was refused; Code is schema_ref or schema_invalid.
type CompileError struct {
	Code    string
	Pointer string // JSON pointer into the fragment, "" for the whole or when unknown
	Msg     string // one sentence
}

// Error is the message with the pointer, if there is one.
func (e *CompileError) Error() string {
	if e.Pointer == "" {
		return "cannot use schema: " + e.Msg
	}
	return "cannot use schema: at " + e.Pointer + ": " + e.Msg
}

// Compile compiles a JSON Schema 2020-12 document. References outside the document are refused
// (code schema_ref), known formats are asserted, a pattern that does not compile is an error.
// Compile only when a schema is declared: it costs milliseconds. Error: *CompileError.
func Compile(raw json.RawMessage) (*Schema, error) {
	document, fault := decode(raw)
	if fault != nil {
		return nil, &CompileError{Code: "schema_invalid", Pointer: fault.Pointer, Msg: fault.Message}
	}
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(jsonschema.Draft2020)
	compiler.AssertFormat()
	compiler.UseLoader(refuser{})
	if err := compiler.AddResource(location, document); err != nil {
		return nil, compileError(err, document)
	}
	compiled, err := compiler.Compile(location)
	if err != nil {
		return nil, compileError(err, document)
	}
	return &Schema{compiled: compiled}, nil
}

// Validate checks a JSON text; nil when it holds. All violations, in order of their pointer. A
// number of more than 1,024 bytes or with an exponent beyond 1,024 is a violation: its exact value
// would be too expensive.
func (s *Schema) Validate(raw json.RawMessage) []Violation {
	var out []Violation
	for _, p := range s.check(raw) {
		out = append(out, Violation{Pointer: p.Pointer, Message: p.Message})
	}
	return out
}

// check is Validate with JSON paths.
func (s *Schema) check(raw json.RawMessage) []placed {
	value, fault := decode(raw)
	if fault != nil {
		return []placed{{Violation: *fault}}
	}
	err := s.compiled.Validate(value)
	if err == nil {
		return nil
	}
	report, ok := errors.AsType[*jsonschema.ValidationError](err)
	if !ok {
		return []placed{{Violation: Violation{Message: err.Error()}}}
	}
	return flatten(report, value)
}

// decode parses a text strictly into the library's values, numbers as their text.
func decode(raw json.RawMessage) (any, *Violation) {
	text, err := codec.ParseValue("", raw, codec.Limits{Bytes: math.MaxInt})
	if err != nil {
		return nil, &Violation{Message: "the text is not JSON: " + err.Error()}
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, &Violation{Message: "the text is not JSON: " + err.Error()}
	}
	if pointer, bad := expensiveNumber(value); bad {
		return nil, &Violation{Pointer: pointer, Message: "the number is too large or too long to be compared exactly"}
	}
	return value, nil
}

// expensiveNumber finds a number whose exact value would cost too much memory or time.
func expensiveNumber(value any) (pointer string, found bool) {
	switch v := value.(type) {
	case json.Number:
		return "", len(v) > maxNumberText || exponentOf(string(v)) > maxExponent
	case []any:
		for i, item := range v {
			if p, bad := expensiveNumber(item); bad {
				return "/" + itoa(i) + p, true
			}
		}
	case map[string]any:
		for _, name := range sortedNames(v) {
			if p, bad := expensiveNumber(v[name]); bad {
				return "/" + escapeToken(name) + p, true
			}
		}
	}
	return "", false
}

// exponentOf is the size of the exponent of a number, or a large value when it does not fit.
func exponentOf(number string) int {
	i := strings.IndexAny(number, "eE")
	if i < 0 {
		return 0
	}
	digits := strings.TrimLeft(number[i+1:], "+-0")
	const fits = 6 // more digits are beyond maxExponent anyway
	if len(digits) > fits {
		return math.MaxInt
	}
	n := 0
	for _, c := range digits {
		n = n*10 + int(c-'0')
	}
	return n
}
