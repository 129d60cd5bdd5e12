package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/runx-go/runx/internal/cli/render"
	"github.com/runx-go/runx/internal/runtime"
	"github.com/runx-go/runx/internal/runtime/engine"
	"github.com/runx-go/runx/internal/sandbox/fsroot"
	"github.com/runx-go/runx/internal/sandbox/proc"
	"github.com/runx-go/runx/internal/sandbox/secret"
	"github.com/runx-go/runx/internal/skills/admission"
	"github.com/spf13/cobra"
)

// check is one row of doctor.
type check struct {
	ID      string `json:"id"`
	Status  string `json:"status"` // ok, warning, failed
	Message string `json:"message"`
	Hint    string `json:"hint"`
}

const (
	checkOK      = "ok"
	checkWarning = "warning"
	checkFailed  = "failed"
)

func newCmdDoctor(c *console) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{Use: "doctor", Short: "Check whether runx can work here", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runDoctor(cmd.Context(), c, asJSON) }}
	jsonFlag(cmd, &asJSON)
	return cmd
}

func runDoctor(ctx context.Context, c *console, asJSON bool) error {
	checks := doctorChecks(ctx, c)
	failed := false
	for _, one := range checks {
		failed = failed || one.Status == checkFailed
	}
	if err := printChecks(c, checks, asJSON); err != nil {
		return err
	}
	if failed {
		return &reported{class: runtime.ClassFailed}
	}
	return nil
}

// doctorChecks makes every check, also when an earlier one failed: without a workspace those that
// need none.
func doctorChecks(ctx context.Context, c *console) []check {
	workspace, err := c.host.Workspace()
	where := check{"workspace", checkOK, workspace, ""}
	if err != nil {
		e := asError(ctx, err)
		where, workspace = check{"workspace", checkFailed, e.Message, e.Hint}, ""
	}
	config, configErr := loadConfiguration(c.host, workspace)
	p := &place{c: c, workspace: workspace, config: config}
	checks := []check{where}
	if workspace != "" {
		checks = append(checks, stateCheck(p),
			folderCheck("receipts", p.receiptDir(), "name another place with --receipt-dir or runx config set receipts.dir"))
	}
	checks = append(checks, folderCheck("user_config", c.host.UserConfigDir, "name another place with XDG_CONFIG_HOME"),
		configCheck(ctx, p, configErr), keyCheck(ctx, c), storeCheck(ctx, c), pathCheck(c))
	for _, claim := range proc.Boundary().Claims {
		if (claim.Name == "job_object") != (c.host.OS == "windows") {
			continue // Windows has this and none of the others
		}
		row := check{"boundary." + claim.Name, checkOK, "enforced", ""}
		if !claim.Enforced {
			row.Status, row.Message = checkWarning, "not enforced: "+claim.Reason
			row.Hint = "run packages that you do not trust in a container or a virtual machine"
		}
		checks = append(checks, row)
	}
	if workspace == "" {
		return checks
	}
	return append(checks, packageChecks(ctx, c, p)...)
}

func configCheck(ctx context.Context, p *place, err error) check {
	if err != nil {
		e := asError(ctx, err)
		return check{"config", checkFailed, e.Message, cmp.Or(e.Hint, "correct the file")}
	}
	text := p.config.ignoredText()
	if text == "" {
		return check{"config", checkOK, "readable", ""}
	}
	hint := setLine(configKey{name: keyTrustWorkspaces, user: true}, []string{p.workspace}, true)
	if p.config.ignored[0].fault {
		hint = "correct " + projectConfig(p.workspace).path
	}
	return check{"config", checkWarning, text, hint}
}

func keyCheck(ctx context.Context, c *console) check {
	issuer, made, err := engine.SigningKey(c.host)
	if err != nil {
		e := asError(ctx, err)
		return check{"signing_key", checkFailed, e.Message, e.Hint}
	}
	if !made && c.host.UserConfigDir == "" {
		return check{"signing_key", checkFailed, "no place for a local key", "set HOME or XDG_CONFIG_HOME"}
	}
	if !made {
		return check{"signing_key", checkOK, "a local key will be made when it is needed", ""}
	}
	return check{"signing_key", checkOK, issuer.Type + " key " + issuer.KID, ""}
}

