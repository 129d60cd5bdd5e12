//go:build windows

package main

import (
	"errors"
	"os"
	"syscall"
)

// endSignals are those that cancel a run: Ctrl+C and Ctrl+Break, and the close, log-off and
// shutdown events, which Go delivers as SIGTERM.
func endSignals() []os.Signal { return []os.Signal{os.Interrupt, syscall.SIGTERM} }

// isBrokenPipe says whether a write failed because nobody reads any more: ERROR_BROKEN_PIPE or
// ERROR_NO_DATA.
func isBrokenPipe(err error) bool {
	return errors.Is(err, syscall.Errno(109)) || errors.Is(err, syscall.Errno(232))
}

// watchReader cannot see on Windows that a reader went away: the next write tells.
func watchReader(func()) {}
