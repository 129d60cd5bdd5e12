package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/runx-go/runx/internal/cli/render"
	"github.com/runx-go/runx/internal/runtime"
	"github.com/runx-go/runx/internal/runtime/engine"
	"github.com/runx-go/runx/internal/runtime/receipt"
	"github.com/runx-go/runx/internal/skills"
	"github.com/runx-go/runx/internal/skills/codec"
	"github.com/spf13/cobra"
)

// verifyOptions is one parsed receipt verify.
type verifyOptions struct {
	what, pkg, inputs string
	all, json         bool
}

func newCmdReceiptVerify(c *console) *cobra.Command {
	var opts verifyOptions
	cmd := &cobra.Command{Use: "verify [id|FILE|-]", Short: "Verify that a receipt is whole and signed",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return exactArgs("one receipt")(cmd, args)
		},
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
	cmd.Flags().Var(&filled{to: &opts.pkg}, "package", "also compare the digest of the package in `DIR`")
	cmd.Flags().Var(&filled{to: &opts.inputs}, "inputs", "also compare the digest of the inputs in `FILE`")
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
	// What is written as an id is one: a file of that name must not take the place of the receipt.
	if !strings.HasPrefix(opts.what, "sha256:") {
		if file, err := os.Open(opts.what); err == nil {
			defer file.Close() //nolint:errcheck // opened for reading
			raw, err := readReceipt(opts.what, file)
			return []receiptText{{raw: raw}}, err
		}
	}
	raw, id, err := getReceipt(c, opts.what)
	return []receiptText{{id: id, raw: raw}}, err
}

func readReceipt(name string, from io.Reader) ([]byte, error) {
	raw, err := io.ReadAll(io.LimitReader(from, receipt.MaxBytes+1))
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
		raw, _, err := store.Get(e.ID)
		if errors.Is(err, fs.ErrNotExist) {
			continue // it was removed meanwhile
		}
		if err != nil && !tooLarge(err) { // what is too large is no receipt: it is verified as one without text
			return nil, receiptFault(err)
		}
		out = append(out, receiptText{id: e.ID, raw: raw})
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
		fmt.Fprintf(&b, "%s  %s  signature %s, key %s%s\n", runtime.VisibleLine(id), word, v.Signature.Status, runtime.VisibleLine(kid), localNote(v))
		for _, f := range v.Findings {
			fmt.Fprintf(&b, "  %s: %s\n", f.Code, runtime.VisibleLine(f.Message))
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
