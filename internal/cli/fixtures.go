package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/runx-go/runx/internal/cli/render"
	"github.com/runx-go/runx/internal/runtime"
	"github.com/runx-go/runx/internal/runtime/engine"
	"github.com/runx-go/runx/internal/runtime/harness"
	"github.com/runx-go/runx/internal/sandbox/fsroot"
	"github.com/runx-go/runx/internal/skills/admission"
	"github.com/runx-go/runx/internal/skills/codec"
	"github.com/spf13/cobra"
)

// fixturesOptions is one parsed fixtures check.
type fixturesOptions struct {
	dirs, lanes, cases    []string
	format, output, shard string
	list, update, skips   bool
	jobs                  int
}

func newCmdFixtures(c *console) *cobra.Command {
	return group("fixtures", "Prove the contract that skill authors rely on", newCmdFixturesCheck(c))
}

func newCmdFixturesCheck(c *console) *cobra.Command {
	opts := fixturesOptions{format: "text"}
	cmd := &cobra.Command{Use: "check [DIR…]", Short: "Run the author gate, or the cases of a directory",
		Long: `Run the cases that prove what skill authors may rely on. Without DIR these are
the cases built into runx; with DIR, those of cases.json there.

Exit 0 when all hold, 3 when one does not, 64 when a file is malformed.`,
		Example: `  runx fixtures check
  runx fixtures check --case timeout-tree
  runx fixtures check ./fixtures --format junit --output report.xml`,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.dirs = args
			return checkFixtures(cmd.Context(), c, opts)
		}}
	flags := cmd.Flags()
	flags.StringArrayVar(&opts.lanes, "lane", nil, "only cases of `LANE` (repeatable)")
	flags.StringArrayVar(&opts.cases, "case", nil, "only the case `ID` (repeatable)")
	flags.Var(&choice{text: &opts.format, of: []string{"text", "json", "junit"}}, "format", "`FORM` of the report: text, json or junit")
	flags.Var(&filled{to: &opts.output}, "output", "write the report or the list to `FILE`")
	flags.BoolVar(&opts.list, "list", false, "list the cases and run none")
	flags.BoolVar(&opts.update, "update", false, "rewrite the expectations of DIR that do not hold; exits 3 when any changed")
	flags.BoolVar(&opts.skips, "allow-skips", false, "do not fail on skipped cases")
	flags.IntVar(&opts.jobs, "jobs", 0, "run `N` cases at once; 0 means 4")
	flags.Var(&filled{to: &opts.shard}, "shard", "run part `I/N` of the cases")
	return cmd
}

func checkFixtures(ctx context.Context, c *console, opts fixturesOptions) error {
	check := harness.CheckOptions{
		RunOptions: harness.RunOptions{Host: c.host, Alive: c.io.Alive, Jobs: opts.jobs, AllowSkips: opts.skips},
		Filter:     harness.Filter{Lanes: opts.lanes, Cases: opts.cases},
		Dirs:       opts.dirs, Update: opts.update,
	}
	if opts.jobs < 0 || opts.jobs > 64 {
		return usage("flag_value", fmt.Sprintf("cannot run %d cases at once", opts.jobs), "--jobs 1 to 64")
	}
	if opts.list && (opts.update || opts.format == "junit") {
		other := "--update"
		if !opts.update {
			other = "--format junit"
		}
		return usage("flag_conflict", "--list and "+other+" exclude each other: a list has no results", "leave one of them out")
	}
	if err := checkFixtureDirs(c, opts.dirs); err != nil {
		return err
	}
	if opts.shard != "" {
		shard, err := harness.ParseShard(opts.shard)
		if err != nil {
			return err
		}
		check.Shard = shard
	}
	if opts.update && inCI(c.host) {
		return usage("update_in_ci", "cannot update expectations in CI: a gate that rewrites itself cannot fail", "run it on a machine where CI is not set, and commit the change")
	}
	if opts.list {
		return listFixtures(c, check, opts)
	}
	report, err := harness.Check(ctx, runForGate(c), check)
	if err != nil {
		return err
	}
	if ctx.Err() != nil {
		return &runtime.Error{Class: runtime.ClassCancelled, Code: "cancelled", Message: "the gate was cancelled", Hint: hintAgain, Err: context.Cause(ctx)}
	}
	text, err := reportText(report, opts.format)
	if err != nil {
		return err
	}
	if err := writeReport(c, opts.output, text); err != nil {
		return err
	}
	if opts.format != "text" || opts.output != "" {
		for _, change := range report.Changes {
			fmt.Fprintf(c.err, "rewritten %s\n", runtime.Visible(change))
		}
	}
	if err := report.Err(); err != nil {
		if opts.format == "text" && opts.output == "" {
			render.Error(c.err, c.errStyle, asError(ctx, err).Fault(), nil)
		}
		return &reported{class: runtime.ClassMismatch}
	}
	return nil
}

