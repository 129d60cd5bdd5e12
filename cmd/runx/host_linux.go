package main

import (
	"syscall"

	"github.com/runx-go/runx/internal/sandbox"
)

// argEnvLimit is what the kernel gives arguments and environment: a quarter of the stack limit.
func argEnvLimit() int {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_STACK, &limit); err != nil {
		limit.Cur = 0
	}
	return sandbox.LinuxArgEnvLimit(limit.Cur)
}
