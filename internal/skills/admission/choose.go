package admission

import (
	"fmt"
	"strings"

	"github.com/runx-go/runx/internal/skills"
)

const codeUnavailable = "runner_unavailable"

// Runner chooses a runner by skills 1.7: the name; else the default; else the only one. Errors:
// *ChoiceError with code runner_required, runner_unknown, runner_unavailable or not_executable.
func (p *Package) Runner(name string) (*Runner, error) {
	if p.Profile == nil {
		return nil, &ChoiceError{Code: "not_executable", Hint: "add X.yaml with a runner, or read " + manualName,
			Msg: fmt.Sprintf("cannot run %s: it is a manual without X.yaml", p.Name)}
	}
	i := p.choose(name)
	if i < 0 {
		return nil, p.noChoice(name)
	}
	noun := p.Profile.Runners[i]
	if len(noun.Unavailable) > 0 {
		return nil, &ChoiceError{
			Code: codeUnavailable, Reasons: noun.Unavailable, Hint: noun.Unavailable[0].Hint,
			Msg: fmt.Sprintf("cannot run runner %q of %s: %s", noun.Name, p.Name, noun.Unavailable[0].Message),
		}
	}
	r := &Runner{Runner: noun, Contract: p.contracts[i].inputs, Outputs: p.contracts[i].outputs, Packets: map[string]skills.Packet{}}
	for _, id := range runnerPackets(&noun) {
		if packet, ok := p.packets[id]; ok {
			r.Packets[id] = packet
		}
	}
	return r, nil
}

// choose is the index of the runner, or -1.
func (p *Package) choose(name string) int {
	for i, r := range p.Profile.Runners {
		if name == r.Name || name == "" && r.Default {
			return i
		}
	}
	if name == "" && len(p.Profile.Runners) == 1 {
		return 0
	}
	return -1
}

func (p *Package) noChoice(name string) *ChoiceError {
	names := p.runnerNames()
	list := strings.Join(names, ", ")
	if name == "" {
		return &ChoiceError{Code: "runner_required", Hint: "name one of: " + list,
			Msg: fmt.Sprintf("cannot choose a runner of %s: it has %d and no default", p.Name, len(names))}
	}
	return &ChoiceError{Code: "runner_unknown", Hint: nearHint(name, names, "name one of: "+list),
		Msg: fmt.Sprintf("cannot find runner %q of %s: it has %s", name, p.Name, list)}
}

// runnerNames are those of the profile in document order; nil for a manual.
func (p *Package) runnerNames() []string {
	if p.Profile == nil {
		return nil
	}
	out := make([]string, len(p.Profile.Runners))
	for i, r := range p.Profile.Runners {
		out[i] = r.Name
	}
	return out
}
