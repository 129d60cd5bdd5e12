// Package engine wires one run: it opens the records, resolves the credential, hands the request to
// the executor of its lane, seals the receipt and closes the envelope. It decides nothing about
// behaviour that an executor or a record could decide. Only cli, and tests, make an Engine.
package engine

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/runx-go/runx/internal/runtime"
	"github.com/runx-go/runx/internal/runtime/receipt"
	"github.com/runx-go/runx/internal/runtime/runner"
	"github.com/runx-go/runx/internal/runtime/runner/clitool"
	"github.com/runx-go/runx/internal/runtime/session"
	"github.com/runx-go/runx/internal/sandbox"
	"github.com/runx-go/runx/internal/sandbox/fsroot"
	"github.com/runx-go/runx/internal/skills"
)

// Options of an engine.
type Options struct {
	Host sandbox.Host
	// Version of runx, recorded in receipts.
	Version string
	// Workspace and StateDir are absolute.
	Workspace string
	StateDir  string
	// ReceiptDir is absolute; empty means receipts/ of the state directory.
	ReceiptDir string
	// DeliverReceiptDir is given to children as RUNX_RECEIPT_DIR when not empty.
	DeliverReceiptDir string
	// Profiles binds providers to credential profiles (the trusted project's configuration).
	Profiles map[string]string
	// Sink shows events after they were recorded; nil shows none.
	Sink runtime.Sink
	// Kill, when closed, ends every process at once; nil never does.
	Kill <-chan struct{}
	// Now nil is the real clock; Rand nil is the system's source.
	Now  func() time.Time
	Rand io.Reader
}

// Engine runs skills in one workspace. It holds no open file between runs.
type Engine struct {
	opts    Options
	signing receipt.SigningConfig
}

// New checks the options.
func New(opts Options) (*Engine, error) {
	if !filepath.IsAbs(opts.Workspace) || !filepath.IsAbs(opts.StateDir) {
		return nil, fmt.Errorf("cannot make an engine: workspace %q and state directory %q must be absolute", opts.Workspace, opts.StateDir)
	}
	if opts.ReceiptDir == "" {
		opts.ReceiptDir = filepath.Join(opts.StateDir, "receipts")
	}
	if opts.Sink == nil {
		opts.Sink = runtime.Discard{}
	}
	if opts.Now == nil {
		opts.Now = time.Now
	}
	if opts.Rand == nil {
		opts.Rand = rand.Reader
	}
	return &Engine{opts: opts, signing: SigningConfig(opts.Host)}, nil
}

// SigningConfig reads RUNX_RECEIPT_SIGN_* of the host.
func SigningConfig(host sandbox.Host) receipt.SigningConfig {
	return receipt.SigningConfig{
		KID:        variable(host, "RUNX_RECEIPT_SIGN_KID"),
		SeedBase64: variable(host, "RUNX_RECEIPT_SIGN_ED25519_SEED_BASE64"),
		IssuerType: variable(host, "RUNX_RECEIPT_SIGN_ISSUER_TYPE"),
	}
}

// VerifyConfig reads RUNX_RECEIPT_VERIFY_* of the host.
func VerifyConfig(host sandbox.Host) receipt.VerifyConfig {
	return receipt.VerifyConfig{
		KID:             variable(host, "RUNX_RECEIPT_VERIFY_KID"),
		PublicKeyBase64: variable(host, "RUNX_RECEIPT_VERIFY_ED25519_PUBLIC_KEY_BASE64"),
	}
}

func variable(host sandbox.Host, name string) *string {
	if value, ok := host.Lookup(name); ok {
		return &value
	}
	return nil
}

// OpenUserConfig opens the user's configuration folder, making it when missing.
func OpenUserConfig(host sandbox.Host) (*fsroot.Dir, error) {
	if host.UserConfigDir == "" {
		return nil, &runtime.Error{Class: runtime.ClassFailed, Code: "user_config",
			Message: "cannot find the user's configuration folder: neither XDG_CONFIG_HOME nor HOME is set",
			Hint:    "set HOME or XDG_CONFIG_HOME to an absolute path"}
	}
	dir, err := fsroot.Create(host.UserConfigDir, true)
	if err != nil {
		return nil, fileError("user_config", "cannot open the user's configuration folder "+host.UserConfigDir, err)
	}
	return dir, nil
}

