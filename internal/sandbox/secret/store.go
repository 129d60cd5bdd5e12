package secret

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/runx-go/runx/internal/sandbox/fsroot"
)

const (
	storeName fsroot.RelPath = "credentials.json"
	lockName  fsroot.RelPath = "credentials.lock"
)

// Entry is one stored credential without its value.
type Entry struct {
	Provider string `json:"provider"`
	Profile  string `json:"profile"`
	Mode     string `json:"mode,omitempty"`     // "": fits a credential that declares one mode
	Audience string `json:"audience,omitempty"` // "": any
}

// Store keeps credentials in credentials.json (0600) of the user's configuration directory. It is
// safe for concurrent use, also by several processes. List and Get tell what OpenStore, or the
// last Set or Remove of this Store, read.
type Store struct {
	dir *fsroot.Dir

	mu      sync.Mutex
	records []record // by provider and profile
}

// record is a credential as it stands in the file.
type record struct {
	entry Entry
	value Value
}

// OpenStore reads the store of a directory, which must stay open for Set and Remove. A file that
// others can write or read is refused with the command that repairs it (*fsroot.PermissionError;
// not checked on Windows); one that is no document of ours is a *FormatError. A missing file is
// an empty store.
func OpenStore(dir *fsroot.Dir) (*Store, error) {
	s := &Store{dir: dir}
	records, err := s.load()
	if err != nil {
		return nil, err
	}
	s.records = records
	return s, nil
}

// List returns the credentials in order of provider, profile; never nil.
func (s *Store) List() []Entry {
	s.mu.Lock()
	defer s.mu.Unlock()
	entries := make([]Entry, 0, len(s.records))
	for _, r := range s.records {
		entries = append(entries, r.entry)
	}
	return entries
}

// Get finds a profile of a provider.
func (s *Store) Get(provider, profile string) (Entry, Value, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i, ok := search(s.records, provider, profile)
	if !ok {
		return Entry{}, Value{}, false
	}
	return s.records[i].entry, s.records[i].value, true
}

// Set stores a credential, replacing that of the same provider and profile, atomically and under a
// lock: what other processes stored in the meantime stays. It waits up to 5 seconds for the lock,
// then fails with fsroot.ErrLocked. A value under MinValueBytes is a *ShortError; names that
// ValidName refuses, an audience over 2,048 bytes or with control characters, and a value that is
// not UTF-8 or holds a NUL are errors. Nothing is stored then.
func (s *Store) Set(e Entry, v Value) error {
	if err := check(e, v); err != nil {
		return err
	}
	return s.update(func(records []record) ([]record, bool) {
		i, found := search(records, e.Provider, e.Profile)
		if found {
			records[i] = record{e, v}
			return records, true
		}
		return slices.Insert(records, i, record{e, v}), true
	})
}

// Remove removes a credential as Set stores one, and says whether it was there.
func (s *Store) Remove(provider, profile string) (bool, error) {
	removed := false
	err := s.update(func(records []record) ([]record, bool) {
		i, found := search(records, provider, profile)
		if found {
			records, removed = slices.Delete(records, i, i+1), true
		}
		return records, found
	})
	return removed && err == nil, err
}

// ValidName says whether a provider, profile or mode may have the name: 1 to 64 letters, digits,
// '_', '.' and '-' of ASCII, the first a letter or digit.
func ValidName(name string) bool {
	if name == "" || len(name) > maxName {
		return false
	}
	for i := range len(name) {
		c := name[i]
		alnum := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
		if !alnum && (i == 0 || c != '_' && c != '.' && c != '-') {
			return false
		}
	}
	return true
}

// update reads the file again, changes it and writes it when change says so, under the lock.
func (s *Store) update(change func([]record) ([]record, bool)) (err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ctx, cancel := context.WithTimeoutCause(context.Background(), lockWait,
		fmt.Errorf("another credential command did not end within %s", lockWait))
	defer cancel()
	unlock, err := s.dir.Lock(ctx, lockName)
	if err != nil {
		return err
	}
	defer func() {
		if unlockErr := unlock(); err == nil {
			err = unlockErr
		}
	}()
	records, err := s.load()
	if err != nil {
		return err
	}
	records, changed := change(records)
	if changed {
		data, err := encodeStore(records)
		if err != nil {
			return err
		}
		if err := s.dir.WriteAtomic(storeName, data); err != nil {
			return err
		}
	}
	s.records = records
	return nil
}

func (s *Store) load() ([]record, error) {
	data, err := s.dir.ReadPrivate(storeName, maxStoreBytes)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	}
	records, reason := decodeStore(data)
	if reason != "" {
		return nil, &FormatError{Path: filepath.Join(s.dir.Name(), string(storeName)), Reason: reason}
	}
	return records, nil
}

// check says whether a credential may be stored. No message holds the value.
func check(e Entry, v Value) error {
	if reason := faulty(e, v); reason != "" {
		return fmt.Errorf("cannot store the credential: %s", reason)
	}
	if len(v.Reveal()) < MinValueBytes {
		return &ShortError{}
	}
	return nil
}

func faulty(e Entry, v Value) string {
	switch value := v.Reveal(); {
	case !ValidName(e.Provider):
		return "the provider has no valid name"
	case !ValidName(e.Profile):
		return "the profile has no valid name"
	case e.Mode != "" && !ValidName(e.Mode):
		return "the mode has no valid name"
	case len(e.Audience) > maxAudience:
		return fmt.Sprintf("the audience has %d bytes, over the limit of %d", len(e.Audience), maxAudience)
	case !utf8.ValidString(e.Audience) || strings.ContainsFunc(e.Audience, unicode.IsControl):
		return "the audience has a control character or is not UTF-8"
	case !utf8.ValidString(value) || strings.ContainsRune(value, 0):
		return "the value has a NUL or is not UTF-8"
	}
	return ""
}

func search(records []record, provider, profile string) (int, bool) {
	return slices.BinarySearchFunc(records, Entry{Provider: provider, Profile: profile}, func(r record, e Entry) int {
		return order(r.entry, e)
	})
}

func order(a, b Entry) int {
	return cmp.Or(cmp.Compare(a.Provider, b.Provider), cmp.Compare(a.Profile, b.Profile))
}
