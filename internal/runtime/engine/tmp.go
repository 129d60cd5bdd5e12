package engine

import (
	"strings"

	"github.com/runx-go/runx/internal/runtime"
	"github.com/runx-go/runx/internal/runtime/session"
	"github.com/runx-go/runx/internal/sandbox/fsroot"
)

// sweepTmp removes the input files that runs left behind whose runx was killed. What belongs to a
// run that still works, and what was not made by runx, stays.
func sweepTmp(store *session.Store, tmp *fsroot.Dir) error {
	entries, err := tmp.ReadDir(fsroot.Self)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		id, _, isExecution := strings.Cut(entry.Name(), "-")
		if !isExecution || !runtime.IsID("run_", id) {
			continue
		}
		ended, err := store.Ended(id)
		if err != nil {
			return err
		}
		if !ended {
			continue
		}
		if err := tmp.RemoveAll(fsroot.RelPath(entry.Name())); err != nil {
			return err
		}
	}
	return nil
}
