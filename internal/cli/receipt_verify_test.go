package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/runx-go/runx/internal/runtime/receipt"
)

// receipts runs the package and returns the id and the file of every receipt that there is now.
func (w *world) receipts(t testing.TB) (ids, files []string) {
	t.Helper()
	if got := w.main(t, "", "skill", "./pack", "-i", "text=one"); got.code != 0 {
		t.Fatalf("%+v", got)
	}
	files, err := filepath.Glob(filepath.Join(w.workspace, ".runx", "receipts", "sha256-*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no receipts (%v)", err)
	}
	for _, file := range files {
		digits := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(file), "sha256-"), ".json")
		ids = append(ids, "sha256:"+digits)
	}
	return ids, files
}

func TestReceiptVerify(t *testing.T) {
	w := newWorld(t)
	w.pack(t, "print", "x", "")
	ids, files := w.receipts(t)
	text, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	w.write(t, filepath.Join(w.workspace, "same.json"), ` { "text" : "one" } `)
	w.write(t, filepath.Join(w.workspace, "other.json"), `{"text":"two"}`)
	w.write(t, filepath.Join(w.workspace, "more", "SKILL.md"), "---\nname: more\n---\nRead.\n")
	w.write(t, filepath.Join(w.workspace, "blank.json"), string(text)+" ")
	at := func(name string) string { return filepath.Join(w.workspace, name) }
	tests := []struct {
		name  string
		args  []string
		stdin string
		exit  int
		code  string // of the first finding or of the fault
	}{
		{name: "by id", args: []string{ids[0]}},
		{name: "by the first digits", args: []string{ids[0][7:15]}},
		{name: "a file", args: []string{files[0]}},
		{name: "stdin", args: []string{"-"}, stdin: string(text)},
		{name: "all", args: []string{"--all"}},
		{name: "its package and inputs", args: []string{ids[0], "--package", at("pack"), "--inputs", at("same.json")}},
		{name: "other inputs", args: []string{ids[0], "--inputs", at("other.json")}, exit: 3, code: "inputs_mismatch"},
		{name: "another package", args: []string{ids[0], "--package", at("more")}, exit: 3, code: "package_mismatch"},
		{name: "other inputs of all", args: []string{"--all", "--inputs", at("other.json")}, exit: 3, code: "inputs_mismatch"},
		{name: "a blank more", args: []string{at("blank.json")}, exit: 3, code: "malformed"},
		{name: "nothing on stdin", args: []string{"-"}, exit: 3, code: "malformed"},
		{name: "no receipt", args: []string{at("same.json")}, exit: 3, code: "malformed"},
		{name: "more than a receipt can have", args: []string{"-"}, stdin: string(text) + strings.Repeat(" ", int(receipt.MaxBytes)), exit: 3, code: "limit"},
		{name: "a letter more in the signature", args: []string{"-"}, stdin: strings.Replace(string(text), `"sig":"`, `"sig":"A`, 1), exit: 3, code: "malformed"},
		{name: "an id that is not there", args: []string{"sha256:" + strings.Repeat("0", 64)}, exit: 64, code: "receipt_unknown"},
		{name: "a file that is not there", args: []string{"./nope.json"}, exit: 64, code: "receipt_unknown"},
		{name: "a package that is not there", args: []string{ids[0], "--package", at("nope")}, exit: 64, code: "package_not_found"},
		{name: "inputs that are not there", args: []string{ids[0], "--inputs", at("nope.json")}, exit: 64, code: "inputs_unreadable"},
		{name: "nothing named", exit: 64, code: "argument_missing"},
		{name: "one and all", args: []string{ids[0], "--all"}, exit: 64, code: "argument_missing"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := w.main(t, tt.stdin, append([]string{"receipt", "verify", "--json"}, tt.args...)...)
			type verdict struct {
				Valid    bool
				Findings []struct{ Code string }
			}
			var doc struct {
				verdict
				Receipts []verdict
				Error    struct{ Code string }
			}
			if err := json.Unmarshal([]byte(got.out), &doc); err != nil {
				t.Fatalf("%v: %+v", err, got)
			}
			if doc.Receipts != nil {
				doc.verdict = doc.Receipts[0]
			}
			code := doc.Error.Code
			if len(doc.Findings) > 0 {
				code = doc.Findings[0].Code
			}
			if got.code != tt.exit || code != tt.code || doc.Valid != (tt.exit == 0) {
				t.Errorf("exit %d, code %q, valid %v, want %d, %q: %s", got.code, code, doc.Valid, tt.exit, tt.code, got.out)
			}
			words := w.main(t, tt.stdin, append([]string{"receipt", "verify"}, tt.args...)...)
			if words.code != tt.exit || tt.exit == 3 && !strings.Contains(words.out, "  not valid  ") || tt.exit == 0 && !strings.Contains(words.out, "  valid  ") {
				t.Errorf("in words: %+v", words)
			}
		})
	}
}

