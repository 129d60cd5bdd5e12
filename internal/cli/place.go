package cli

import (
	"context"
	"path/filepath"

	"github.com/runx-go/runx/internal/runtime"
	"github.com/runx-go/runx/internal/runtime/engine"
	"github.com/runx-go/runx/internal/skills/admission"
)

// place is where a command works: the workspace, its state, and the configuration in force there.
type place struct {
	c         *console
	workspace string
	config    *configuration
}

// place resolves the workspace and reads the configuration. It opens nothing else and makes
// nothing.
func (c *console) place() (*place, error) {
	workspace, err := c.host.Workspace()
	if err != nil {
		return nil, err
	}
	config, err := loadConfiguration(c.host, workspace)
	return &place{c: c, workspace: workspace, config: config}, err
}

// stateDir is asked for when all flags were read: they may stand behind the reference.
func (p *place) stateDir() string { return p.c.host.StateDir(p.c.global.stateDir, p.workspace) }

func (p *place) options() admission.Options {
	return admission.Options{Workspace: p.workspace, OS: p.c.host.OS}
}

// load resolves a reference and admits its package.
func (p *place) load(ctx context.Context, ref string) (*admission.Package, error) {
	dir, err := p.resolve(ctx, ref)
	if err != nil {
		return nil, err
	}
	return admission.Load(ctx, dir, p.options())
}

func (p *place) resolve(ctx context.Context, ref string) (string, error) {
	return admission.Resolve(ctx, ref, p.c.host.Dir, p.workspace, p.config.list(keySkillsPaths))
}

// receiptDir is where receipts lie: the flag, the variable, the configuration, else the state.
func (p *place) receiptDir() string {
	dir := p.c.global.receiptDir
	if dir == "" {
		dir, _ = p.c.host.Lookup("RUNX_RECEIPT_DIR")
	}
	if dir == "" {
		dir = p.config.receiptsDir()
	}
	if dir == "" {
		return filepath.Join(p.stateDir(), "receipts")
	}
	return p.absolute(dir)
}

func (p *place) absolute(dir string) string {
	if filepath.IsAbs(dir) {
		return filepath.Clean(dir)
	}
	return filepath.Join(p.c.host.Dir, dir)
}

// deliveredReceiptDir is what a child gets as RUNX_RECEIPT_DIR: only a place that the host or the
// command line named.
func (p *place) deliveredReceiptDir() string {
	if value, _ := p.c.host.Lookup("RUNX_RECEIPT_DIR"); value != "" || p.c.global.receiptDir != "" {
		return p.receiptDir()
	}
	return ""
}

func (p *place) engine(sink runtime.Sink) (*engine.Engine, error) {
	return engine.New(engine.Options{
		Host: p.c.host, Version: p.c.build.Version, Workspace: p.workspace, StateDir: p.stateDir(),
		ReceiptDir: p.receiptDir(), DeliverReceiptDir: p.deliveredReceiptDir(),
		Profiles: p.config.profiles(), Sink: sink, Kill: p.c.io.Kill,
	})
}
