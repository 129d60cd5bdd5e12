package schema

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/runx-go/runx/internal/skills"
	"github.com/runx-go/runx/internal/skills/codec"
)

// Coerce turns command-line text into the JSON of a declared type by skills 2.3; error *Failure
// with code input_type, the type and a right spelling in the hint. The characters of a number are
// kept, blanks around a number or a boolean are refused. Schemas are checked by Contract.Bind.
func Coerce(in skills.Input, text string) (json.RawMessage, *Failure) {
	if in.Type == skills.TypeString {
		if !utf8.ValidString(text) || strings.IndexByte(text, 0) >= 0 {
			return nil, coerceFailure(in, "must be a string of UTF-8 text without NUL", text)
		}
		return codec.Quote(text), nil
	}
	raw, err := codec.ParseValue("", []byte(text), codec.Limits{Bytes: math.MaxInt})
	if err != nil && (in.Type == skills.TypeArray || in.Type == skills.TypeObject || in.Type == skills.TypeJSON) {
		return nil, coerceFailure(in, "must be "+article(string(in.Type))+" as JSON text ("+err.Error()+")", text)
	}
	scalar := in.Type == skills.TypeNumber || in.Type == skills.TypeInteger || in.Type == skills.TypeBoolean
	if err != nil || !CheckType(in.Type, raw) || scalar && string(raw) != text {
		return nil, coerceFailure(in, "must be "+article(string(in.Type)), text)
	}
	return raw, nil
}

func coerceFailure(in skills.Input, must, text string) *Failure {
	return &Failure{
		Code: "input_type", Input: in.Name, Path: codec.JoinPath("$", in.Name),
		Message:        fmt.Sprintf("the input %q %s, found %q", in.Name, must, shortened(text)),
		AcceptedSchema: propertySchema(in),
		Hint:           "write " + spelling(in),
	}
}

// spelling is a right way to give an input on the command line.
func spelling(in skills.Input) string {
	value := ""
	switch in.Type {
	case skills.TypeInteger:
		value = "5"
	case skills.TypeNumber:
		value = "2.5"
	case skills.TypeBoolean:
		return "-i " + in.Name + "=true or -i " + in.Name + "=false"
	case skills.TypeArray:
		value = `'["a","b"]'`
	case skills.TypeObject:
		value = `'{"a":1}'`
	case skills.TypeJSON:
		return `-i ` + in.Name + `='"text"' for the string text`
	default:
		value = "text"
	}
	return "-i " + in.Name + "=" + value
}
