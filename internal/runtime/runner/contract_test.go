package runner

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/runx-go/runx/internal/skills"
	"github.com/runx-go/runx/internal/skills/admission"
	"github.com/runx-go/runx/internal/skills/schema"
)

// failure is what a person reads of one failure.
type failure struct{ Code, Path, Message string }

// contractRunner makes a runner that declares these things.
func contractRunner(t testing.TB, outputs []skills.Output, artifacts skills.Artifacts, packets ...skills.Packet) *admission.Runner {
	t.Helper()
	r := &admission.Runner{Runner: skills.Runner{Name: "main", Outputs: outputs, Artifacts: artifacts}, Packets: map[string]skills.Packet{}}
	for _, p := range packets {
		r.Packets[p.ID] = p
	}
	compiled, err := schema.NewOutputs(outputs)
	if err != nil {
		t.Fatal(err)
	}
	r.Outputs = compiled
	return r
}

// birds is a packet: an object with a whole number n and perhaps a list of texts.
var birds = skills.Packet{ID: "acme.birds.v1", File: "packets/birds.json",
	Schema: json.RawMessage(`{"type":"object","required":["n"],"properties":{"n":{"type":"integer"},"seen":{"type":"array","items":{"type":"string"}}}}`)}

func TestCheckValue(t *testing.T) {
	count := []skills.Output{{Name: "count", Type: skills.TypeInteger, Required: true}, {Name: "note", Type: skills.TypeString}}
	wrap := skills.Artifacts{WrapAs: "birds", Packet: birds.ID}
	emits := skills.Artifacts{NamedEmits: []skills.Named{{Name: "birds", Value: "Birds"}, {Name: "free", Value: "Free"}},
		Packets: []skills.Named{{Name: "birds", Value: birds.ID}}}
	odd := skills.Artifacts{NamedEmits: []skills.Named{{Name: "my birds", Value: "Birds"}}, Packets: []skills.Named{{Name: "my birds", Value: birds.ID}}}
	verified, unresolved := map[string]string{birds.ID: PacketVerified}, map[string]string{birds.ID: PacketUnresolved}
	missing := []failure{{"packet_contract", "$.birds", `the result has no "birds", which must match packet acme.birds.v1`}}
	tests := []struct {
		name      string
		outputs   []skills.Output
		artifacts skills.Artifacts
		packets   []skills.Packet
		value     string
		want      map[string]string
		failures  []failure
	}{
		{name: "nothing declared, a text", value: `"hello"`},
		{name: "nothing declared, null", value: `null`},
		{name: "outputs hold", outputs: count, value: `{"note":"x","count":2}`},
		{name: "an optional output is absent", outputs: count, value: `{"count":2.0}`},
		{name: "no object", outputs: count, value: `[1]`,
			failures: []failure{{"output_contract", "$", "the result must be an object with the declared outputs, found an array"}}},
		{name: "a text that is no JSON", outputs: count, value: `"one"`,
			failures: []failure{{"output_contract", "$", "the result must be an object with the declared outputs, found a string"}}},
		{name: "missing, unknown and wrong together", outputs: count, value: `{"note":1,"cuont":2}`, failures: []failure{
			{"output_contract", "$.cuont", `the output "cuont" is not declared; the nearest is "count"`},
			{"output_contract", "$.note", `the output "note" must be a string, found an integer`},
			{"output_contract", "$.count", `the output "count" is missing`},
		}},
		{name: "null is no text", outputs: count, value: `{"note":null,"count":1}`,
			failures: []failure{{"output_contract", "$.note", `the output "note" must be a string, found null`}}},
		{name: "outputs are judged before packets", outputs: count, artifacts: wrap, packets: []skills.Packet{birds}, value: `{"x":1,"count":1}`,
			failures: []failure{{"output_contract", "$.x", `the output "x" is not declared`}}},

		{name: "wrap_as without its key wraps the whole", artifacts: wrap, packets: []skills.Packet{birds}, value: `{"n":1}`, want: verified},
		{name: "wrap_as takes its key", artifacts: wrap, packets: []skills.Packet{birds}, value: `{"birds":{"n":1},"n":"x"}`, want: verified},
		{name: "its key in data alone", artifacts: wrap, packets: []skills.Packet{birds}, value: `{"birds":{"data":{"n":1}}}`, want: verified},
		{name: "the whole in data alone", artifacts: wrap, packets: []skills.Packet{birds}, value: `{"data":{"n":1}}`, want: verified},
		{name: "data beside a schema", artifacts: wrap, packets: []skills.Packet{birds}, value: `{"schema":"s.v1","data":{"n":1},"more":2}`, want: verified},
		{name: "data beside an empty schema is not the form", artifacts: wrap, packets: []skills.Packet{birds}, value: `{"schema":"","data":{"n":1}}`, want: verified,
			failures: []failure{{"packet_contract", "$.birds", `$.birds does not match packet acme.birds.v1: the member "n" is missing`}}},
		{name: "data beside a schema that is no text", artifacts: wrap, packets: []skills.Packet{birds}, value: `{"schema":7,"data":{"n":1}}`, want: verified,
			failures: []failure{{"packet_contract", "$.birds", `$.birds does not match packet acme.birds.v1: the member "n" is missing`}}},
		{name: "data beside something else", artifacts: wrap, packets: []skills.Packet{birds}, value: `{"n":1,"data":{"n":"x"}}`, want: verified},
		{name: "data twice deep is taken out once", artifacts: wrap, packets: []skills.Packet{birds}, value: `{"data":{"data":{"n":1}}}`, want: verified,
			failures: []failure{{"packet_contract", "$.birds", `$.birds does not match packet acme.birds.v1: the member "n" is missing`}}},
		{name: "a mismatch in depth", artifacts: wrap, packets: []skills.Packet{birds}, value: `{"n":1.5,"seen":["a",2]}`, want: verified, failures: []failure{
			{"packet_contract", "$.birds.n", "$.birds.n does not match packet acme.birds.v1: must be integer, found number"},
			{"packet_contract", "$.birds.seen[1]", "$.birds.seen[1] does not match packet acme.birds.v1: must be string, found number"},
		}},
		{name: "a text where an object must be", artifacts: wrap, packets: []skills.Packet{birds}, value: `"x"`, want: verified,
			failures: []failure{{"packet_contract", "$.birds", "$.birds does not match packet acme.birds.v1: must be object, found string"}}},
		{name: "a packet that was not found is not verified", artifacts: wrap, value: `"x"`, want: unresolved},
		{name: "wrap_as without a packet", artifacts: skills.Artifacts{WrapAs: "birds"}, packets: []skills.Packet{birds}, value: `"x"`},

		{name: "a named emit", artifacts: emits, packets: []skills.Packet{birds}, value: `{"birds":{"n":1}}`, want: verified},
		{name: "a named emit in data", artifacts: emits, packets: []skills.Packet{birds}, value: `{"birds":{"data":{"n":1}},"free":3}`, want: verified},
		{name: "a named emit that does not match", artifacts: emits, packets: []skills.Packet{birds}, value: `{"birds":{"n":"1"}}`, want: verified,
			failures: []failure{{"packet_contract", "$.birds.n", "$.birds.n does not match packet acme.birds.v1: must be integer, found string"}}},
		{name: "a named emit that is null", artifacts: emits, packets: []skills.Packet{birds}, value: `{"birds":null}`, want: verified,
			failures: []failure{{"packet_contract", "$.birds", "$.birds does not match packet acme.birds.v1: must be object, found null"}}},
		{name: "a named emit is missing", artifacts: emits, packets: []skills.Packet{birds}, value: `{"free":1}`, failures: missing},
		{name: "a named emit of a text", artifacts: emits, packets: []skills.Packet{birds}, value: `"x"`, failures: missing},
		{name: "a named emit of an unresolved packet is missing", artifacts: emits, value: `{}`, failures: missing},
		{name: "an odd name", artifacts: odd, packets: []skills.Packet{birds}, value: `{"my birds":{"n":{}}}`, want: verified,
			failures: []failure{{"packet_contract", `$["my birds"].n`, `$["my birds"].n does not match packet acme.birds.v1: must be integer, found object`}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := contractRunner(t, tt.outputs, tt.artifacts, tt.packets...)
			packets, fault := CheckValue(r, json.RawMessage(tt.value))
			want := tt.want
			if want == nil {
				want = map[string]string{}
			}
			if diff := cmp.Diff(want, packets); diff != "" {
				t.Errorf("packets (-want +got)\n%s", diff)
			}
			var got []failure
			if fault != nil {
				var details struct{ Failures []failure }
				if err := json.Unmarshal(fault.Details, &details); err != nil {
					t.Fatal(err)
				}
				if got = details.Failures; fault.Code != got[0].Code || fault.Hint == "" {
					t.Errorf("fault %+v, want code %s and a hint", *fault, got[0].Code)
				}
			}
			if diff := cmp.Diff(tt.failures, got); diff != "" {
				t.Errorf("failures (-want +got)\n%s", diff)
			}
		})
	}
}

