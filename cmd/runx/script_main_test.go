package main

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == probeMode {
		os.Exit(probeMain(os.Args[2:], os.Environ(), os.Stdin, os.Stdout, os.Stderr))
	}
	testscript.Main(m, scriptPrograms())
}
