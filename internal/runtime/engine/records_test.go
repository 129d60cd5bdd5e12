package engine

import (
	"encoding/base64"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/runx-go/runx/internal/runtime"
	"github.com/runx-go/runx/internal/runtime/receipt"
	"github.com/runx-go/runx/internal/runtime/session"
)

func asFault(t testing.TB, err error) *runtime.Error {
	t.Helper()
	fault, ok := errors.AsType[*runtime.Error](err)
	if !ok {
		t.Fatalf("error %v (%T), want a *runtime.Error", err, err)
	}
	return fault
}

func TestNewWantsAbsolutePlaces(t *testing.T) {
	dir := t.TempDir()
	for _, opts := range []Options{{Workspace: "work", StateDir: dir}, {Workspace: dir, StateDir: "state"}, {StateDir: dir}} {
		if _, err := New(opts); err == nil {
			t.Errorf("New(%+v) accepts it", opts)
		}
	}
	e, err := New(Options{Workspace: dir, StateDir: dir})
	if err != nil || e.opts.ReceiptDir != filepath.Join(dir, "receipts") {
		t.Errorf("receipts lie in %q (%v)", e.opts.ReceiptDir, err)
	}
}

// A receipt that cannot be written makes the run failed, and says what had run.
func TestReceiptWriteFails(t *testing.T) {
	for _, tt := range []struct{ name, code, ended string }{{"sealed", "0", "sealed"}, {"failed", "3", "failed"}} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t, program(t, []string{"print", "{}", "", tt.code}))
			w.receipts = filepath.Join(w.workspace, "a-file")
			if err := os.WriteFile(w.receipts, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			run := w.run(t, w.request(t, `{}`))
			if run.Status != runtime.Failed || run.ReceiptID != nil || run.Result != nil || run.Error == nil || run.Error.Code != "receipt_write" || run.Error.Hint == "" {
				t.Fatalf("run %+v, fault %+v", run, run.Error)
			}
			if want := "the run ended " + tt.ended + ", but its receipt cannot be written: "; !strings.HasPrefix(run.Error.Message, want) {
				t.Errorf("message %q, want it to begin %q", run.Error.Message, want)
			}
			if run.Process == nil || run.Process.ExitCode == nil || run.Streams.Stdout.Text != "{}" || w.starts(t) != 1 {
				t.Errorf("process %+v, streams %+v, want those of what ran", run.Process, run.Streams)
			}
			if diff := cmp.Diff([]string{"run.started", "step.started", "step.finished", "run.finished"}, w.recorded(t, run)); diff != "" {
				t.Errorf("recorded (-want +got)\n%s", diff)
			}
		})
	}
}

// A state that cannot be kept starts nothing and leaves nothing behind.
func TestStateWriteFails(t *testing.T) {
	tests := []struct {
		name  string
		spoil func(w *world) error
	}{
		{"the state directory lies below a file", func(w *world) error {
			w.state = filepath.Join(w.workspace, "a-file", "state")
			return os.WriteFile(filepath.Join(w.workspace, "a-file"), nil, 0o600)
		}},
		{"the state directory is a file", func(w *world) error { return os.WriteFile(w.state, nil, 0o600) }},
		{"runs is a file", func(w *world) error {
			return errors.Join(os.Mkdir(w.state, 0o700), os.WriteFile(filepath.Join(w.state, "runs"), nil, 0o600))
		}},
		{"tmp is a file", func(w *world) error {
			return errors.Join(os.Mkdir(w.state, 0o700), os.WriteFile(filepath.Join(w.state, "tmp"), nil, 0o600))
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t, program(t, []string{"print", "", "", "0"}))
			if err := tt.spoil(w); err != nil {
				t.Fatal(err)
			}
			shown := &seen{}
			run, err := w.engine(t, shown).RunSkill(t.Context(), w.request(t, `{}`))
			fault := asFault(t, err)
			if fault.Class != runtime.ClassFailed || fault.Code != "state_write" || fault.Hint == "" || !cmp.Equal(run, session.Run{}) {
				t.Errorf("error %+v, run %+v", fault, run)
			}
			if n := w.starts(t); n != 0 {
				t.Errorf("started %d times", n)
			}
			if _, err := os.Stat(w.receipts); err == nil {
				t.Error("there is a folder of receipts")
			}
		})
	}
}

