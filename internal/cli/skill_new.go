package cli

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/runx-go/runx/internal/runtime"
	"github.com/runx-go/runx/internal/sandbox/fsroot"
	"github.com/spf13/cobra"
)

func newCmdSkillNew(c *console) *cobra.Command {
	kind := "cli-tool"
	cmd := &cobra.Command{Use: "new <name>", Short: "Write a package that runs and validates",
		Long: `Write a new package into a folder of its name: a manual, a profile and a small
program that every machine of this system can run. Nothing is overwritten.`,
		Args: exactArgs("a name"), ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(_ *cobra.Command, args []string) error { return newSkill(c, args[0]) }}
	cmd.Flags().Var(&choice{text: &kind, of: []string{"cli-tool"}}, "type", "`TYPE` of the runner: cli-tool")
	return cmd
}

// newSkill writes the package beside its final place and renames it, so that an error leaves nothing.
func newSkill(c *console, path string) error {
	if !filepath.IsAbs(path) {
		path = filepath.Join(c.host.Dir, path)
	}
	name := filepath.Base(path)
	if !standardName(name) {
		return usage("skill_name", fmt.Sprintf("cannot name a skill %q: a name has lower-case letters, digits and single hyphens between them, at most 64", name), "runx skill new my-skill")
	}
	if _, err := os.Lstat(path); err == nil {
		return &runtime.Error{Class: runtime.ClassInvalid, Code: "exists", Message: fmt.Sprintf("cannot write %s: it is already there", c.shown(path)),
			Hint: "choose another name, or remove it first"}
	}
	fail := func(err error) error {
		return &runtime.Error{Class: runtime.ClassFailed, Code: "skill_write", Message: fmt.Sprintf("cannot write %s: %v", c.shown(path), err),
			Hint: "check that the folder is writable", Err: err}
	}
	parent, err := fsroot.Open(filepath.Dir(path))
	if err != nil {
		return fail(err)
	}
	defer parent.Close()
	if err := writeScaffold(parent, fsroot.RelPath(name), scaffold(name, c.host.OS)); err != nil {
		return fail(err)
	}
	ref := c.shown(path)
	if !filepath.IsAbs(ref) {
		ref = "./" + ref
	}
	fmt.Fprintf(c.err, "wrote %s\n  %s runx skill %s -i text='one two three'\n", c.shown(path), c.errStyle.Bold("try:"), quoteArg(ref))
	return nil
}

func writeScaffold(parent *fsroot.Dir, name fsroot.RelPath, files []scaffoldFile) (err error) {
	if err := parent.Mkdir(name); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			parent.RemoveAll(name) //nolint:errcheck // the first error is the one to tell
		}
	}()
	for _, f := range files {
		if err := parent.WriteAtomic(name+"/"+fsroot.RelPath(f.name), []byte(f.text)); err != nil {
			return err
		}
	}
	return nil
}

// standardName says whether a name fits the open standard in its ASCII form.
func standardName(name string) bool {
	if name == "" || len(name) > 64 || name[0] == '-' || name[len(name)-1] == '-' {
		return false
	}
	for i, r := range name {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
		case r == '-' && name[i-1] != '-':
		default:
			return false
		}
	}
	return true
}
