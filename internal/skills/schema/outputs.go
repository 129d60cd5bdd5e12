package schema

import (
	"encoding/json"
	"fmt"
	"math"
	"sync"

	"github.com/runx-go/runx/internal/skills"
	"github.com/runx-go/runx/internal/skills/codec"
)

// OutputContract is the compiled contract of declared outputs. It may be used by several goroutines
// at once.
type OutputContract struct {
	entries []entry
	whole   func() (json.RawMessage, string)
}

// NewOutputs compiles declared outputs; nil when none are declared. The error is a *CompileError
// that is wrapped with the name of the output.
func NewOutputs(outputs []skills.Output) (*OutputContract, error) {
	if len(outputs) == 0 {
		return nil, nil
	}
	c := &OutputContract{entries: make([]entry, 0, len(outputs))}
	for _, out := range outputs {
		e := entry{property: outputProperty(out), code: codeOutput}
		if out.Schema != nil {
			check, err := Compile(out.Schema)
			if err != nil {
				return nil, fmt.Errorf("cannot compile output %q: %w", out.Name, err)
			}
			e.check = check
		}
		c.entries = append(c.entries, e)
	}
	c.whole = sync.OnceValues(func() (json.RawMessage, string) {
		raw := closedSchema(properties(c.entries))
		digest, err := codec.DigestJSON(raw)
		if err != nil { // an enum value or a schema that is no JSON: manifest never makes one
			return raw, string(skills.DigestBytes(raw))
		}
		return raw, digest
	})
	return c, nil
}

// codeOutput is the code of every failure of declared outputs.
const codeOutput = "output_contract"

// Check returns every failure (code output_contract, with path); value is any JSON text. They stand
// in this order: unknown members, then types, enums and schemas, then missing members. A nil
// contract accepts everything.
func (c *OutputContract) Check(value json.RawMessage) []Failure {
	if c == nil {
		return nil
	}
	object, err := codec.ParseObject("", value, codec.Limits{Bytes: math.MaxInt})
	if err != nil {
		whole, _ := c.Schema()
		message := "the result must be an object with the declared outputs, found " + article(TypeName(value))
		if TypeName(value) == "" || TypeName(value) == "object" {
			message = "the result is not a JSON object: " + err.Error()
		}
		return []Failure{{Code: codeOutput, Path: "$", Message: message, AcceptedSchema: whole}}
	}
	unknown := unknowns{noun: "output", code: codeOutput}
	var wrong, missing []Failure
	for _, m := range object.Members() {
		if !declared(c.entries, m.Name) {
			unknown.add(m.Name, c.entries)
		}
	}
	for i := range c.entries {
		e := &c.entries[i]
		raw, given := object.Lookup(e.name)
		switch {
		case given:
			wrong = append(wrong, e.outputFailures(raw)...)
		case e.required:
			f := missingFailure("output", e)
			f.Code = codeOutput
			missing = append(missing, f)
		}
	}
	return append(append(unknown.failures(), wrong...), missing...)
}

// Schema is the resulting closed schema and its digest (outputs_digest). A nil contract has none.
func (c *OutputContract) Schema() (raw json.RawMessage, digest string) {
	if c == nil {
		return nil, ""
	}
	return c.whole()
}

// outputFailures checks type, enum and schema of one output.
func (e *entry) outputFailures(raw json.RawMessage) []Failure {
	if f := e.typeFailure("output", raw); f != nil {
		f.Code = codeOutput
		return []Failure{*f}
	}
	if len(e.enum) > 0 && !isOneOf(raw, e.enum) {
		return []Failure{e.failure(codeOutput, codec.JoinPath("$", e.name),
			fmt.Sprintf("the output %q is none of its %d allowed values, found %s", e.name, len(e.enum), shortened(string(raw))), "")}
	}
	return e.schemaFailures("output", raw)
}

// isOneOf compares by value: no key order, numbers exactly.
func isOneOf(raw json.RawMessage, values []json.RawMessage) bool {
	for _, v := range values {
		if same, err := codec.Equal(raw, v); err == nil && same {
			return true
		}
	}
	return false
}

func declared(entries []entry, name string) bool {
	for _, e := range entries {
		if e.name == name {
			return true
		}
	}
	return false
}
