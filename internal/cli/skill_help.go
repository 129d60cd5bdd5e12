package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/runx-go/runx/internal/runtime"
	"github.com/runx-go/runx/internal/skills"
	"github.com/runx-go/runx/internal/skills/admission"
	"github.com/spf13/pflag"
)

// skillHelp prints what one runner takes: its inputs with type, default and description, then the
// flags that every package has.
func skillHelp(c *console, pkg *admission.Package, r *admission.Runner, flags *pflag.FlagSet, inputFlags []string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, runner %s (%s)\n", pkg.Name, r.Name, r.Type)
	description := r.Description
	if description == "" {
		description = pkg.Manual.Description
	}
	if description != "" {
		fmt.Fprintf(&b, "\n%s\n", runtime.Visible(strings.TrimSpace(description)))
	}
	b.WriteString("\nInputs:\n")
	if len(r.Inputs) == 0 {
		b.WriteString("  none\n")
	}
	rows := make([][]string, 0, len(r.Inputs))
	for _, in := range r.Inputs {
		rows = append(rows, inputRow(in, slices.Contains(inputFlags, strings.ReplaceAll(in.Name, "_", "-"))))
	}
	writeColumns(&b, rows)
	own := pflag.NewFlagSet("", pflag.ContinueOnError)
	flags.VisitAll(func(f *pflag.Flag) {
		if _, isInput := f.Value.(*inputValue); !isInput {
			own.AddFlag(f)
		}
	})
	fmt.Fprintf(&b, "\nFlags:\n%s", own.FlagUsages())
	_, err := c.out.Write([]byte(b.String()))
	return err
}

func inputRow(in skills.Input, hasFlag bool) []string {
	name := "-i " + in.Name + "=…"
	if hasFlag {
		name = "--" + strings.ReplaceAll(in.Name, "_", "-")
	}
	need := "optional"
	switch {
	case in.Default != nil:
		need = "default " + string(in.Default)
	case in.Required:
		need = "required"
	}
	return []string{"  " + runtime.Visible(name), string(in.Type), runtime.Visible(need), runtime.Visible(strings.TrimSpace(in.Description))}
}

// writeColumns aligns rows of cells by two blanks. The last cell of a row is not padded.
func writeColumns(b *strings.Builder, rows [][]string) {
	var width []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(width) {
				width = append(width, 0)
			}
			width[i] = max(width[i], len([]rune(cell)))
		}
	}
	for _, row := range rows {
		line := ""
		for i, cell := range row {
			line += cell + strings.Repeat(" ", width[i]-len([]rune(cell))+2)
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}
