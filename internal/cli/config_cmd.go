package cli

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/runx-go/runx/internal/cli/render"
	"github.com/runx-go/runx/internal/runtime"
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
					Schema  string       `json:"schema"`
					Keys    []configRow  `json:"keys"`
					Ignored []ignoredKey `json:"ignored"`
				}{"runx.config_list.v1", rows, notNil(p.config.ignored)})
			}
			var b strings.Builder
			cells := make([][]string, 0, len(rows))
			for _, r := range rows {
				cells = append(cells, []string{r.Key, runtime.VisibleLine(strings.Join(r.texts, ", ")), r.Source, r.About})
			}
			writeColumns(&b, cells)
			if ignored := p.config.ignoredText(); ignored != "" {
				fmt.Fprintf(c.err, "%s %s\n", c.errStyle.Warn("warning:"), runtime.VisibleLine(ignored))
			}
			_, err = io.WriteString(c.out, b.String())
			return err
		}}
	jsonFlag(cmd, &asJSON)
	return cmd
}

// ignoredText says what of an untrusted project is not used, "" when there is nothing.
func (c *configuration) ignoredText() string {
	var keys, faults []string
	for _, one := range c.ignored {
		if one.fault {
			faults = append(faults, one.Reason)
		} else {
			keys = append(keys, one.Key)
		}
	}
	switch {
	case len(faults) > 0:
		return "the workspace is not trusted, and nothing of its configuration is used: " + strings.Join(faults, "; ")
	case len(keys) > 0:
		return "the workspace is not trusted, so its " + strings.Join(keys, ", ") + " is not used"
	}
	return ""
}

// configRows lists the keys of the table, and in place of its last row the providers that are bound.
func configRows(p *place) []configRow {
	var rows []configRow
	for _, k := range configKeys() {
		if k.provider == "" {
			rows = append(rows, p.configRow(k))
			continue
		}
		for _, provider := range slices.Sorted(maps.Keys(p.config.bound)) {
			rows = append(rows, p.configRow(providerKey(provider)))
		}
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
	if profile, bound := p.config.bound[k.provider]; bound {
		row.Value, row.texts = profile, []string{profile}
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
			k, ok := findKey(args[0])
			if !ok {
				return configKeyError(args[0])
			}
			p, err := c.place()
			if err != nil {
				return err
			}
			row := p.configRow(k)
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
