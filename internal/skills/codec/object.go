package codec

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Member is one member of an Object: its decoded name and the raw text of its value.
type Member struct {
	Name string
	Raw  json.RawMessage
}

// Object is one complete, strictly parsed JSON object whose text is carried as it was written.
// The zero Object is the empty object {}. An Object shares the bytes it was parsed from: neither
// these nor what its methods return may be changed.
type Object struct {
	raw     []byte
	members []Member
	names   [][]byte       // the text of each name, quotes included
	index   map[string]int // nil for few members
}

// Limits of one JSON text; zero fields mean the defaults (64 MiB, depth 1000).
type Limits struct{ Bytes, Depth int }

// ParseObject reads exactly one object: UTF-8 (BOM accepted), no duplicate key at any depth, no
// trailing data, no lone surrogate, bounded depth and size. Error: *SyntaxError with code
// input_json and offset, line, column.
func ParseObject(file string, data []byte, limits Limits) (Object, error) {
	top := new(topMembers)
	raw, err := parse(file, data, limits, top, nil)
	if err != nil {
		return Object{}, err
	}
	return newObject(raw, top.members, top.names), nil
}

// topMembers are the members of the outermost object of a text.
type topMembers struct {
	members []Member
	names   [][]byte
}

// ParseValue is ParseObject for a JSON text of any type; it returns the text from its first to its
// last character, without the blanks around it.
func ParseValue(file string, data []byte, limits Limits) (json.RawMessage, error) {
	return parse(file, data, limits, nil, nil)
}

func newObject(raw []byte, members []Member, names [][]byte) Object {
	o := Object{raw: raw, members: members, names: names}
	if len(members) > smallObject {
		o.index = make(map[string]int, len(members))
		for i, m := range members {
			o.index[m.Name] = i
		}
	}
	return o
}

// parse reads one text strictly. top asks for an object and collects its members; rec collects
// what Canonical needs.
func parse(file string, data []byte, limits Limits, top *topMembers, rec *record) (json.RawMessage, error) {
	if limits.Bytes <= 0 {
		limits.Bytes = JSONBytes
	}
	if limits.Depth <= 0 {
		limits.Depth = defaultDepth
	}
	if len(data) > limits.Bytes {
		return nil, &SyntaxError{Code: "input_json", File: file, Line: 1, Col: 1,
			Msg: fmt.Sprintf("the JSON text has %d bytes, the limit is %d", len(data), limits.Bytes)}
	}
	if fault := checkEncoding("input_json", file, data); fault != nil {
		return nil, fault
	}
	s := &scanner{data: data, depth: limits.Depth, limit: limits.Depth, rec: rec, top: top}
	raw, ok := s.document(top != nil)
	if !ok {
		line, col := place(data, s.err.offset)
		return nil, &SyntaxError{Code: "input_json", File: file, Line: line, Col: col,
			Offset: s.err.offset, Msg: s.err.msg, Key: s.err.key, Hint: s.err.hint}
	}
	return raw, nil
}

// document reads the only value of the text.
func (s *scanner) document(object bool) (json.RawMessage, bool) {
	if bytes.HasPrefix(s.data, []byte(bom)) {
		s.pos = len(bom)
	}
	s.blanks()
	if s.pos == len(s.data) {
		hint := "write a JSON value"
		if object {
			hint = `the empty object is {}`
		}
		return nil, s.fail(s.pos, "the text is empty", hint)
	}
	start := s.pos
	if object && s.peek() != '{' {
		return nil, s.notObject()
	}
	if !s.value() {
		return nil, false
	}
	end := s.pos
	s.blanks()
	if s.pos < len(s.data) {
		hint := "remove what follows the value"
		if c := s.peek(); c == '{' || c == '[' {
			hint = "give one document only"
		}
		return nil, s.fail(s.pos, "more text follows the end of the JSON value", hint)
	}
	return s.data[start:end:end], true
}

// notObject says what stands where an object must; a text that is not JSON says so itself.
func (s *scanner) notObject() bool {
	start, kind := s.pos, "a number"
	switch s.peek() {
	case '[':
		kind = "an array"
	case '"':
		kind = "a string"
	case 't', 'f':
		kind = "a boolean"
	case 'n':
		kind = "null"
	}
	if !s.value() {
		return false
	}
	return s.fail(start, "the text must be one JSON object, found "+kind, `write {"name": value}`)
}

// JoinObject builds an object from members whose Raw is already valid JSON: joined with , and :
// without blanks, in order, names escaped minimally. Duplicate names are an error, and so is a name
// that is not UTF-8.
func JoinObject(members []Member) (Object, error) {
	names := make([][]byte, len(members))
	for i, m := range members {
		if badByte([]byte(m.Name)) >= 0 {
			return Object{}, fmt.Errorf("cannot join object: the name %q is not UTF-8", m.Name)
		}
		names[i] = appendString(nil, []byte(m.Name))
	}
	return join(append([]Member(nil), members...), names)
}

// Edit is the object without the members for which drop is true and with add behind the others,
// joined as by JoinObject; what stays keeps its text, that of its name included. When nothing has to
// be dropped or added it is the same object, byte for byte. A nil drop drops nothing.
func (o Object) Edit(drop func(name string) bool, add []Member) (Object, error) {
	var members []Member
	var names [][]byte
	for i, m := range o.members {
		if drop == nil || !drop(m.Name) {
			members, names = append(members, m), append(names, o.names[i])
		}
	}
	if len(members) == len(o.members) && len(add) == 0 {
		return o, nil
	}
	for _, m := range add {
		members, names = append(members, m), append(names, Quote(m.Name))
	}
	return join(members, names)
}

// join writes an object; it takes over both slices.
func join(members []Member, names [][]byte) (Object, error) {
	size := 2
	for i, m := range members {
		size += len(names[i]) + len(m.Raw) + 2
	}
	raw := append(make([]byte, 0, size), '{')
	seen := make(map[string]bool, len(members))
	for i, m := range members {
		if seen[m.Name] {
			return Object{}, fmt.Errorf("cannot join object: the name %q is given twice", m.Name)
		}
		seen[m.Name] = true
		if i > 0 {
			raw = append(raw, ',')
		}
		raw = append(raw, names[i]...)
		raw = append(raw, ':')
		raw = append(raw, m.Raw...)
	}
	return newObject(append(raw, '}'), members, names), nil
}

// Raw is the text from { to }.
func (o Object) Raw() json.RawMessage {
	if o.raw == nil {
		return json.RawMessage("{}")
	}
	return o.raw
}

// Members in the order of the text.
func (o Object) Members() []Member { return o.members }

// Lookup finds a member by name.
func (o Object) Lookup(name string) (json.RawMessage, bool) {
	if o.index != nil {
		i, ok := o.index[name]
		if !ok {
			return nil, false
		}
		return o.members[i].Raw, true
	}
	for _, m := range o.members {
		if m.Name == name {
			return m.Raw, true
		}
	}
	return nil, false
}

// Equal reports whether both objects have the same text, byte for byte.
func (o Object) Equal(other Object) bool { return bytes.Equal(o.Raw(), other.Raw()) }

// MarshalJSON gives the text, so that an Object inside a struct is not lost.
func (o Object) MarshalJSON() ([]byte, error) { return o.Raw(), nil }
