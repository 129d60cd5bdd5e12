//go:build windows

package main

import (
	"os"
	"syscall"
)

// endSignals are those that cancel a run: Ctrl+C and Ctrl+Break, and the close, log-off and
// shutdown events, which Go delivers as SIGTERM.
func endSignals() []os.Signal { return []os.Signal{os.Interrupt, syscall.SIGTERM} }
