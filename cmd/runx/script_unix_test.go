//go:build unix

package main

import (
	"fmt"
	"os"
	"syscall"
)

func sendSignal(process *os.Process, name string) error {
	switch name {
	case "INT":
		return process.Signal(syscall.SIGINT)
	case "TERM":
		return process.Signal(syscall.SIGTERM)
	case "HUP":
		return process.Signal(syscall.SIGHUP)
	case "KILL":
		return process.Kill()
	}
	return fmt.Errorf("no signal is called %q", name)
}