func signing(names ...string) []string {
	all := map[string]string{"KID": "build-1", "SEED": base64.StdEncoding.EncodeToString(make([]byte, 32)), "TYPE": "ci"}
	full := map[string]string{"KID": "RUNX_RECEIPT_SIGN_KID", "SEED": "RUNX_RECEIPT_SIGN_ED25519_SEED_BASE64", "TYPE": "RUNX_RECEIPT_SIGN_ISSUER_TYPE"}
	var out []string
	for _, name := range names {
		out = append(out, full[name]+"="+all[name])
	}
	return out
}

// A signing configuration that is not whole is no local key: nothing is started.
func TestSigningConfig(t *testing.T) {
	tests := []struct {
		name string
		host []string
	}{
		{"the key's name alone", signing("KID")},
		{"the seed alone", signing("SEED")},
		{"without the type", signing("KID", "SEED")},
		{"without the seed", signing("KID", "TYPE")},
		{"one is empty", append(signing("KID", "SEED"), "RUNX_RECEIPT_SIGN_ISSUER_TYPE=")},
		{"a type that is none", append(signing("KID", "SEED"), "RUNX_RECEIPT_SIGN_ISSUER_TYPE=local")},
		{"a seed that is none", append(signing("KID", "TYPE"), "RUNX_RECEIPT_SIGN_ED25519_SEED_BASE64=canary-seed")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t, program(t, []string{"print", "", "", "0"}), tt.host...)
			_, err := w.engine(t, nil).RunSkill(t.Context(), w.request(t, `{}`))
			if fault := asFault(t, err); fault.Class != runtime.ClassInvalid || fault.Code != "signing_config" || fault.Hint == "" || strings.Contains(fault.Message, "canary") {
				t.Errorf("error %+v", fault)
			}
			for _, path := range []string{w.state, w.config} {
				if _, err := os.Stat(path); !os.IsNotExist(err) {
					t.Errorf("%s is there: %v", path, err)
				}
			}
			if n := w.starts(t); n != 0 {
				t.Errorf("started %d times", n)
			}
			if _, _, err := SigningKey(w.host); err == nil {
				t.Error("SigningKey accepts it")
			}
			if _, err := Keys(w.host); err == nil {
				t.Error("Keys accepts it")
			}
		})
	}
}

// A whole signing configuration signs, needs no folder of the user's, and its seed reaches nobody.
func TestSignedByConfiguration(t *testing.T) {
	host := signing("KID", "SEED", "TYPE")
	w := newWorld(t, program(t, []string{"leak"}), host...)
	w.host.UserConfigDir = ""
	run := w.run(t, w.request(t, `{}`))
	if issuer := w.receipt(t, run).Issuer; issuer.Type != "ci" || issuer.KID != "build-1" {
		t.Errorf("issuer %+v", issuer)
	}
	if strings.Contains(run.Streams.Stdout.Text, "RUNX_RECEIPT_SIGN") {
		t.Errorf("the child was given %s", run.Streams.Stdout.Text)
	}
	issuer, made, err := SigningKey(w.host)
	if err != nil || !made || issuer.KID != "build-1" {
		t.Errorf("SigningKey = %+v, %v, %v", issuer, made, err)
	}
}

// Looking at the local key makes none; a run makes it once.
func TestLocalKey(t *testing.T) {
	w := newWorld(t, program(t, []string{"print", "", "", "0"}))
	if issuer, made, err := SigningKey(w.host); err != nil || made || issuer != (receipt.Issuer{}) {
		t.Errorf("SigningKey = %+v, %v, %v, want none", issuer, made, err)
	}
	if _, err := os.Stat(w.config); !os.IsNotExist(err) {
		t.Errorf("the folder of the user is there: %v", err)
	}
	first, second := w.receipt(t, w.run(t, w.request(t, `{}`))).Issuer, w.receipt(t, w.run(t, w.request(t, `{}`))).Issuer
	if first != second || first.Type != "local" {
		t.Errorf("issuers %+v and %+v", first, second)
	}
	if issuer, made, err := SigningKey(w.host); err != nil || !made || issuer != first {
		t.Errorf("SigningKey = %+v, %v, %v, want %+v", issuer, made, err, first)
	}
}

// Without a folder for the key nothing is started.
func TestNoPlaceForKey(t *testing.T) {
	w := newWorld(t, program(t, []string{"print", "", "", "0"}))
	w.host.UserConfigDir = ""
	_, err := w.engine(t, nil).RunSkill(t.Context(), w.request(t, `{}`))
	if fault := asFault(t, err); fault.Code != "user_config" || fault.Class != runtime.ClassFailed || w.starts(t) != 0 {
		t.Errorf("error %+v, started %d times", fault, w.starts(t))
	}
	w.host.UserConfigDir = filepath.Join(w.pack, "SKILL.md", "config")
	_, err = w.engine(t, nil).RunSkill(t.Context(), w.request(t, `{}`))
	if fault := asFault(t, err); fault.Code != "user_config" || w.starts(t) != 0 {
		t.Errorf("error %+v, started %d times", fault, w.starts(t))
	}
	if _, err := Keys(w.host); err == nil {
		t.Error("Keys takes a folder that cannot be opened for one that is not there")
	}
}

