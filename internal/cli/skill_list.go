package cli

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/runx-go/runx/internal/cli/render"
	"github.com/runx-go/runx/internal/runtime"
	"github.com/runx-go/runx/internal/skills"
	"github.com/runx-go/runx/internal/skills/admission"
	"github.com/spf13/cobra"
)

// listedSkill is one row of the JSON of skill list.
type listedSkill struct {
	Name    string   `json:"name"`
	Kind    string   `json:"kind"`
	Runners []string `json:"runners"`
	Path    string   `json:"path"`
}

// listError is a broken package or a link that could not be followed.
type listError struct {
	Path     string           `json:"path"`
	Findings []skills.Finding `json:"findings"`
}

func newCmdSkillList(c *console) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{Use: "list", Short: "List the packages below the search paths", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return listSkills(cmd.Context(), c, asJSON) }}
	jsonFlag(cmd, &asJSON)
	return cmd
}

func listSkills(ctx context.Context, c *console, asJSON bool) error {
	p, err := c.place()
	if err != nil {
		return err
	}
	entries, problems, err := admission.Discover(ctx, c.host.Dir, p.workspace, p.config.list(keySkillsPaths), p.options())
	if err != nil {
		return err
	}
	for i := range problems {
		problems[i].File = c.shown(problems[i].File)
	}
	if !asJSON {
		return printSkills(c, entries, problems)
	}
	listed, faults := []listedSkill{}, []listError{}
	for _, e := range entries {
		runners := e.Runners
		if runners == nil {
			runners = []string{}
		}
		listed = append(listed, listedSkill{Name: e.Name, Kind: e.Kind, Runners: runners, Path: c.shown(e.Dir)})
		if len(e.Reasons) > 0 {
			faults = append(faults, listError{Path: c.shown(e.Dir), Findings: e.Reasons})
		}
	}
	for _, f := range problems {
		faults = append(faults, listError{Path: f.File, Findings: []skills.Finding{f}})
	}
	return render.JSON(c.out, struct {
		Schema string        `json:"schema"`
		Skills []listedSkill `json:"skills"`
		Errors []listError   `json:"errors"`
	}{"runx.skill_list.v1", listed, faults})
}

func printSkills(c *console, entries []admission.Entry, problems []skills.Finding) error {
	var b strings.Builder
	rows := make([][]string, 0, len(entries))
	for _, e := range entries {
		detail := strings.Join(e.Runners, ", ")
		if len(e.Reasons) > 0 {
			detail = e.Reasons[0].String()
			if more := len(e.Reasons) - 1; more > 0 {
				detail += fmt.Sprintf(" (and %d more)", more)
			}
		}
		rows = append(rows, []string{runtime.VisibleLine(e.Name), e.Kind, runtime.VisibleLine(c.shown(e.Dir)), runtime.VisibleLine(detail)})
	}
	writeColumns(&b, rows)
	if _, err := io.WriteString(c.out, b.String()); err != nil {
		return err
	}
	for _, f := range problems {
		fmt.Fprintf(c.err, "%s %s\n", c.errStyle.Warn("warning:"), runtime.VisibleLine(f.String()))
	}
	if len(entries) == 0 {
		fmt.Fprintf(c.err, "no packages below the search paths\n  %s runx skill new my-skill\n", c.errStyle.Bold("try:"))
	}
	return nil
}

// shown is a path relative to the current directory when it lies below it.
func (c *console) shown(path string) string {
	if rel, err := filepath.Rel(c.host.Dir, path); err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return rel
	}
	return path
}
