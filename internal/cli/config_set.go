package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/runx-go/runx/internal/runtime"
	"github.com/runx-go/runx/internal/runtime/engine"
	"github.com/runx-go/runx/internal/runtime/session"
	"github.com/runx-go/runx/internal/sandbox/fsroot"
	"github.com/runx-go/runx/internal/skills/codec"
	"github.com/spf13/cobra"
)

// setOptions is one parsed `config set`.
type setOptions struct {
	key          configKey
	texts        []string
	project, add bool
}

func newCmdConfigSet(c *console) *cobra.Command {
	var opts setOptions
	cmd := &cobra.Command{Use: "set <key> [<value>…]", Short: "Set one key in the user's configuration",
		Long: `Set one key in the user's configuration, or with --project in that of the project.
A list takes any number of values, which replace it; without one it becomes empty.
With --add they are put behind those that it has.`,
		Example: `  runx config set receipts.dir /var/lib/receipts
  runx config set skills.paths skills tools
  runx config set --add trust.workspaces "$PWD"
  runx config set --project credentials.acme ci`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("argument_missing", cmd.CommandPath()+" needs a key", cmd.UseLine())
			}
			key, ok := findKey(args[0])
			if !ok {
				return configKeyError(args[0])
			}
			opts.key, opts.texts = key, args[1:]
			if err := opts.count(cmd); err != nil {
				return err
			}
			return setConfig(c, opts)
		}}
	cmd.Flags().BoolVar(&opts.project, "project", false, "set it in .runx/config.yaml of the workspace")
	cmd.Flags().BoolVar(&opts.add, "add", false, "add the values to a list")
	return cmd
}

// count checks how many values there are, and makes one empty value of a list no value.
func (o *setOptions) count(cmd *cobra.Command) error {
	if o.key.list && len(o.texts) == 1 && o.texts[0] == "" {
		o.texts = nil
	}
	switch {
	case o.add && !o.key.list:
		return usage("flag_conflict", fmt.Sprintf("--add is for lists, and key %q takes one text", o.key.name), "leave --add out")
	case len(o.texts) == 0 && (o.add || !o.key.list):
		return usage("argument_missing", cmd.CommandPath()+" needs a value", cmd.UseLine())
	case len(o.texts) > 1 && !o.key.list:
		return usage("argument_extra", fmt.Sprintf("cannot use %q: key %q takes one value", o.texts[1], o.key.name), cmd.UseLine())
	}
	return nil
}

// setConfig changes one file. The other one may be broken: it is read only for the list that a
// project adds to.
func setConfig(c *console, opts setOptions) error {
	texts, err := opts.values(c)
	if place := opts.placeError(texts, err == nil); place != nil {
		return place
	}
	if err != nil {
		return err
	}
	source, err := opts.source(c)
	if err != nil {
		return err
	}
	file := readConfigFile(source)
	if file.data == nil && len(file.faults) > 0 {
		return file.faults[0]
	}
	if opts.add {
		if texts, err = opts.extend(c, file, texts); err != nil {
			return err
		}
	}
	data, err := codec.SetYAML(source.path, file.data, opts.key.segments(), texts, opts.key.list)
	if err != nil {
		return firstSyntaxError(err)
	}
	if err := stillWrong(file, parseConfig(source, data)); err != nil {
		return err
	}
	return opts.write(c, source, data)
}

// values checks the texts; workspaces that are to be trusted get their real paths.
func (o setOptions) values(c *console) ([]string, error) {
	texts := slices.Clone(o.texts)
	for i, text := range texts {
		if message := o.key.wrong(text); message != "" {
			return nil, usage("config_type", message, o.valueHint(c))
		}
		if o.key.name != keyTrustWorkspaces {
			continue
		}
		target, err := filepath.EvalSymlinks(text)
		if err == nil {
			var info os.FileInfo
			if info, err = os.Stat(target); err == nil && !info.IsDir() {
				err = errors.New("it is no directory")
			}
		}
		if err != nil {
			return nil, usage("config_type", fmt.Sprintf("cannot trust %s: %s", text, readCause(err)), "name a directory that exists")
		}
		texts[i] = target
	}
	return unique(texts), nil
}

