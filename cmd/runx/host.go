package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"github.com/runx-go/runx/internal/sandbox"
)

// newHost collects the facts of the process once.
func newHost() (sandbox.Host, error) {
	dir, err := os.Getwd()
	if err != nil {
		dir = "" // removed or unreadable: what needs it says so
	}
	executable, err := os.Executable()
	if err != nil {
		return sandbox.Host{}, fmt.Errorf("cannot find the runx program: %w", err)
	}
	return sandbox.Host{
		OS: runtime.GOOS, Executable: executable, Dir: dir, Env: os.Environ(),
		UserConfigDir: userConfigDir(), ArgEnvLimit: argEnvLimit(), UID: os.Getuid(),
	}, nil
}

// userConfigDir is runx's folder in the platform's place for configuration; "" when there is none.
// XDG_CONFIG_HOME counts on every Unix, and only when it is absolute.
func userConfigDir() string {
	if base := os.Getenv("XDG_CONFIG_HOME"); filepath.IsAbs(base) && runtime.GOOS != "windows" {
		return filepath.Join(base, "runx")
	}
	base, err := os.UserConfigDir()
	if err != nil && runtime.GOOS != "windows" {
		// A relative XDG_CONFIG_HOME is passed over, as its standard asks.
		if home := os.Getenv("HOME"); filepath.IsAbs(home) {
			base, err = filepath.Join(home, ".config"), nil
		}
	}
	if err != nil || !filepath.IsAbs(base) {
		return ""
	}
	return filepath.Join(base, "runx")
}
