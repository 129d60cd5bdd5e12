package manifest

import "github.com/runx-go/runx/internal/skills"

// lanes is a set of lanes.
type lanes uint8

const (
	onCLI lanes = 1 << iota
	onJavaScript
	onAgent
	onAgentTask
	onGraph
	onAll = onCLI | onJavaScript | onAgent | onAgentTask | onGraph
)

// setOf is the set of one lane; empty for a type that is no lane.
func setOf(lane skills.Lane) lanes {
	switch lane {
	case skills.LaneCLITool:
		return onCLI
	case skills.LaneJavaScript:
		return onJavaScript
	case skills.LaneAgent:
		return onAgent
	case skills.LaneAgentTask:
		return onAgentTask
	case skills.LaneGraph:
		return onGraph
	default:
		return 0
	}
}

// names lists the lanes of a set for messages.
func (l lanes) names() string {
	out := ""
	for _, lane := range laneNames() {
		if l&setOf(skills.Lane(lane)) != 0 {
			if out != "" {
				out += ", "
			}
			out += lane
		}
	}
	return out
}

func laneNames() []string {
	return []string{
		string(skills.LaneCLITool), string(skills.LaneJavaScript), string(skills.LaneAgent),
		string(skills.LaneAgentTask), string(skills.LaneGraph),
	}
}

// spec is one row of the table of skills 1.5.
type spec struct {
	name   string
	on     lanes
	source bool // may stand under run: or source: too
}

// runnerSpecs is the table of skills 1.5, without the containers run and source.
func runnerSpecs() []spec {
	return []spec{
		{"type", onAll, true},
		{"default", onAll, false}, {"description", onAll, false},
		{"inputs", onAll, false}, {"examples", onAll, false},
		{"command", onCLI, true}, {"args", onCLI, true}, {"cwd", onCLI, true}, {"input_mode", onCLI, true},
		{"timeout_seconds", onCLI | onJavaScript, true}, {"environment", onCLI | onJavaScript, true},
		{"module", onJavaScript, true}, {"export", onJavaScript, true}, {"pages", onJavaScript, true},
		{"outputs", onAll &^ onGraph, true}, {"artifacts", onAll &^ onGraph, false},
		{"agent", onAgentTask, true}, {"task", onAgentTask, true},
		{"allowed_tools", onAgent | onAgentTask, false}, {"context_skills", onAgent | onAgentTask, false},
		{"graph", onGraph, true}, {"policy", onGraph, false},
		{"scopes", onAll, false}, {"credential", onAll &^ onJavaScript, false},
		{"retry", onAll, false}, {"mutating", onAll, false}, {"idempotency", onAll, false},
		{"act", onAll, false}, {"execution", onAll, false}, {"risk", onAll, false}, {"runx", onAll, false},
	}
}

// canonical is the one name of a key with two spellings.
func canonical(key string) string {
	if key == "inputMode" {
		return "input_mode"
	}
	return key
}

// keyKind says what a key of a runner is.
type keyKind int

const (
	keyUnknown   keyKind = iota
	keyField             // a row of the table
	keyForeign           // belongs to a type that this version does not have
	keyAuthority         // authorizes: makes the runner unavailable
)

func kindOf(name string, specs []spec) (keyKind, spec) {
	for _, s := range specs {
		if s.name == name {
			return keyField, s
		}
	}
	switch name {
	case "auth", "runtime", "hook", "http", "headers", "url", "method", "server", "tool", "arguments", "sandbox":
		return keyForeign, spec{}
	case "mint_authority", "requested_scope_from", "charter_from":
		return keyAuthority, spec{}
	default:
		return keyUnknown, spec{}
	}
}

// unsupportedType reports whether a type is known and belongs to nothing that runx executes.
func unsupportedType(name string) bool {
	switch name {
	case "mcp", "a2a", "external-adapter", "thread-outbox-provider", "http", "catalog":
		return true
	default:
		return false
	}
}
