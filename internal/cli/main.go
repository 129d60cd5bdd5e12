// Package cli turns the words of a command line into one call of the engine and its end into one
// exit code. It reads configuration, decides whether a person can be asked and whether a stream
// shows colour, and prints through cli/render. It executes nothing itself. Only cmd/runx imports it.
package cli

import (
	"context"
	"fmt"
	"io"
	"runtime/debug"
	"strings"
	"time"

	"github.com/runx-go/runx/internal/cli/render"
	"github.com/runx-go/runx/internal/runtime"
	"github.com/runx-go/runx/internal/sandbox"
)

// console is what every command shares: the facts of the process and its streams.
type console struct {
	host     sandbox.Host
	io       IO
	build    Build
	out      *stdout
	err      io.Writer
	errStyle render.Style
	outStyle render.Style
	json     bool // errors are printed as a document
	help     bool // help is asked for
	debug    bool
	global   globalFlags
}

// globalFlags are the flags that every command has.
type globalFlags struct {
	stateDir   string
	receiptDir string
	noInput    bool
	color      string
}

// Main runs one command line (without the program's name) and returns its exit code. The context
// ends with a cause of package runtime when a signal arrives.
func Main(ctx context.Context, host sandbox.Host, build Build, args []string, streams IO) (code int) {
	c := &console{host: host, io: streams, build: build, out: &stdout{Writer: streams.Out}, err: streams.Err}
	c.io.In = newInterruptible(ctx, streams.In)
	// The forms of output count also when another word of the line is wrong.
	c.json = hasFlag(args, "--json") || hasFlag(args, "--events")
	c.help = hasFlag(args, "--help") || hasFlag(args, "-h")
	c.debug = hasFlag(args, "--debug")
	c.errStyle.Colour = colour(host, flagText(args, "--color"), streams.ErrTerminal)
	c.outStyle.Colour = colour(host, flagText(args, "--color"), streams.OutTerminal)
	defer func() {
		if p := recover(); p != nil {
			c.crashed(p)
			code = 70
		}
	}()
	root := newCmdRoot(c)
	root.SetArgs(args)
	root.SetOut(c.out)
	root.SetErr(streams.Err)
	return report(ctx, c, root.ExecuteContext(ctx))
}

// clock is the one that the streams came with, or the real one.
func (c *console) clock() func() time.Time {
	if c.io.Now != nil {
		return c.io.Now
	}
	return time.Now
}

// crashed reports a panic: a bug in runx. The stack is shown only with --debug.
func (c *console) crashed(p any) {
	stack := string(debug.Stack())
	fault := runtime.Fault{Code: "internal", Message: fmt.Sprintf("runx crashed: %v", p),
		Hint: "this is a bug in runx: run it again with --debug and report what it prints", Details: []byte("{}")}
	if c.json {
		render.JSON(c.out, render.ErrorDocument{Error: fault}) //nolint:errcheck // nothing is left to tell it to
	} else {
		render.Error(c.err, c.errStyle, fault, nil)
	}
	if c.debug {
		fmt.Fprintln(c.err, stack)
	}
}

// hasFlag looks for a boolean flag among the words before "--".
func hasFlag(args []string, flag string) bool {
	for _, arg := range args {
		switch arg {
		case "--":
			return false
		case flag, flag + "=true":
			return true
		}
	}
	return false
}

// flagText looks for the value of a flag among the words before "--".
func flagText(args []string, flag string) string {
	for i, arg := range args {
		if arg == "--" {
			return ""
		}
		if value, ok := strings.CutPrefix(arg, flag+"="); ok {
			return value
		}
		if arg == flag && i+1 < len(args) {
			return args[i+1]
		}
	}
	return ""
}
