//go:build unix

package secret_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/runx-go/runx/internal/sandbox/fsroot"
)

func TestStorePermissions(t *testing.T) {
	for mode := range os.FileMode(0o100) {
		mode |= 0o600
		t.Run(fmt.Sprintf("%04o", mode), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "it's")
			mustOpen(t, path)
			file := filepath.Join(path, "credentials.json")
			if err := os.WriteFile(file, []byte(`{"version":1,"credentials":[]}`), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Chmod(file, mode); err != nil {
				t.Fatal(err)
			}
			_, _, err := open(t, path)
			if mode == 0o600 {
				if err != nil {
					t.Error(err)
				}
				return
			}
			perm, ok := errors.AsType[*fsroot.PermissionError](err)
			if !ok {
				t.Fatalf("OpenStore() = %v, want a *PermissionError", err)
			}
			if want := "chmod 600 '" + strings.ReplaceAll(file, "'", `'\''`) + "'"; perm.Path != file || perm.Repair != want {
				t.Errorf("got %+v, want the repair %s", perm, want)
			}
		})
	}
}
