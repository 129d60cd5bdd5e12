package admission

import (
	"context"

	"github.com/runx-go/runx/internal/skills"
)

// Declared is Runner, but it also gives a runner that this version cannot run (its Unavailable says
// why), with what was read of it: Contract and Outputs are nil when they cannot be compiled. Errors:
// *ChoiceError with code runner_required, runner_unknown or not_executable.
func (p *Package) Declared(name string) (*Runner, error) {
	r, err := p.Runner(name)
	if err == nil || p.Profile == nil {
		return r, err
	}
	i := p.choose(name)
	if i < 0 {
		return nil, err
	}
	return &Runner{Runner: p.Profile.Runners[i], Contract: p.contracts[i].inputs, Outputs: p.contracts[i].outputs,
		Packets: map[string]skills.Packet{}}, nil
}

// Profile is what could be read of the X.yaml of a package, also when Load refuses the package; nil
// when there is none or nothing of it could be read. The error is that of Validate.
func Profile(ctx context.Context, dir string, opts Options) (*skills.Profile, error) {
	a, err := admit(ctx, dir, opts)
	if err != nil {
		return nil, err
	}
	return a.pkg.Profile, nil
}
