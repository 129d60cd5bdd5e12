package schema

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/runx-go/runx/internal/skills"
)

func TestCompileRefuses(t *testing.T) {
	tests := []struct {
		name, schema string
		want         CompileError
	}{
		{"file", `{"properties":{"a":{"$ref":"other.json#/x"}}}`, CompileError{"schema_ref", "/properties/a/$ref", `the reference "other.json#/x" leaves the schema: only references inside it are followed`}},
		{"https", `{"$ref":"https://example.com/s.json"}`, CompileError{"schema_ref", "/$ref", `the reference "https://example.com/s.json" leaves the schema: only references inside it are followed`}},
		{"file address", `{"$ref":"file:///etc/hosts"}`, CompileError{"schema_ref", "/$ref", `the reference "file:///etc/hosts" leaves the schema: only references inside it are followed`}},
		{"meta", `{"$schema":"https://example.com/meta"}`, CompileError{"schema_ref", "/$schema", `the reference "https://example.com/meta" leaves the schema: only references inside it are followed`}},
		{"nothing there", `{"$ref":"#/$defs/x"}`, CompileError{"schema_ref", "/$ref", `the reference "#/$defs/x" points at nothing`}},
		{"anchor", `{"$ref":"#x"}`, CompileError{"schema_ref", "/$ref", `the reference "#x" points at nothing`}},
		{"pattern", `{"properties":{"a":{"pattern":"("}}}`, CompileError{"schema_invalid", "/properties/a/pattern", "must be a valid regex"}},
		{"lookahead", `{"pattern":"(?=a)"}`, CompileError{"schema_invalid", "/pattern", "must be a valid regex"}},
		{"type", `{"type":"text"}`, CompileError{"schema_invalid", "/type", `must fit one of the allowed forms: must be one of "array", "boolean", "integer", "null", "number", "object", "string"; or must be array, found string`}},
		{"array", `[]`, CompileError{"schema_invalid", "", "must be boolean or object, found array"}},
		{"number", `{"maximum":1e2000}`, CompileError{"schema_invalid", "/maximum", "the number is too large or too long to be compared exactly"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Compile(raw(tt.schema))
			got, ok := errors.AsType[*CompileError](err)
			if !ok {
				t.Fatalf("got %v, want a CompileError", err)
			}
			if diff := cmp.Diff(*got, tt.want); diff != "" {
				t.Errorf("got, want:\n%s", diff)
			}
		})
	}
}