func storeCheck(ctx context.Context, c *console) check {
	if c.host.UserConfigDir == "" {
		return check{"credentials", checkWarning, "no place for stored credentials", "set HOME or XDG_CONFIG_HOME"}
	}
	dir, err := fsroot.Open(c.host.UserConfigDir)
	if errors.Is(err, fs.ErrNotExist) {
		return check{"credentials", checkOK, "none stored", ""}
	}
	if err == nil {
		defer dir.Close()
		var store *secret.Store
		if store, err = secret.OpenStore(dir); err == nil {
			return check{"credentials", checkOK, fmt.Sprintf("%d stored", len(store.List())), ""}
		}
	}
	e := asError(ctx, storeError(err))
	return check{"credentials", checkFailed, e.Message, e.Hint}
}

func pathCheck(c *console) check {
	path, ok := c.host.Lookup("PATH")
	if !ok || path == "" {
		return check{"path", checkWarning, "PATH is not set: commands are found by absolute paths only", "set PATH"}
	}
	for _, entry := range filepath.SplitList(path) {
		if !filepath.IsAbs(entry) {
			return check{"path", checkWarning, fmt.Sprintf("PATH has the entry %q, which is not absolute and is passed over", entry), "take it out of PATH"}
		}
	}
	return check{"path", checkOK, "all entries are absolute", ""}
}

func packageChecks(ctx context.Context, c *console, p *place) []check {
	entries, problems, err := admission.Discover(ctx, c.host.Dir, p.workspace, p.config.list(keySkillsPaths), p.options())
	if err != nil {
		e := asError(ctx, err)
		return []check{{"packages", checkFailed, e.Message, e.Hint}}
	}
	var out []check
	for _, e := range entries {
		for _, reason := range e.Reasons {
			reason.File = c.shownFinding(e.Dir, reason.File)
			hint := cmp.Or(reason.Hint, "runx skill validate "+quoteArg(e.Dir))
			out = append(out, check{"package." + e.Name, checkFailed, reason.String(), hint})
		}
	}
	for _, f := range problems {
		out = append(out, check{"packages", checkWarning, f.String(), cmp.Or(f.Hint, "remove it, or correct where it leads")})
	}
	if out == nil {
		out = []check{{"packages", checkOK, fmt.Sprintf("%d found, none broken", len(entries)), ""}}
	}
	return out
}

// shownFinding is the file of a finding as the user can open it: below the directory of its package,
// or absolute when it lies outside of it.
func (c *console) shownFinding(dir, file string) string {
	file = filepath.FromSlash(file)
	if !filepath.IsAbs(file) {
		file = filepath.Join(dir, file)
	}
	return filepath.ToSlash(c.shown(file))
}

func printChecks(c *console, checks []check, asJSON bool) error {
	if asJSON {
		return render.JSON(c.out, struct {
			Schema string  `json:"schema"`
			Checks []check `json:"checks"`
		}{"runx.doctor.v1", checks})
	}
	var b strings.Builder
	for _, one := range checks {
		word := fmt.Sprintf("%-8s", one.Status)
		switch one.Status {
		case checkOK:
			word = c.outStyle.Good(word)
		case checkWarning:
			word = c.outStyle.Warn(word)
		default:
			word = c.outStyle.Bad(word)
		}
		fmt.Fprintf(&b, "%s %-28s %s\n", word, one.ID, runtime.VisibleLine(one.Message))
		if one.Hint != "" {
			fmt.Fprintf(&b, "         %s %s\n", c.outStyle.Bold("try:"), runtime.VisibleLine(one.Hint))
		}
	}
	_, err := io.WriteString(c.out, b.String())
	return err
}
