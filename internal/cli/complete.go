package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/runx-go/runx/internal/runtime"
	"github.com/runx-go/runx/internal/skills"
	"github.com/runx-go/runx/internal/skills/admission"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// completeWait is how long a shell waits for the names below the search paths: 1 s. A person waits
// for it at each press of the key.
const completeWait = time.Second

// completeSkill completes a word of `runx skill`: the reference, the runner, the values of flags, and
// the inputs of the runner that the line names so far. The flags of runx are completed by the
// library.
func completeSkill(ctx context.Context, c *console, args []string, word string) ([]string, cobra.ShellCompDirective) {
	var opts skillOptions
	first := skillFlags(c, &opts)
	first.SetInterspersed(false)
	if flag := needsValue(first.Parse(args)); flag != nil {
		return completeValue(flag, nil, word)
	}
	rest := first.Args()
	if len(rest) == 0 {
		if strings.HasPrefix(word, "-") {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return completeRef(ctx, c, word)
	}
	pkg := completePackage(ctx, c, rest[0])
	if pkg == nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	if len(rest) == 1 && !strings.HasPrefix(word, "-") {
		return completeRunner(pkg, word)
	}
	rest = rest[1:]
	runner := ""
	if len(rest) > 0 && !strings.HasPrefix(rest[0], "-") {
		runner, rest = rest[0], rest[1:]
	}
	var inputs []skills.Input
	if r, err := pkg.Declared(runner); err == nil {
		inputs = r.Inputs
	}
	second := skillFlags(c, &opts)
	addInputFlags(second, inputs, &opts.given)
	if flag := needsValue(second.Parse(rest)); flag != nil {
		return completeValue(flag, inputs, word)
	}
	if !strings.HasPrefix(word, "-") {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var out []string
	second.VisitAll(func(f *pflag.Flag) {
		if _, isInput := f.Value.(*inputValue); isInput && !f.Hidden && !f.Changed {
			out = append(out, described("--"+f.Name, f.Usage))
		}
	})
	return begin(out, word), cobra.ShellCompDirectiveNoFileComp
}

// needsValue is the flag at the end of a line whose value is the word to complete, or nil.
func needsValue(err error) *pflag.Flag {
	if e, ok := errors.AsType[*pflag.ValueRequiredError](err); ok {
		return e.GetFlag()
	}
	return nil
}

func completeValue(flag *pflag.Flag, inputs []skills.Input, word string) ([]string, cobra.ShellCompDirective) {
	if one, ok := flag.Value.(*choice); ok {
		return begin(one.of, word), cobra.ShellCompDirectiveNoFileComp
	}
	switch flag.Name {
	case "inputs":
		return nil, cobra.ShellCompDirectiveDefault
	case "state-dir", "receipt-dir":
		return nil, cobra.ShellCompDirectiveFilterDirs
	case "input", "input-json":
		var out []string
		for _, in := range inputs {
			out = append(out, described(in.Name+"=", in.Description))
		}
		return begin(out, word), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
	return nil, cobra.ShellCompDirectiveNoFileComp
}

// completeInspect completes a reference and a runner.
func completeInspect(ctx context.Context, c *console, args []string, word string) ([]string, cobra.ShellCompDirective) {
	if len(args) == 0 {
		return completeRef(ctx, c, word)
	}
	if len(args) == 1 {
		if pkg := completePackage(ctx, c, args[0]); pkg != nil {
			return completeRunner(pkg, word)
		}
	}
	return nil, cobra.ShellCompDirectiveNoFileComp
}

// completePackage is the package of a reference, or nil.
func completePackage(ctx context.Context, c *console, ref string) *admission.Package {
	p, err := c.place()
	if err != nil {
		return nil
	}
	pkg, err := p.load(ctx, ref)
	if err != nil {
		return nil
	}
	return pkg
}

func completeRunner(pkg *admission.Package, word string) ([]string, cobra.ShellCompDirective) {
	var out []string
	if pkg.Profile != nil {
		for _, r := range pkg.Profile.Runners {
			out = append(out, described(r.Name, r.Description))
		}
	}
	return begin(out, word), cobra.ShellCompDirectiveNoFileComp
}

// completeRef completes a path by the directories there, and any other word by the names of packages
// and the directories here.
func completeRef(ctx context.Context, c *console, word string) ([]string, cobra.ShellCompDirective) {
	if strings.HasPrefix(word, ".") || strings.ContainsAny(word, `/\`) {
		return nil, cobra.ShellCompDirectiveFilterDirs
	}
	out := packageNames(ctx, c)
	entries, err := os.ReadDir(c.host.Dir)
	if err != nil {
		entries = nil
	}
	for _, entry := range entries {
		if info, err := os.Stat(filepath.Join(c.host.Dir, entry.Name())); err == nil && info.IsDir() && entry.Name()[0] != '.' {
			out = append(out, entry.Name())
		}
	}
	return begin(out, word), cobra.ShellCompDirectiveNoFileComp
}

// packageNames are the names of the packages below the search paths; none when the search takes too
// long.
func packageNames(ctx context.Context, c *console) []string {
	p, err := c.place()
	if err != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, completeWait)
	defer cancel()
	entries, _, err := admission.Discover(ctx, c.host.Dir, p.workspace, p.config.list(keySkillsPaths), p.options())
	if err != nil {
		return nil
	}
	var out []string
	for _, e := range entries {
		if e.Package != nil {
			out = append(out, described(e.Name, e.Package.Manual.Description))
		}
	}
	return out
}

// described is a completion with what a shell shows beside it.
func described(word, about string) string {
	return cobra.CompletionWithDesc(word, runtime.VisibleLine(strings.Join(strings.Fields(about), " ")))
}

// begin keeps the completions that begin with a word.
func begin(list []string, word string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return !strings.HasPrefix(s, word) })
}
