package manifest

import (
	"fmt"
	"slices"
	"unicode"

	"github.com/runx-go/runx/internal/skills"
	"github.com/runx-go/runx/internal/skills/codec"
)

// inputKeys are the keys of one declared input.
func inputKeys() []string {
	return []string{"type", "required", "description", "default", "schema", "packet", "artifact", "definition"}
}

// inputTypes are the types of inputs; outputs have null too.
func inputTypes() []string {
	return []string{"string", "number", "integer", "boolean", "array", "object", "json"}
}

func outputTypes() []string { return append(inputTypes(), "null") }

// inputMap reads inputs or, with nil definitions, input_definitions themselves.
func (r *reader) inputMap(n *codec.Node, definitions []skills.Input) []skills.Input {
	var out []skills.Input
	for i, pair := range n.Pairs {
		if i == maxInputs {
			r.fault(pair.Key, "inputs_limit", "", "at most %d inputs can be declared, here are %d", maxInputs, len(n.Pairs))
			break
		}
		if !r.fieldName(pair.Key, "input") {
			continue
		}
		if pair.Value.Kind != codec.Mapping {
			hint := ""
			if pair.Value.Kind == codec.Scalar && slices.Contains(inputTypes(), pair.Value.Text) {
				hint = fmt.Sprintf("write {type: %s}", pair.Value.Text)
			}
			r.wrongType(pair.Value, fmt.Sprintf("input %q", pair.Key.Text), "a mapping", hint)
			continue
		}
		if reference := pair.Value.Get("definition"); reference != nil {
			if in, ok := r.definition(pair, reference, definitions); ok {
				out = append(out, in)
			}
			continue
		}
		out = append(out, r.input(pair))
	}
	return out
}

// fieldName checks the name of an input or output.
func (r *reader) fieldName(key *codec.Node, noun string) bool {
	name := key.Text
	if name == "" || len(name) > inputNameBytes {
		r.fault(key, noun+"_name", "", "the name of an %s must have 1 to %d bytes, %q has %d", noun, inputNameBytes, shorten(name), len(name))
		return false
	}
	for _, c := range name {
		if unicode.IsControl(c) {
			r.fault(key, noun+"_name", "", "the name of an %s must not contain control characters: %q", noun, name)
			return false
		}
	}
	return true
}

// definition takes the entry that {definition: NAME} names.
func (r *reader) definition(pair codec.Pair, reference *codec.Node, definitions []skills.Input) (skills.Input, bool) {
	for _, other := range pair.Value.Pairs {
		if other.Key.Text != "definition" {
			r.fault(other.Key, "definition_alone", "move it to the entry of input_definitions",
				"definition must stand alone in input %q, beside it is %q", pair.Key.Text, shorten(other.Key.Text))
			return skills.Input{}, false
		}
	}
	name, ok := r.text(reference, "definition")
	if !ok {
		return skills.Input{}, false
	}
	known := make([]string, len(definitions))
	for i, d := range definitions {
		if d.Name == name {
			d.Name, d.At = pair.Key.Text, r.at(pair.Key)
			return d, true
		}
		known[i] = d.Name
	}
	r.fault(reference, "definition_unknown", nearHint(name, known), "input_definitions has no usable entry %q", shorten(name))
	return skills.Input{}, false
}

// input reads one input that is declared in place.
func (r *reader) input(pair codec.Pair) skills.Input {
	in := skills.Input{Name: pair.Key.Text, Type: skills.TypeString, At: r.at(pair.Key)}
	where := fmt.Sprintf("input %q", in.Name)
	r.closed(pair.Value, where, inputKeys(), func(field codec.Pair) bool {
		n := field.Value
		switch key := field.Key.Text; key {
		case "type":
			in.Type = r.valueType(n, inputTypes(), in.Type)
		case "required":
			in.Required = r.boolean(n, key)
		case "description":
			in.Description, _ = r.text(n, key)
		case "default":
			in.Default, in.DefaultAt = r.free(n), r.at(n)
		case "schema":
			if r.schemaShape(n) {
				in.Schema, in.SchemaAt = r.free(n), r.at(n)
			}
		case "packet":
			in.Packet, _ = r.filled(n, key)
		case "artifact":
			in.Artifact = r.boolean(n, key)
		default:
			return false
		}
		return true
	})
	r.packetRules(pair.Value, in, where)
	return in
}

// packetRules: a packet needs type json and excludes schema and default.
func (r *reader) packetRules(n *codec.Node, in skills.Input, where string) {
	packet := n.Get("packet")
	if packet == nil {
		return
	}
	if in.Type != skills.TypeJSON {
		r.fault(packet, "input_packet", "write type: json", "%s has a packet, so its type must be json, not %s", where, in.Type)
	}
	for _, key := range []string{"schema", "default"} {
		if n.Get(key) != nil {
			r.fault(packet, "input_packet", "remove "+key, "%s has a packet, so it cannot have a %s", where, key)
		}
	}
}

// valueType reads the type of an input or output.
func (r *reader) valueType(n *codec.Node, known []string, fallback skills.Type) skills.Type {
	name, ok := r.text(n, "type")
	if !ok {
		return fallback
	}
	if !slices.Contains(known, name) {
		r.fault(n, "field_value", nearHint(name, known), "%q is no type", shorten(name))
		return fallback
	}
	return skills.Type(name)
}

// schemaShape accepts what a JSON Schema can be: a mapping, true or false.
func (r *reader) schemaShape(n *codec.Node) bool {
	if n.Kind == codec.Mapping || n.Kind == codec.Scalar && n.Plain && (n.Text == "true" || n.Text == "false") {
		return true
	}
	r.wrongType(n, "schema", "a JSON Schema (a mapping)", "")
	return false
}
