//go:build unix

// Program stubborn ignores every request to end and starts two more of itself: one in its own group
// and, on Linux, one in a session of its own. Each leaves a file named after its process id in the
// directory that the argument names, and none ends by itself within a minute.
package main

import (
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
	"time"
)

func main() {
	signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	dir := os.Args[1]
	if len(os.Args) == 2 {
		start(dir, &syscall.SysProcAttr{})
		if runtime.GOOS == "linux" {
			start(dir, &syscall.SysProcAttr{Setsid: true})
		}
	}
	if err := os.WriteFile(filepath.Join(dir, strconv.Itoa(os.Getpid())), nil, 0o600); err != nil {
		os.Exit(1)
	}
	time.Sleep(time.Minute)
}

func start(dir string, attr *syscall.SysProcAttr) {
	cmd := exec.Command(os.Args[0], dir, "child")
	cmd.Stdout, cmd.SysProcAttr = os.Stdout, attr
	if err := cmd.Start(); err != nil {
		os.Exit(1)
	}
}