// checkFixtureDirs looks whether each word names a directory, so that the error can say what to write.
func checkFixtureDirs(c *console, dirs []string) error {
	for _, dir := range dirs {
		path := dir
		if !filepath.IsAbs(path) {
			path = filepath.Join(c.host.Dir, path)
		}
		info, err := os.Stat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return usage("fixtures_file", fmt.Sprintf("cannot use the fixtures of %s: there is no such directory", dir),
				"name a directory that holds cases.json")
		case err == nil && !info.IsDir():
			return usage("fixtures_file", fmt.Sprintf("cannot use the fixtures of %s: it is a file", dir),
				"name its directory: runx fixtures check "+quoteArg(filepath.ToSlash(filepath.Dir(dir))))
		}
	}
	return nil
}

func reportText(report harness.Report, format string) ([]byte, error) {
	switch format {
	case "json":
		raw, err := report.JSON()
		return append(raw, '\n'), err
	case "junit":
		return report.JUnit()
	}
	return []byte(runtime.Visible(report.Text())), nil
}

// writeReport prints a report, or writes it whole or not at all.
func writeReport(c *console, output string, text []byte) error {
	if output == "" {
		_, err := c.out.Write(text)
		return err
	}
	path := output
	if !filepath.IsAbs(path) {
		path = filepath.Join(c.host.Dir, path)
	}
	fail := func(err error) error {
		return &runtime.Error{Class: runtime.ClassFailed, Code: "report_write", Message: fmt.Sprintf("cannot write the report %s: %v", output, err),
			Hint: "check that its folder is there and writable", Err: err}
	}
	dir, err := fsroot.Open(filepath.Dir(path))
	if err != nil {
		return fail(err)
	}
	defer dir.Close()
	name, err := fsroot.ParseRelPath(filepath.Base(path))
	if err != nil {
		return fail(err)
	}
	if err := dir.WriteAtomic(name, text); err != nil {
		return fail(err)
	}
	return nil
}

func listFixtures(c *console, check harness.CheckOptions, opts fixturesOptions) error {
	cases, err := harness.List(check)
	if err != nil {
		return err
	}
	if opts.format == "json" {
		type row struct {
			ID   string       `json:"id"`
			Lane harness.Lane `json:"lane"`
		}
		rows := []row{}
		for _, one := range cases {
			rows = append(rows, row{one.ID, one.Lane})
		}
		raw, err := codec.Marshal(struct {
			Schema string `json:"schema"`
			Cases  []row  `json:"cases"`
		}{"runx.fixtures_list.v1", rows})
		if err != nil {
			return err
		}
		return writeReport(c, opts.output, append(raw, '\n'))
	}
	var b strings.Builder
	for _, one := range cases {
		fmt.Fprintf(&b, "%s %s\n", one.Lane, one.ID)
	}
	return writeReport(c, opts.output, []byte(runtime.Visible(b.String())))
}

// runForGate runs a case through the same steps as `runx skill`: load, choose, read, bind, run.
func runForGate(c *console) harness.RunFunc {
	return func(ctx context.Context, req harness.RunRequest) (json.RawMessage, error) {
		inner := &console{host: req.Host, build: c.build}
		inner.io.Kill = c.io.Kill
		p, err := inner.place()
		if err != nil {
			return nil, asError(ctx, err)
		}
		pkg, err := admission.Load(ctx, req.PackageDir, p.options())
		if err != nil {
			return nil, asError(ctx, err)
		}
		r, err := pkg.Runner(req.Runner)
		if err != nil {
			return nil, asError(ctx, err)
		}
		object, err := codec.ParseObject("inputs", req.Inputs, codec.Limits{Bytes: codec.JSONBytes})
		if err != nil {
			return nil, asError(ctx, err)
		}
		bound, err := r.Contract.Bind(object)
		if err != nil {
			return nil, asError(ctx, err)
		}
		eng, err := p.engine(runtime.Discard{})
		if err != nil {
			return nil, asError(ctx, err)
		}
		run, err := eng.RunSkill(ctx, engine.SkillRequest{Package: pkg, Runner: r, Inputs: bound})
		if err != nil {
			return nil, asError(ctx, err)
		}
		return run.Document()
	}
}
