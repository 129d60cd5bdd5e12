package receipt

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/runx-go/runx/internal/sandbox/fsroot"
	"github.com/runx-go/runx/internal/skills"
)

const (
	idPrefix   = "sha256:"
	filePrefix = "sha256-" // a colon cannot stand in a file name everywhere
	fileSuffix = ".json"
)

// Store is one folder of receipts, one file sha256-<hex>.json each. Its methods are safe for
// concurrent use, also by several processes.
type Store struct{ dir *fsroot.Dir }

// NewStore keeps receipts in dir, which stays the caller's to close.
func NewStore(dir *fsroot.Dir) *Store { return &Store{dir: dir} }

// Put writes atomically; the same id with other bytes is an error, but an empty file is replaced. Putting a receipt again is none.
func (s *Store) Put(r Receipt) error {
	e, fault := readEnvelope(r.Envelope)
	if fault != nil {
		return fmt.Errorf("cannot keep receipt %s: %s", r.ID, fault.Message)
	}
	if id := string(skills.DigestBytes(e.payload)); id != r.ID {
		return fmt.Errorf("cannot keep receipt %s: its payload has the id %s", r.ID, id)
	}
	name := fileName(skills.Digest(r.ID).Hex())
	err := s.dir.CreateNew(name, r.Envelope)
	if !errors.Is(err, fs.ErrExist) {
		return err
	}
	have, err := s.dir.ReadLimited(name, MaxBytes)
	if err != nil {
		return err
	}
	if len(have) == 0 {
		// Reserved without hard links, by a write that is going on or that crashed; no other bytes
		// can have this name.
		return s.dir.WriteAtomic(name, r.Envelope)
	}
	if !bytes.Equal(have, r.Envelope) {
		return fmt.Errorf("cannot keep receipt %s: %s is there with other bytes", r.ID, name)
	}
	return nil
}

// Get reads the file of an id ("sha256:…" or a unique prefix of at least 8 digits, with or without
// "sha256:"); fs.ErrNotExist when it is not there, also for a text that can be no id. A prefix of
// several is an error that says so.
func (s *Store) Get(id string) (raw []byte, fullID string, err error) {
	digits := strings.TrimPrefix(id, idPrefix)
	if len(digits) < minPrefixDigits || len(digits) > 64 || !isHex(digits+strings.Repeat("0", 64-len(digits))) {
		return nil, "", fmt.Errorf("cannot find receipt %q: an id is sha256: and 64 hex digits, of which the first %d are enough: %w",
			id, minPrefixDigits, fs.ErrNotExist)
	}
	if len(digits) < 64 {
		if digits, err = s.complete(id, digits); err != nil {
			return nil, "", err
		}
	}
	raw, err = s.dir.ReadLimited(fileName(digits), MaxBytes)
	if err != nil {
		return nil, "", fmt.Errorf("cannot read receipt %s%s: %w", idPrefix, digits, err)
	}
	return raw, idPrefix + digits, nil
}

// complete finds the one file whose digits begin so.
func (s *Store) complete(id, digits string) (string, error) {
	all, err := s.digits()
	if err != nil {
		return "", err
	}
	all = slices.DeleteFunc(all, func(d string) bool { return !strings.HasPrefix(d, digits) })
	switch len(all) {
	case 0:
		return "", fmt.Errorf("cannot find receipt %q: %w", id, fs.ErrNotExist)
	case 1:
		return all[0], nil
	}
	return "", fmt.Errorf("cannot choose receipt %q: %d receipts begin so, among them %s%s and %s%s",
		id, len(all), idPrefix, all[0], idPrefix, all[1])
}

// Entry is one row of receipt list; Problem says why a file cannot be read as a receipt.
type Entry struct {
	ID         string    `json:"receipt_id"`
	Skill      string    `json:"skill"`
	Runner     string    `json:"runner"`
	Status     string    `json:"status"`
	ReasonCode string    `json:"reason_code"`
	FinishedAt string    `json:"finished_at"`
	Finished   time.Time `json:"-"` // FinishedAt; zero in a row with a problem
	Problem    string    `json:"problem"`
}

// List, newest first; rows with a problem last. Nothing is verified; a broken file is a row with
// its problem. Files whose name is not that of a receipt are not looked at.
func (s *Store) List() ([]Entry, error) {
	all, err := s.digits()
	if err != nil {
		return nil, err
	}
	entries := make([]Entry, 0, len(all))
	for _, digits := range all {
		entry, err := s.entry(digits)
		if errors.Is(err, fs.ErrNotExist) {
			continue // it was removed meanwhile
		}
		if err != nil {
			entry.Problem = visible(err)
		}
		entries = append(entries, entry)
	}
	slices.SortStableFunc(entries, func(a, b Entry) int {
		return cmp.Or(b.Finished.Compare(a.Finished), cmp.Compare(a.ID, b.ID))
	})
	return entries, nil
}

func (s *Store) entry(digits string) (Entry, error) {
	broken := Entry{ID: idPrefix + digits}
	raw, err := s.dir.ReadLimited(fileName(digits), MaxBytes)
	if err != nil {
		return broken, err
	}
	r, err := Open(raw)
	if err != nil {
		return broken, err
	}
	if r.ID != broken.ID {
		return broken, fmt.Errorf("the file holds the receipt %s", r.ID)
	}
	finished, err := time.Parse(time.RFC3339, r.Predicate.Run.FinishedAt)
	if err != nil {
		return broken, err
	}
	return Entry{ID: r.ID, Skill: r.Predicate.Skill, Runner: r.Predicate.Runner, Status: r.Predicate.Closure.Status,
		ReasonCode: r.Predicate.Closure.ReasonCode, FinishedAt: r.Predicate.Run.FinishedAt, Finished: finished}, nil
}

// digits are those of every receipt's file name, sorted.
func (s *Store) digits() ([]string, error) {
	files, err := s.dir.ReadDir(fsroot.Self)
	if err != nil {
		return nil, fmt.Errorf("cannot list receipts: %w", err)
	}
	var out []string
	for _, f := range files {
		name, ok := strings.CutPrefix(f.Name(), filePrefix)
		if !ok {
			continue
		}
		if digits, ok := strings.CutSuffix(name, fileSuffix); ok && isHex(digits) {
			out = append(out, digits)
		}
	}
	return out, nil
}

func fileName(digits string) fsroot.RelPath {
	return fsroot.RelPath(filePrefix + digits + fileSuffix)
}
