package schema

import (
	"encoding/json"
	"fmt"
	"sync"

	"github.com/runx-go/runx/internal/skills"
	"github.com/runx-go/runx/internal/skills/codec"
)

// Contract is the compiled, closed input contract of one runner. It may be used by several
// goroutines at once. The zero Contract accepts the empty object only.
type Contract struct {
	entries []entry
	whole   func() json.RawMessage
}

// entry is one declared member and what its value must hold beside its type.
type entry struct {
	property
	code   string // of a violation of compiled
	packet string // id, or ""
	check  *Schema
}

// NewContract compiles the schemas of the inputs. packets gives the found packets by id; a packet
// that is not found is not checked. Nothing is compiled when no schema is declared. The error is a
// *CompileError that is wrapped with the name of the input.
func NewContract(inputs []skills.Input, packets map[string]skills.Packet) (*Contract, error) {
	c := &Contract{entries: make([]entry, 0, len(inputs))}
	for _, in := range inputs {
		e := entry{property: inputProperty(in), code: "input_schema"}
		source := in.Schema
		if packet, found := packets[in.Packet]; found && in.Packet != "" {
			e.code, e.packet, source = "packet_contract", in.Packet, packet.Schema
			e.schema = packet.Schema
		}
		if source != nil {
			check, err := Compile(source)
			if err != nil {
				return nil, fmt.Errorf("cannot compile input %q: %w", in.Name, err)
			}
			e.check = check
		}
		c.entries = append(c.entries, e)
	}
	c.whole = sync.OnceValue(func() json.RawMessage { return closedSchema(properties(c.entries)) })
	return c, nil
}

// InputSchema is the closed JSON Schema of the whole input object, for inspect and for models. It is
// made at the first call; the caller must not change it.
func (c *Contract) InputSchema() json.RawMessage {
	if c.whole == nil {
		return closedSchema(nil)
	}
	return c.whole()
}

func properties(entries []entry) []property {
	out := make([]property, len(entries))
	for i, e := range entries {
		out[i] = e.property
	}
	return out
}

// CheckValue checks a value, such as a default, against the type and the schema of an input. It
// compiles the schema. A schema that does not compile is a failure with code schema_ref or
// schema_invalid.
func CheckValue(in skills.Input, raw json.RawMessage) []Failure {
	e := entry{property: inputProperty(in), code: "input_schema"}
	if failure := e.typeFailure("input", raw); failure != nil {
		return []Failure{*failure}
	}
	if in.Schema == nil {
		return nil
	}
	check, err := Compile(in.Schema)
	if err != nil {
		return []Failure{compileFailure(in, err)}
	}
	e.check = check
	return e.schemaFailures("input", raw)
}

func (e *entry) failure(code, path, message, hint string) Failure {
	return Failure{Code: code, Input: e.name, Path: path, Message: message, AcceptedSchema: e.text(), Hint: hint}
}

// typeFailure is nil when the value has the declared type.
func (e *entry) typeFailure(noun string, raw json.RawMessage) *Failure {
	if CheckType(e.kind, raw) {
		return nil
	}
	f := e.failure(noun+"_type", codec.JoinPath("$", e.name),
		fmt.Sprintf("the %s %q must be %s, found %s", noun, e.name, article(string(e.kind)), article(TypeName(raw))), "")
	return &f
}

// schemaFailures are the violations of the schema or packet of a member.
func (e *entry) schemaFailures(noun string, raw json.RawMessage) []Failure {
	if e.check == nil {
		return nil
	}
	var out []Failure
	for _, p := range e.check.check(raw) {
		place := ""
		if p.Pointer != "" {
			place = " at " + p.Pointer
		}
		if e.packet != "" {
			place += " does not fit the packet " + e.packet
		}
		out = append(out, e.failure(e.code, codec.JoinPath("$", e.name)+p.path,
			fmt.Sprintf("the %s %q%s: %s", noun, e.name, place, p.Message), ""))
	}
	return out
}