// One receipt that does not hold makes verify --all fail, wherever it stands.
func TestReceiptVerifyAll(t *testing.T) {
	w := newWorld(t)
	w.pack(t, "print", "x", "")
	if got := w.main(t, "", "receipt", "verify", "--all"); got.code != 0 || got.out != "no receipts are kept\n" {
		t.Errorf("%+v", got)
	}
	w.receipts(t)
	_, files := w.receipts(t)
	if len(files) != 2 {
		t.Fatalf("%d receipts, want 2", len(files))
	}
	for i, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		other, err := os.ReadFile(files[1-i])
		if err != nil {
			t.Fatal(err)
		}
		for name, spoilt := range map[string][]byte{"empty": {}, "another's": other, "cut": text[:len(text)-1], "too large": bytes.Repeat([]byte(" "), int(receipt.MaxBytes)+1)} {
			w.write(t, file, string(spoilt))
			if got := w.main(t, "", "receipt", "verify", "--all"); got.code != 3 || strings.Count(got.out, "  not valid  ") != 1 || strings.Count(got.out, "  valid  ") != 1 {
				t.Errorf("receipt %d, %s: %+v", i, name, got)
			}
		}
		w.write(t, file, string(text))
	}
}

// A file whose name is an id does not take the place of the receipt.
func TestReceiptVerifyIDIsNoFile(t *testing.T) {
	needColonInNames(t)
	w := newWorld(t)
	w.pack(t, "print", "x", "")
	_, files := w.receipts(t)
	other, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(w.workspace)
	missing := "sha256:" + strings.Repeat("0", 64)
	w.write(t, filepath.Join(w.workspace, missing), string(other))
	if got := w.main(t, "", "receipt", "verify", missing); got.code != 64 {
		t.Errorf("%+v, want that there is no such receipt", got)
	}
	if got := w.main(t, "", "receipt", "verify", "./"+missing); got.code != 0 {
		t.Errorf("%+v, want the file", got)
	}
}

// needColonInNames skips where a file cannot have a colon in its name.
func needColonInNames(t testing.TB) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(t.TempDir(), "a:b"), nil, 0o600); err != nil {
		t.Skipf("names of files cannot have a colon here: %v", err)
	}
}

// A local signature says what it proves; a key that is not known proves nothing.
func TestReceiptVerifyKeys(t *testing.T) {
	w := newWorld(t)
	w.pack(t, "print", "x", "")
	ids, _ := w.receipts(t)
	if got := w.main(t, "", "receipt", "verify", ids[0]); !strings.Contains(got.out, "(local: proves this machine's user, nobody else)") {
		t.Errorf("%+v", got)
	}
	if err := os.RemoveAll(w.config); err != nil {
		t.Fatal(err)
	}
	if got := w.main(t, "", "receipt", "verify", ids[0]); got.code != 3 || !strings.Contains(got.out, "key_unknown") || strings.Contains(got.out, "proves this machine") {
		t.Errorf("%+v", got)
	}
	w.host.Env = append(w.host.Env, "RUNX_RECEIPT_VERIFY_KID=k")
	if got := w.main(t, "", "receipt", "verify", ids[0], "--json"); got.code != 64 || got.fault() != "signing_config" {
		t.Errorf("%+v", got)
	}
}

// show reads what is kept and does not verify it; list has a row for what is broken.
func TestReceiptShowAndList(t *testing.T) {
	w := newWorld(t)
	w.pack(t, "print", "x", "")
	ids, files := w.receipts(t)
	var doc struct {
		Schema    string
		ReceiptID string `json:"receipt_id"`
		Predicate struct{ Skill string }
	}
	for _, form := range [][]string{nil, {"--json"}} {
		got := w.main(t, "", append([]string{"receipt", "show", ids[0]}, form...)...)
		if err := json.Unmarshal([]byte(got.out), &doc); err != nil || got.code != 0 || doc.Schema != "runx.receipt.v1" || doc.ReceiptID != ids[0] || doc.Predicate.Skill != "pack" {
			t.Errorf("%+v (%v)", got, err)
		}
	}
	w.write(t, files[0], "{}\n")
	if got := w.main(t, "", "receipt", "show", ids[0], "--json"); got.code != 3 || got.fault() != "malformed" {
		t.Errorf("%+v", got)
	}
	if got := w.main(t, "", "receipt", "list"); got.code != 0 || !strings.HasPrefix(got.out, ids[0]+"  broken") {
		t.Errorf("%+v", got)
	}
}
