package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/runx-go/runx/internal/cli/render"
	"github.com/runx-go/runx/internal/runtime"
	"github.com/runx-go/runx/internal/sandbox"
	"github.com/runx-go/runx/internal/skills"
	"github.com/runx-go/runx/internal/skills/admission"
	"github.com/spf13/cobra"
)

// inspection is the JSON of skill inspect.
type inspection struct {
	Schema        string                `json:"schema"`
	Name          string                `json:"name"`
	Description   string                `json:"description"`
	Version       string                `json:"version"`
	Kind          string                `json:"kind"`
	Path          string                `json:"path"`
	PackageDigest skills.Digest         `json:"package_digest"`
	ManualDigest  skills.Digest         `json:"manual_digest"`
	Runners       []inspectedRunner     `json:"runners"`
	Credentials   []inspectedCredential `json:"credentials"`
	Warnings      []skills.Finding      `json:"warnings"`
}

type inspectedRunner struct {
	Name          string           `json:"name"`
	Type          string           `json:"type"`
	Default       bool             `json:"default"`
	Description   string           `json:"description"`
	Available     bool             `json:"available"`
	Reasons       []skills.Finding `json:"reasons"`
	InputSchema   json.RawMessage  `json:"input_schema"`
	OutputSchema  json.RawMessage  `json:"output_schema"`
	OutputsDigest string           `json:"outputs_digest"`
	Scopes        []string         `json:"scopes"`
	Command       []string         `json:"command"`
	Environment   inspectedNames   `json:"environment"`
	Credential    string           `json:"credential"`
}

// inspectedNames are names of declared variables, never values.
type inspectedNames struct {
	Required []string `json:"required"`
	Optional []string `json:"optional"`
	Missing  []string `json:"missing"`
}

type inspectedCredential struct {
	Name      string   `json:"name"`
	Provider  string   `json:"provider"`
	Audience  string   `json:"audience"`
	Modes     []string `json:"modes"`
	Variables []string `json:"variables"`
}

func newCmdSkillInspect(c *console) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{Use: "inspect <ref> [runner]", Short: "Show what a package can do, without running it",
		Args: cobra.ArbitraryArgs,
		ValidArgsFunction: func(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
			return completeInspect(cmd.Context(), c, args, word)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 || len(args) > 2 {
				return usage("argument_missing", "runx skill inspect takes a package and at most one runner", cmd.UseLine())
			}
			return inspectSkill(cmd.Context(), c, args, asJSON)
		}}
	jsonFlag(cmd, &asJSON)
	return cmd
}

func inspectSkill(ctx context.Context, c *console, args []string, asJSON bool) error {
	p, err := c.place()
	if err != nil {
		return err
	}
	pkg, err := p.load(ctx, args[0])
	if err != nil {
		return err
	}
	only := ""
	if len(args) == 2 {
		only = args[1]
	}
	doc, err := inspect(c, pkg, args[0], only)
	if err != nil {
		return err
	}
	if asJSON {
		return render.JSON(c.out, doc)
	}
	_, err = io.WriteString(c.out, inspectionText(doc))
	return err
}

func inspect(c *console, pkg *admission.Package, ref, only string) (inspection, error) {
	doc := inspection{Schema: "runx.skill_inspect.v1", Name: pkg.Name, Description: pkg.Manual.Description, Kind: "manual",
		Path: c.shown(pkg.Dir), PackageDigest: pkg.Digest, ManualDigest: pkg.ManualDigest,
		Runners: []inspectedRunner{}, Credentials: []inspectedCredential{}, Warnings: notNil(pkg.Warnings)}
	if pkg.Profile == nil {
		if only != "" {
			return doc, usage("not_executable", fmt.Sprintf("cannot inspect runner %q of %s: it is a manual without X.yaml", only, pkg.Name),
				"runx skill inspect "+quoteArg(ref))
		}
		return doc, nil
	}
	doc.Kind, doc.Version = "executable", pkg.Profile.Version
	for i := range pkg.Profile.Runners {
		noun := &pkg.Profile.Runners[i]
		if only != "" && noun.Name != only {
			continue
		}
		r, err := inspectRunner(c.host, pkg, noun)
		if err != nil {
			return doc, err
		}
		doc.Runners = append(doc.Runners, r)
	}
	if only != "" && len(doc.Runners) == 0 {
		_, err := pkg.Runner(only)
		return doc, err
	}
	for _, cred := range pkg.Profile.Credentials {
		doc.Credentials = append(doc.Credentials, inspectCredential(cred))
	}
	return doc, nil
}

