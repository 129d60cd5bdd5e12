package clitool

import (
	"encoding/json"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/runx-go/runx/internal/runtime/runner"
	"github.com/runx-go/runx/internal/sandbox/delivery"
	"github.com/runx-go/runx/internal/skills"
	"github.com/runx-go/runx/internal/skills/codec"
)

// plan turns a request into what the child will receive. It touches nothing.
func plan(req runner.Request, source skills.CLITool) (*delivery.Plan, error) {
	d := delivery.Request{
		Host:       req.Host,
		Workspace:  req.Workspace,
		ReceiptDir: req.ReceiptDir,
		Inputs:     req.Inputs.Raw(),
		Required:   source.Environment.Required,
		Optional:   source.Environment.Optional,
		Cwd:        source.Cwd,
		BaseDir:    req.Package.Dir,
		Command:    source.Command,
		Stdin:      source.InputMode == skills.InputStdin,
		FilesDir:   filepath.Join(req.Tmp.Name(), req.Execution),
	}
	for _, m := range req.Inputs.Members() {
		d.Members = append(d.Members, delivery.Input{Name: m.Name, Raw: m.Raw})
	}
	for _, in := range req.Runner.Inputs {
		d.Declared = append(d.Declared, in.Name)
	}
	for _, arg := range source.Args {
		d.Args = append(d.Args, parts(arg))
	}
	if req.Credential != nil {
		d.CredentialName = req.Credential.Variable
		d.Credential = req.Credential.Value
	}
	return delivery.New(d)
}

func parts(arg skills.Template) []delivery.Part {
	out := make([]delivery.Part, 0, len(arg.Parts))
	for _, p := range arg.Parts {
		out = append(out, delivery.Part{Literal: p.Literal, Input: p.Input, Env: p.Env})
	}
	return out
}

// environment describes the names of a plan for the envelope and the receipt.
func environment(p *delivery.Plan, source skills.Environment) runner.Environment {
	var declared []string
	baseline := delivery.Baseline()
	has := func(list []string, name string) bool {
		return slices.ContainsFunc(list, func(other string) bool { return strings.EqualFold(other, name) })
	}
	for _, name := range p.Delivered {
		if !has(baseline, name) || has(source.Required, name) || has(source.Optional, name) {
			declared = append(declared, name)
		}
	}
	return runner.Environment{
		Delivered: p.Delivered, Declared: declared,
		MissingOptional: p.MissingOptional, Withheld: p.Withheld,
	}
}

// baseName is the last part of a command, whichever separator it was written with; "-" when it has
// none.
func baseName(command string) string {
	base := path.Base(strings.ReplaceAll(command, `\`, "/"))
	if base == "/" || base == "." {
		return "-"
	}
	return base
}

func list(names []string) string { return strings.Join(names, ", ") }

func fileDetails(file string) (json.RawMessage, bool) {
	if file == "" {
		return nil, false
	}
	raw, err := codec.Marshal(struct {
		File string `json:"file"`
	}{file})
	return raw, err == nil
}
