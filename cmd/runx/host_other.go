//go:build !linux

package main

import "runtime"

// argEnvLimit is 1 MiB on macOS (ARG_MAX); Windows limits each variable and the command line
// instead.
func argEnvLimit() int {
	if runtime.GOOS == "windows" {
		return 0
	}
	return 1 << 20
}
