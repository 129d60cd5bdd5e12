package fsroot_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"testing"

	"go.uber.org/goleak"

	"github.com/runx-go/runx/internal/sandbox/fsroot"
)

// The test binary is its own helper process when its first argument says so: it holds a lock, or
// makes files, until its standard input ends.
const (
	helperLock   = "helper-lock"
	helperCreate = "helper-create"
)

func TestMain(m *testing.M) {
	if len(os.Args) == 3 {
		switch os.Args[1] {
		case helperLock, helperCreate:
			if err := help(os.Args[1], os.Args[2]); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			return
		}
	}
	goleak.VerifyTestMain(m)
}

func help(what, path string) error {
	d, err := fsroot.Open(path)
	if err != nil {
		return err
	}
	if what == helperLock {
		if _, err := d.Lock(context.Background(), "lock"); err != nil {
			return err
		}
		fmt.Println("held")
		_, err = io.Copy(io.Discard, os.Stdin)
		return err
	}
	fmt.Println("ready")
	if _, err := io.Copy(io.Discard, os.Stdin); err != nil {
		return err
	}
	made := 0
	for i := range creations {
		if d.CreateNew(creation(i), fmt.Appendf(nil, "%d of %d", i, os.Getpid())) == nil {
			made++
		}
	}
	fmt.Println(made)
	return nil
}

const creations = 50

func creation(i int) fsroot.RelPath { return fsroot.RelPath(fmt.Sprintf("file-%d", i)) }

// helper is a running helper process.
type helper struct {
	*os.Process
	in  *os.File // ends its wait when closed
	out *os.File
}

func startHelper(t *testing.T, what, path string) helper {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	childIn, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	out, childOut, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	p, err := os.StartProcess(exe, []string{exe, what, path}, &os.ProcAttr{Files: []*os.File{childIn, childOut, os.Stderr}})
	if err != nil {
		t.Fatal(err)
	}
	childIn.Close()
	childOut.Close()
	t.Cleanup(func() {
		in.Close()
		out.Close()
		p.Kill()
		p.Wait()
	})
	return helper{p, in, out}
}

// line reads a line of the helper's output.
func (h helper) line(t *testing.T) string {
	t.Helper()
	var line []byte
	for b := make([]byte, 1); ; line = append(line, b[0]) {
		if _, err := h.out.Read(b); err != nil {
			t.Fatalf("the helper ended: %v", err)
		}
		if b[0] == '\n' {
			return string(line)
		}
	}
}

func openTemp(t testing.TB) *fsroot.Dir {
	t.Helper()
	d, err := fsroot.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

// names lists a directory.
func names(t testing.TB, d *fsroot.Dir, p fsroot.RelPath) []string {
	t.Helper()
	entries, err := d.ReadDir(p)
	if err != nil {
		t.Fatal(err)
	}
	list := []string{}
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}
