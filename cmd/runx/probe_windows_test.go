package main

import "testing"

// stubborn has nothing to send: Windows has no signals.
func stubborn(t *testing.T, pids []int) {
	t.Helper()
	for _, pid := range pids {
		if !alive(pid) {
			t.Errorf("process %d is gone", pid)
		}
	}
}
