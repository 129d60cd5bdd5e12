package schema

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/runx-go/runx/internal/skills"
	"github.com/runx-go/runx/internal/skills/codec"
)

// Bind checks a caller's object and adds defaults. When nothing has to be added or removed the
// result carries the caller's text byte for byte. A JSON null counts as absent except for type
// json. All failures are reported together: unknown names, then types, schemas and missing inputs.
// Error: *BindError.
func (c *Contract) Bind(object codec.Object) (codec.Object, error) {
	index := make(map[string]int, len(c.entries))
	for i, e := range c.entries {
		index[e.name] = i
	}
	given := make([]json.RawMessage, len(c.entries))
	var unknown, types, schemas, missing []Failure
	for _, m := range object.Members() {
		i, known := index[m.Name]
		if !known {
			unknown = append(unknown, unknownFailure("input", m.Name, names(c.entries)))
			continue
		}
		e := &c.entries[i]
		if isNull(m.Raw) && e.kind != skills.TypeJSON {
			continue
		}
		given[i] = m.Raw
		if failure := e.typeFailure("input", m.Raw); failure != nil {
			types = append(types, *failure)
			continue
		}
		schemas = append(schemas, e.schemaFailures("input", m.Raw)...)
	}
	var defaults []codec.Member
	for i := range c.entries {
		e := &c.entries[i]
		switch {
		case given[i] != nil:
		case e.fallback != nil:
			defaults = append(defaults, codec.Member{Name: e.name, Raw: e.fallback})
		case e.required:
			missing = append(missing, missingFailure("input", e))
		}
	}
	failures := append(append(append(unknown, types...), schemas...), missing...)
	if len(failures) > 0 {
		return codec.Object{}, &BindError{Failures: failures}
	}
	absent := func(name string) bool { return given[index[name]] == nil }
	bound, err := object.Edit(absent, defaults)
	if err != nil {
		return codec.Object{}, fmt.Errorf("cannot add defaults: %w", err)
	}
	return bound, nil
}

func isNull(raw json.RawMessage) bool { return len(raw) > 0 && raw[0] == 'n' }

func names(entries []entry) []string {
	out := make([]string, len(entries))
	for i, e := range entries {
		out[i] = e.name
	}
	return out
}

func unknownFailure(noun, name string, known []string) Failure {
	f := Failure{Code: noun + "_unknown", Input: name, Path: codec.JoinPath("$", name), AcceptedSchema: null()}
	f.Message = fmt.Sprintf("the %s %q is not declared", noun, shortened(name))
	if near := codec.Nearest(name, known, 1); len(near) > 0 {
		f.Message += fmt.Sprintf("; the nearest is %q", near[0])
		f.Hint = fmt.Sprintf("did you mean %q?", near[0])
	}
	return f
}

func missingFailure(noun string, e *entry) Failure {
	hint := ""
	if noun == "input" {
		hint = "write " + spelling(skills.Input{Name: e.name, Type: e.kind})
	}
	return e.failure(noun+"_missing", codec.JoinPath("$", e.name), fmt.Sprintf("the %s %q is missing", noun, e.name), hint)
}

// compileFailure is the failure of an input whose schema does not compile.
func compileFailure(in skills.Input, err error) Failure {
	e := entry{property: inputProperty(in)}
	code := "schema_invalid"
	if refused, ok := errors.AsType[*CompileError](err); ok {
		code = refused.Code
	}
	return e.failure(code, codec.JoinPath("$", in.Name), fmt.Sprintf("the schema of input %q cannot be used: %v", in.Name, err), "")
}