// valueHint is the command with whole paths, where that is what is wrong.
func (o setOptions) valueHint(c *console) string {
	texts := slices.Clone(o.texts)
	for i, text := range texts {
		if text == "" || !o.key.absolute || c.host.Dir == "" {
			return "choose another value"
		}
		if !filepath.IsAbs(text) {
			texts[i] = filepath.Join(c.host.Dir, text)
		}
	}
	return setLine(o.key, texts, o.add)
}

// placeError says that the key belongs into the other file; the hint is the command that works.
func (o setOptions) placeError(texts []string, valid bool) error {
	whose, hint := "", ""
	switch {
	case !o.key.user && !o.project:
		whose, hint = "a project", "add --project"
	case !o.key.project && o.project:
		whose, hint = "the user", "leave --project out"
	default:
		return nil
	}
	if valid {
		hint = setLine(o.key, texts, o.add)
	}
	return usage("config_place", fmt.Sprintf("key %q belongs to %s", o.key.name, whose), hint)
}

func (o setOptions) source(c *console) (configSource, error) {
	if !o.project {
		if c.host.UserConfigDir == "" {
			_, err := engine.OpenUserConfig(c.host) // which words it
			return configSource{}, err
		}
		return userConfig(c.host), nil
	}
	workspace, err := c.host.Workspace()
	return projectConfig(workspace), err
}

// extend puts values behind those of the file, or behind those that are in force without it.
func (o setOptions) extend(c *console, file configFile, texts []string) ([]string, error) {
	if err := file.fault(); err != nil {
		return nil, err // the list may be what is broken
	}
	have, found := file.valueOf(o.key)
	if !found {
		host := c.host
		if !o.project {
			host.UserConfigDir = ""
		}
		config, err := loadUserConfiguration(host)
		if err != nil {
			return nil, err
		}
		have = config.list(o.key.name)
	}
	if o.key.name == keyTrustWorkspaces {
		texts = slices.DeleteFunc(texts, func(text string) bool {
			return slices.ContainsFunc(have, func(path string) bool { return resolved(path) == text })
		})
	}
	return unique(slices.Concat(have, texts)), nil
}

func unique(texts []string) []string {
	out := []string{}
	for _, text := range texts {
		if !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}

// stillWrong is the first fault that a changed file has, with the place that it had before.
func stillWrong(before, after configFile) error {
	fault := after.fault()
	now, ok := errors.AsType[*codec.SyntaxError](fault)
	if !ok {
		return fault
	}
	for _, old := range before.faults {
		if was, ok := errors.AsType[*codec.SyntaxError](old); ok && was.Msg == now.Msg {
			return old
		}
	}
	return fault
}

func (o setOptions) write(c *console, source configSource, data []byte) error {
	fail := func(err error) error {
		if _, ok := errors.AsType[*fsroot.PermissionError](err); ok {
			return err
		}
		return &runtime.Error{Class: runtime.ClassFailed, Code: "config_write", Message: fmt.Sprintf("cannot write the configuration: %v", err),
			Hint: "check that " + filepath.Dir(source.path) + " is writable", Err: err}
	}
	dir, err := o.folder(c, source)
	if err != nil {
		return fail(err)
	}
	defer func() { dir.Close() }()
	if !o.project && source.root != dir.Name() { // the user's file is a link: what it leads to changes
		target, err := fsroot.Open(source.root)
		if err != nil {
			return fail(err)
		}
		dir.Close()
		dir = target
	}
	if err := dir.WriteAtomic(fsroot.RelPath(source.name.Base()), data); err != nil {
		return fail(err)
	}
	return nil
}

// folder opens the folder of the file, and makes it when it is missing. A folder of a project that
// is a link is not written through: a repository could have brought it along.
func (o setOptions) folder(c *console, source configSource) (*fsroot.Dir, error) {
	if !o.project {
		return fsroot.Create(c.host.UserConfigDir, true)
	}
	path := filepath.Dir(source.path)
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return nil, fmt.Errorf("%s is a link, which a repository could have brought along", path)
	}
	return session.InitState(path)
}
