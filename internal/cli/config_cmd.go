package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/runx-go/runx/internal/cli/render"
	"github.com/runx-go/runx/internal/runtime"
	"github.com/runx-go/runx/internal/runtime/session"
	"github.com/runx-go/runx/internal/sandbox/fsroot"
	"github.com/runx-go/runx/internal/skills/codec"
	"github.com/spf13/cobra"
)

// configRow is one key with its value and where it comes from.
type configRow struct {
	Key    string   `json:"key"`
	Value  any      `json:"value"` // text, list of texts, or null
	Source string   `json:"source"`
	About  string   `json:"about"`
	texts  []string // the value for people
}

func newCmdConfig(c *console) *cobra.Command {
	return group("config", "Show and set configuration", newCmdConfigList(c), newCmdConfigGet(c), newCmdConfigSet(c))
}

func newCmdConfigList(c *console) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{Use: "list", Short: "Show every key, its value and where it comes from", Args: noArgs,
		RunE: func(*cobra.Command, []string) error {
			p, err := c.place()
			if err != nil {
				return err
			}
			rows := configRows(p)
			if asJSON {
				return render.JSON(c.out, struct {
					Schema  string      `json:"schema"`
					Keys    []configRow `json:"keys"`
					Ignored []string    `json:"ignored"`
				}{"runx.config_list.v1", rows, notNil(p.config.ignored)})
			}
			var b strings.Builder
			cells := make([][]string, 0, len(rows))
			for _, r := range rows {
				cells = append(cells, []string{r.Key, runtime.Visible(strings.Join(r.texts, ", ")), r.Source, r.About})
			}
			writeColumns(&b, cells)
			if len(p.config.ignored) > 0 {
				fmt.Fprintf(c.err, "%s the workspace is not trusted, so its %s is not used\n", c.errStyle.Warn("warning:"), strings.Join(p.config.ignored, ", "))
			}
			_, err = io.WriteString(c.out, b.String())
			return err
		}}
	jsonFlag(cmd, &asJSON)
	return cmd
}

// configRows lists the keys of the table, and the providers that are bound.
func configRows(p *place) []configRow {
	var rows []configRow
	for _, k := range configKeys() {
		if provider := strings.HasPrefix(k.name, keyCredentials+"."); provider {
			for name, profile := range p.config.profiles() {
				rows = append(rows, configRow{Key: keyCredentials + "." + name, Value: profile, Source: "project", About: k.about, texts: []string{profile}})
			}
			continue
		}
		rows = append(rows, p.configRow(k))
	}
	return rows
}

func (p *place) configRow(k configKey) configRow {
	row := configRow{Key: k.name, Source: p.config.sources[k.name], About: k.about}
	if row.Source == "" {
		row.Source = "default"
	}
	if k.list {
		row.texts = p.config.list(k.name)
		row.Value = notNil(row.texts)
		return row
	}
	if k.name == keyReceiptsDir {
		row.Source, row.texts = p.receiptSource(), []string{p.receiptDir()}
		row.Value = row.texts[0]
	}
	return row
}

// receiptSource says which of the ways named the folder of receipts.
func (p *place) receiptSource() string {
	if p.c.global.receiptDir != "" {
		return "flag"
	}
	if value, _ := p.c.host.Lookup("RUNX_RECEIPT_DIR"); value != "" {
		return "variable RUNX_RECEIPT_DIR"
	}
	if source := p.config.sources[keyReceiptsDir]; source != "" {
		return source
	}
	return "default"
}

func newCmdConfigGet(c *console) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{Use: "get <key>", Short: "Print the value of one key", Args: exactArgs("a key"),
		RunE: func(_ *cobra.Command, args []string) error {
			p, err := c.place()
			if err != nil {
				return err
			}
			k, ok := findKey(args[0])
			if !ok {
				return configKeyError(args[0])
			}
			row := p.configRow(k)
			if provider, isProfile := strings.CutPrefix(k.name, keyCredentials+"."); isProfile {
				if profile, bound := p.config.profiles()[provider]; bound {
					row.Value, row.texts, row.Source = profile, []string{profile}, "project"
				}
			}
			if asJSON {
				return render.JSON(c.out, row)
			}
			var b strings.Builder
			for _, text := range row.texts {
				b.WriteString(text + "\n")
			}
			_, err = io.WriteString(c.out, b.String())
			return err
		}}
	jsonFlag(cmd, &asJSON)
	return cmd
}

func newCmdConfigSet(c *console) *cobra.Command {
	var project bool
	cmd := &cobra.Command{Use: "set <key> <value>", Short: "Set one key in the user's configuration",
		Long: "Set one key in the user's configuration, or with --project in that of the project.\nA list is written with commas.",
		Args: exactArgs("a key", "a value"),
		RunE: func(_ *cobra.Command, args []string) error { return setConfig(c, args[0], args[1], project) }}
	cmd.Flags().BoolVar(&project, "project", false, "set it in .runx/config.yaml of the workspace")
	return cmd
}

func setConfig(c *console, key, text string, project bool) error {
	k, ok := findKey(key)
	if !ok {
		return configKeyError(key)
	}
	if !k.user && !project {
		return usage("config_place", fmt.Sprintf("key %q belongs to a project", key), "add --project")
	}
	if !k.project && project {
		return usage("config_place", fmt.Sprintf("key %q belongs to the user", key), "leave --project out")
	}
	p, err := c.place()
	if err != nil {
		return err
	}
	values := []string{text}
	if k.list {
		values = strings.Split(text, ",")
		for i := range values {
			values[i] = strings.TrimSpace(values[i])
		}
	}
	dir, err := configDir(c, p, project)
	if err != nil {
		return err
	}
	defer dir.Close()
	data, err := dir.ReadLimited("config.yaml", maxConfig)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	data, err = codec.SetYAML(filepath.Join(dir.Name(), "config.yaml"), data, strings.SplitN(key, ".", 2), values, k.list)
	if err != nil {
		return firstSyntaxError(err)
	}
	if err := dir.WriteAtomic("config.yaml", data); err != nil {
		return &runtime.Error{Class: runtime.ClassFailed, Code: "config_write", Message: fmt.Sprintf("cannot write the configuration: %v", err),
			Hint: "check that " + dir.Name() + " is writable", Err: err}
	}
	return nil
}

func configDir(c *console, p *place, project bool) (*fsroot.Dir, error) {
	path := c.host.UserConfigDir
	if project {
		path = filepath.Dir(projectConfigPath(p.workspace))
		return session.InitState(path)
	}
	if path == "" {
		return nil, &runtime.Error{Class: runtime.ClassFailed, Code: "user_config", Message: "cannot find the user's configuration folder: HOME is not set", Hint: "set HOME or XDG_CONFIG_HOME"}
	}
	return fsroot.Create(path, true)
}
