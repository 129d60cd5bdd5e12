package cli

import (
	"fmt"
	goruntime "runtime"
	"strings"

	"github.com/runx-go/runx/internal/cli/render"
	"github.com/spf13/cobra"
)

// versionDocument is the JSON of runx version.
type versionDocument struct {
	Schema   string `json:"schema"`
	Version  string `json:"version"`
	Commit   string `json:"commit"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

func newCmdVersion(c *console) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{Use: "version", Short: "Print the version", Args: noArgs,
		RunE: func(*cobra.Command, []string) error {
			doc := versionDocument{Schema: "runx.version.v1", Version: c.build.Version, Commit: c.build.Commit,
				Go: goruntime.Version(), Platform: goruntime.GOOS + "/" + goruntime.GOARCH}
			if asJSON {
				return render.JSON(c.out, doc)
			}
			commit := ""
			if doc.Commit != "" {
				commit = " " + doc.Commit
			}
			_, err := fmt.Fprintf(c.out, "runx %s%s (%s, %s)\n", doc.Version, commit, doc.Go, doc.Platform)
			return err
		}}
	jsonFlag(cmd, &asJSON)
	return cmd
}

func jsonFlag(cmd *cobra.Command, to *bool) {
	cmd.Flags().BoolVar(to, "json", false, "print one JSON document")
}

// noArgs refuses positional words.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usage("argument_extra", fmt.Sprintf("cannot use %q: %s takes no arguments", args[0], cmd.CommandPath()), cmd.CommandPath()+" --help")
	}
	return nil
}

// exactArgs asks for named positional words.
func exactArgs(words ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < len(words) {
			return usage("argument_missing", fmt.Sprintf("%s needs %s", cmd.CommandPath(), words[len(args)]), cmd.UseLine())
		}
		if len(args) > len(words) {
			return usage("argument_extra", fmt.Sprintf("cannot use %q: %s takes only %s", args[len(words)], cmd.CommandPath(), strings.Join(words, " and ")), cmd.UseLine())
		}
		return nil
	}
}
