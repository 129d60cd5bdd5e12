// Package sandbox holds the words of the operating-system boundary: the facts of the process that
// runx runs in, and what is really enforced around a child. It does no work of its own beyond
// looking at directories that those facts name; its sub-packages do. Every room may import it.
package sandbox

// Kind says in which kind of place an execution ran.
type Kind string

// The kinds of boundary a receipt can name.
const (
	TrustedHostProcess  Kind = "trusted_host_process"
	DeterministicWorker Kind = "deterministic_worker"
	NativeCapability    Kind = "native_capability"
	AgentBoundary       Kind = "agent"
	Composition         Kind = "composition"
)

// Boundary is what was enforced around one execution. It holds answers of the system, never
// requests: a claim that is not in it is not made.
type Boundary struct {
	Kind   Kind    `json:"kind"`
	Claims []Claim `json:"claims"`
}

// Claim is one enforced or missing part of a boundary.
type Claim struct {
	// Name is the part, such as process_group, subreaper, parent_death_signal, job_object,
	// empty_environment, environment_deny_by_default.
	Name string `json:"name"`
	// Enforced is false when the platform cannot do it; Reason then says why.
	Enforced bool   `json:"enforced"`
	Reason   string `json:"reason,omitempty"`
}
