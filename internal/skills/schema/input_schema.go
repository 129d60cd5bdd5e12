package schema

import (
	"bytes"
	"encoding/json"
	"net/url"

	"github.com/runx-go/runx/internal/skills"
	"github.com/runx-go/runx/internal/skills/codec"
)

// property describes one member of a closed object.
type property struct {
	name        string
	kind        skills.Type
	description string
	fallback    json.RawMessage
	enum        []json.RawMessage
	schema      json.RawMessage
	required    bool
}

func inputProperty(in skills.Input) property {
	return property{name: in.Name, kind: in.Type, description: in.Description, fallback: in.Default,
		schema: in.Schema, required: in.Required && in.Default == nil}
}

func outputProperty(out skills.Output) property {
	return property{name: out.Name, kind: out.Type, description: out.Description, enum: out.Enum,
		schema: out.Schema, required: out.Required}
}

func propertySchema(in skills.Input) json.RawMessage { return inputProperty(in).text() }

// text is the schema of the member. The author's own schema stands in allOf; when it has references
// it gets an id, so that they still mean its own root.
func (p property) text() json.RawMessage {
	var out []byte
	put := func(key string, value json.RawMessage) {
		if out == nil {
			out = append(out, '{')
		} else {
			out = append(out, ',')
		}
		out = append(append(append(out, codec.Quote(key)...), ':'), value...)
	}
	if p.kind != skills.TypeJSON {
		put("type", codec.Quote(string(p.kind)))
	}
	if p.description != "" {
		put("description", codec.Quote(p.description))
	}
	if p.fallback != nil {
		put("default", p.fallback)
	}
	if len(p.enum) > 0 {
		put("enum", append(append([]byte{'['}, bytes.Join(rawBytes(p.enum), []byte{','})...), ']'))
	}
	if p.schema != nil {
		put("allOf", append(append([]byte{'['}, p.embedded()...), ']'))
	}
	if out == nil {
		return json.RawMessage("{}")
	}
	return append(out, '}')
}

// embedded is the author's schema as a part of a larger one.
func (p property) embedded() json.RawMessage {
	object, err := codec.ParseObject("", p.schema, codec.Limits{})
	if err != nil || !bytes.Contains(p.schema, []byte(`"$ref"`)) && !bytes.Contains(p.schema, []byte(`"$dynamicRef"`)) {
		return p.schema
	}
	if _, has := object.Lookup("$id"); has {
		return p.schema
	}
	id := codec.Quote("runx:///member/" + url.PathEscape(p.name))
	joined, err := codec.JoinObject(append([]codec.Member{{Name: "$id", Raw: id}}, object.Members()...))
	if err != nil {
		return p.schema
	}
	return joined.Raw()
}

func rawBytes(values []json.RawMessage) [][]byte {
	out := make([][]byte, len(values))
	for i, v := range values {
		out[i] = v
	}
	return out
}

// closedSchema is the schema of an object with exactly these members.
func closedSchema(properties []property) json.RawMessage {
	out := []byte(`{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{`)
	var required [][]byte
	for i, p := range properties {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(append(out, codec.Quote(p.name)...), ':'), p.text()...)
		if p.required {
			required = append(required, codec.Quote(p.name))
		}
	}
	out = append(out, '}')
	if len(required) > 0 {
		out = append(append(append(out, `,"required":[`...), bytes.Join(required, []byte{','})...), ']')
	}
	return append(out, `,"additionalProperties":false}`...)
}