// A fault says the first failure and how many more there are.
func TestContractFaultMessage(t *testing.T) {
	r := contractRunner(t, []skills.Output{{Name: "a", Type: skills.TypeString, Required: true}, {Name: "b", Type: skills.TypeString, Required: true}}, skills.Artifacts{})
	_, fault := CheckValue(r, json.RawMessage(`{"b":"x"}`))
	if want := `the output "a" is missing`; fault.Message != want {
		t.Errorf("message %q, want %q", fault.Message, want)
	}
	_, fault = CheckValue(r, json.RawMessage(`{}`))
	if want := `the output "a" is missing (and 1 more)`; fault.Message != want {
		t.Errorf("message %q, want %q", fault.Message, want)
	}
}

// A packet whose schema cannot be used refuses the value: it is never taken as verified.
func TestBrokenPacketIsNotVerified(t *testing.T) {
	broken := skills.Packet{ID: birds.ID, Schema: json.RawMessage(`{"$ref":"https://example.com/x"}`)}
	r := contractRunner(t, nil, skills.Artifacts{WrapAs: "birds", Packet: birds.ID}, broken)
	packets, fault := CheckValue(r, json.RawMessage(`{"n":1}`))
	if len(packets) != 0 || fault == nil || fault.Code != "packet_contract" {
		t.Errorf("packets %v, fault %+v, want none and packet_contract", packets, fault)
	}
}
