// Package skills holds the nouns of a skill package: what SKILL.md and X.yaml say, decoded and
// nothing more. It reads no file and executes nothing. skills/manifest makes these values,
// skills/admission decides whether they are accepted. Every room may import it.
package skills

import "encoding/json"

// Package is a decoded package, well formed but not yet admitted.
type Package struct {
	Manual  Manual
	Profile *Profile // nil for a manual-only package
}

// Manual is SKILL.md.
type Manual struct {
	Name        string
	Description string
	// Body is the text after the frontmatter, byte for byte.
	Body []byte
	// BodyLine is the line of the file on which the body begins, from 1.
	BodyLine int
}

// Profile is X.yaml.
type Profile struct {
	Skill       string
	Version     string
	Runners     []Runner // in document order
	Credentials []Credential
	// Definitions are the shared inputs (input_definitions), used by a runner or not.
	Definitions []Input
}

// Lane is a kind of execution.
type Lane string

// The lanes of the manifest.
const (
	LaneCLITool    Lane = "cli-tool"
	LaneJavaScript Lane = "javascript"
	LaneAgent      Lane = "agent"
	LaneAgentTask  Lane = "agent-task"
	LaneGraph      Lane = "graph"
)

// Runner is a named way to execute a package.
type Runner struct {
	Name        string
	Type        string // the author's word; Lane when it is one that runx knows
	Default     bool
	Description string
	Inputs      []Input // in document order
	Examples    []json.RawMessage
	ExamplesAt  []Position // one for each example
	Outputs     []Output
	Artifacts   Artifacts
	Scopes      []string
	Credential  string // name in Profile.Credentials, or empty
	Retry       Retry
	Mutating    bool
	Idempotency string // a key of the author's, or empty
	// Source is nil when the runner is unavailable before its source could be understood.
	Source Source
	// Unavailable holds every reason why this runner cannot run; empty means it can. An
	// unavailable runner is listed and inspected, and refused when asked to run.
	Unavailable []Finding
	// At is where the runner's name stands in X.yaml.
	At Position
	// CredentialAt is where Credential stands; zero when it is empty.
	CredentialAt Position
}

// Source is what a runner executes: one of the concrete types of this package.
type Source interface{ source() }

// CLITool is the source of a cli-tool runner.
type CLITool struct {
	Command        string
	CommandAt      Position
	Args           []Template
	Cwd            string // "" (absent), relative, absolute, or exactly {{env.RUNX_CWD}}
	CwdAt          Position
	InputMode      InputMode
	TimeoutSeconds int64
	Environment    Environment
}

func (CLITool) source() {}

// InputMode says what a cli-tool gets on its standard input.
type InputMode string

// The input modes; args and none behave alike.
const (
	InputArgs  InputMode = "args"
	InputStdin InputMode = "stdin"
	InputNone  InputMode = "none"
)

// Environment lists the host variables that a runner admits.
type Environment struct {
	Required []string
	Optional []string
}

// Retry is how often a failed execution is tried.
type Retry struct {
	MaxAttempts int   // 1 to 10
	BackoffMS   int64 // 0 to 60000
}

// Credential is one entry of the top-level credentials.
type Credential struct {
	Name     string
	Provider string
	Audience string
	Modes    []CredentialMode // in document order
	At       Position
}

// CredentialMode is one way to deliver a credential. Env is empty when the mode's delivery is
// one that runx does not have.
type CredentialMode struct {
	Name string
	Env  string
}

// Position is a place in a file of the package; lines and columns count from 1, columns in
// characters. Zero means unknown.
type Position struct {
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
	Col  int    `json:"column,omitempty"`
}
