// Command runx runs skill packages under a strict contract. This package alone looks at the
// process: it chooses between a child mode and the command line, collects the facts of the host,
// turns signals into the end of a context, and exits with the code that the command line returns.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/runx-go/runx/internal/cli"
)

// Set by the linker of a release.
var (
	version = "dev"
	commit  = ""
)

// exitAfter is how long runx takes at most after the first signal (skills specification, 2.5), and
// killAfter when it stops being gentle so that it keeps this.
const (
	exitAfter = 2 * time.Second
	killAfter = 1500 * time.Millisecond
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == probeMode {
		os.Exit(probeMain(os.Args[2:], os.Environ(), os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(run(os.Args[1:]))
}

func run(args []string) int {
	host, err := newHost()
	if err != nil {
		os.Stderr.WriteString("error: " + err.Error() + "\n") //nolint:errcheck // nothing else can be told
		return 70
	}
	ctx, kill, stop := watchSignals()
	defer stop()
	streams := terminal(cli.IO{In: os.Stdin, Out: pipe{os.Stdout}, Err: os.Stderr, Alive: alive, Kill: kill, WatchReader: watchReader})
	return cli.Main(ctx, host, cli.Build{Version: version, Commit: commit}, args, streams)
}

// pipe gives a write to a pipe that nobody reads the one error that the command line knows.
type pipe struct{ *os.File }

// Write implements io.Writer.
func (p pipe) Write(data []byte) (int, error) {
	n, err := p.File.Write(data)
	if isBrokenPipe(err) {
		return n, io.ErrClosedPipe
	}
	return n, err
}

// watchSignals ends the context at the first SIGINT, SIGTERM or SIGHUP and closes kill at the
// second, or when the end takes too long. A signal that was ignored at the start stays ignored.
func watchSignals() (ctx context.Context, kill chan struct{}, stop func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	kill = make(chan struct{})
	closeKill := sync.OnceFunc(func() { close(kill) })
	arrived := make(chan os.Signal, 4)
	var watched []os.Signal
	for _, s := range endSignals() {
		if !signal.Ignored(s) {
			watched = append(watched, s)
		}
	}
	if len(watched) > 0 {
		signal.Notify(arrived, watched...)
	}
	// Without a handler a write to a closed stdout would end the process at once.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	done := make(chan struct{})
	go func() {
		var first os.Signal
		select {
		case first = <-arrived:
		case <-done:
			return
		}
		cause, code := cli.ErrTerminated, 143
		if first == os.Interrupt {
			cause, code = cli.ErrInterrupted, 130
		}
		cancel(cause)
		tooLong, hard := time.NewTimer(killAfter), time.NewTimer(exitAfter)
		for {
			select {
			case <-arrived:
				closeKill()
			case <-tooLong.C:
				closeKill()
			case <-hard.C:
				os.Exit(code)
			case <-done:
				return
			}
		}
	}()
	return ctx, kill, func() {
		close(done)
		signal.Stop(arrived)
		cancel(nil)
	}
}
