package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/runx-go/runx/internal/cli/render"
	"github.com/runx-go/runx/internal/runtime"
	"github.com/runx-go/runx/internal/runtime/engine"
	"github.com/runx-go/runx/internal/skills"
	"github.com/runx-go/runx/internal/skills/admission"
	"github.com/spf13/cobra"
)

// validateOptions is one parsed skill validate.
type validateOptions struct {
	refs         []string
	json, strict bool
}

func newCmdSkillValidate(c *console) *cobra.Command {
	var opts validateOptions
	cmd := &cobra.Command{Use: "validate <ref>…", Short: "Check packages without running them",
		Long: `Check packages without running anything: SKILL.md against the open Agent Skills
standard, everything else against the rules of runx.`,
		ValidArgsFunction: func(cmd *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
			return completeRef(cmd.Context(), c, word)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("argument_missing", "runx skill validate needs a package", "runx skill validate ./my-skill")
			}
			opts.refs = args
			return validateSkills(cmd.Context(), c, opts)
		}}
	cmd.Flags().BoolVar(&opts.strict, "strict", false, "treat warnings as errors")
	jsonFlag(cmd, &opts.json)
	return cmd
}

func validateSkills(ctx context.Context, c *console, opts validateOptions) error {
	p, err := c.place()
	if err != nil {
		return err
	}
	findings := []skills.Finding{}
	for _, ref := range opts.refs {
		dir, err := p.resolve(ctx, ref)
		if err != nil {
			return err
		}
		found, err := validateOne(ctx, c, p, dir)
		if err != nil {
			return err
		}
		findings = append(findings, found...)
	}
	failed := false
	for i := range findings {
		if opts.strict {
			findings[i].Severity = skills.SeverityError
		}
		failed = failed || findings[i].Severity == skills.SeverityError
	}
	if err := printFindings(c, opts, findings, failed); err != nil {
		return err
	}
	if failed {
		return &reported{class: runtime.ClassInvalid}
	}
	return nil
}

// validateOne adds to what admission finds what every run would be refused for. Files are named as
// the user can open them.
func validateOne(ctx context.Context, c *console, p *place, dir string) ([]skills.Finding, error) {
	findings, err := admission.Validate(ctx, dir, p.options())
	if err != nil {
		return nil, err
	}
	profile, err := admission.Profile(ctx, dir, p.options())
	if err != nil {
		return nil, err
	}
	if profile != nil {
		for i := range profile.Runners {
			findings = append(findings, engine.CheckRunner(c.host.OS, profile, &profile.Runners[i])...)
		}
	}
	slices.SortStableFunc(findings, func(x, y skills.Finding) int {
		return cmp.Or(strings.Compare(x.File, y.File), x.Line-y.Line, x.Column-y.Column)
	})
	findings = slices.Compact(findings)
	for i := range findings {
		file := filepath.FromSlash(findings[i].File)
		if !filepath.IsAbs(file) { // that of a packet of the workspace is
			file = filepath.Join(dir, file)
		}
		findings[i].File = filepath.ToSlash(c.shown(file))
	}
	return findings, nil
}

func printFindings(c *console, opts validateOptions, findings []skills.Finding, failed bool) error {
	if opts.json {
		return render.JSON(c.out, struct {
			Schema   string           `json:"schema"`
			Findings []skills.Finding `json:"findings"`
		}{"runx.skill_validate.v1", findings})
	}
	var b strings.Builder
	for _, f := range findings {
		word := c.outStyle.Warn("warning")
		if f.Severity == skills.SeverityError {
			word = c.outStyle.Bad("error")
		}
		fmt.Fprintf(&b, "%s: %s [%s]\n", word, runtime.VisibleLine(f.String()), f.Code)
		if f.Hint != "" {
			fmt.Fprintf(&b, "  %s %s\n", c.outStyle.Bold("try:"), runtime.VisibleLine(f.Hint))
		}
	}
	if !failed {
		b.WriteString(c.outStyle.Good("valid") + "\n")
	}
	_, err := io.WriteString(c.out, b.String())
	return err
}
