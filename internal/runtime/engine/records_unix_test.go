//go:build unix

package engine

import (
	"os"
	"strings"
	"testing"
)

// A state directory that others can write is refused with the command that repairs it.
func TestStateOpenToOthers(t *testing.T) {
	w := newWorld(t, program(t, []string{"print", "", "", "0"}))
	if err := os.Mkdir(w.state, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(w.state, 0o777); err != nil {
		t.Fatal(err)
	}
	_, err := w.engine(t, nil).RunSkill(t.Context(), w.request(t, `{}`))
	if fault := asFault(t, err); fault.Code != "state_write" || !strings.HasPrefix(fault.Hint, "chmod ") || w.starts(t) != 0 {
		t.Errorf("error %+v, started %d times", fault, w.starts(t))
	}
}
