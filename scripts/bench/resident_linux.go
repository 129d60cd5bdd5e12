package main

import (
	"os"
	"syscall"
)

// residentBytes returns the highest resident size that wait4 reports. The kernel gives the larger of
// the process and of the children that it waited for, so the number is an upper bound for runx.
func residentBytes(state *os.ProcessState) int64 {
	usage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	return usage.Maxrss * 1024
}
