package receipt

import (
	"encoding/json"

	"github.com/runx-go/runx/internal/sandbox"
	"github.com/runx-go/runx/internal/skills"
)

// PredicateType names the predicate of skill runs.
const PredicateType = "https://github.com/runx-go/runx/receipt/v1"

// Receipt is a sealed receipt: its id, its exact file text, and what it says.
type Receipt struct {
	ID        string // sha256:… of the payload bytes
	Envelope  []byte // canonical JSON and one newline
	Predicate Predicate
}

// Predicate is the evidence of one run (skills 11). Closed: Verify refuses unknown members.
type Predicate struct {
	Runx           string            `json:"runx"` // version of runx
	Run            RunInfo           `json:"run"`
	Skill          string            `json:"skill"`
	Runner         string            `json:"runner"`
	RunnerType     string            `json:"runner_type"`
	Version        string            `json:"version"` // of the package; "" when it has none
	PackageDigest  skills.Digest     `json:"package_digest"`
	ManualDigest   skills.Digest     `json:"manual_digest"` // of the bytes of SKILL.md
	ClosureDigests []skills.Digest   `json:"closure_digests"`
	Inputs         Inputs            `json:"inputs"`
	Environment    Environment       `json:"environment"`
	Credential     *Credential       `json:"credential"`
	Boundary       sandbox.Boundary  `json:"boundary"`
	Process        *Process          `json:"process"`   // nil when nothing was started
	Streams        *Streams          `json:"streams"`   // nil for lanes without streams
	Result         *Result           `json:"result"`    // set exactly when the status is sealed
	Pages          json.RawMessage   `json:"pages"`     // null in this version
	Decisions      []json.RawMessage `json:"decisions"` // [] in this version
	Steps          []json.RawMessage `json:"steps"`     // [] in this version
	Closure        Closure           `json:"closure"`
	Limits         []string          `json:"limits"` // names of limits that were reached
	Issuer         Issuer            `json:"issuer"`
}

// RunInfo says which run it was; times are RFC 3339 in UTC with milliseconds.
type RunInfo struct {
	ID         string  `json:"id"`
	Identity   string  `json:"identity"` // digest that equal runs share
	Parent     *string `json:"parent"`   // run id of the graph's run, or nil
	Resumed    bool    `json:"resumed"`
	StartedAt  string  `json:"started_at"`
	FinishedAt string  `json:"finished_at"`
}

// Inputs commits to the inputs without holding a value.
type Inputs struct {
	Digest    skills.Digest `json:"digest"`     // of the canonical JSON
	RawDigest skills.Digest `json:"raw_digest"` // of the bytes that were carried
	Bytes     int64         `json:"bytes"`      // how many these were
	Names     []string      `json:"names"`
}

// Environment has the names of declared and transport variables that were delivered, and those of
// declared ones that were absent.
type Environment struct {
	Names  []string `json:"names"`
	Absent []string `json:"absent"`
}

// Credential says which credential was delivered, never its value.
type Credential struct {
	Name     string `json:"name"`
	Provider string `json:"provider"`
	Mode     string `json:"mode"`
	Profile  string `json:"profile"` // "" when it came from the host's variable
}

// Process is how the command ended.
type Process struct {
	ArgvDigest         skills.Digest `json:"argv_digest"`
	Command            string        `json:"command"` // base name
	CwdRelation        string        `json:"cwd_relation"`
	ExitCode           *int          `json:"exit_code"`
	Signal             *string       `json:"signal"`
	TimedOut           bool          `json:"timed_out"`
	DescendantHeldPipe bool          `json:"descendant_held_pipe"`
}

// Streams measure the child's two streams.
type Streams struct {
	Stdout Stream `json:"stdout"`
	Stderr Stream `json:"stderr"`
}

// Stream is the count and digest (64 digits) of a whole stream; Truncated says that not all of it
// was retained.
type Stream struct {
	Bytes     int64  `json:"bytes"`
	SHA256    string `json:"sha256"`
	Truncated bool   `json:"truncated"`
}

// Result commits to the value of a sealed run.
type Result struct {
	Digest        skills.Digest     `json:"digest"`
	OutputsDigest string            `json:"outputs_digest"` // "" when none are declared
	Packets       map[string]string `json:"packets"`        // id: verified | unresolved
}

// Closure says how the run was closed.
type Closure struct {
	Status      string `json:"status"`
	Disposition string `json:"disposition"`
	ReasonCode  string `json:"reason_code"`
	Summary     string `json:"summary"`
	State       string `json:"state"` // sealed or deferred
}

// Issuer describes the key that signed.
type Issuer struct {
	Type            string `json:"type"` // local, hosted, ci
	KID             string `json:"kid"`
	PublicKeySHA256 string `json:"public_key_sha256"` // 64 digits, of the 32 bytes of the key
}

// complete returns the predicate with every list and map made, so that none is null in the text.
func (p Predicate) complete() Predicate {
	p.ClosureDigests = list(p.ClosureDigests)
	p.Inputs.Names = list(p.Inputs.Names)
	p.Environment.Names, p.Environment.Absent = list(p.Environment.Names), list(p.Environment.Absent)
	p.Boundary.Claims = list(p.Boundary.Claims)
	if p.Result != nil && p.Result.Packets == nil {
		result := *p.Result
		result.Packets = map[string]string{}
		p.Result = &result
	}
	if len(p.Pages) == 0 {
		p.Pages = json.RawMessage("null")
	}
	p.Decisions, p.Steps, p.Limits = list(p.Decisions), list(p.Steps), list(p.Limits)
	return p
}

// list is the given list, never nil.
func list[T any](items []T) []T {
	if items == nil {
		return []T{}
	}
	return items
}