func TestValidate(t *testing.T) {
	tests := []struct {
		name, schema, value string
		want                []Violation
	}{
		{"holds", `{"$ref":"#/$defs/n","$defs":{"n":{"type":"integer"}}}`, `2.0`, nil},
		{"exact maximum", `{"maximum":9007199254740992}`, `9007199254740993`, []Violation{{"", "must be at most 9007199254740992"}}},
		{"exact const", `{"const":9007199254740993}`, `9007199254740992`, []Violation{{"", "must be 9007199254740993"}}},
		{"fraction", `{"minimum":0.1}`, `0.05`, []Violation{{"", "must be at least 0.1"}}},
		{"format is asserted", `{"format":"date"}`, `"2026-13-01"`, []Violation{{"", "must be a valid date"}}},
		{"order of pointers", `{"properties":{"a":{"type":"string"},"b":{"items":{"type":"boolean"}}},"required":["y","x"],"additionalProperties":false}`,
			`{"b":[1,true,2],"a":1,"c/d":2}`, []Violation{
				{"", `the member "x" is missing`}, {"", `the member "y" is missing`}, {"/a", "must be string, found number"},
				{"/b/0", "must be boolean, found number"}, {"/b/2", "must be boolean, found number"}, {"/c~1d", "the member is not allowed"}}},
		{"any", `{"anyOf":[{"type":"string"},{"minimum":3}]}`, `1`, []Violation{{"", "must fit one of the allowed forms: must be string, found number; or must be at least 3"}}},
		{"one", `{"oneOf":[true,true]}`, `1`, []Violation{{"", "must fit exactly one of the allowed forms, but fits several"}}},
		{"not", `{"not":{}}`, `1`, []Violation{{"", "must not have the form that is excluded here"}}},
		{"false", `{"properties":{"a":false}}`, `{"a":1}`, []Violation{{"/a", "no value is allowed here"}}},
		{"names", `{"propertyNames":{"maxLength":1}}`, `{"ab":1}`, []Violation{{"/ab", "the name is not allowed: it must have at most 1 character, has 2"}}},
		{"unevaluated", `{"properties":{"a":true},"unevaluatedProperties":false}`, `{"b":1}`, []Violation{{"/b", "no value is allowed here"}}},
		{"expensive exponent", `{"minimum":1}`, `[{"a":1e1025}]`, []Violation{{"/0/a", "the number is too large or too long to be compared exactly"}}},
		{"largest exponent", `{"maximum":1}`, `1e1024`, []Violation{{"", "must be at most 1"}}},
		{"huge exponent", `{"minimum":1}`, `1e-99999999999999999999`, []Violation{{"", "the number is too large or too long to be compared exactly"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, err := Compile(raw(tt.schema))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(s.Validate(raw(tt.value)), tt.want); diff != "" {
				t.Errorf("got, want:\n%s", diff)
			}
		})
	}
}

func TestValidateCapsViolations(t *testing.T) {
	s, err := Compile(raw(`{"items":{"type":"string"}}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{maxViolations, maxViolations + 1} {
		got := s.Validate(raw("[" + strings.TrimSuffix(strings.Repeat("1,", n), ",") + "]"))
		want := min(n, maxViolations+1)
		if len(got) != want {
			t.Errorf("%d faults: got %d violations, want %d", n, len(got), want)
		}
	}
}

func TestCoerce(t *testing.T) {
	tests := []struct {
		kind       skills.Type
		text, want string // want "" is a failure
	}{
		{"string", "5", `"5"`}, {"string", "null", `"null"`}, {"string", "", `""`}, {"string", "a\"<\n", `"a\"<\n"`}, {"string", "a\x00", ""}, {"string", "\xff", ""},
		{"number", "1.50", "1.50"}, {"number", "-0", "-0"}, {"number", " 1", ""}, {"number", "1 ", ""}, {"number", "0x1", ""}, {"number", "01", ""}, {"number", "", ""}, {"number", `"1"`, ""},
		{"integer", "9007199254740993", "9007199254740993"}, {"integer", "2.0", "2.0"}, {"integer", "2e0", "2e0"}, {"integer", "25e-1", ""}, {"integer", "20e-1", "20e-1"}, {"integer", "1e999999999999", "1e999999999999"},
		{"boolean", "true", "true"}, {"boolean", "True", ""}, {"boolean", "yes", ""}, {"boolean", "1", ""}, {"boolean", "", ""},
		{"array", " [1, 2] ", "[1, 2]"}, {"array", "{}", ""}, {"array", "a", ""},
		{"object", `{"b":1.0,"a":2}`, `{"b":1.0,"a":2}`}, {"object", `{"a":1,"a":2}`, ""}, {"object", "[]", ""},
		{"json", "null", "null"}, {"json", "text", ""}, {"json", `"text"`, `"text"`}, {"json", "", ""},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprintf("%s %q", tt.kind, tt.text), func(t *testing.T) {
			got, failure := Coerce(skills.Input{Name: "n", Type: tt.kind}, tt.text)
			if string(got) != tt.want || (failure == nil) != (tt.want != "") {
				t.Errorf("got %s, %v, want %s", got, failure, tt.want)
			}
			if failure != nil && (failure.Code != "input_type" || failure.Hint == "" || !strings.Contains(failure.Message, "must be a")) {
				t.Errorf("got %+v", failure)
			}
		})
	}
	_, failure := Coerce(skills.Input{Name: "n", Type: skills.TypeJSON}, "text")
	if want := `write -i n='"text"' for the string text`; failure.Hint != want {
		t.Errorf("got %s, want %s", failure.Hint, want)
	}
}

func TestTypeName(t *testing.T) {
	for text, want := range map[string]string{`"a"`: "string", `1`: "integer", `1.0`: "integer", `15e-1`: "number", `1e-99999999999999999999`: "number",
		`0e-5`: "integer", `true`: "boolean", `[]`: "array", ` {}`: "object", `null`: "null", ``: "", `x`: ""} {
		if got := TypeName(raw(text)); got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}

// TestCompileReadsNoFile refers to a file that exists and holds a good schema.
func TestCompileReadsNoFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "good.json")
	if err := os.WriteFile(path, []byte(`{"type":"string"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	address := "file:///" + strings.TrimPrefix(filepath.ToSlash(path), "/")
	_, err := Compile(raw(fmt.Sprintf(`{"$ref":%q}`, address)))
	want := fmt.Sprintf("cannot use schema: at /$ref: the reference %q leaves the schema: only references inside it are followed", address)
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