func TestReceiptsOfNothing(t *testing.T) {
	if _, closeStore, err := Receipts(filepath.Join(t.TempDir(), "receipts")); !errors.Is(err, fs.ErrNotExist) || closeStore() != nil {
		t.Errorf("error %v, want fs.ErrNotExist", err)
	}
}

// A record that cannot be kept at the end is an error that says how the run ended; its receipt is
// there.
func TestRecordSaveFails(t *testing.T) {
	w := newWorld(t, program(t, []string{"print", "{}", "", "0"}))
	shown := &seen{fail: func(e runtime.Event) error {
		if e.Body.Type() != "step.finished" {
			return nil
		}
		return os.MkdirAll(filepath.Join(w.state, "runs", e.Run, "run.json", "x"), 0o700)
	}}
	run, err := w.engine(t, shown).RunSkill(t.Context(), w.request(t, `{}`))
	fault := asFault(t, err)
	if want := "cannot keep the record of " + run.RunID + ", which ended sealed: "; fault.Code != "state_write" || !strings.HasPrefix(fault.Message, want) {
		t.Errorf("error %+v, want state_write and %q", fault, want)
	}
	if p := w.receipt(t, run); p.Closure.Status != "sealed" {
		t.Errorf("receipt %+v", p.Closure)
	}
}

// What a person should know of a package is a warning of its run, with its place.
func TestPackageWarnings(t *testing.T) {
	w := newWorld(t, program(t, []string{"print", "\"", "", "0"})+"catalog: {}\n")
	run := w.run(t, w.request(t, `{}`))
	if len(run.Warnings) != 1 || run.Warnings[0].Code != "field_ignored" || run.Warnings[0].Message == "" || run.Warnings[0].Location == nil {
		t.Fatalf("warnings %+v", run.Warnings)
	}
	if diff := cmp.Diff(&runtime.Location{File: "X.yaml", Line: 7, Column: 1}, run.Warnings[0].Location); diff != "" {
		t.Errorf("location (-want +got)\n%s", diff)
	}
}

// Input files that cannot be written make a failed run, whose receipt and record say so; an attempt
// before it is not forgotten.
func TestInputFilesFail(t *testing.T) {
	for _, attempt := range []int{1, 2} {
		w := newWorld(t, program(t, []string{"flaky", "9"}, "retry: {max_attempts: 3}"))
		tmp := filepath.Join(w.state, "tmp")
		shown := &seen{fail: func(e runtime.Event) error {
			if body, ok := e.Body.(runtime.StepStarted); ok && body.Attempt == attempt {
				return os.WriteFile(filepath.Join(tmp, e.Run+"-"+strconv.Itoa(attempt)), nil, 0o600)
			}
			return nil
		}}
		run, err := w.engine(t, shown).RunSkill(t.Context(), w.request(t, `{}`))
		if err != nil {
			t.Fatal(err)
		}
		if run.Status != runtime.Failed || run.Error.Code != "state_write" || run.Error.Hint == "" || w.starts(t) != attempt-1 || len(run.Warnings) != attempt-1 {
			t.Errorf("attempt %d: run %+v, fault %+v, started %d times", attempt, run, run.Error, w.starts(t))
		}
		if p := w.receipt(t, run); p.Closure.Status != "failed" || p.Process != nil {
			t.Errorf("attempt %d: receipt %+v", attempt, p)
		}
	}
}

// A warning and a directory that hold the credential are shown without it.
func TestCredentialInPlaces(t *testing.T) {
	const canary = "canary-place-1"
	w := newWorld(t, program(t, []string{"print", "", "", "0"}, acme, "credential: api", "cwd: ../"+canary), "ACME_TOKEN="+canary)
	if err := os.Mkdir(filepath.Join(w.workspace, canary), 0o700); err != nil {
		t.Fatal(err)
	}
	run := w.run(t, w.request(t, `{}`))
	document, err := run.Document()
	if err != nil || run.Status != runtime.Sealed {
		t.Fatalf("run %+v, fault %+v (%v)", run, run.Error, err)
	}
	if found := filesWith(t, w.state, canary); found != nil || strings.Contains(string(document), canary) {
		t.Errorf("the credential is in %v, or in %s", found, document)
	}
}
