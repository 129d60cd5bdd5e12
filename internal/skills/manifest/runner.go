package manifest

import (
	"fmt"
	"slices"

	"github.com/runx-go/runx/internal/skills"
	"github.com/runx-go/runx/internal/skills/codec"
)

// field is a field of a runner wherever it stands.
type field struct {
	spec
	key, value *codec.Node
}

// runnerReader reads one runner.
type runnerReader struct {
	*reader
	out         skills.Runner
	where       string // for messages: runner "x"
	key         *codec.Node
	specs       []spec
	fields      []field
	lane        lanes // empty: no type, or one without a lane
	unsupported bool  // the type belongs to nothing that runx executes
	definitions []skills.Input
}

func (r *reader) runner(pair codec.Pair, definitions []skills.Input) skills.Runner {
	rr := &runnerReader{
		reader: r, where: fmt.Sprintf("runner %q", shorten(pair.Key.Text)), key: pair.Key,
		specs: runnerSpecs(), definitions: definitions,
	}
	rr.out.Name, rr.out.At = pair.Key.Text, r.at(pair.Key)
	rr.out.Retry = skills.Retry{MaxAttempts: 1}
	containers := rr.containers(pair.Value)
	rr.readType(append([]*codec.Node{pair.Value}, containers...))
	rr.collect(pair.Value, false)
	for _, c := range containers {
		rr.collect(c, true)
	}
	for _, f := range rr.fields {
		if rr.fits(f) {
			rr.common(f)
		}
	}
	rr.source()
	return rr.out
}

// containers are the values of run: and source:.
func (rr *runnerReader) containers(n *codec.Node) []*codec.Node {
	var out []*codec.Node
	var first *codec.Node
	for _, pair := range n.Pairs {
		if pair.Key.Text != "run" && pair.Key.Text != "source" {
			continue
		}
		if first != nil {
			rr.fault(pair.Key, "duplicate_source", "keep one of them", "%s has both %s (line %d) and %s",
				rr.where, first.Text, first.Line, pair.Key.Text)
		}
		first = pair.Key
		if rr.mapping(pair.Value, pair.Key.Text) {
			out = append(out, pair.Value)
		}
	}
	return out
}

// readType decides the lane from the first type that is found; a second one is reported by collect.
func (rr *runnerReader) readType(places []*codec.Node) {
	var n *codec.Node
	for _, place := range places {
		if n = place.Get("type"); n != nil {
			break
		}
	}
	if n == nil {
		rr.fault(rr.key, "field_missing", "add type:, such as type: cli-tool", "%s has no type", rr.where)
		return
	}
	name, ok := rr.text(n, "type")
	if !ok {
		return
	}
	rr.out.Type = name
	if name == "agent-step" {
		rr.warn(n, "agent_step", "write agent-task", "the type agent-step is read as agent-task")
		rr.out.Type = string(skills.LaneAgentTask)
	}
	rr.lane = setOf(skills.Lane(rr.out.Type))
	switch {
	case rr.lane == onCLI:
	case rr.lane != 0, unsupportedType(name):
		rr.unsupported = rr.lane == 0
		rr.makeUnavailable(n, fmt.Sprintf("this version of runx cannot run %s runners", rr.out.Type))
	default:
		rr.fault(n, "runner_type", nearHint(name, laneNames()), "%q is no type of a runner", shorten(name))
	}
}

func (rr *runnerReader) makeUnavailable(n *codec.Node, message string) {
	rr.out.Unavailable = append(rr.out.Unavailable, rr.unavailable(n, message))
}

// collect finds the fields of a runner or, when nested, of its run or source.
func (rr *runnerReader) collect(n *codec.Node, nested bool) {
	for _, pair := range n.Pairs {
		name := canonical(pair.Key.Text)
		if !nested && (name == "run" || name == "source") {
			continue
		}
		kind, s := kindOf(name, rr.specs)
		switch {
		case kind == keyAuthority:
			rr.makeUnavailable(pair.Key, fmt.Sprintf("this version of runx does not support %s", name))
		case kind == keyField && (s.source || !nested):
			rr.add(field{s, pair.Key, pair.Value})
		case rr.unsupported:
			// The type's own source fields are not checked.
		case kind == keyField:
			rr.fault(pair.Key, "unknown_key", "move it to the runner, beside run or source",
				"%s does not belong to the source of %s", name, rr.where)
		case kind == keyForeign && rr.lane != 0:
			rr.fault(pair.Key, "field_not_for_lane", "remove it", "%s cannot stand on a runner of type %s", name, rr.out.Type)
		case kind == keyUnknown:
			rr.unknown(pair.Key, rr.where, rr.knownKeys(nested))
		}
	}
}

// knownKeys are the names that could have been meant: those of the lane.
func (rr *runnerReader) knownKeys(nested bool) []string {
	var out []string
	for _, s := range rr.specs {
		if (s.source || !nested) && (rr.lane == 0 || s.on&rr.lane != 0) {
			out = append(out, s.name)
		}
	}
	if !nested {
		out = append(out, "run", "source")
	}
	return out
}

func (rr *runnerReader) add(f field) {
	if i := slices.IndexFunc(rr.fields, func(other field) bool { return other.name == f.name }); i >= 0 {
		rr.fault(f.key, "duplicate_source", "keep one of them", "%s of %s is given in two places: line %d and line %d",
			f.name, rr.where, rr.fields[i].key.Line, f.key.Line)
		return
	}
	rr.fields = append(rr.fields, f)
}

// get is the value of a field that was given and fits the lane, or nil.
func (rr *runnerReader) get(name string) *codec.Node {
	for _, f := range rr.fields {
		if f.name == name && (rr.lane == 0 || f.on&rr.lane != 0) {
			return f.value
		}
	}
	return nil
}

// fits reports whether a field is to be read, and adds the fault of one that stands on a lane which
// the table does not name for it. A runner without a lane is read as far as possible.
func (rr *runnerReader) fits(f field) bool {
	switch {
	case rr.unsupported:
		return !f.source
	case rr.lane == 0, f.on&rr.lane != 0:
		return true
	case rr.lane == onGraph && (f.name == "outputs" || f.name == "artifacts"):
		rr.fault(f.key, "graph_output_owner", "declare it on the last step of the graph",
			"a graph runner cannot declare %s: the last step that produces output owns the result", f.name)
	case f.name == "credential":
		rr.fault(f.key, "credential_javascript", "use a cli-tool runner", "a javascript runner cannot have a credential")
	default:
		rr.fault(f.key, "field_not_for_lane", "remove it", "%s cannot stand on a runner of type %s, only on: %s", f.name, rr.out.Type, f.on.names())
	}
	return false
}
