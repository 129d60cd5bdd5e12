package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/runx-go/runx/internal/runtime"
	"github.com/runx-go/runx/internal/skills"
	"github.com/runx-go/runx/internal/skills/codec"
	"github.com/runx-go/runx/internal/skills/schema"
	"github.com/spf13/pflag"
)

// givenInput is one input of the command line, already JSON, in the order of the line.
type givenInput struct {
	name string
	raw  json.RawMessage
}

// skillFlags are the flags of `runx skill` that every package has, and those of every command.
func skillFlags(c *console, opts *skillOptions) *pflag.FlagSet {
	flags := pflag.NewFlagSet("skill", pflag.ContinueOnError)
	flags.SetOutput(c.err)
	flags.Usage = func() {}
	addSkillFlags(flags, opts)
	addGlobalFlags(flags, c)
	return flags
}

func addSkillFlags(flags *pflag.FlagSet, opts *skillOptions) {
	flags.Var(&once{name: "inputs", to: &opts.inputs}, "inputs", "read all inputs as one JSON object from `FILE`, or - for stdin")
	flags.Var(&filled{to: &opts.profile}, "profile", "use the credential `PROFILE`")
	flags.Var(&filled{to: &opts.packageDigest}, "package-digest", "refuse a package with another `DIGEST`")
	flags.DurationVar(&opts.timeout, "timeout", opts.timeout, "limit the whole run to `DURATION`, such as 90s or 2m")
	flags.BoolVar(&opts.json, "json", opts.json, "print one JSON document")
	flags.BoolVar(&opts.events, "events", opts.events, "print one JSON event a line while the run happens")
	flags.BoolVarP(&opts.help, "help", "h", opts.help, "show the inputs and flags of the package")
}

// once is a text flag that may be given at most once.
type once struct {
	name string
	to   *string
	set  bool
}

func (o *once) String() string { return "" }

func (o *once) Type() string { return "text" }

func (o *once) Set(text string) error {
	if o.set || *o.to != "" {
		return usage("flag_twice", fmt.Sprintf("--%s is given twice", o.name), "give it once")
	}
	if text == "" {
		return usage("flag_value", fmt.Sprintf("--%s needs a file, or - for stdin", o.name), "--inputs -")
	}
	*o.to, o.set = text, true
	return nil
}

// isWorded says whether an error is already in the words of a user.
func isWorded(err error) bool {
	if _, ok := errors.AsType[*codec.SyntaxError](err); ok {
		return true
	}
	_, ok := errors.AsType[*runtime.Error](err)
	return ok
}

// addInputFlags adds -i, --input-json and one flag for each declared input that no flag of runx
// hides. It returns the names of the input flags in declaration order.
func addInputFlags(flags *pflag.FlagSet, inputs []skills.Input, given *[]givenInput) []string {
	*given = nil
	add := func(in skills.Input, text string) error {
		raw, failure := schema.Coerce(in, text)
		if failure != nil {
			return badInputs(&schema.BindError{Failures: []schema.Failure{*failure}})
		}
		return addGiven(given, in.Name, raw)
	}
	own := pflag.NewFlagSet("", pflag.ContinueOnError)
	flags.VisitAll(own.AddFlag)
	flags.VarP(&assignment{set: func(name, text string) error {
		in, err := findInput(inputs, name)
		if err != nil {
			return err
		}
		return add(in, text)
	}}, "input", "i", "set one input: `NAME=VALUE`, read by its declared type")
	flags.Var(&assignment{set: func(name, text string) error {
		in, err := findInput(inputs, name)
		if err != nil {
			return err
		}
		raw, err := codec.ParseValue("--input-json "+name, []byte(text), codec.Limits{})
		if err != nil {
			return err
		}
		return addGiven(given, in.Name, raw)
	}}, "input-json", "set one input as JSON: `NAME=JSON`")
	flags.SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		return pflag.NormalizedName(strings.ReplaceAll(name, "_", "-"))
	})
	var names []string
	for _, in := range inputs {
		flagName := strings.ReplaceAll(in.Name, "_", "-")
		if !usableFlag(flagName) || flags.Lookup(flagName) != nil {
			continue
		}
		value := &inputValue{input: in, set: func(text string) error { return add(in, text) }}
		flag := flags.VarPF(value, flagName, "", in.Description)
		if in.Type == skills.TypeBoolean {
			flag.NoOptDefVal = "true"
			addNegation(flags, in, add)
		}
		names = append(names, flagName)
	}
	return names
}

func addNegation(flags *pflag.FlagSet, in skills.Input, add func(skills.Input, string) error) {
	name := "no-" + strings.ReplaceAll(in.Name, "_", "-")
	if flags.Lookup(name) != nil {
		return
	}
	value := &inputValue{input: in, set: func(text string) error {
		if text != "true" {
			return usage("flag_value", fmt.Sprintf("--%s takes no value", name), "--"+name)
		}
		return add(in, "false")
	}}
	flag := flags.VarPF(value, name, "", "set "+in.Name+" to false")
	flag.NoOptDefVal, flag.Hidden = "true", true
}

// usableFlag says whether a name can stand on a command line as a flag.
func usableFlag(name string) bool {
	if name == "" || name[0] == '-' {
		return false
	}
	return !strings.ContainsAny(name, " \t\n=\"'")
}

func addGiven(given *[]givenInput, name string, raw json.RawMessage) error {
	if slices.ContainsFunc(*given, func(g givenInput) bool { return g.name == name }) {
		return usage("input_duplicate", fmt.Sprintf("input %q is given twice", name), "give it once")
	}
	*given = append(*given, givenInput{name: name, raw: raw})
	return nil
}

// findInput matches a name exactly, then with - and _ alike.
func findInput(inputs []skills.Input, name string) (skills.Input, error) {
	for _, in := range inputs {
		if in.Name == name {
			return in, nil
		}
	}
	fold := func(s string) string { return strings.ReplaceAll(s, "_", "-") }
	var known []string
	for _, in := range inputs {
		if fold(in.Name) == fold(name) {
			return in, nil
		}
		known = append(known, in.Name)
	}
	hint := "the runner declares no inputs"
	if len(known) > 0 {
		hint = "the inputs are: " + strings.Join(known, ", ")
	}
	if near := codec.Nearest(name, known, 1); len(near) > 0 {
		hint = "-i " + near[0] + "=…"
	}
	return skills.Input{}, usage("input_unknown", fmt.Sprintf("the runner has no input %q", name), hint)
}

// assignment is a repeatable NAME=VALUE flag.
type assignment struct {
	set func(name, text string) error
}

func (a *assignment) String() string { return "" }

func (a *assignment) Type() string { return "name=value" }

func (a *assignment) Set(text string) error {
	name, value, ok := strings.Cut(text, "=")
	if !ok {
		return usage("flag_value", fmt.Sprintf("%q is no NAME=VALUE", text), text+"=VALUE")
	}
	return a.set(name, value)
}

// inputValue is the flag of one declared input.
type inputValue struct {
	input skills.Input
	set   func(text string) error
}

func (v *inputValue) String() string { return "" }

func (v *inputValue) Type() string { return string(v.input.Type) }

func (v *inputValue) Set(text string) error { return v.set(text) }
