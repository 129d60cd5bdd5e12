package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/runx-go/runx/internal/skills/codec"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// newCmdRoot builds the whole command tree.
func newCmdRoot(c *console) *cobra.Command {
	root := &cobra.Command{
		Use:   "runx",
		Short: "Run skill packages under a strict contract, and prove it",
		Long: `runx runs skill packages: directories with a manual (SKILL.md) and an execution
profile (X.yaml). Inputs and outputs are typed, the environment is denied by
default, and every run leaves a signed receipt.`,
		Example: `  echo '{"text": "one two"}' | runx skill ./my-skill --inputs -
  runx skill new my-skill
  runx fixtures check`,
		SilenceErrors: true, SilenceUsage: true,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Help()
			}
			return unknownCommand(cmd, args[0])
		},
	}
	root.CompletionOptions.HiddenDefaultCmd = false
	help := &cobra.Command{Use: "help [command]", Short: "Show help for a command",
		RunE: func(_ *cobra.Command, args []string) error {
			found, rest, err := root.Find(args)
			if err != nil || found == nil {
				return unknownCommand(root, strings.Join(args, " "))
			}
			if len(rest) > 0 {
				return unknownCommand(found, rest[0])
			}
			return found.Help()
		}}
	jsonFlag(help, new(bool))
	root.SetHelpCommand(help)
	addGlobalFlags(root.PersistentFlags(), c)
	textHelp := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) { commandHelp(c, cmd, func() { textHelp(cmd, args) }) })
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		// A word that is no command has no flags either: the word is what is wrong.
		if words := cmd.Flags().Args(); len(words) > 0 && cmd.HasSubCommands() {
			return unknownCommand(cmd, words[0])
		}
		if c.json && c.help && isOutputForm(err) {
			return pflag.ErrHelp // every command has help as a document
		}
		return flagError(cmd.Flags(), err)
	})
	root.AddCommand(newCmdSkill(c), newCmdFixtures(c), newCmdReceipt(c), newCmdCredential(c),
		newCmdConfig(c), newCmdDoctor(c), newCmdVersion(c))
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		if cmd.Name() == "completion" {
			cmd.Args, cmd.RunE = cobra.ArbitraryArgs, runGroup // the library's own shows help for any word
			for _, shell := range cmd.Commands() {
				shell.Args = noArgs
			}
		}
	}
	return root
}

func addGlobalFlags(flags *pflag.FlagSet, c *console) {
	flags.Var(&filled{to: &c.global.stateDir}, "state-dir", "keep state in `DIR` instead of .runx in the workspace")
	flags.Var(&filled{to: &c.global.receiptDir}, "receipt-dir", "keep receipts in `DIR`")
	flags.BoolVar(&c.global.noInput, "no-input", c.global.noInput, "never ask anything")
	flags.Var(&choice{text: &c.global.color, of: []string{"auto", "always", "never"}}, "color", "colour: `WHEN` is auto, always or never")
	flags.BoolVar(&c.debug, "debug", c.debug, "show causes and stack traces of errors")
}

// filled is a text flag whose value is never empty: an empty one comes from a variable that is not set, and
// must not mean that the flag was left out.
type filled struct {
	to *string
}

func (f *filled) String() string { return "" }

func (f *filled) Type() string { return "text" }

func (f *filled) Set(value string) error {
	if value == "" {
		return errors.New("it is empty")
	}
	*f.to = value
	return nil
}

// choice is a flag whose value is one of a few words.
type choice struct {
	text *string
	of   []string
}

func (c *choice) String() string {
	if c.text == nil {
		return ""
	}
	return *c.text
}

func (c *choice) Type() string { return "word" }

func (c *choice) Set(text string) error {
	for _, word := range c.of {
		if text == word {
			*c.text = text
			return nil
		}
	}
	return fmt.Errorf("must be one of %s", strings.Join(c.of, ", "))
}

// group makes a command that only holds others: a word that is none of them is an error.
func group(use, short string, subs ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{Use: use, Short: short, Args: cobra.ArbitraryArgs, RunE: runGroup}
	cmd.AddCommand(subs...)
	return cmd
}

