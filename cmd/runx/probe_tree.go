package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	goruntime "runtime"
	"syscall"
	"time"
)

// Every process of the probe ends by itself, whatever becomes of the gate.
const (
	probeLife = 90 * time.Second // of what ignores signals
	probeHold = 70 * time.Second // of what only holds a pipe
	probeTail = 50 * time.Millisecond
)

// tree makes a leader and a child that ignore signals. It reports the pids, writes "started" to
// stderr and, in the form ready, makes the file probe-ready in the current directory; then it stays
// until it is killed. In the form setsid the child has a session of its own.
func (p probe) tree(how string) (int, error) {
	if how != "" && how != "setsid" && how != "ready" {
		return 0, errProbeMode
	}
	ignoreSignals()
	pid, err := p.startStubborn(how)
	if err != nil {
		return 0, err
	}
	if err := p.reportPIDs(os.Getpid(), pid); err != nil {
		return 0, err
	}
	if _, err := io.WriteString(p.stderr, "started\n"); err != nil {
		return 0, err
	}
	if how == "ready" {
		if err := os.WriteFile("probe-ready", nil, 0o600); err != nil {
			return 0, err
		}
	}
	time.Sleep(probeLife)
	return probeBroken, nil
}

// startStubborn starts the child of tree. A program in Go cannot be started deaf: it takes SIGTERM
// until it says otherwise, whether it inherits it ignored or blocked. So that the signal of a limit
// that passes on a slow machine does not end the child while it starts, it starts in a process group
// of its own and comes into this one when it is deaf.
func (p probe) startStubborn(how string) (int, error) {
	if how == "setsid" {
		return p.startReady("child:stubborn", sessionAttr(true))
	}
	return p.startReady("child:joining", groupAttr())
}

// leave starts a child that outlives this process and has its streams, and returns.
func (p probe) leave(how string) error {
	switch how {
	case "hold", "setsid":
		pid, err := p.startReady("child:hold", sessionAttr(how == "setsid"))
		if err != nil {
			return err
		}
		return p.reportPIDs(pid)
	case "tail":
		return p.leaveTail()
	}
	return errProbeMode
}

// leaveTail leaves a child that knows by the end of its stdin when this process is gone.
func (p probe) leaveTail() error {
	read, write, err := os.Pipe()
	if err != nil {
		return err
	}
	defer goruntime.KeepAlive(write) // it closes with this process, not before
	defer read.Close()               //nolint:errcheck // only read from
	if _, err := p.start("child:tail", read, sessionAttr(false)); err != nil {
		return err
	}
	_, err = io.WriteString(p.stdout, "head\n")
	return err
}

// child is a process that tree and leave start. Its stdin is a pipe of its parent.
func (p probe) child(how string) error {
	switch how {
	case "stubborn":
		ignoreSignals()
		return p.stay(probeLife)
	case "joining":
		ignoreSignals()
		if err := joinGroup(os.Getppid()); err != nil {
			return err
		}
		return p.stay(probeLife)
	case "hold":
		return p.stay(probeHold)
	case "tail":
		if _, err := io.Copy(io.Discard, p.stdin); err != nil {
			return err
		}
		time.Sleep(probeTail)
		_, err := io.WriteString(p.stdout, "tail\n")
		return err
	}
	return errProbeMode
}

// stay says to the parent that this process is as it should be, and then only exists. The pipe is
// at descriptor 0 because Windows passes no others on.
func (p probe) stay(life time.Duration) error {
	ready, ok := p.stdin.(*os.File)
	if !ok {
		return errors.New("stdin is no pipe")
	}
	if _, err := ready.Write([]byte{'r'}); err != nil {
		return err
	}
	if err := ready.Close(); err != nil {
		return err
	}
	time.Sleep(life)
	return nil
}

// startReady starts a child and returns its pid when it has reported to be ready.
func (p probe) startReady(mode string, attr *syscall.SysProcAttr) (int, error) {
	read, write, err := os.Pipe()
	if err != nil {
		return 0, err
	}
	defer read.Close() //nolint:errcheck // only read from
	pid, err := p.start(mode, write, attr)
	if err := errors.Join(err, write.Close()); err != nil {
		return 0, err
	}
	if _, err := io.ReadFull(read, make([]byte, 1)); err != nil {
		return 0, fmt.Errorf("the child ended before it was ready: %w", err)
	}
	return pid, nil
}

// start starts this binary as a child of the probe with the streams of this process.
func (p probe) start(mode string, stdin *os.File, attr *syscall.SysProcAttr) (int, error) {
	self, err := os.Executable()
	if err != nil {
		return 0, err
	}
	stdout, okOut := p.stdout.(*os.File)
	stderr, okErr := p.stderr.(*os.File)
	if !okOut || !okErr {
		return 0, errors.New("a child needs streams that are files")
	}
	child, err := os.StartProcess(self, []string{self, probeMode, mode}, &os.ProcAttr{
		Env: p.environ, Files: []*os.File{stdin, stdout, stderr}, Sys: attr,
	})
	if err != nil {
		return 0, err
	}
	pid := child.Pid
	return pid, child.Release()
}

func (p probe) reportPIDs(pids ...int) error {
	return writeJSON(p.stdout, struct {
		PIDs []int `json:"pids"`
	}{pids})
}

func ignoreSignals() {
	signal.Ignore(os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
}