// fileError gives a file system fault its class and, where the repair is known, its hint.
func fileError(code, what string, err error) *runtime.Error {
	out := &runtime.Error{Class: runtime.ClassFailed, Code: code, Message: fmt.Sprintf("%s: %v", what, err), Err: err}
	switch perm, ok := errors.AsType[*fsroot.PermissionError](err); {
	case ok:
		out.Hint = perm.Repair
	case errors.Is(err, fs.ErrPermission):
		out.Hint = "check who owns it and whether it is writable" + elsewhere(code)
	default:
		out.Hint = "check that the disk is writable and not full" + elsewhere(code)
	}
	return out
}

// elsewhere names the flag that moves what could not be written; the user's configuration has none.
func elsewhere(code string) string {
	switch code {
	case "state_write":
		return ", or name another place with --state-dir"
	case "receipt_write":
		return ", or name another place with --receipt-dir"
	}
	return ""
}

// openState opens the state directory. The default one must not be a link: a repository could bring
// one along that leads elsewhere.
func (e *Engine) openState() (*fsroot.Dir, error) {
	if e.opts.StateDir == filepath.Join(e.opts.Workspace, ".runx") {
		parent, err := fsroot.Open(e.opts.Workspace)
		if err != nil {
			return nil, err
		}
		defer parent.Close()
		if info, err := parent.Lstat(".runx"); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return nil, errors.New("it is a link, which a repository could have brought along")
		}
	}
	return session.InitState(e.opts.StateDir)
}

func (e *Engine) signer() (*receipt.Signer, error) {
	var config *fsroot.Dir
	if e.signing == (receipt.SigningConfig{}) {
		dir, err := OpenUserConfig(e.opts.Host)
		if err != nil {
			return nil, err
		}
		defer dir.Close()
		config = dir
	}
	signer, err := receipt.NewSigner(e.signing, config, nil)
	if err != nil {
		return nil, signingError(err)
	}
	return signer, nil
}

// signingError gives a fault of keys its class.
func signingError(err error) *runtime.Error {
	if cfg, ok := errors.AsType[*receipt.ConfigError](err); ok {
		return &runtime.Error{Class: runtime.ClassInvalid, Code: "signing_config", Message: cfg.Msg, Hint: cfg.Hint, Err: err}
	}
	return fileError("signing_key", "cannot open the signing key", err)
}

// SigningKey describes the key that signs receipts without making one: made is false when the
// local key does not exist yet.
func SigningKey(host sandbox.Host) (issuer receipt.Issuer, made bool, err error) {
	e := &Engine{opts: Options{Host: host}, signing: SigningConfig(host)}
	if e.signing == (receipt.SigningConfig{}) {
		if host.UserConfigDir == "" {
			return receipt.Issuer{}, false, nil
		}
		dir, err := fsroot.Open(host.UserConfigDir)
		if err == nil {
			defer dir.Close()
			_, err = dir.Stat(receipt.LocalKeyFile)
		}
		if errors.Is(err, fs.ErrNotExist) {
			return receipt.Issuer{}, false, nil
		}
		if err != nil {
			return receipt.Issuer{}, false, fileError("signing_key", "cannot open the signing key", err)
		}
	}
	signer, err := e.signer()
	if err != nil {
		return receipt.Issuer{}, false, err
	}
	return signer.Issuer(), true, nil
}

// runnerFor chooses the executor of a lane.
func runnerFor(source skills.Source) (runner.Runner, bool) {
	if _, ok := source.(skills.CLITool); ok {
		return clitool.Runner{}, true
	}
	return nil, false
}

// CheckRunner reports what every run of a runner would be refused for (skill validate).
func CheckRunner(os string, profile *skills.Profile, r *skills.Runner) []skills.Finding {
	var findings []skills.Finding
	for _, c := range profile.Credentials {
		if c.Name != r.Credential {
			continue
		}
		for _, m := range deliverable(c).Modes {
			findings = append(findings, clitool.CheckNames(os, r, m.Env)...)
		}
		return findings
	}
	return clitool.CheckNames(os, r, "")
}

var _ runtime.Sink = (*session.Recorder)(nil)
