package schema

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

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
	unknown := unknowns{noun: "input", code: "input_unknown"}
	var types, schemas, missing []Failure
	for _, m := range object.Members() {
		i, known := index[m.Name]
		if !known {
			unknown.add(m.Name, c.entries)
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
	failures := append(append(append(unknown.failures(), types...), schemas...), missing...)
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

// unknowns are names that are not declared: the first maxUnknown, and a count of the others.
type unknowns struct {
	noun string // input or output
	code string
	list []Failure
	more int
}

func (u *unknowns) add(name string, known []entry) {
	if len(u.list) == maxUnknown {
		u.more++
		return
	}
	f := unknownFailure(u.noun, name, known)
	f.Code = u.code
	u.list = append(u.list, f)
}

// failures are the listed ones and, when there are others, one that says how many.
func (u *unknowns) failures() []Failure {
	if u.more == 0 {
		return u.list
	}
	return append(u.list, Failure{Code: u.code, Path: "$", AcceptedSchema: null(),
		Message: fmt.Sprintf("%d more %ss are not declared", u.more, u.noun), Hint: "repair those above first"})
}

func unknownFailure(noun, name string, known []entry) Failure {
	f := Failure{Input: name, Path: codec.JoinPath("$", name), AcceptedSchema: null()}
	f.Message = fmt.Sprintf("the %s %q is not declared", noun, shortened(name))
	if near := codec.Nearest(name, names(known), 1); len(near) > 0 {
		f.Message += fmt.Sprintf("; the nearest is %q", near[0])
		f.Hint = fmt.Sprintf("did you mean %q?", near[0])
	} else {
		f.Hint = declaredHint(noun, known)
	}
	return f
}

// declaredHint lists what there is, when it is few enough to read.
func declaredHint(noun string, known []entry) string {
	const readable = 12
	switch {
	case len(known) == 0:
		return "leave it out: no " + noun + "s are declared"
	case len(known) > readable:
		return "leave it out, or declare it"
	}
	return "the " + noun + "s are: " + strings.Join(names(known), ", ")
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
