package schema

import (
	"errors"
	"fmt"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// errOutside is what the loader answers to every address.
var errOutside = errors.New("references outside the schema are not followed")

// refuser is the loader of every compiler: it loads nothing, no file and no address. The
// meta-schemas of JSON Schema are part of the library and do not pass through it.
type refuser struct{}

var _ jsonschema.URLLoader = refuser{}

// Load refuses.
func (refuser) Load(string) (any, error) { return nil, errOutside }

// compileError turns an error of the compiler into ours, with the reference or the place named.
func compileError(err error, document any) *CompileError {
	if load, ok := errors.AsType[*jsonschema.LoadURLError](err); ok {
		pointer, ref := findReference(document, load.URL)
		return &CompileError{Code: "schema_ref", Pointer: pointer,
			Msg: fmt.Sprintf("the reference %q leaves the schema: only references inside it are followed", ref)}
	}
	if missing, ok := errors.AsType[*jsonschema.JSONPointerNotFoundError](err); ok {
		pointer, ref := findReference(document, missing.URL)
		return &CompileError{Code: "schema_ref", Pointer: pointer, Msg: fmt.Sprintf("the reference %q points at nothing", ref)}
	}
	if missing, ok := errors.AsType[*jsonschema.AnchorNotFoundError](err); ok {
		pointer, ref := findReference(document, missing.Reference)
		return &CompileError{Code: "schema_ref", Pointer: pointer, Msg: fmt.Sprintf("the reference %q points at nothing", ref)}
	}
	if invalid, ok := errors.AsType[*jsonschema.SchemaValidationError](err); ok {
		if report, ok := errors.AsType[*jsonschema.ValidationError](invalid.Err); ok {
			if all := flatten(report, document); len(all) > 0 {
				return &CompileError{Code: "schema_invalid", Pointer: all[0].Pointer, Msg: all[0].Message}
			}
		}
	}
	return &CompileError{Code: "schema_invalid", Msg: strings.ReplaceAll(err.Error(), location, "")}
}

// findReference finds the reference that led to an address: its pointer and the author's text. When
// none matches, the text is the address as a person would have written it.
func findReference(document any, address string) (pointer, ref string) {
	ref = strings.TrimPrefix(strings.TrimPrefix(address, location), "runx:///")
	base, _, _ := strings.Cut(ref, "#")
	if at, text, ok := searchReference(document, base, ref); ok {
		return at, text
	}
	return "", ref
}

func searchReference(value any, base, whole string) (pointer, ref string, ok bool) {
	switch v := value.(type) {
	case []any:
		for i, item := range v {
			if p, r, ok := searchReference(item, base, whole); ok {
				return "/" + itoa(i) + p, r, true
			}
		}
	case map[string]any:
		for _, name := range sortedNames(v) {
			if text, isText := v[name].(string); isText && (name == "$ref" || name == "$dynamicRef" || name == "$schema") {
				if text == whole || base != "" && strings.TrimSuffix(strings.SplitN(text, "#", 2)[0], "/") == strings.TrimSuffix(base, "/") {
					return "/" + name, text, true
				}
			}
			if p, r, ok := searchReference(v[name], base, whole); ok {
				return "/" + escapeToken(name) + p, r, true
			}
		}
	}
	return "", "", false
}
