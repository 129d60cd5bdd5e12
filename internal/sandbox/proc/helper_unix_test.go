//go:build unix

package proc

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	goruntime "runtime"
	"strconv"
	"syscall"
	"time"

	"github.com/runx-go/runx/internal/sandbox/delivery"
	"golang.org/x/sys/unix"
)

func goos() string { return goruntime.GOOS }

// chainLife bounds chains of processes by time, so that a test that fails does not load the machine.
const chainLife = 5 * time.Second

// saveTime is how long the helper save takes to end: a good part of the grace.
const saveTime = 200 * time.Millisecond

// platformHelper plays programs that use signals, groups and sessions.
func platformHelper(name string, args []string) int {
	switch name {
	case "kill": // SIGNAL
		n, err := strconv.Atoi(args[0])
		if err != nil {
			return 2
		}
		signal.Reset()
		_ = syscall.Kill(os.Getpid(), syscall.Signal(n))
		time.Sleep(forever)
	case "ignore": // ignores TERM
		signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
		fmt.Println("started")
		time.Sleep(forever)
	case "polite": // prints when it is asked to end
		asked := make(chan os.Signal, 1)
		signal.Notify(asked, syscall.SIGTERM)
		fmt.Println("started")
		<-asked
		fmt.Println("asked")
		return 7
	case "wrapper": // NAME: starts a child in its group, waits for it
		_ = child(nil, args[0]).Run()
	case "leave": // MODE TEXT: leaves a descendant behind that holds the pipe, then ends
		leave := child(sessionOf(args[0]), "ignore")
		if args[0] != "group" && args[0] != "session" {
			leave.Stdin, leave.Stdout, leave.Stderr = nil, nil, nil
		}
		if args[0] == "bare" || args[0] == "ours" {
			leave.Env = []string{"NOTHING=1"}
		}
		if err := leave.Start(); err != nil {
			return 2
		}
		fmt.Print(args[1])
	case "saver": // FILE: starts a child in its group that saves when it is asked to end, sleeps
		keep := child(nil, "save", args[0])
		keep.Stdout, keep.Stderr = nil, nil
		ready, err := keep.StdoutPipe()
		if err != nil || keep.Start() != nil {
			return 2
		}
		_, _ = ready.Read(make([]byte, 1))
		fmt.Println("started")
		time.Sleep(forever)
	case "save": // FILE: says that it is ready, takes a while to end
		asked := make(chan os.Signal, 1)
		signal.Notify(asked, syscall.SIGTERM)
		fmt.Print("!")
		<-asked
		time.Sleep(saveTime)
		_ = os.WriteFile(args[0], nil, 0o600)
	case "tail": // leaves a child that prints after 50 ms
		late := child(nil, "late")
		if err := late.Start(); err != nil {
			return 2
		}
		fmt.Println("hi")
	case "late":
		time.Sleep(50 * time.Millisecond)
		fmt.Println("tail")
	case "escape-and-sleep": // leaves an escaped child with its grandchild, then sleeps
		if err := child(&syscall.SysProcAttr{Setsid: true}, "leave", "closed", "").Run(); err != nil {
			return 2
		}
		fmt.Println("started")
		time.Sleep(forever)
	case "chain": // END: each link starts the next in its own session and ends, until END (Unix milliseconds)
		end, err := strconv.ParseInt(args[0], 10, 64)
		if err != nil || time.Now().UnixMilli() > end {
			return 1
		}
		next := child(&syscall.SysProcAttr{Setsid: true}, "chain", args[0])
		next.Stdin, next.Stdout, next.Stderr = nil, nil, nil
		_ = next.Start()
	case "chain-and-sleep": // CHAINS
		chains, err := strconv.Atoi(args[0])
		if err != nil {
			return 2
		}
		end := strconv.FormatInt(time.Now().Add(chainLife).UnixMilli(), 10)
		for range chains {
			_ = child(&syscall.SysProcAttr{Setsid: true}, "chain", end).Start()
		}
		fmt.Println("started")
		time.Sleep(forever)
	case "keeper": // MODE: leaves a descendant, prints its pid, sleeps
		keep := child(&syscall.SysProcAttr{Setsid: true}, "ignore")
		keep.Stdin, keep.Stdout, keep.Stderr = nil, nil, nil
		if args[0] == "bare" {
			keep.Env = []string{"NOTHING=1"}
		}
		if err := keep.Start(); err != nil {
			return 2
		}
		fmt.Println(keep.Process.Pid)
		time.Sleep(forever)
	case "pid":
		fmt.Println(os.Getpid())
		time.Sleep(forever)
	case "supervise": // supervises "pid" and prints what it prints
		_, err := Run(context.Background(), Command{
			Name: os.Args[0], Args: []string{helperArg, "pid"}, Dir: "/", Env: delivery.Empty(),
			Output: func(_ StreamName, chunk []byte) error { _, err := os.Stdout.Write(chunk); return err },
		})
		fmt.Fprintln(os.Stderr, err)
	case "isopen": // DESCRIPTOR
		n, err := strconv.Atoi(args[0])
		if err != nil {
			return 2
		}
		_, err = unix.FcntlInt(uintptr(n), unix.F_GETFD, 0)
		fmt.Print(err == nil)
	default:
		fmt.Fprintln(os.Stderr, "no such helper:", name)
		return 99
	}
	return 0
}

// sessionOf is where a descendant is left: in the group of its leader, in that of the test, which is
// the parent of the leader, or in a session of its own.
func sessionOf(mode string) *syscall.SysProcAttr {
	switch mode {
	case "group":
		return nil
	case "ours":
		group, err := syscall.Getpgid(os.Getppid())
		if err != nil {
			return nil
		}
		return &syscall.SysProcAttr{Setpgid: true, Pgid: group}
	}
	return &syscall.SysProcAttr{Setsid: true}
}

// child is another helper with the same streams and environment.
func child(attr *syscall.SysProcAttr, name string, args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], append([]string{helperArg, name}, args...)...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.SysProcAttr = attr
	return cmd
}
