//go:build unix

package main

import "syscall"

// signalled says whether a process with this id exists.
func signalled(pid int) bool { return syscall.Kill(pid, 0) == nil }
