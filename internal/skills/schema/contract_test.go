package schema

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/runx-go/runx/internal/skills"
	"github.com/runx-go/runx/internal/skills/codec"
)

func raw(s string) json.RawMessage { return json.RawMessage(s) }

// short is what the tests compare of a failure.
type short struct{ Code, Input, Path, Message string }

func shorts(failures []Failure) []short {
	var out []short
	for _, f := range failures {
		if f.AcceptedSchema == nil {
			out = append(out, short{Code: "accepted schema is nil", Input: f.Input})
		}
		out = append(out, short{f.Code, f.Input, f.Path, f.Message})
	}
	return out
}

func testInputs() []skills.Input {
	return []skills.Input{
		{Name: "message", Type: skills.TypeString, Required: true},
		{Name: "count", Type: skills.TypeInteger, Default: raw(`1.0`)},
		{Name: "free", Type: skills.TypeJSON},
		{Name: "odd name", Type: skills.TypeArray, Schema: raw(`{"items":{"type":"string","minLength":2}}`)},
		{Name: "packed", Type: skills.TypeJSON, Packet: "p.v1"},
	}
}

func testContract(t *testing.T) *Contract {
	t.Helper()
	packets := map[string]skills.Packet{"p.v1": {ID: "p.v1", Schema: raw(`{"type":"object","required":["id"],"additionalProperties":false,"properties":{"id":{"type":"integer"}}}`)}}
	c, err := NewContract(testInputs(), packets)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestBindAccepts(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"untouched", "{ \"count\" : 9007199254740993,\n\"message\":\"\\u0061\" }", "{ \"count\" : 9007199254740993,\n\"message\":\"\\u0061\" }"},
		{"default behind the members", `{ "message" : "a" }`, `{"message":"a","count":1.0}`},
		{"null is absent and gets the default", `{"count":null,"message":"a"}`, `{"message":"a","count":1.0}`},
		{"null is a value of json", `{"free": null,"message":"a","count":2e0}`, `{"free": null,"message":"a","count":2e0}`},
		{"the text of a name is kept", `{"mess\u0061ge":"a"}`, `{"mess\u0061ge":"a","count":1.0}`},
		{"digits and order", `{"free":{"z":1.0,"a":-0,"e":1e6},"message":"a","count":1}`, `{"free":{"z":1.0,"a":-0,"e":1e6},"message":"a","count":1}`},
		{"packet", `{"packed":{"id":3},"message":"","count":1}`, `{"packed":{"id":3},"message":"","count":1}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			object, err := codec.ParseObject("", []byte(tt.in), codec.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			got, err := testContract(t).Bind(object)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(got.Raw()), tt.want); diff != "" {
				t.Errorf("got, want:\n%s", diff)
			}
		})
	}
}

func TestBindRefuses(t *testing.T) {
	tests := []struct {
		name, in string
		want     []short
	}{
		{"all together in order", `{"packed":{"x":1},"odd name":["ab","c"],"count":1.5,"mesage":"x"}`, []short{
			{"input_unknown", "mesage", "$.mesage", `the input "mesage" is not declared; the nearest is "message"`},
			{"input_type", "count", "$.count", `the input "count" must be an integer, found a number`},
			{"packet_contract", "packed", "$.packed", `the input "packed" does not fit the packet p.v1: the member "id" is missing`},
			{"packet_contract", "packed", "$.packed.x", `the input "packed" at /x does not fit the packet p.v1: the member is not allowed`},
			{"input_schema", "odd name", `$["odd name"][1]`, `the input "odd name" at /1: must have at least 2 characters, has 1`},
			{"input_missing", "message", "$.message", `the input "message" is missing`},
		}},
		{"null is absent", `{"message":null}`, []short{{"input_missing", "message", "$.message", `the input "message" is missing`}}},
		{"case counts", `{"Message":"a"}`, []short{
			{"input_unknown", "Message", "$.Message", `the input "Message" is not declared; the nearest is "message"`},
			{"input_missing", "message", "$.message", `the input "message" is missing`}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			object, err := codec.ParseObject("", []byte(tt.in), codec.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			_, err = testContract(t).Bind(object)
			bind, ok := errors.AsType[*BindError](err)
			if !ok {
				t.Fatalf("got %v, want a BindError", err)
			}
			if diff := cmp.Diff(shorts(bind.Failures), tt.want); diff != "" {
				t.Errorf("got, want:\n%s", diff)
			}
		})
	}
}

func TestInputSchema(t *testing.T) {
	inputs := []skills.Input{
		{Name: "a", Type: skills.TypeString, Required: true, Description: "the <a>"},
		{Name: "b", Type: skills.TypeInteger, Required: true, Default: raw("007"[2:])},
		{Name: "c", Type: skills.TypeJSON},
		{Name: "d", Type: skills.TypeArray, Schema: raw(`{"$defs":{"s":{"type":"string"}},"items":{"$ref":"#/$defs/s"}}`)},
	}
	c, err := NewContract(inputs, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{` +
		`"a":{"type":"string","description":"the <a>"},"b":{"type":"integer","default":7},"c":{},` +
		`"d":{"type":"array","allOf":[{"$id":"runx:///member/d","$defs":{"s":{"type":"string"}},"items":{"$ref":"#/$defs/s"}}]}},` +
		`"required":["a"],"additionalProperties":false}`
	if diff := cmp.Diff(string(c.InputSchema()), want); diff != "" {
		t.Errorf("got, want:\n%s", diff)
	}
	compiled, err := Compile(c.InputSchema())
	if err != nil {
		t.Fatal(err)
	}
	got := compiled.Validate(raw(`{"a":"x","d":["y",1]}`))
	if diff := cmp.Diff(got, []Violation{{"/d/1", "must be string, found number"}}); diff != "" {
		t.Errorf("got, want:\n%s", diff)
	}
}

func TestOutputs(t *testing.T) {
	if c, err := NewOutputs(nil); c != nil || err != nil || c.Check(raw(`1`)) != nil {
		t.Fatalf("no outputs: got %v, %v", c, err)
	}
	c, err := NewOutputs([]skills.Output{
		{Name: "kind", Type: skills.TypeNumber, Required: true, Enum: []json.RawMessage{raw(`1.0`), raw(`9007199254740993`)}},
		{Name: "list", Type: skills.TypeArray, Schema: raw(`{"maxItems":1}`)},
		{Name: "none", Type: skills.TypeNull, Required: true},
		{Name: "text", Type: skills.TypeString},
	})
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, value string
		want        []short
	}{
		{"holds", `{"none":null,"kind":1e0,"list":[1]}`, nil},
		{"enum is exact", `{"none":null,"kind":9007199254740992}`, []short{
			{"output_contract", "kind", "$.kind", `the output "kind" is none of its 2 allowed values, found 9007199254740992`}}},
		{"everything", `{"txt":1,"none":0,"list":[1,2],"text":null}`, []short{
			{"output_contract", "txt", "$.txt", `the output "txt" is not declared; the nearest is "text"`},
			{"output_contract", "list", "$.list", `the output "list": must have at most 1 item, has 2`},
			{"output_contract", "none", "$.none", `the output "none" must be null, found an integer`},
			{"output_contract", "text", "$.text", `the output "text" must be a string, found null`},
			{"output_contract", "kind", "$.kind", `the output "kind" is missing`}}},
		{"no object", `[1]`, []short{{"output_contract", "", "$", "the result must be an object with the declared outputs, found an array"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(shorts(c.Check(raw(tt.value))), tt.want); diff != "" {
				t.Errorf("got, want:\n%s", diff)
			}
		})
	}
	text, digest := c.Schema()
	if want, err := codec.DigestJSON(text); err != nil || digest != want {
		t.Errorf("digest: got %s, want %s, %v", digest, want, err)
	}
}

func TestCheckValue(t *testing.T) {
	in := skills.Input{Name: "n", Type: skills.TypeInteger, Schema: raw(`{"maximum":3}`)}
	tests := []struct {
		name, value string
		want        []short
	}{
		{"holds", `3.0`, nil},
		{"type", `"3"`, []short{{"input_type", "n", "$.n", `the input "n" must be an integer, found a string`}}},
		{"schema", `4`, []short{{"input_schema", "n", "$.n", `the input "n": must be at most 3`}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(shorts(CheckValue(in, raw(tt.value))), tt.want); diff != "" {
				t.Errorf("got, want:\n%s", diff)
			}
		})
	}
	in.Schema = raw(`{"type":5}`)
	if got := CheckValue(in, raw(`3`)); len(got) != 1 || got[0].Code != "schema_invalid" {
		t.Errorf("got %v, want schema_invalid", got)
	}
}

func TestNewContractWithoutSchemasIsCheap(t *testing.T) {
	inputs := testInputs()[:3]
	allocs := testing.AllocsPerRun(100, func() {
		if _, err := NewContract(inputs, nil); err != nil {
			t.Fatal(err)
		}
	})
	const budget = 12
	if allocs > budget {
		t.Errorf("got %v allocations, want at most %d", allocs, budget)
	}
}
