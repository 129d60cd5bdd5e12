package codec

import (
	"bytes"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// DecodeStrict reads a JSON document of ours (closed keys by the json tags of into, exact case,
// nearest key in the error, duplicates refused) into a struct; into is a pointer. null is accepted
// for pointers, slices, maps, interfaces and types that decode themselves. Errors are *SyntaxError
// with code input_json, json_key or json_type; only the first fault is reported, and into must not
// be used then.
func DecodeStrict(file string, data []byte, limits Limits, into any) error {
	target := reflect.TypeOf(into)
	if target == nil || target.Kind() != reflect.Pointer {
		return fmt.Errorf("cannot decode JSON: %T is no pointer", into)
	}
	raw, err := parse(file, data, limits, nil, nil)
	if err != nil {
		return err
	}
	start := bytes.Index(data, raw[:1]) // nothing but blanks stands before it
	c := &shapeChecker{in: scanner{data: data, pos: start}, file: file}
	if fault := c.value(target.Elem(), "$"); fault != nil {
		return fault
	}
	err = json.Unmarshal(raw, into)
	if typed, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return c.fault("json_type", start+int(typed.Offset),
			fmt.Sprintf("the value that ends here does not fit: %s for %s", typed.Value, typed.Type))
	}
	if err != nil {
		return c.fault("json_type", start, "the document does not fit: "+err.Error())
	}
	return nil
}

// shapeChecker walks a valid text beside a Go type.
type shapeChecker struct {
	in   scanner
	file string
}

func (c *shapeChecker) fault(code string, offset int, msg string) *SyntaxError {
	line, col := place(c.in.data, offset)
	return &SyntaxError{Code: code, File: c.file, Line: line, Col: col, Offset: offset, Msg: msg}
}

// value checks one value; path names it in messages.
func (c *shapeChecker) value(t reflect.Type, path string) *SyntaxError {
	if decodesItself(t) || t.Kind() == reflect.Interface {
		c.skip()
		return nil
	}
	first := c.in.peek()
	nullable := t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map
	if first == 'n' && nullable {
		c.skip()
		return nil
	}
	want := ""
	switch t.Kind() {
	case reflect.Pointer:
		return c.value(t.Elem(), path)
	case reflect.Struct, reflect.Map:
		if first == '{' {
			return c.object(t, path)
		}
		want = "an object"
	case reflect.Slice, reflect.Array:
		bytesAsText := t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8
		if first == '[' && !bytesAsText {
			return c.array(t.Elem(), path)
		}
		want = "an array"
		if bytesAsText {
			want = "a string"
		}
	case reflect.String:
		want = "a string"
	case reflect.Bool:
		want = "true or false"
	default:
		want = "a number"
	}
	if fits(want, first) {
		c.skip()
		return nil
	}
	return c.fault("json_type", c.in.pos, path+" must be "+want)
}

// fits compares the first byte of a value with what is wanted.
func fits(want string, first byte) bool {
	switch want {
	case "a string":
		return first == '"'
	case "true or false":
		return first == 't' || first == 'f'
	case "a number":
		return first == '-' || first >= '0' && first <= '9'
	default:
		return false
	}
}

func (c *shapeChecker) array(element reflect.Type, path string) *SyntaxError {
	c.in.pos++
	c.in.blanks()
	for i := 0; c.in.peek() != ']'; i++ {
		if fault := c.value(element, fmt.Sprintf("%s[%d]", path, i)); fault != nil {
			return fault
		}
		c.separator()
	}
	c.in.pos++
	return nil
}

func (c *shapeChecker) object(t reflect.Type, path string) *SyntaxError {
	var fields []field
	if t.Kind() == reflect.Struct {
		fields = appendFields(nil, t)
	}
	c.in.pos++
	c.in.blanks()
	for c.in.peek() != '}' {
		at := c.in.pos
		decoded, _ := c.in.text(true)
		name := string(decoded)
		c.separator()
		var element reflect.Type
		if t.Kind() == reflect.Map {
			element = t.Elem()
		} else if element = fieldType(fields, name); element == nil {
			return c.unknown(at, name, fields)
		}
		if fault := c.value(element, JoinPath(path, name)); fault != nil {
			return fault
		}
		c.separator()
	}
	c.in.pos++
	return nil
}

func (c *shapeChecker) unknown(at int, name string, fields []field) *SyntaxError {
	known := make([]string, len(fields))
	for i, f := range fields {
		known[i] = f.name
	}
	fault := c.fault("json_key", at, fmt.Sprintf("the key %q is not known here", shorten(name)))
	fault.Key = name
	if near := Nearest(name, known, 1); len(near) > 0 {
		fault.Nearest = near[0]
		fault.Hint = fmt.Sprintf("did you mean %q?", near[0])
	}
	return fault
}

// separator moves over blanks and one comma or colon.
func (c *shapeChecker) separator() {
	c.in.blanks()
	if b := c.in.peek(); b == ',' || b == ':' {
		c.in.pos++
		c.in.blanks()
	}
}

// skip moves behind the value, which is known to be valid.
func (c *shapeChecker) skip() {
	depth := 0
	for {
		switch b := c.in.peek(); {
		case b == '{' || b == '[':
			depth++
			c.in.pos++
		case b == '}' || b == ']':
			depth--
			c.in.pos++
		case b == '"':
			c.in.text(false)
		case b == '-' || b >= '0' && b <= '9':
			c.in.number()
		case b == ',' || b == ':':
			c.in.pos++
		default:
			c.in.word()
		}
		if depth == 0 {
			return
		}
		c.in.blanks()
	}
}

type field struct {
	name string
	t    reflect.Type
}

// appendFields lists the JSON names of a struct, those of embedded structs without a tag included.
func appendFields(out []field, t reflect.Type) []field {
	for i := range t.NumField() {
		f := t.Field(i)
		tag := f.Tag.Get("json")
		name, _, _ := strings.Cut(tag, ",")
		inner := f.Type
		if inner.Kind() == reflect.Pointer {
			inner = inner.Elem()
		}
		switch {
		case tag == "-":
		case f.Anonymous && name == "" && inner.Kind() == reflect.Struct:
			out = appendFields(out, inner)
		case !f.IsExported():
		case name == "":
			out = append(out, field{f.Name, f.Type})
		default:
			out = append(out, field{name, f.Type})
		}
	}
	return out
}

func fieldType(fields []field, name string) reflect.Type {
	for _, f := range fields {
		if f.name == name {
			return f.t
		}
	}
	return nil
}

// decodesItself reports whether encoding/json would call a method of the type.
func decodesItself(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	return p.Implements(reflect.TypeFor[json.Unmarshaler]()) || p.Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
}
