package cli

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/runx-go/runx/internal/cli/render"
	"github.com/runx-go/runx/internal/runtime"
	"github.com/runx-go/runx/internal/runtime/engine"
	"github.com/runx-go/runx/internal/runtime/session"
	"github.com/runx-go/runx/internal/skills/admission"
	"github.com/spf13/cobra"
)

// stderrPatience is how long the last words of a stopped run wait for a stderr that nobody reads.
const stderrPatience = 400 * time.Millisecond

// skillOptions is one parsed `runx skill` line.
type skillOptions struct {
	ref, runner   string
	inputs        string // --inputs
	given         []givenInput
	profile       string
	packageDigest string
	timeout       time.Duration
	json, events  bool
	help          bool
}

func newCmdSkill(c *console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "skill <ref> [runner] [flags]",
		Short: "Run a skill package",
		Long: `Run a runner of a skill package. <ref> is its directory, or its name below the
search paths. The inputs that a package declares are flags of their own:

  runx skill ./my-skill --help`,
		Example: `  runx skill ./my-skill --inputs inputs.json
  echo '{"text": "one two"}' | runx skill ./my-skill --inputs -
  runx skill ./my-skill -i text='one two' --json`,
		DisableFlagParsing: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			return parseSkill(cmd.Context(), cmd, c, args)
		},
	}
	// The library parses none of these flags: it shows and completes them, and needs to know which
	// have a value to find the command in `runx skill --json list`.
	shown := &skillOptions{}
	addSkillFlags(cmd.Flags(), shown)
	addInputFlags(cmd.Flags(), nil, &shown.given)
	cmd.ValidArgsFunction = func(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
		return completeSkill(cmd.Context(), c, args, word)
	}
	cmd.AddCommand(newCmdSkillList(c), newCmdSkillInspect(c), newCmdSkillValidate(c), newCmdSkillNew(c))
	return cmd
}

// parseSkill reads the line in two steps: the reference first, since the package that it names
// decides which further flags exist.
func parseSkill(ctx context.Context, cmd *cobra.Command, c *console, args []string) error {
	var opts skillOptions
	first := skillFlags(c, &opts)
	first.SetInterspersed(false)
	if err := first.Parse(args); err != nil {
		return flagError(first, err)
	}
	rest := first.Args()
	if len(rest) == 0 {
		if opts.help {
			return cmd.Help()
		}
		return usage("argument_missing", "runx skill needs a package to run", "runx skill ./my-skill, or runx skill list")
	}
	opts.ref, rest = rest[0], rest[1:]
	if len(rest) > 0 && !strings.HasPrefix(rest[0], "-") {
		opts.runner, rest = rest[0], rest[1:]
	}
	place, err := c.place()
	if err != nil {
		return err
	}
	pkg, err := place.load(ctx, opts.ref)
	if err != nil {
		return err
	}
	r, refused := pkg.Runner(opts.runner)
	described := r // what help describes
	if refused != nil {
		if described, err = pkg.Declared(opts.runner); err != nil {
			described = &admission.Runner{}
		}
	}
	second := skillFlags(c, &opts)
	inputs := addInputFlags(second, described.Inputs, &opts.given)
	err = second.Parse(rest)
	if err == nil && opts.help && isHelpful(refused) {
		return skillHelp(c, helped{ref: opts.ref, pkg: pkg, runner: described, refused: refused, flags: second, inputs: inputs})
	}
	if refused != nil {
		return refused
	}
	if err != nil {
		return flagError(second, err)
	}
	if extra := second.Args(); len(extra) > 0 {
		return usage("argument_extra", fmt.Sprintf("cannot use %q: the inputs of a package are flags", extra[0]),
			fmt.Sprintf("runx skill %s --help", quoteArg(opts.ref)))
	}
	if opts.timeout < 0 {
		return usage("flag_value", fmt.Sprintf("cannot use %s for --timeout: a limit is not negative", opts.timeout), "--timeout 90s")
	}
	if opts.json && opts.events {
		return usage("flag_conflict", "--json and --events exclude each other", "use one of them")
	}
	line := skillLine{console: c, place: place, pkg: pkg, runner: r, opts: opts, next: "runx skill " + quoteArgs(args)}
	return line.run(ctx)
}

