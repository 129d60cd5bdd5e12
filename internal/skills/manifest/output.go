package manifest

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/runx-go/runx/internal/skills"
	"github.com/runx-go/runx/internal/skills/codec"
)

// outputMap reads outputs (skills 6.1).
func (r *reader) outputMap(n *codec.Node) []skills.Output {
	if !r.mapping(n, "outputs") {
		return nil
	}
	var out []skills.Output
	for _, pair := range n.Pairs {
		if !r.fieldName(pair.Key, "output") {
			continue
		}
		o := skills.Output{Name: pair.Key.Text, Type: skills.TypeJSON, Required: true, At: r.at(pair.Key)}
		switch {
		case pair.Value.Kind == codec.Mapping:
			r.output(pair.Value, &o)
		case pair.Value.Kind == codec.Scalar && !pair.Value.Empty:
			o.Type = r.valueType(pair.Value, outputTypes(), o.Type)
		default:
			r.wrongType(pair.Value, fmt.Sprintf("output %q", o.Name), "a type or a mapping", "")
			continue
		}
		out = append(out, o)
	}
	return out
}

func (r *reader) output(n *codec.Node, o *skills.Output) {
	where := fmt.Sprintf("output %q", o.Name)
	known := []string{"type", "description", "required", "enum", "schema"}
	r.closed(n, where, known, func(field codec.Pair) bool {
		v := field.Value
		switch key := field.Key.Text; key {
		case "type":
			o.Type = r.valueType(v, outputTypes(), o.Type)
		case "description":
			o.Description, _ = r.text(v, key)
		case "required":
			o.Required = r.boolean(v, key)
		case "enum":
			o.Enum = r.enum(v)
		case "schema":
			if r.schemaShape(v) {
				o.Schema, o.SchemaAt = r.free(v), r.at(v)
			}
		case "wrap_as":
			r.warn(field.Key, "field_ignored", "use wrap_as of artifacts", "wrap_as inside %s is not used", where)
		default:
			return false
		}
		return true
	})
	if n.Get("type") == nil {
		r.fault(n, "field_missing", "add type:", "%s has no type", where)
	}
}

func (r *reader) enum(n *codec.Node) []json.RawMessage {
	if !r.list(n, "enum") {
		return nil
	}
	if len(n.Items) == 0 {
		r.fault(n, "field_value", "", "enum must have at least one value")
	}
	var out []json.RawMessage
	for _, item := range n.Items {
		if raw := r.free(item); raw != nil {
			out = append(out, raw)
		}
	}
	return out
}

// artifacts reads artifacts (skills 6.2).
func (r *reader) artifacts(n *codec.Node) skills.Artifacts {
	a := skills.Artifacts{At: r.at(n)}
	if !r.mapping(n, "artifacts") {
		return a
	}
	known := []string{"wrap_as", "packet", "named_emits", "packets"}
	r.closed(n, "artifacts", known, func(field codec.Pair) bool {
		switch key := field.Key.Text; key {
		case "wrap_as":
			a.WrapAs, _ = r.filled(field.Value, key)
		case "packet":
			a.Packet, _ = r.filled(field.Value, key)
		case "named_emits":
			a.NamedEmits = r.named(field.Value, key, r.text)
		case "packets":
			a.Packets = r.named(field.Value, key, r.filled)
		default:
			return false
		}
		return true
	})
	if packet := n.Get("packet"); packet != nil && n.Get("wrap_as") == nil {
		r.fault(packet, "artifact_packet", "add wrap_as:", "packet of artifacts needs wrap_as")
	}
	names := make([]string, len(a.NamedEmits))
	for i, emit := range a.NamedEmits {
		names[i] = emit.Name
	}
	for _, pair := range pairsOf(n.Get("packets")) {
		if !slices.Contains(names, pair.Key.Text) {
			r.fault(pair.Key, "artifact_packet", nearHint(pair.Key.Text, names), "packets of artifacts names %q, which named_emits does not have", shorten(pair.Key.Text))
		}
	}
	return a
}

// named reads a map of names to strings in its order.
func (r *reader) named(n *codec.Node, field string, read func(*codec.Node, string) (string, bool)) []skills.Named {
	if !r.mapping(n, field) {
		return nil
	}
	var out []skills.Named
	for _, pair := range n.Pairs {
		value, ok := read(pair.Value, fmt.Sprintf("%s %q", field, shorten(pair.Key.Text)))
		if ok {
			out = append(out, skills.Named{Name: pair.Key.Text, Value: value})
		}
	}
	return out
}