func inspectRunner(host sandbox.Host, pkg *admission.Package, noun *skills.Runner) (inspectedRunner, error) {
	out := inspectedRunner{Name: noun.Name, Type: noun.Type, Default: noun.Default, Description: noun.Description,
		Available: len(noun.Unavailable) == 0, Reasons: notNil(noun.Unavailable), Scopes: notNil(noun.Scopes),
		Command: []string{}, Environment: inspectedNames{Required: []string{}, Optional: []string{}, Missing: []string{}},
		Credential: noun.Credential}
	r, err := pkg.Declared(noun.Name)
	if err != nil {
		return out, err
	}
	if r.Contract != nil {
		out.InputSchema = r.Contract.InputSchema()
	}
	if r.Outputs != nil {
		out.OutputSchema, out.OutputsDigest = r.Outputs.Schema()
	}
	if tool, ok := noun.Source.(skills.CLITool); ok {
		out.Command = append(out.Command, tool.Command)
		for _, arg := range tool.Args {
			out.Command = append(out.Command, arg.Text)
		}
		out.Environment.Required = notNil(tool.Environment.Required)
		out.Environment.Optional = notNil(tool.Environment.Optional)
		for _, name := range slices.Concat(tool.Environment.Required, tool.Environment.Optional) {
			if _, set := host.Lookup(name); !set {
				out.Environment.Missing = append(out.Environment.Missing, name)
			}
		}
	}
	return out, nil
}

func inspectCredential(cred skills.Credential) inspectedCredential {
	out := inspectedCredential{Name: cred.Name, Provider: cred.Provider, Audience: cred.Audience, Modes: []string{}, Variables: []string{}}
	for _, m := range cred.Modes {
		out.Modes = append(out.Modes, m.Name)
		if m.Env != "" {
			out.Variables = append(out.Variables, m.Env)
		}
	}
	return out
}

func notNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

func inspectionText(doc inspection) string {
	var b strings.Builder
	line := func(label, text string) {
		if text != "" {
			fmt.Fprintf(&b, "%-13s %s\n", label, runtime.VisibleLine(text))
		}
	}
	line("skill", doc.Name)
	line("description", doc.Description)
	line("version", doc.Version)
	line("kind", doc.Kind)
	line("path", doc.Path)
	line("package", string(doc.PackageDigest))
	line("manual", string(doc.ManualDigest))
	for _, cred := range doc.Credentials {
		line("credential", fmt.Sprintf("%s from %s (%s)", cred.Name, cred.Provider, strings.Join(cred.Variables, ", ")))
	}
	for _, r := range doc.Runners {
		b.WriteByte('\n')
		note := ""
		if r.Default {
			note = ", default"
		}
		line("runner", fmt.Sprintf("%s (%s%s)", r.Name, r.Type, note))
		line("  about", r.Description)
		for _, reason := range r.Reasons {
			line("  unavailable", reason.String())
		}
		line("  command", quoteArgs(r.Command))
		line("  inputs", string(r.InputSchema))
		line("  outputs", string(r.OutputSchema))
		line("  scopes", strings.Join(r.Scopes, ", "))
		line("  required", strings.Join(r.Environment.Required, ", "))
		line("  optional", strings.Join(r.Environment.Optional, ", "))
		line("  not set", strings.Join(r.Environment.Missing, ", "))
		line("  credential", r.Credential)
	}
	for _, w := range doc.Warnings {
		line("warning", w.String())
	}
	return b.String()
}
