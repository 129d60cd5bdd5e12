package main

import (
	"fmt"
	"os"
)

// sendSignal can only kill: Windows has no signals.
func sendSignal(process *os.Process, name string) error {
	if name == "KILL" {
		return process.Kill()
	}
	return fmt.Errorf("this system has no signal %s", name)
}
