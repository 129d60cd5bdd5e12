package schema

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// words says in plain words what a leaf of the library's report means.
func words(e jsonschema.ErrorKind) string {
	switch k := e.(type) {
	case *kind.Type:
		return "must be " + strings.Join(k.Want, " or ") + ", found " + k.Got
	case *kind.Enum:
		return "must be one of " + listValues(k.Want)
	case *kind.Const:
		return "must be " + showValue(k.Want)
	case *kind.Format:
		return fmt.Sprintf("must be a valid %s", k.Want)
	case *kind.Pattern:
		return fmt.Sprintf("must match the pattern %s", k.Want)
	case *kind.FalseSchema:
		return "no value is allowed here"
	case *kind.Not:
		return "must not have the form that is excluded here"
	case *kind.RefCycle:
		return "the schema refers to itself without an end"
	case *kind.UniqueItems:
		return fmt.Sprintf("the items %d and %d must differ", k.Duplicates[0], k.Duplicates[1])
	case *kind.DependentRequired:
		return fmt.Sprintf("with the member %q, %s must be there", k.Prop, quoteAll(k.Missing))
	case *kind.Dependency:
		return fmt.Sprintf("with the member %q, %s must be there", k.Prop, quoteAll(k.Missing))
	case *kind.Contains:
		return "must have an item of the wanted form"
	case *kind.MinContains:
		return fmt.Sprintf("must have at least %s of the wanted form, found %d", count(k.Want, "item"), len(k.Got))
	case *kind.MaxContains:
		return fmt.Sprintf("must have at most %s of the wanted form, found %d", count(k.Want, "item"), len(k.Got))
	default:
		return sizeWords(e)
	}
}

// sizeWords says what a leaf means that compares sizes and numbers.
func sizeWords(e jsonschema.ErrorKind) string {
	switch k := e.(type) {
	case *kind.MinLength:
		return fmt.Sprintf("must have at least %s, has %d", count(k.Want, "character"), k.Got)
	case *kind.MaxLength:
		return fmt.Sprintf("must have at most %s, has %d", count(k.Want, "character"), k.Got)
	case *kind.MinItems:
		return fmt.Sprintf("must have at least %s, has %d", count(k.Want, "item"), k.Got)
	case *kind.MaxItems:
		return fmt.Sprintf("must have at most %s, has %d", count(k.Want, "item"), k.Got)
	case *kind.AdditionalItems:
		return fmt.Sprintf("has %s too many", count(k.Count, "item"))
	case *kind.MinProperties:
		return fmt.Sprintf("must have at least %s, has %d", count(k.Want, "member"), k.Got)
	case *kind.MaxProperties:
		return fmt.Sprintf("must have at most %s, has %d", count(k.Want, "member"), k.Got)
	case *kind.Minimum:
		return "must be at least " + decimalText(k.Want)
	case *kind.Maximum:
		return "must be at most " + decimalText(k.Want)
	case *kind.ExclusiveMinimum:
		return "must be greater than " + decimalText(k.Want)
	case *kind.ExclusiveMaximum:
		return "must be less than " + decimalText(k.Want)
	case *kind.MultipleOf:
		return "must be a multiple of " + decimalText(k.Want)
	default:
		return "does not hold by " + strings.Join(e.KeywordPath(), " ")
	}
}

// decimalText is a rational number as a person writes it.
func decimalText(r *big.Rat) string {
	if r == nil {
		return "a number"
	}
	digits, exact := r.FloatPrec()
	if !exact {
		return r.RatString()
	}
	return r.FloatString(digits)
}

func listValues(values []any) string {
	const shown = 12
	var out []string
	for i, v := range values {
		if i == shown {
			out = append(out, "… ("+strconv.Itoa(len(values))+" in all)")
			break
		}
		out = append(out, showValue(v))
	}
	return strings.Join(out, ", ")
}

// showValue is a value as short JSON.
func showValue(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return "a value"
	}
	return shortened(string(text))
}

// shortened cuts a text between characters.
func shortened(text string) string {
	if len(text) <= shownText {
		return text
	}
	return strings.ToValidUTF8(text[:shownText], "") + "…"
}

func quoteAll(names []string) string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = strconv.Quote(name)
	}
	return strings.Join(out, " and ")
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

func itoa(i int) string { return strconv.Itoa(i) }

// escapeToken escapes one part of a JSON pointer.
func escapeToken(token string) string {
	return strings.ReplaceAll(strings.ReplaceAll(token, "~", "~0"), "/", "~1")
}

func sortedNames(m map[string]any) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
