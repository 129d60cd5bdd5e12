//go:build unix

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"syscall"
)

// killSelf ends this process by a signal that nothing can ignore.
func killSelf() error {
	if err := syscall.Kill(os.Getpid(), syscall.SIGKILL); err != nil {
		return err
	}
	select {} // the signal is on its way
}

// sessionAttr starts a child in this process's group and session, or in a session of its own.
func sessionAttr(own bool) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setsid: own}
}

// groupAttr starts a child in a process group of its own, in this process's session.
func groupAttr() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// joinGroup moves this process to the group of another one of its session.
func joinGroup(pid int) error {
	group, err := syscall.Getpgid(pid)
	if err != nil {
		return fmt.Errorf("cannot find the process group of %d: %w", pid, err)
	}
	if err := syscall.Setpgid(0, group); err != nil {
		return fmt.Errorf("cannot join the process group %d: %w", group, err)
	}
	return nil
}

// alive says whether a process exists and has not ended. A zombie, which only waits to be
// collected, is gone; only Linux can tell it apart.
func alive(pid int) bool {
	if pid <= 0 {
		return false
	}
	if err := syscall.Kill(pid, 0); errors.Is(err, syscall.ESRCH) {
		return false
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return !errors.Is(err, os.ErrNotExist) || !onProc()
	}
	// pid (name) state …; the name may hold anything.
	_, rest, ok := bytes.Cut(stat[bytes.LastIndexByte(stat, ')')+1:], []byte(" "))
	return !ok || len(rest) == 0 || rest[0] != 'Z' && rest[0] != 'X'
}

// onProc says whether this system shows its processes below /proc.
func onProc() bool {
	_, err := os.Stat("/proc/self/stat")
	return err == nil
}
