//go:build unix

package main

import (
	"os"
	"syscall"
)

// endSignals are those that cancel a run.
func endSignals() []os.Signal { return []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} }
