package schema

import (
	"bytes"
	"encoding/json"

	"github.com/runx-go/runx/internal/skills"
	"github.com/runx-go/runx/internal/skills/codec"
)

// CheckType checks a raw JSON value against a declared type (integer accepts 2.0 and 2e0 as
// integral value). TypeJSON accepts everything; an unknown type accepts nothing. raw must be valid
// JSON.
func CheckType(t skills.Type, raw json.RawMessage) bool {
	found := TypeName(raw)
	switch t {
	case skills.TypeJSON:
		return found != ""
	case skills.TypeNumber:
		return found == "number" || found == "integer"
	case skills.TypeString, skills.TypeInteger, skills.TypeBoolean, skills.TypeArray, skills.TypeObject, skills.TypeNull:
		return found == string(t)
	default:
		return false
	}
}

// TypeName is the JSON type of raw as a person would say it: "string", "integer" (a number of
// integral value), "number", "boolean", "array", "object", "null"; "" for what is no JSON value.
func TypeName(raw json.RawMessage) string {
	text := bytes.TrimLeft(raw, " \t\r\n")
	if len(text) == 0 {
		return ""
	}
	switch c := text[0]; {
	case c == '"':
		return "string"
	case c == '{':
		return "object"
	case c == '[':
		return "array"
	case c == 't' || c == 'f':
		return "boolean"
	case c == 'n':
		return "null"
	case c == '-' || c >= '0' && c <= '9':
		if codec.Integral(bytes.TrimRight(text, " \t\r\n")) {
			return "integer"
		}
		return "number"
	default:
		return ""
	}
}

// article puts the right article before a type.
func article(t string) string {
	switch t {
	case "integer", "array", "object":
		return "an " + t
	case "null":
		return t
	case string(skills.TypeJSON):
		return "a JSON value"
	default:
		return "a " + t
	}
}
