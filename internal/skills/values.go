package skills

import "encoding/json"

// Type is the type of a declared input or output.
type Type string

// The declared types. TypeNull is for outputs only; TypeJSON is any JSON value.
const (
	TypeString  Type = "string"
	TypeNumber  Type = "number"
	TypeInteger Type = "integer"
	TypeBoolean Type = "boolean"
	TypeArray   Type = "array"
	TypeObject  Type = "object"
	TypeNull    Type = "null"
	TypeJSON    Type = "json"
)

// Input is one declared input.
type Input struct {
	Name        string
	Type        Type
	Required    bool
	Description string
	Default     json.RawMessage // nil when there is none
	Schema      json.RawMessage // a JSON Schema 2020-12 document, or nil
	Packet      string
	Artifact    bool
	At          Position // of the name
	DefaultAt   Position // of the default's value
	SchemaAt    Position // of the schema's value
}

// Output is one declared output of a runner.
type Output struct {
	Name        string
	Type        Type
	Description string
	Required    bool
	Enum        []json.RawMessage
	Schema      json.RawMessage
	At          Position // of the name
	SchemaAt    Position // of the schema's value
}

// Artifacts are the projections of a runner's value and the packets that they must match.
type Artifacts struct {
	WrapAs     string
	Packet     string
	NamedEmits []Named // name to label
	Packets    []Named // name to packet id
	At         Position
}

// Named is one entry of a small map whose order is kept.
type Named struct{ Name, Value string }

// Packet is a found packet schema.
type Packet struct {
	ID     string
	File   string
	Schema json.RawMessage
}
