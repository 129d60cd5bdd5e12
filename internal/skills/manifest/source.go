package manifest

import (
	"slices"
	"strings"

	"github.com/runx-go/runx/internal/skills"
	"github.com/runx-go/runx/internal/skills/codec"
)

// source reads the source fields of the lane and what the lane requires.
func (rr *runnerReader) source() {
	switch rr.lane { //nolint:exhaustive // onAll is the sum of the lanes, not one of them
	case onCLI:
		rr.cliTool()
	case onJavaScript:
		rr.require("module", rr.filled)
		rr.optional("export", rr.filled)
		rr.outer("pages", rr.mapping)
		rr.timeout(javascriptTimeoutSeconds)
		rr.environment()
	case onAgentTask:
		rr.require("agent", rr.filled)
		rr.require("task", rr.filled)
		rr.requireOutputs()
	case onAgent:
		rr.requireOutputs()
	case onGraph:
		if rr.get("graph") == nil {
			rr.missing("graph")
		}
		rr.outer("graph", rr.mapping)
	}
}

// cliTool makes the only source that this version executes.
func (rr *runnerReader) cliTool() {
	s := skills.CLITool{InputMode: skills.InputNone}
	s.Command = rr.require("command", rr.command)
	if n := rr.get("command"); n != nil {
		s.CommandAt = rr.at(n)
	}
	if n := rr.get("args"); n != nil {
		s.Args = rr.arguments(n)
	}
	if n := rr.get("cwd"); n != nil {
		if cwd, ok := rr.filled(n, "cwd"); ok && rr.noNUL(n, "cwd") {
			s.Cwd, s.CwdAt = cwd, rr.at(n)
		}
	}
	if n := rr.get("input_mode"); n != nil {
		s.InputMode = rr.inputMode(n)
	}
	s.TimeoutSeconds = rr.timeout(foreverSeconds)
	s.Environment = rr.environment()
	rr.out.Source = s
}

func (rr *runnerReader) command(n *codec.Node, name string) (string, bool) {
	text, ok := rr.filled(n, name)
	return text, ok && rr.noNUL(n, name)
}

// noNUL refuses what no operating system can be given.
func (rr *runnerReader) noNUL(n *codec.Node, name string) bool {
	if strings.ContainsRune(n.Text, 0) {
		rr.fault(n, "field_value", "", "%s must not contain NUL", name)
		return false
	}
	return true
}

func (rr *runnerReader) arguments(n *codec.Node) []skills.Template {
	if !rr.list(n, "args") {
		return nil
	}
	var out []skills.Template
	for _, item := range n.Items {
		if text, ok := rr.text(item, "an entry of args"); ok {
			template := skills.ParseTemplate(text)
			template.At = rr.at(item)
			out = append(out, template)
		}
	}
	return out
}

func (rr *runnerReader) inputMode(n *codec.Node) skills.InputMode {
	known := []string{string(skills.InputArgs), string(skills.InputStdin), string(skills.InputNone)}
	mode, ok := rr.text(n, "input_mode")
	if ok && !slices.Contains(known, mode) {
		rr.fault(n, "field_value", nearHint(mode, known), "input_mode must be args, stdin or none, it is %q", shorten(mode))
		ok = false
	}
	if !ok {
		return skills.InputNone
	}
	return skills.InputMode(mode)
}

// timeout reads timeout_seconds, in seconds. On a cli-tool it has no maximum: what is longer than
// the program can count is as good as for ever.
func (rr *runnerReader) timeout(highest int64) int64 {
	n := rr.get("timeout_seconds")
	if n == nil {
		return defaultTimeoutSeconds
	}
	seconds, ok := rr.integer(n, "timeout_seconds")
	switch {
	case !ok:
		return defaultTimeoutSeconds
	case highest == foreverSeconds && seconds < 1:
		rr.fault(n, "timeout_range", "", "timeout_seconds must be at least 1, it is %s", shorten(n.Text))
	case highest != foreverSeconds && (seconds < 1 || seconds > highest):
		rr.fault(n, "timeout_range", "", "timeout_seconds must be 1 to %d, it is %s", highest, shorten(n.Text))
	}
	return min(seconds, highest)
}

// environment reads the names of host variables.
func (rr *runnerReader) environment() skills.Environment {
	var env skills.Environment
	n := rr.get("environment")
	if n == nil || !rr.mapping(n, "environment") {
		return env
	}
	seen := map[string]int{}
	read := func(n *codec.Node, field string) (string, bool) {
		name, ok := rr.environmentName(n, field)
		if line, twice := seen[name]; ok && twice {
			rr.fault(n, "env_duplicate", "keep one of them", "environment names %s twice, first on line %d", name, line)
			return "", false
		}
		if ok {
			seen[name] = n.Line
		}
		return name, ok
	}
	rr.closed(n, "environment", []string{"required", "optional"}, func(pair codec.Pair) bool {
		switch pair.Key.Text {
		case "required":
			env.Required = rr.texts(pair.Value, "environment.required", "an entry of environment.required", read)
		case "optional":
			env.Optional = rr.texts(pair.Value, "environment.optional", "an entry of environment.optional", read)
		default:
			return false
		}
		return true
	})
	return env
}

// require reads a field that must be there.
func (rr *runnerReader) require(name string, read func(*codec.Node, string) (string, bool)) string {
	n := rr.get(name)
	if n == nil {
		rr.missing(name)
		return ""
	}
	text, _ := read(n, name)
	return text
}

func (rr *runnerReader) missing(name string) {
	rr.fault(rr.key, "field_missing", "add "+name+":", "%s has no %s", rr.where, name)
}

// optional checks a field of a lane that is not executed.
func (rr *runnerReader) optional(name string, read func(*codec.Node, string) (string, bool)) {
	if n := rr.get(name); n != nil {
		read(n, name)
	}
}

// outer checks only the outer type of a field.
func (rr *runnerReader) outer(name string, check func(*codec.Node, string) bool) {
	if n := rr.get(name); n != nil {
		check(n, name)
	}
}

func (rr *runnerReader) requireOutputs() {
	if n := rr.get("outputs"); n == nil || n.Kind == codec.Mapping && len(n.Pairs) == 0 {
		rr.fault(rr.key, "outputs_required", "add outputs:", "%s must declare at least one output", rr.where)
	}
}
