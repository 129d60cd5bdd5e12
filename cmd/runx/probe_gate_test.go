package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/runx-go/runx/internal/cli"
)

// TestAuthorGate runs the whole matrix as `runx fixtures check` does; this test binary is the probe.
func TestAuthorGate(t *testing.T) {
	host, err := newHost()
	if err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	code := cli.Main(t.Context(), host, cli.Build{Version: "test"}, []string{"fixtures", "check"}, cli.IO{
		In: strings.NewReader(""), Out: &stdout, Err: &stderr, Alive: alive,
	})
	if code != 0 || stderr.Len() > 0 || !strings.Contains(stdout.String(), " 0 failed, 0 skipped,") {
		t.Errorf("exit %d\n%s%s", code, stdout.String(), stderr.String())
	}
}
