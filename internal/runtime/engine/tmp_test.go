package engine

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/runx-go/runx/internal/runtime/session"
	"github.com/runx-go/runx/internal/sandbox/fsroot"
)

func TestSweepTmp(t *testing.T) {
	const live, dead, unknown = "run_01J9Z3M6Q8V5T2X4C7B1N0K8HD", "run_01J9Z3M6Q8V5T2X4C7B1N0K8HE", "run_01J9Z3M6Q8V5T2X4C7B1N0K8HF"
	state, err := session.InitState(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer state.Close()
	store := session.NewStore(state)
	working, err := store.Create(live)
	if err != nil {
		t.Fatal(err)
	}
	defer working.Close()
	killed, err := store.Create(dead)
	if err != nil {
		t.Fatal(err)
	}
	if err := killed.Close(); err != nil {
		t.Fatal(err)
	}
	tmp, err := state.Sub("tmp")
	if err != nil {
		t.Fatal(err)
	}
	defer tmp.Close()
	for _, name := range []fsroot.RelPath{live + "-1", dead + "-1", dead + "-2", unknown + "-1", "notes", "run_x-1", dead} {
		if err := tmp.Mkdir(name); err != nil {
			t.Fatal(err)
		}
	}
	if err := tmp.WriteAtomic(dead+"-1/inputs.json", []byte("{}")); err != nil {
		t.Fatal(err)
	}
	if err := sweepTmp(store, tmp); err != nil {
		t.Fatal(err)
	}
	entries, err := tmp.ReadDir(fsroot.Self)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, entry := range entries {
		got = append(got, entry.Name())
	}
	if diff := cmp.Diff([]string{"notes", live + "-1", dead, "run_x-1"}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