// runGroup is what a command does that only holds others.
func runGroup(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return usage("command_missing", fmt.Sprintf("cannot run %q: it needs one of its commands: %s", cmd.CommandPath(), strings.Join(names(cmd), ", ")),
			cmd.CommandPath()+" --help")
	}
	return unknownCommand(cmd, args[0])
}

func names(cmd *cobra.Command) []string {
	var out []string
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			out = append(out, sub.Name())
		}
	}
	return out
}

func unknownCommand(cmd *cobra.Command, word string) error {
	hint := cmd.CommandPath() + " --help"
	if near := codec.Nearest(word, names(cmd), 1); len(near) > 0 {
		hint = cmd.CommandPath() + " " + near[0]
	}
	return usage("command_unknown", fmt.Sprintf("cannot run %q: %s has no such command", word, cmd.CommandPath()), hint)
}

// flagError words an error of the flag library, which has types for the kinds we tell apart.
func flagError(flags *pflag.FlagSet, err error) error {
	if e, ok := errors.AsType[*pflag.NotExistError](err); ok {
		return unknownFlag(flags, e.GetSpecifiedName(), e.GetSpecifiedShortnames())
	}
	if e, ok := errors.AsType[*pflag.ValueRequiredError](err); ok {
		return usage("flag_value", fmt.Sprintf("flag --%s needs a value", e.GetFlag().Name), flagUsage(e.GetFlag()))
	}
	if e, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		return invalidFlagValue(e)
	}
	return usage("flag_invalid", err.Error(), "--help shows the flags")
}

func invalidFlagValue(e *pflag.InvalidValueError) error {
	cause := e.Unwrap()
	// An input flag has already worded what is wrong with its value.
	if isWorded(cause) {
		return cause
	}
	why, hint := fmt.Sprint(cause), flagUsage(e.GetFlag())
	switch e.GetFlag().Value.Type() { // the library's words for these are those of Go
	case "int":
		why = "it is no whole number"
	case "duration":
		why = "it is no duration"
	case "bool":
		why = "it is neither true nor false"
		hint = fmt.Sprintf("--%[1]s takes no value; --%[1]s=false switches it off", e.GetFlag().Name)
	}
	return usage("flag_value", fmt.Sprintf("cannot use %q for --%s: %s", e.GetValue(), e.GetFlag().Name, why), hint)
}

// flagUsage is how a flag with a value is written: its name, the name of its value, and what it does.
func flagUsage(flag *pflag.Flag) string {
	if _, isInput := flag.Value.(*inputValue); isInput { // its usage is the author's text
		return fmt.Sprintf("--%s VALUE", flag.Name)
	}
	if one, ok := flag.Value.(*choice); ok {
		return fmt.Sprintf("--%s %s", flag.Name, strings.Join(one.of, ", or "))
	}
	name, about := pflag.UnquoteUsage(flag)
	return fmt.Sprintf("--%s %s: %s", flag.Name, name, about)
}

// isOutputForm says whether a command does not know --json or --events.
func isOutputForm(err error) bool {
	e, ok := errors.AsType[*pflag.NotExistError](err)
	return ok && (e.GetSpecifiedName() == "json" || e.GetSpecifiedName() == "events")
}

func unknownFlag(flags *pflag.FlagSet, name, shorthands string) error {
	var known []string
	flags.VisitAll(func(f *pflag.Flag) { known = append(known, f.Name) })
	shown := "--" + name
	if shorthands != "" {
		shown = "-" + name
	}
	hint := "--help shows the flags"
	if near := codec.Nearest(name, known, 1); len(near) > 0 {
		hint = "--" + near[0]
	}
	return usage("flag_unknown", fmt.Sprintf("unknown flag %s", shown), hint)
}

// CommandPaths lists every command that a user can see, as typed, in the order of the tree (for
// the generated reference).
func CommandPaths() []string {
	var out []string
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		out = append(out, cmd.CommandPath())
		for _, sub := range cmd.Commands() {
			if sub.IsAvailableCommand() {
				walk(sub)
			}
		}
	}
	walk(newCmdRoot(&console{}))
	return out
}
