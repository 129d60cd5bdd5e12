package runner

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/runx-go/runx/internal/runtime"
	"github.com/runx-go/runx/internal/skills/admission"
	"github.com/runx-go/runx/internal/skills/codec"
	"github.com/runx-go/runx/internal/skills/schema"
)

// The two answers that a receipt gives about a packet.
const (
	PacketVerified   = "verified"
	PacketUnresolved = "unresolved"
)

// CheckValue holds the value of a successful execution against everything that its runner
// declares: the closed object of outputs first, then the packets of its projections. packets says
// for each declared packet id whether it was verified or could not be resolved. The fault is nil
// when all holds; its code is output_contract or packet_contract and its details list every
// failure.
func CheckValue(r *admission.Runner, value json.RawMessage) (packets map[string]string, fault *runtime.Fault) {
	packets = map[string]string{}
	if r.Outputs != nil {
		if failures := r.Outputs.Check(value); len(failures) > 0 {
			return packets, contractFault(failures, "print one JSON object with exactly the declared outputs")
		}
	}
	var failures []schema.Failure
	check := func(path, id string, data json.RawMessage) error {
		packet, ok := r.Packets[id]
		if !ok {
			packets[id] = PacketUnresolved
			return nil
		}
		compiled, err := schema.Compile(packet.Schema)
		if err != nil {
			return fmt.Errorf("cannot compile packet %s: %w", id, err)
		}
		packets[id] = PacketVerified
		for _, v := range compiled.Validate(data) {
			at := jsonPath(path, data, v.Pointer)
			failures = append(failures, schema.Failure{
				Code: "packet_contract", Path: at,
				Message: fmt.Sprintf("%s does not match packet %s: %s", at, id, v.Message),
			})
		}
		return nil
	}
	for _, p := range projections(r, value) {
		if p.packet == "" {
			continue
		}
		if p.data == nil {
			failures = append(failures, schema.Failure{
				Code: "packet_contract", Path: codec.JoinPath("$", p.name),
				Message: fmt.Sprintf("the result has no %q, which must match packet %s", p.name, p.packet),
			})
			continue
		}
		if err := check(codec.JoinPath("$", p.name), p.packet, p.data); err != nil {
			failures = append(failures, schema.Failure{Code: "packet_contract", Path: codec.JoinPath("$", p.name), Message: err.Error()})
		}
	}
	if len(failures) > 0 {
		return packets, contractFault(failures, "make the result match its packet, or correct the packet's schema")
	}
	return packets, nil
}

// jsonPath writes a JSON pointer into data as a path below path, such as $.a[0].
func jsonPath(path string, data json.RawMessage, pointer string) string {
	for token := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		if pointer == "" {
			break
		}
		token = strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
		var items []json.RawMessage
		if i, err := strconv.Atoi(token); err == nil && json.Unmarshal(data, &items) == nil {
			path, data = codec.JoinIndex(path, i), nil
			if i < len(items) {
				data = items[i]
			}
			continue
		}
		path = codec.JoinPath(path, token)
		object, err := codec.ParseObject("", data, codec.Limits{})
		if err != nil {
			data = nil
			continue
		}
		data, _ = object.Lookup(token)
	}
	return path
}

// projection is one name that a runner's artifacts expose, with the data below it; data is nil
// when the value has no such part.
type projection struct {
	name, packet string
	data         json.RawMessage
}

func projections(r *admission.Runner, value json.RawMessage) []projection {
	var members codec.Object
	if object, err := codec.ParseObject("", value, codec.Limits{}); err == nil {
		members = object
	}
	var out []projection
	if r.Artifacts.WrapAs != "" {
		data := value
		if part, ok := members.Lookup(r.Artifacts.WrapAs); ok {
			data = part
		}
		out = append(out, projection{name: r.Artifacts.WrapAs, packet: r.Artifacts.Packet, data: unwrap(data)})
	}
	for _, emit := range r.Artifacts.NamedEmits {
		p := projection{name: emit.Name}
		for _, packet := range r.Artifacts.Packets {
			if packet.Name == emit.Name {
				p.packet = packet.Value
			}
		}
		if part, ok := members.Lookup(emit.Name); ok {
			p.data = unwrap(part)
		}
		out = append(out, p)
	}
	return out
}

// unwrap takes the data out of a value that already has the wrapped form: {data} alone, or an
// object with data and a non-empty string schema.
func unwrap(value json.RawMessage) json.RawMessage {
	object, err := codec.ParseObject("", value, codec.Limits{})
	if err != nil {
		return value
	}
	data, ok := object.Lookup("data")
	if !ok {
		return value
	}
	if len(object.Members()) == 1 {
		return data
	}
	if raw, ok := object.Lookup("schema"); ok {
		if text, err := codec.Render(raw); err == nil && text != "" && raw[0] == '"' {
			return data
		}
	}
	return value
}

func contractFault(failures []schema.Failure, hint string) *runtime.Fault {
	first := failures[0]
	message := first.Message
	if more := len(failures) - 1; more > 0 {
		message = fmt.Sprintf("%s (and %d more)", message, more)
	}
	details, err := codec.Marshal(struct {
		Failures []schema.Failure `json:"failures"`
	}{failures})
	if err != nil {
		details = json.RawMessage("{}")
	}
	return &runtime.Fault{Code: first.Code, Message: message, Hint: hint, Details: details}
}
