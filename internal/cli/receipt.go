package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/runx-go/runx/internal/cli/render"
	"github.com/runx-go/runx/internal/runtime"
	"github.com/runx-go/runx/internal/runtime/engine"
	"github.com/runx-go/runx/internal/runtime/receipt"
	"github.com/runx-go/runx/internal/skills"
	"github.com/runx-go/runx/internal/skills/codec"
	"github.com/spf13/cobra"
)

// maxReceipt is the largest receipt file that verify reads. A receipt holds digests and names only;
// 4 MiB is far above what 256 inputs and 10,000 names need.
const maxReceipt = 4 << 20

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
	flags.StringVar(&opts.skill, "skill", "", "only receipts of the skill `NAME`")
	flags.StringVar(&opts.status, "status", "", "only receipts with `STATUS`")
	flags.StringVar(&opts.since, "since", "", "only runs that ended at or after `TIME`: a date, RFC 3339, or a duration ago such as 24h")
	flags.StringVar(&opts.until, "until", "", "only runs that ended before `TIME`")
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
			rows = append(rows, []string{e.ID, "broken", runtime.Visible(e.Problem)})
			continue
		}
		rows = append(rows, []string{e.ID, e.FinishedAt, e.Status, runtime.Visible(e.Skill + "/" + e.Runner)})
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
		if err == nil || !errors.Is(err, fs.ErrNotExist) {
			return raw, full, err
		}
	}
	return nil, "", usage("receipt_unknown", fmt.Sprintf("no receipt %q is kept", id), "runx receipt list")
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

// verifyOptions is one parsed receipt verify.
type verifyOptions struct {
	what, pkg, inputs string
	all, json         bool
}

func newCmdReceiptVerify(c *console) *cobra.Command {
	var opts verifyOptions
	cmd := &cobra.Command{Use: "verify [id|FILE|-]", Short: "Verify that a receipt is whole and signed",
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				opts.what = args[0]
			}
			if (opts.what == "") != opts.all {
				return usage("argument_missing", "receipt verify needs one receipt, or --all", "runx receipt verify --all")
			}
			return verifyReceipts(cmd, c, opts)
		}}
	cmd.Flags().BoolVar(&opts.all, "all", false, "verify every receipt that is kept")
	cmd.Flags().StringVar(&opts.pkg, "package", "", "also compare the digest of the package in `DIR`")
	cmd.Flags().StringVar(&opts.inputs, "inputs", "", "also compare the digest of the inputs in `FILE`")
	jsonFlag(cmd, &opts.json)
	return cmd
}

func verifyReceipts(cmd *cobra.Command, c *console, opts verifyOptions) error {
	keys, err := engine.Keys(c.host)
	if err != nil {
		return err
	}
	expect, err := expectations(cmd, c, opts)
	if err != nil {
		return err
	}
	texts, err := receiptTexts(c, opts)
	if err != nil {
		return err
	}
	verdicts := make([]receipt.Verdict, 0, len(texts))
	valid := true
	for _, t := range texts {
		expect.ID = t.id
		v := receipt.Verify(t.raw, keys, expect)
		verdicts = append(verdicts, v)
		valid = valid && v.Valid
	}
	if err := printVerdicts(c, opts, verdicts); err != nil {
		return err
	}
	if !valid {
		return &reported{class: runtime.ClassMismatch}
	}
	return nil
}

func expectations(cmd *cobra.Command, c *console, opts verifyOptions) (receipt.Expect, error) {
	var expect receipt.Expect
	if opts.pkg != "" {
		p, err := c.place()
		if err != nil {
			return expect, err
		}
		pkg, err := p.load(cmd.Context(), opts.pkg)
		if err != nil {
			return expect, err
		}
		expect.PackageDigest = pkg.Digest
	}
	if opts.inputs != "" {
		file, err := os.Open(opts.inputs)
		if err != nil {
			return expect, unreadable(opts.inputs, err)
		}
		defer file.Close() //nolint:errcheck // opened for reading
		object, err := parseInputs(opts.inputs, file)
		if err != nil {
			return expect, err
		}
		digest, err := codec.DigestJSON(object.Raw())
		if err != nil {
			return expect, err
		}
		expect.InputsDigest = skills.Digest(digest)
	}
	return expect, nil
}

// receiptText is one receipt to verify; id is "" for a text that no store named.
type receiptText struct {
	id  string
	raw []byte
}

func receiptTexts(c *console, opts verifyOptions) ([]receiptText, error) {
	if opts.all {
		return allReceipts(c)
	}
	if opts.what == "-" {
		raw, err := readReceipt("stdin", c.io.In)
		return []receiptText{{raw: raw}}, err
	}
	if file, err := os.Open(opts.what); err == nil {
		defer file.Close() //nolint:errcheck // opened for reading
		raw, err := readReceipt(opts.what, file)
		return []receiptText{{raw: raw}}, err
	}
	raw, id, err := getReceipt(c, opts.what)
	return []receiptText{{id: id, raw: raw}}, err
}

func readReceipt(name string, from io.Reader) ([]byte, error) {
	raw, err := io.ReadAll(io.LimitReader(from, maxReceipt+1))
	if err != nil {
		return nil, usage("receipt_unreadable", fmt.Sprintf("cannot read %s: %v", name, err), "name a receipt file or its id")
	}
	return raw, nil
}

func allReceipts(c *console) ([]receiptText, error) {
	store, closeStore, err := openReceipts(c)
	if err != nil || store == nil {
		return nil, err
	}
	defer closeStore() //nolint:errcheck // opened for reading
	entries, err := store.List()
	if err != nil {
		return nil, err
	}
	var out []receiptText
	for _, e := range entries {
		raw, id, err := store.Get(e.ID)
		if err != nil {
			return nil, err
		}
		out = append(out, receiptText{id: id, raw: raw})
	}
	slices.SortFunc(out, func(a, b receiptText) int { return strings.Compare(a.id, b.id) })
	return out, nil
}

func printVerdicts(c *console, opts verifyOptions, verdicts []receipt.Verdict) error {
	if opts.json {
		if opts.all {
			return render.JSON(c.out, struct {
				Schema   string            `json:"schema"`
				Receipts []receipt.Verdict `json:"receipts"`
			}{receipt.VerifySchema, verdicts})
		}
		return render.JSON(c.out, verdicts[0])
	}
	var b strings.Builder
	for _, v := range verdicts {
		word := c.outStyle.Good("valid")
		if !v.Valid {
			word = c.outStyle.Bad("not valid")
		}
		id, kid := v.ReceiptID, v.Signature.KID
		if id == "" {
			id = opts.what // a text that is no receipt has no id
		}
		if kid == "" {
			kid = "unknown"
		}
		fmt.Fprintf(&b, "%s  %s  signature %s, key %s%s\n", runtime.Visible(id), word, v.Signature.Status, runtime.Visible(kid), localNote(v))
		for _, f := range v.Findings {
			fmt.Fprintf(&b, "  %s: %s\n", f.Code, runtime.Visible(f.Message))
		}
	}
	if len(verdicts) == 0 {
		b.WriteString("no receipts are kept\n")
	}
	_, err := io.WriteString(c.out, b.String())
	return err
}

// localNote says what a local signature proves.
func localNote(v receipt.Verdict) string {
	if v.Signature.Mode == "local" && v.Signature.Status == "valid" {
		return " (local: proves this machine's user, nobody else)"
	}
	return ""
}
