package main

import (
	"errors"
	"os"
	"syscall"
)

// killSelf ends this process at once; Windows has no signals.
func killSelf() error {
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		return err
	}
	return self.Kill()
}

// sessionAttr is the attributes of a child; Windows has no sessions to leave.
func sessionAttr(own bool) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{HideWindow: own}
}

// groupAttr is the attributes of a child; no signal comes to a group on Windows.
func groupAttr() *syscall.SysProcAttr { return sessionAttr(false) }

// joinGroup does nothing: a child is in the job of its parent.
func joinGroup(int) error { return nil }

// alive says whether a process exists and has not ended.
func alive(pid int) bool {
	const synchronize = 0x00100000
	handle, err := syscall.OpenProcess(synchronize, false, uint32(pid))
	if err != nil {
		return errors.Is(err, syscall.ERROR_ACCESS_DENIED)
	}
	defer syscall.CloseHandle(handle)
	event, err := syscall.WaitForSingleObject(handle, 0)
	return err != nil || event == syscall.WAIT_TIMEOUT
}
