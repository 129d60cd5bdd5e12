package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
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

func doctorChecks(ctx context.Context, c *console) []check {
	p, err := c.place()
	if err != nil {
		e := asError(ctx, err)
		return []check{{"workspace", checkFailed, e.Message, e.Hint}}
	}
	checks := []check{
		{"workspace", checkOK, p.workspace, ""},
		folderCheck("state", p.stateDir()),
		folderCheck("receipts", p.receiptDir()),
		folderCheck("user_config", c.host.UserConfigDir),
		configCheck(p), keyCheck(ctx, c), storeCheck(ctx, c), pathCheck(c),
	}
	for _, claim := range proc.Boundary().Claims {
		if (claim.Name == "job_object") != (c.host.OS == "windows") {
			continue // Windows has this and none of the others
		}
		row := check{"boundary." + claim.Name, checkOK, "enforced", ""}
		if !claim.Enforced {
			row.Status, row.Message = checkWarning, "not enforced: "+claim.Reason
		}
		checks = append(checks, row)
	}
	return append(checks, packageChecks(ctx, c, p)...)
}

// folderCheck judges a folder of runx, or the place where it would be made. It makes nothing.
func folderCheck(id, path string) check {
	if path == "" {
		return check{id, checkFailed, "no place is known: HOME is not set", "set HOME or XDG_CONFIG_HOME"}
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return check{id, checkOK, path + " will be made when it is needed", ""}
	case err != nil:
		return check{id, checkFailed, err.Error(), "check the permissions of the folders above it"}
	case !info.IsDir():
		return check{id, checkFailed, path + " is no directory", "remove it, or name another place"}
	}
	dir, err := fsroot.Create(path, true)
	if perm, ok := errors.AsType[*fsroot.PermissionError](err); ok {
		return check{id, checkFailed, perm.Error(), perm.Repair}
	}
	if err != nil {
		return check{id, checkFailed, err.Error(), "check its permissions"}
	}
	defer dir.Close()
	if err := writable(dir); err != nil {
		return check{id, checkFailed, fmt.Sprintf("%s cannot be written: %v", path, err), "check its permissions and the disk"}
	}
	return check{id, checkOK, path, ""}
}

// writable makes and removes an empty folder.
func writable(dir *fsroot.Dir) error {
	const name = ".runx-doctor"
	if err := dir.Mkdir(name); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return dir.Remove(name)
}

func configCheck(p *place) check {
	if len(p.config.ignored) > 0 {
		return check{"config", checkWarning, "the workspace is not trusted, so of its configuration is not used: " + strings.Join(p.config.ignored, ", "),
			"runx config set " + keyTrustWorkspaces + " " + quoteArg(p.workspace)}
	}
	return check{"config", checkOK, "readable", ""}
}

func keyCheck(ctx context.Context, c *console) check {
	issuer, made, err := engine.SigningKey(c.host)
	if err != nil {
		e := asError(ctx, err)
		return check{"signing_key", checkFailed, e.Message, e.Hint}
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
	e := asError(ctx, err)
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
		return []check{{"packages", checkFailed, asError(ctx, err).Message, ""}}
	}
	var out []check
	for _, e := range entries {
		for _, reason := range e.Reasons {
			reason.File = filepath.ToSlash(filepath.Join(c.shown(e.Dir), filepath.FromSlash(reason.File)))
			out = append(out, check{"package." + e.Name, checkFailed, reason.String(), reason.Hint})
		}
	}
	for _, f := range problems {
		out = append(out, check{"packages", checkWarning, f.String(), f.Hint})
	}
	if out == nil {
		out = []check{{"packages", checkOK, fmt.Sprintf("%d found, none broken", len(entries)), ""}}
	}
	return out
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
		fmt.Fprintf(&b, "%s %-28s %s\n", word, one.ID, runtime.Visible(one.Message))
		if one.Hint != "" {
			fmt.Fprintf(&b, "         %s %s\n", c.outStyle.Bold("try:"), runtime.Visible(one.Hint))
		}
	}
	_, err := io.WriteString(c.out, b.String())
	return err
}
