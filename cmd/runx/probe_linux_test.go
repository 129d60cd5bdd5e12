package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// ignoresTerm says whether a process ignores SIGTERM; false too for one that is gone.
func ignoresTerm(pid int) bool {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return false
	}
	_, rest, _ := strings.Cut(string(status), "\nSigIgn:")
	line, _, _ := strings.Cut(rest, "\n")
	mask, err := strconv.ParseUint(strings.TrimSpace(line), 16, 64)
	return err == nil && mask&(1<<(syscall.SIGTERM-1)) != 0
}

func waitIgnoresTerm(t *testing.T, pid int) {
	t.Helper()
	deadline := time.Now().Add(10 * time.Second)
	for !ignoresTerm(pid) {
		if time.Now().After(deadline) {
			t.Fatalf("process %d does not ignore SIGTERM", pid)
		}
		time.Sleep(100 * time.Microsecond)
	}
}

// On a slow machine the limit passes while the child of the tree starts: the signal that then comes
// to the group does not end it, however often it comes, and in the end the child is in the group.
func TestProbeTreeIsDeafWhenItJoins(t *testing.T) {
	leader, stdout, _ := startProbeAs(t, &syscall.SysProcAttr{Setpgid: true}, "tree")
	waitIgnoresTerm(t, leader.Pid)
	stop := make(chan struct{})
	var sender sync.WaitGroup
	sender.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				_ = syscall.Kill(-leader.Pid, syscall.SIGTERM) // without the group the report fails
			}
		}
	})
	defer sender.Wait()
	defer close(stop)
	pids := pidsOf(t, stdout)
	if len(pids) != 2 || pids[0] != leader.Pid {
		t.Fatalf("pids are %v, the leader is %d", pids, leader.Pid)
	}
	for _, pid := range pids {
		group, err := syscall.Getpgid(pid)
		if err != nil || group != leader.Pid || !alive(pid) || !ignoresTerm(pid) {
			t.Errorf("process %d of the tree ended, or takes SIGTERM, or is in group %d: %v", pid, group, err)
		}
	}
}
