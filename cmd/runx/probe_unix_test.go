//go:build unix

package main

import (
	"os"
	goruntime "runtime"
	"syscall"
	"testing"
)

// stubborn sends what the processes must ignore; they must still be there after a signal that is
// handled after it.
func stubborn(t *testing.T, pids []int) {
	t.Helper()
	for _, pid := range pids {
		for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP} {
			if err := syscall.Kill(pid, signal); err != nil {
				t.Fatal(err)
			}
		}
		if !alive(pid) {
			t.Errorf("process %d did not ignore the signals", pid)
		}
	}
}

func TestProbeKillsItself(t *testing.T) {
	probe, _, _ := startProbe(t, "kill-self")
	state, err := probe.Wait()
	if err != nil {
		t.Fatal(err)
	}
	status, ok := state.Sys().(syscall.WaitStatus)
	if !ok || status.Signal() != syscall.SIGKILL {
		t.Errorf("the probe ended with %v", state)
	}
}

func TestProcessAlive(t *testing.T) {
	if !alive(os.Getpid()) || alive(0) || alive(-1) {
		t.Error("this process is not alive, or none is")
	}
	probe, stdout, _ := startProbe(t, "exit:0")
	for buffer := make([]byte, 16); ; { // to its end: the process is over, and not yet waited for
		if _, err := stdout.Read(buffer); err != nil {
			break
		}
	}
	if goruntime.GOOS == "linux" { // where a process that waits to be collected can be told apart
		waitGone(t, probe.Pid)
	}
	if _, err := probe.Wait(); err != nil {
		t.Fatal(err)
	}
	if alive(probe.Pid) {
		t.Error("a process that was waited for is alive")
	}
}
