package manifest

import (
	"fmt"

	"github.com/runx-go/runx/internal/skills"
	"github.com/runx-go/runx/internal/skills/codec"
)

// ParseProfile decodes X.yaml (skills 1.4-1.6, 2.1, 6.1, 6.2, 12). manualName is the name of
// SKILL.md, "" when it could not be read. Findings with severity error refuse the package; an
// unavailable runner carries its reasons in Runner.Unavailable. The profile is nil when the file is
// no YAML mapping, and holds what could be read when there are other faults. Whether defaults,
// schemas, templates and names of credentials are right is judged by admission.
func ParseProfile(file string, data []byte, manualName string) (*skills.Profile, []skills.Finding) {
	r := &reader{file: file}
	doc, err := codec.ParseYAML(file, data, codec.YAMLBytes, 0)
	if err != nil {
		r.syntaxFaults(err)
	}
	if doc == nil {
		return nil, r.done()
	}
	r.syntaxWarnings(doc.Warnings)
	if doc.Root.Kind != codec.Mapping {
		r.wrongType(doc.Root, "the file", "a mapping with runners", "")
		return nil, r.done()
	}
	profile := r.profile(doc.Root, manualName)
	return profile, r.done()
}

// topKeys are the keys of X.yaml.
func topKeys() []string {
	return []string{
		"skill", "version", "runners", "input_definitions", "credentials", "harness",
		"catalog", "emits", "policy", "runx",
	}
}

func (r *reader) profile(root *codec.Node, manualName string) *skills.Profile {
	p := &skills.Profile{Skill: manualName}
	r.closed(root, "X.yaml", topKeys(), func(pair codec.Pair) bool { return r.topKey(p, pair) })
	if n := root.Get("skill"); n != nil && manualName != "" && p.Skill != manualName {
		r.fault(n, "skill_name_mismatch", fmt.Sprintf("write %s, or leave skill out", manualName),
			"skill is %q, but SKILL.md is named %q", shorten(p.Skill), shorten(manualName))
	}
	// A runner may use a definition that stands behind it.
	if n := root.Get("input_definitions"); n != nil && r.mapping(n, "input_definitions") {
		p.Definitions = r.inputMap(n, nil)
	}
	n := root.Get("runners")
	if n == nil {
		r.fault(root, "field_missing", "add runners:", "X.yaml has no runners")
		return p
	}
	if !r.mapping(n, "runners") {
		return p
	}
	p.Runners = r.runners(n, p.Definitions)
	if reason := r.topAuthority(root); reason != nil {
		for i := range p.Runners {
			p.Runners[i].Unavailable = append(p.Runners[i].Unavailable, *reason)
		}
	}
	return p
}

// topKey reads the keys that need no other key.
func (r *reader) topKey(p *skills.Profile, pair codec.Pair) bool {
	switch key := pair.Key.Text; key {
	case "skill":
		if text, ok := r.text(pair.Value, key); ok {
			p.Skill = text
		}
	case "version":
		p.Version, _ = r.text(pair.Value, key)
	case "runners", "input_definitions":
	case "credentials":
		p.Credentials = r.credentials(pair.Value)
	case "harness":
		r.harness(pair)
	case "catalog", "emits", "policy", "runx":
		r.warn(pair.Key, "field_ignored", "", "%s is not used by this version of runx", key)
	default:
		return false
	}
	return true
}

// topAuthority is the reason that makes every runner unavailable, or nil: what authorizes is never
// ignored (skills 1.6).
func (r *reader) topAuthority(root *codec.Node) *skills.Finding {
	for _, pair := range pairsOf(root.Get("runx")) {
		if pair.Key.Text == "payment_authority" {
			reason := r.unavailable(pair.Key, "this version of runx does not support runx.payment_authority")
			return &reason
		}
	}
	return nil
}

func pairsOf(n *codec.Node) []codec.Pair {
	if n == nil {
		return nil
	}
	return n.Pairs
}

// unavailable makes one reason of Runner.Unavailable.
func (r *reader) unavailable(n *codec.Node, message string) skills.Finding {
	return r.finding(n, "runner_unavailable", skills.SeverityWarning, "choose another runner of the package", message)
}

func (r *reader) runners(n *codec.Node, definitions []skills.Input) []skills.Runner {
	if len(n.Pairs) == 0 {
		r.fault(n, "field_missing", "add a runner", "runners must have at least one runner")
	}
	var out []skills.Runner
	var first *codec.Node // the default
	for i, pair := range n.Pairs {
		if i == maxRunners {
			r.fault(pair.Key, "runners_limit", "", "a package has at most %d runners, this one has %d", maxRunners, len(n.Pairs))
			break
		}
		if !runnerName(pair.Key.Text) {
			r.fault(pair.Key, "runner_name", "use A-Z a-z 0-9 _ . - only",
				"the runner name %q must have 1 to %d of the characters A-Z a-z 0-9 _ . -", shorten(pair.Key.Text), runnerNameChars)
		}
		if !r.mapping(pair.Value, fmt.Sprintf("runner %q", shorten(pair.Key.Text))) {
			continue
		}
		runner := r.runner(pair, definitions)
		if runner.Default && first != nil {
			r.fault(pair.Key, "default_twice", "keep one default: true",
				"the runner %q is a second default: the first is %q on line %d", runner.Name, first.Text, first.Line)
		} else if runner.Default {
			first = pair.Key
		}
		out = append(out, runner)
	}
	return out
}

func runnerName(name string) bool {
	if name == "" || len(name) > runnerNameChars {
		return false
	}
	for i := range len(name) {
		if !wordByte(name[i]) && name[i] != '.' && name[i] != '-' {
			return false
		}
	}
	return true
}

// wordByte is A-Z a-z 0-9 _.
func wordByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z'
}

// envName is [A-Za-z_][A-Za-z0-9_]*.
func envName(name string) bool {
	for i := range len(name) {
		if !wordByte(name[i]) {
			return false
		}
	}
	return name != "" && (name[0] < '0' || name[0] > '9')
}
