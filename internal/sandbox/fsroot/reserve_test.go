package fsroot_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/runx-go/runx/internal/sandbox/fsroot"
)

func TestCreateWithoutHardLinks(t *testing.T) {
	d := openTemp(t)
	var made atomic.Int32
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			switch err := d.CreateReserved("f", fmt.Append(nil, i)); {
			case err == nil:
				made.Add(1)
			case !errors.Is(err, fs.ErrExist):
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if got, err := d.ReadLimited("f", 1); made.Load() != 1 || len(got) != 1 || err != nil {
		t.Errorf("%d made it, it holds %q, %v", made.Load(), got, err)
	}
	if diff := cmp.Diff([]string{"f"}, names(t, d, "")); diff != "" {
		t.Errorf("litter: %s", diff)
	}
	if fsroot.NoHardLinks(&os.LinkError{Op: "linkat", Err: fs.ErrExist}) || fsroot.NoHardLinks(nil) {
		t.Error("an existing target counts as a file system without links")
	}
}
