package schema

import (
	"testing"

	"github.com/runx-go/runx/internal/skills"
	"github.com/runx-go/runx/internal/skills/codec"
)

// FuzzCoerce: the result has the declared type and is JSON, or there is a failure with a hint; a
// string comes back as the same text.
func FuzzCoerce(f *testing.F) {
	for i, seed := range []string{"5", "-0", "1e400", "[1,2]", `{"a":"\ud83d\ude00"}`, "null", "a\x00b", "\xff", "01", " 1"} {
		f.Add(byte(i), seed)
	}
	kinds := []skills.Type{"string", "number", "integer", "boolean", "array", "object", "json"}
	f.Fuzz(func(t *testing.T, pick byte, text string) {
		in := skills.Input{Name: "n", Type: kinds[int(pick)%len(kinds)]}
		raw, failure := Coerce(in, text)
		if failure != nil {
			if failure.Code != "input_type" || failure.Hint == "" || raw != nil {
				t.Fatalf("got %s, %+v", raw, failure)
			}
			return
		}
		if _, err := codec.ParseValue("", raw, codec.Limits{}); err != nil || !CheckType(in.Type, raw) {
			t.Fatalf("%s from %q is no %s: %v", raw, text, in.Type, err)
		}
		if in.Type == skills.TypeString {
			if back, err := codec.Render(raw); err != nil || back != text {
				t.Fatalf("got %q, want %q, %v", back, text, err)
			}
		}
	})
}

// FuzzCompileValidate: any schema and value end in an answer, never in a panic; the answer repeats.
func FuzzCompileValidate(f *testing.F) {
	f.Add(`{"type":"object","properties":{"a":{"$ref":"#"}}}`, `{"a":{"a":1}}`)
	f.Add(`{"anyOf":[{"minimum":1e9},{"multipleOf":0.1}],"uniqueItems":true}`, `[1,1.0,1e0]`)
	f.Add(`{"$ref":"#"}`, `1`)
	f.Add(`{"$id":"x","$ref":"y"}`, `1`)
	f.Add(`{"pattern":"("}`, `"a"`)
	f.Add(`{"multipleOf":1e-400}`, `1e400`)
	f.Fuzz(func(t *testing.T, schema, value string) {
		s, err := Compile([]byte(schema))
		if err != nil {
			return
		}
		first, second := s.Validate([]byte(value)), s.Validate([]byte(value))
		if len(first) != len(second) {
			t.Fatalf("got %v, then %v", first, second)
		}
	})
}
