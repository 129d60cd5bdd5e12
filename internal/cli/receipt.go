package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"time"

	"github.com/runx-go/runx/internal/cli/render"
	"github.com/runx-go/runx/internal/runtime"
	"github.com/runx-go/runx/internal/runtime/engine"
	"github.com/runx-go/runx/internal/runtime/receipt"
	"github.com/runx-go/runx/internal/sandbox/fsroot"
	"github.com/spf13/cobra"
)

func newCmdReceipt(c *console) *cobra.Command {
	return group("receipt", "List, show and verify receipts", newCmdReceiptList(c), newCmdReceiptShow(c), newCmdReceiptVerify(c))
}

// receiptListOptions are the filters of receipt list.
type receiptListOptions struct {
	skill, status, since, until string
	limit                       int
	json                        bool
}

func newCmdReceiptList(c *console) *cobra.Command {
	var opts receiptListOptions
	cmd := &cobra.Command{Use: "list", Short: "List receipts, newest first", Args: noArgs,
		RunE: func(*cobra.Command, []string) error { return listReceipts(c, opts) }}
	flags := cmd.Flags()
	flags.Var(&filled{to: &opts.skill}, "skill", "only receipts of the skill `NAME`")
	flags.Var(&filled{to: &opts.status}, "status", "only receipts with `STATUS`")
	flags.Var(&filled{to: &opts.since}, "since", "only runs that ended at or after `TIME`: a date, RFC 3339, or a duration ago such as 24h")
	flags.Var(&filled{to: &opts.until}, "until", "only runs that ended before `TIME`")
	flags.IntVar(&opts.limit, "limit", 0, "at most `N` rows; 0 means all")
	jsonFlag(cmd, &opts.json)
	return cmd
}

func listReceipts(c *console, opts receiptListOptions) error {
	now := c.clock()()
	since, err := parseTime("--since", opts.since, now)
	if err != nil {
		return err
	}
	until, err := parseTime("--until", opts.until, now)
	if err != nil {
		return err
	}
	store, closeStore, err := openReceipts(c)
	if err != nil {
		return err
	}
	defer closeStore() //nolint:errcheck // opened for reading
	entries := []receipt.Entry{}
	if store != nil {
		all, err := store.List()
		if err != nil {
			return err
		}
		for _, e := range all {
			if keepReceipt(e, opts, since, until) && (opts.limit <= 0 || len(entries) < opts.limit) {
				entries = append(entries, e)
			}
		}
	}
	if opts.json {
		return render.JSON(c.out, struct {
			Schema   string          `json:"schema"`
			Receipts []receipt.Entry `json:"receipts"`
		}{"runx.receipt_list.v1", entries})
	}
	var b strings.Builder
	rows := make([][]string, 0, len(entries))
	for _, e := range entries {
		if e.Problem != "" {
			rows = append(rows, []string{e.ID, "broken", runtime.VisibleLine(e.Problem)})
			continue
		}
		rows = append(rows, []string{e.ID, e.FinishedAt, e.Status, runtime.VisibleLine(e.Skill + "/" + e.Runner)})
	}
	writeColumns(&b, rows)
	_, err = io.WriteString(c.out, b.String())
	return err
}

func keepReceipt(e receipt.Entry, opts receiptListOptions, since, until time.Time) bool {
	if e.Problem != "" {
		return opts.skill == "" && opts.status == ""
	}
	return (opts.skill == "" || e.Skill == opts.skill) && (opts.status == "" || e.Status == opts.status) &&
		(since.IsZero() || !e.Finished.Before(since)) && (until.IsZero() || e.Finished.Before(until))
}

// parseTime reads a date, a time, or a duration before now.
func parseTime(flag, text string, now time.Time) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if t, err := time.Parse(layout, text); err == nil {
			return t, nil
		}
	}
	if d, err := time.ParseDuration(text); err == nil && d >= 0 {
		return now.Add(-d), nil
	}
	return time.Time{}, usage("flag_value", fmt.Sprintf("cannot read %q as a time for %s", text, flag), flag+" 2026-01-31, or "+flag+" 24h")
}

// openReceipts opens the folder of receipts; the store is nil when there is none yet.
func openReceipts(c *console) (*receipt.Store, func() error, error) {
	p, err := c.place()
	if err != nil {
		return nil, nil, err
	}
	store, closeStore, err := engine.Receipts(p.receiptDir())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, closeStore, nil
	}
	if err != nil {
		return nil, nil, &runtime.Error{Class: runtime.ClassFailed, Code: "receipts_unreadable", Err: err,
			Message: fmt.Sprintf("cannot open the folder of receipts %s: %v", p.receiptDir(), err), Hint: "check its permissions, or name another with --receipt-dir"}
	}
	return store, closeStore, nil
}

func getReceipt(c *console, id string) ([]byte, string, error) {
	store, closeStore, err := openReceipts(c)
	if err != nil {
		return nil, "", err
	}
	defer closeStore() //nolint:errcheck // opened for reading
	if store != nil {
		raw, full, err := store.Get(id)
		if err == nil {
			return raw, full, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return nil, "", receiptFault(err)
		}
	}
	return nil, "", usage("receipt_unknown", fmt.Sprintf("no receipt %q is kept", id), "runx receipt list")
}

// receiptFault gives an error of the store its class: a text that means several receipts, a file
// that is no receipt, or one that cannot be read.
func receiptFault(err error) error {
	fault := &runtime.Error{Class: runtime.ClassInvalid, Code: "receipt_ambiguous", Message: err.Error(), Hint: "runx receipt list shows the whole ids", Err: err}
	if tooLarge(err) {
		fault.Class, fault.Code, fault.Hint = runtime.ClassMismatch, "malformed", "no receipt is that large: the file was not written by runx"
	} else if _, ok := errors.AsType[*fs.PathError](err); ok {
		fault.Class, fault.Code, fault.Hint = runtime.ClassFailed, "receipt_unreadable", "check the permissions of the file"
	}
	return fault
}

func tooLarge(err error) bool {
	_, ok := errors.AsType[*fsroot.TooLargeError](err)
	return ok
}

func newCmdReceiptShow(c *console) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{Use: "show <id>", Short: "Show what a receipt says", Args: exactArgs("the id of a receipt"),
		RunE: func(_ *cobra.Command, args []string) error {
			raw, id, err := getReceipt(c, args[0])
			if err != nil {
				return err
			}
			r, err := receipt.Open(raw)
			if err != nil {
				return &runtime.Error{Class: runtime.ClassMismatch, Code: "malformed", Err: err,
					Message: fmt.Sprintf("cannot read receipt %s: %v", id, err), Hint: "runx receipt verify " + id}
			}
			doc := struct {
				Schema    string            `json:"schema"`
				ReceiptID string            `json:"receipt_id"`
				Predicate receipt.Predicate `json:"predicate"`
			}{"runx.receipt.v1", r.ID, r.Predicate}
			if asJSON {
				return render.JSON(c.out, doc)
			}
			text, err := json.MarshalIndent(doc, "", "  ")
			if err != nil {
				return err
			}
			_, err = c.out.Write(append(text, '\n'))
			return err
		}}
	jsonFlag(cmd, &asJSON)
	return cmd
}
