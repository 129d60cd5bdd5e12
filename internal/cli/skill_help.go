package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/runx-go/runx/internal/cli/render"
	"github.com/runx-go/runx/internal/runtime"
	"github.com/runx-go/runx/internal/skills"
	"github.com/runx-go/runx/internal/skills/admission"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// helpDocument is help as JSON (runx.help.v1).
type helpDocument struct {
	Schema  string `json:"schema"`
	Command string `json:"command"` // what the help is about, as typed
	Text    string `json:"text"`    // what --help prints without --json
	// InputSchema is that of the runner; null for a command, and for inputs that do not compile.
	InputSchema json.RawMessage `json:"input_schema"`
}

// commandHelp shows the help of a command, which text prints to the output of the command. With
// --json or --events it is a document.
func commandHelp(c *console, cmd *cobra.Command, text func()) {
	if !c.json {
		text()
		return
	}
	var b strings.Builder
	cmd.SetOut(&b)
	text()
	cmd.SetOut(c.out)
	render.JSON(c.out, helpDocument{Schema: helpSchema, Command: cmd.CommandPath(), Text: b.String()}) //nolint:errcheck // stdout remembers it
}

const helpSchema = "runx.help.v1"

// helped is what the help of a package is about.
type helped struct {
	ref     string // as typed
	pkg     *admission.Package
	runner  *admission.Runner // without a name when none can be chosen
	refused error             // why the runner cannot be run; nil when it can
	flags   *pflag.FlagSet
	inputs  []string // names of flags
}

// isHelpful says whether there is more to tell about a runner that was refused than the error: not
// when the package has none of that name.
func isHelpful(refused error) bool {
	choice, ok := errors.AsType[*admission.ChoiceError](refused)
	return refused == nil || ok && choice.Code != "runner_unknown"
}

// skillHelp prints what one runner takes: its inputs with type, default and description, then the
// flags that every package has. Of a package without a runner to choose it prints what it is.
func skillHelp(c *console, h helped) error {
	var b strings.Builder
	h.head(&b)
	switch {
	case h.runner.Name != "":
		h.takes(&b)
	case h.pkg.Profile != nil:
		b.WriteString("\nRunners:\n")
		var rows [][]string
		for _, r := range h.pkg.Profile.Runners {
			rows = append(rows, []string{"  " + runtime.VisibleLine(r.Name), r.Type, runtime.VisibleLine(strings.TrimSpace(r.Description))})
		}
		writeColumns(&b, rows)
	}
	if !c.json {
		_, err := c.out.Write([]byte(b.String()))
		return err
	}
	doc := helpDocument{Schema: helpSchema, Command: "runx skill " + quoteArg(h.ref), Text: b.String()}
	if h.runner.Name != "" {
		doc.Command += " " + quoteArg(h.runner.Name)
	}
	if h.runner.Contract != nil {
		doc.InputSchema = h.runner.Contract.InputSchema()
	}
	return render.JSON(c.out, doc)
}

// head writes what the package or the runner is, and why it cannot be run.
func (h helped) head(b *strings.Builder) {
	description := h.runner.Description
	switch {
	case h.runner.Name != "":
		fmt.Fprintf(b, "%s, runner %s (%s)\n", h.pkg.Name, h.runner.Name, h.runner.Type)
	case h.pkg.Profile == nil:
		fmt.Fprintf(b, "%s (manual)\n", h.pkg.Name)
	default:
		fmt.Fprintf(b, "%s\n", h.pkg.Name)
	}
	if description == "" {
		description = h.pkg.Manual.Description
	}
	if description != "" {
		fmt.Fprintf(b, "\n%s\n", runtime.Visible(strings.TrimSpace(description)))
	}
	choice, ok := errors.AsType[*admission.ChoiceError](h.refused)
	if !ok {
		return
	}
	fmt.Fprintf(b, "\n%s\n", runtime.VisibleLine(choice.Msg))
	if len(choice.Reasons) > 1 { // a single one is the message
		for _, reason := range choice.Reasons {
			fmt.Fprintf(b, "  %s\n", runtime.VisibleLine(reason.String()))
		}
	}
	if choice.Hint != "" {
		fmt.Fprintf(b, "  try: %s\n", runtime.VisibleLine(choice.Hint))
	}
}

// takes writes the inputs and the flags.
func (h helped) takes(b *strings.Builder) {
	b.WriteString("\nInputs:\n")
	if len(h.runner.Inputs) == 0 {
		b.WriteString("  none\n")
	}
	rows := make([][]string, 0, len(h.runner.Inputs))
	for _, in := range h.runner.Inputs {
		rows = append(rows, inputRow(in, slices.Contains(h.inputs, strings.ReplaceAll(in.Name, "_", "-"))))
	}
	writeColumns(b, rows)
	own := pflag.NewFlagSet("", pflag.ContinueOnError)
	h.flags.VisitAll(func(f *pflag.Flag) {
		if _, isInput := f.Value.(*inputValue); !isInput {
			own.AddFlag(f)
		}
	})
	fmt.Fprintf(b, "\nFlags:\n%s", own.FlagUsages())
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
	return []string{"  " + runtime.VisibleLine(name), string(in.Type), runtime.VisibleLine(need), runtime.VisibleLine(strings.TrimSpace(in.Description))}
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
