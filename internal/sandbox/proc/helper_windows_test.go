package proc

import (
	"fmt"
	"os"
)

func goos() string { return "windows" }

// platformHelper plays no program: those of Unix use signals, groups and sessions.
func platformHelper(name string, _ []string) int {
	fmt.Fprintln(os.Stderr, "no such helper:", name)
	return 99
}