// skillLine is a `runx skill` line with everything that its words named.
type skillLine struct {
	*console
	place  *place
	pkg    *admission.Package
	runner *admission.Runner
	opts   skillOptions
	next   string // the literal command that starts it again
}

func (l skillLine) run(ctx context.Context) error {
	c, pkg, r, opts := l.console, l.pkg, l.runner, l.opts
	if opts.packageDigest != "" && opts.packageDigest != string(pkg.Digest) {
		return &runtime.Error{Class: runtime.ClassMismatch, Code: "package_digest_mismatch",
			Message: fmt.Sprintf("package %s has digest %s, not %s", pkg.Name, pkg.Digest, opts.packageDigest),
			Hint:    "runx skill inspect " + quoteArg(opts.ref) + " shows what it holds"}
	}
	if opts.profile != "" && r.Credential == "" {
		return usage("profile_unused", fmt.Sprintf("runner %q declares no credential, so --profile has no meaning", r.Name), "leave --profile out")
	}
	given, err := readInputs(c, l.place, opts)
	if err != nil {
		return err
	}
	bound, err := r.Contract.Bind(given)
	if err != nil {
		return err
	}
	shown := &render.Passthrough{Out: c.out, Err: c.err}
	eng, err := l.place.engine(skillSink(c, opts, shown))
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if c.io.WatchReader != nil {
		c.io.WatchReader(func() {
			c.out.gone.Store(true)
			cancel(runtime.ErrReaderGone)
		})
	}
	run, err := eng.RunSkill(ctx, engine.SkillRequest{Package: pkg, Runner: r, Inputs: bound,
		Profile: opts.profile, Timeout: opts.timeout, Next: l.next})
	if err != nil {
		return err
	}
	if c.out.gone.Load() {
		return &reported{class: runtime.ClassFailed}
	}
	if opts.json {
		if err := render.Run(c.out, &run); err != nil {
			return err
		}
	} else if !opts.events {
		c.outcome(run, shown)
	}
	if fault := c.out.failed.Load(); fault != nil && run.Status == runtime.Sealed {
		return fault // sealed, but not all of its output was seen
	}
	if run.Status == runtime.Sealed {
		return nil
	}
	return &reported{class: classOf(run.Status), cause: context.Cause(ctx)}
}

// outcome says on stderr how a run in text form ended. When it was stopped, a stderr that nobody
// reads is not waited for.
func (c *console) outcome(run session.Run, shown *render.Passthrough) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		if c.io.ErrTerminal && shown.Unfinished(c.io.OutTerminal) {
			fmt.Fprintln(c.err)
		}
		render.Outcome(c.err, c.errStyle, run)
	}()
	var patience <-chan time.Time
	if run.Status == runtime.TimedOut || run.Status == runtime.Cancelled {
		timer := time.NewTimer(stderrPatience)
		defer timer.Stop()
		patience = timer.C
	}
	select {
	case <-done:
	case <-patience:
	}
}

// skillSink shows a run while it happens: its events, or a cli-tool's own streams, or nothing.
func skillSink(c *console, opts skillOptions, shown *render.Passthrough) runtime.Sink {
	switch {
	case opts.events:
		return &render.Events{Out: c.out}
	case opts.json:
		return runtime.Discard{}
	}
	return shown
}

// quoteArgs writes words so that a POSIX shell reads them back.
func quoteArgs(args []string) string {
	out := make([]string, len(args))
	for i, arg := range args {
		out[i] = quoteArg(arg)
	}
	return strings.Join(out, " ")
}

func quoteArg(arg string) string { return runtime.ShellQuote(arg) }
