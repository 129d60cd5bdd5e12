package admission

import (
	"github.com/runx-go/runx/internal/skills"
	"github.com/runx-go/runx/internal/skills/schema"
)

// Options of Load, Validate and Discover.
type Options struct {
	// Workspace is searched for packets after the package; empty means it is not.
	Workspace string
	// OS is the operating system whose rules for names apply, as GOOS spells it: on Windows two
	// paths that differ only in case are one directory. Empty compares exactly.
	OS string
}

// Package is an accepted package: valid, contained, digests bound, schemas compiled. Only Load
// makes one. It owns no open file and may be used by several goroutines at once; nobody changes it.
type Package struct {
	Dir          string // absolute, links resolved
	Name         string
	Manual       skills.Manual
	Profile      *skills.Profile // nil: a manual
	Digest       skills.Digest   // runx.skill-package.v1
	ManualDigest skills.Digest   // of the bytes of SKILL.md
	// Warnings are what a person who runs the package should see, in file order. Those about the
	// style of the YAML are given by Validate only.
	Warnings []skills.Finding

	contracts []contracts // one for each runner of Profile
	packets   map[string]skills.Packet
}

// Runner is an admitted runner: its noun and its compiled contracts.
type Runner struct {
	skills.Runner
	Contract *schema.Contract
	Outputs  *schema.OutputContract // nil when none are declared
	// Packets are the found packets that the runner names, by id. One that is missing here was not
	// found and cannot be verified.
	Packets map[string]skills.Packet
}

// contracts are what one runner declares, compiled.
type contracts struct {
	inputs  *schema.Contract
	outputs *schema.OutputContract
}
