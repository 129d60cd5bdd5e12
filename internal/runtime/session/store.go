package session

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"sync"

	"github.com/runx-go/runx/internal/runtime"
	"github.com/runx-go/runx/internal/sandbox/fsroot"
)

// runPrefix begins every run id.
const runPrefix = "run_"

// Where things lie: runs/<run id>/ in the state directory, and what is in it.
const (
	runsDir    fsroot.RelPath = "runs"
	runFile    fsroot.RelPath = "run.json"
	eventsFile fsroot.RelPath = "events.jsonl"
	lockFile   fsroot.RelPath = "lock"
)

// Store keeps runs below a state directory. Its methods are safe for concurrent use.
type Store struct{ state *fsroot.Dir }

// NewStore makes a store; state is the open state directory, which stays the caller's to close.
func NewStore(state *fsroot.Dir) *Store { return &Store{state: state} }

// Create makes runs/<id>/ and takes its lock; fs.ErrExist when the run is there already. Errors are
// those of the file system (the engine gives them class and code state_write).
func (s *Store) Create(id string) (*Record, error) {
	path, err := runPath(id)
	if err != nil {
		return nil, err
	}
	runs, err := s.state.Sub(runsDir)
	if err != nil {
		return nil, err
	}
	if err := runs.Close(); err != nil {
		return nil, err
	}
	if err := s.state.Mkdir(path); err != nil {
		return nil, err
	}
	dir, err := s.state.Sub(path)
	if err != nil {
		return nil, err
	}
	unlock, err := dir.TryLock(lockFile)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("cannot lock run %s: %w", id, err), dir.Close())
	}
	return &Record{dir: dir, unlock: unlock}, nil
}

// Ended says whether no process works on a run any more, also when runx was killed in it. A run that
// this store does not know has ended.
func (s *Store) Ended(id string) (bool, error) {
	path, err := runPath(id)
	if err != nil {
		return false, err
	}
	unlock, err := s.state.TryLock(path.Join(lockFile))
	switch {
	case errors.Is(err, fsroot.ErrLocked):
		return false, nil
	case errors.Is(err, fs.ErrNotExist):
		return true, nil
	case err != nil:
		return false, err
	}
	return true, unlock()
}

// Load reads run.json of a run; fs.ErrNotExist when there is none, also for a text that is no run
// id. A file that is not a whole envelope is an error that names it.
func (s *Store) Load(id string) (*Run, error) {
	path, err := runPath(id)
	if err != nil {
		return nil, err
	}
	path += "/" + runFile
	data, err := s.state.ReadLimited(path, maxRunBytes)
	if err != nil {
		return nil, err
	}
	run, err := parseRun(string(path), data)
	if err != nil {
		return nil, err
	}
	if run.RunID != id {
		return nil, fmt.Errorf("cannot use %s: it is the record of run %q", path, run.RunID)
	}
	return run, nil
}

// runPath matches an id before it becomes part of a path.
func runPath(id string) (fsroot.RelPath, error) {
	if !runtime.IsID(runPrefix, id) {
		return "", fmt.Errorf("cannot find run %q: it is no run id: %w", id, fs.ErrNotExist)
	}
	return runsDir + "/" + fsroot.RelPath(id), nil
}

// Record is the open record of one run. Its methods are safe for concurrent use.
type Record struct {
	dir *fsroot.Dir

	mu     sync.Mutex
	unlock func() error // nil once closed
}

// Save writes the document of a run to run.json, piece by piece and atomically: a reader sees the old document or the new one, never a part.
func (r *Record) Save(run *Run) error {
	return r.dir.WriteAtomicFrom(runFile, func(w io.Writer) error {
		if _, err := run.WriteTo(w); err != nil {
			return err
		}
		_, err := io.WriteString(w, "\n")
		return err
	})
}

// Close releases the lock; it may be called twice.
func (r *Record) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.unlock == nil {
		return nil
	}
	unlock := r.unlock
	r.unlock = nil
	return errors.Join(unlock(), r.dir.Close())
}
