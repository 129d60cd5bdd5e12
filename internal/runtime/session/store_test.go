package session

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	goruntime "runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/runx-go/runx/internal/sandbox/fsroot"
)

// newState makes a state directory in a temporary place.
func newState(t *testing.T) *fsroot.Dir {
	t.Helper()
	state, err := InitState(filepath.Join(t.TempDir(), "work", ".runx"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { state.Close() })
	return state
}

func newRecord(t *testing.T, state *fsroot.Dir) *Record {
	t.Helper()
	record, err := NewStore(state).Create(testRunID)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { record.Close() })
	return record
}

// needModes skips where files have no permission bits.
func needModes(t *testing.T) {
	t.Helper()
	if goruntime.GOOS == "windows" {
		t.Skip("files have no permission bits on Windows")
	}
}

func TestInitState(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a", ".runx")
	ignore := filepath.Join(path, ".gitignore")
	for range 2 {
		state, err := InitState(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := state.Close(); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(ignore)
		if err != nil {
			t.Fatal(err)
		}
		if want := "*\n!config.yaml\n!policy.yaml\n"; string(got) != want {
			t.Errorf(".gitignore: got %q, want %q", got, want)
		}
	}
}

// What a repository brought along cannot make the state public; a file that ignores it is kept.
func TestInitStateKeepsTheStateIgnored(t *testing.T) {
	const ours = "*\n!config.yaml\n!policy.yaml\n"
	tests := []struct{ name, text, want string }{
		{"ours", ours, ours},
		{"everything is ignored", "# mine\n*\n", "# mine\n*\n"},
		{"CRLF", "*\r\n!config.yaml\r\n", "*\r\n!config.yaml\r\n"},
		{"empty", "", ours},
		{"only a comment", "# nothing\n", ours},
		{"something else", "mine\n", ours},
		{"everything is shared", "*\n!*\n", ours},
		{"receipts are shared", "*\n!receipts/\n", ours},
		{"too late", "!runs/\n*\n", ours},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := t.TempDir()
			ignore := filepath.Join(path, ".gitignore")
			if err := os.WriteFile(ignore, []byte(tt.text), 0o600); err != nil {
				t.Fatal(err)
			}
			state, err := InitState(path)
			if err != nil {
				t.Fatal(err)
			}
			state.Close()
			if got, err := os.ReadFile(ignore); err != nil || string(got) != tt.want {
				t.Errorf("got %q, %v, want %q", got, err, tt.want)
			}
		})
	}
}

func TestInitStateRefusesADirectoryThatOthersCanWrite(t *testing.T) {
	needModes(t)
	path := filepath.Join(t.TempDir(), ".runx")
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o777); err != nil {
		t.Fatal(err)
	}
	state, err := InitState(path)
	if _, ok := errors.AsType[*fsroot.PermissionError](err); !ok {
		t.Fatalf("got %v and error %v, want *fsroot.PermissionError", state, err)
	}
	if entries, _ := os.ReadDir(path); len(entries) != 0 {
		t.Errorf("something was written: %v", entries)
	}
}

func TestInitStateReportsWhatIsInTheWay(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if state, err := InitState(path); err == nil {
		t.Errorf("a file was opened as a state directory: %v", state.Name())
	}
}

func TestSaveAndLoad(t *testing.T) {
	state := newState(t)
	record := newRecord(t, state)
	store := NewStore(state)
	if _, err := store.Load(testRunID); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("before the first Save: got %v, want fs.ErrNotExist", err)
	}
	if err := record.Save(&Run{RunID: testRunID}); err != nil {
		t.Fatal(err)
	}
	if err := record.Save(fullRun()); err != nil {
		t.Fatal(err)
	}
	got, err := store.Load(testRunID)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(fullRun(), got); diff != "" {
		t.Errorf("run (-want +got):\n%s", diff)
	}
	text, err := os.ReadFile(filepath.Join(state.Name(), "runs", testRunID, "run.json"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(fullDocument+"\n", string(text)); diff != "" {
		t.Errorf("run.json (-want +got):\n%s", diff)
	}
}

func TestLoadRefusesOtherIDs(t *testing.T) {
	state := newState(t)
	if err := newRecord(t, state).Save(fullRun()); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"", "run_", "../runs/" + testRunID, strings.ToLower(testRunID), testRunID + "/", "run_01J9Z3M6Q8V5T2X4C7B1N0K8HE"} {
		if run, err := NewStore(state).Load(id); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("Load(%q): got %v, %v, want fs.ErrNotExist", id, run, err)
		}
	}
}

func TestLoadRefusesTheRecordOfAnotherRun(t *testing.T) {
	state := newState(t)
	run := fullRun()
	run.RunID = "run_01J9Z3M6Q8V5T2X4C7B1N0K8HE"
	if err := newRecord(t, state).Save(run); err != nil {
		t.Fatal(err)
	}
	want := `cannot use runs/` + testRunID + `/run.json: it is the record of run "` + run.RunID + `"`
	if _, err := NewStore(state).Load(testRunID); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestCreate(t *testing.T) {
	state := newState(t)
	store := NewStore(state)
	record, err := store.Create(testRunID)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := store.Create(testRunID); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a second time: got %v, want fs.ErrExist", err)
	}
	for _, id := range []string{"", "run_x", "../" + testRunID, "s_01J9Z3M6Q8V5T2X4C7B1N0K8HD"} {
		if _, err := store.Create(id); err == nil {
			t.Errorf("Create(%q) made something", id)
		}
	}
	lock := fsroot.RelPath("runs/" + testRunID + "/lock")
	if _, err := state.TryLock(lock); !errors.Is(err, fsroot.ErrLocked) {
		t.Errorf("while the run is open: got %v, want fsroot.ErrLocked", err)
	}
	for range 2 {
		if err := record.Close(); err != nil {
			t.Fatal(err)
		}
	}
	unlock, err := state.TryLock(lock)
	if err != nil {
		t.Fatalf("after Close: %v", err)
	}
	if err := unlock(); err != nil {
		t.Fatal(err)
	}
}

func TestCreateReportsWhatIsInTheWay(t *testing.T) {
	state := newState(t)
	if err := state.CreateNew("runs", nil); err != nil {
		t.Fatal(err)
	}
	if _, err := NewStore(state).Create(testRunID); err == nil {
		t.Error("a run was made in a file")
	}
}

// Names must be storable everywhere; directories and files are the user's alone.
func TestFilesOfARun(t *testing.T) {
	state := newState(t)
	record := newRecord(t, state)
	recorder := record.Recorder(RecorderOptions{Run: testRunID})
	if err := recorder.Emit(t.Context(), started()); err != nil {
		t.Fatal(err)
	}
	if err := record.Save(fullRun()); err != nil {
		t.Fatal(err)
	}
	got := map[string]fs.FileMode{}
	err := filepath.WalkDir(state.Name(), func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(state.Name(), path)
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		if rel != "." {
			if _, err := fsroot.ParseRelPath(filepath.ToSlash(rel)); err != nil {
				t.Errorf("%s: %v", rel, err)
			}
			if err := fsroot.RelPath(filepath.ToSlash(rel)).Portable(); err != nil {
				t.Errorf("%s: %v", rel, err)
			}
		}
		got[filepath.ToSlash(rel)] = info.Mode().Perm()
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	needModes(t)
	run := "runs/" + testRunID
	want := map[string]fs.FileMode{".": 0o700, ".gitignore": 0o600, "runs": 0o700, run: 0o700,
		run + "/run.json": 0o600, run + "/events.jsonl": 0o600, run + "/lock": 0o600}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}
