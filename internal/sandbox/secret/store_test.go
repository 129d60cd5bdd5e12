package secret_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	goruntime "runtime"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/runx-go/runx/internal/sandbox/fsroot"
	"github.com/runx-go/runx/internal/sandbox/secret"
)

func open(t testing.TB, path string) (*fsroot.Dir, *secret.Store, error) {
	t.Helper()
	dir, err := fsroot.Create(path, true)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { dir.Close() })
	s, err := secret.OpenStore(dir)
	return dir, s, err
}

func mustOpen(t testing.TB, path string) *secret.Store {
	t.Helper()
	_, s, err := open(t, path)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestStoreRoundTrip(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config", "runx")
	s := mustOpen(t, path)
	if diff := cmp.Diff([]secret.Entry{}, s.List()); diff != "" {
		t.Errorf("an empty store: %s", diff)
	}
	entries := []secret.Entry{
		{Provider: "github", Profile: "work", Mode: "pat", Audience: "https://api.example/<&>"},
		{Provider: "github", Profile: "default"},
		{Provider: "0.az_-Z", Profile: "default"},
	}
	for i, e := range entries {
		if err := s.Set(e, secret.New(fmt.Sprintf("%s <\"\\\n> %d", canary, i))); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Set(secret.Entry{Provider: "github", Profile: "default", Mode: "oauth"}, secret.New(canary)); err != nil {
		t.Fatal(err)
	}
	want := []secret.Entry{entries[2], {Provider: "github", Profile: "default", Mode: "oauth"}, entries[0]}
	for name, store := range map[string]*secret.Store{"same": s, "opened again": mustOpen(t, path)} {
		if diff := cmp.Diff(want, store.List()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		e, v, ok := store.Get("github", "work")
		if got, value := e, v.Reveal(); !ok || got != entries[0] || value != canary+" <\"\\\n> 0" {
			t.Errorf("%s: Get() = %v, %q, %v", name, got, value, ok)
		}
		if _, v, ok := store.Get("github", "other"); ok || !v.IsZero() {
			t.Errorf("%s: found a profile that is not there", name)
		}
	}
	if info, err := os.Stat(filepath.Join(path, "credentials.json")); err != nil || goruntime.GOOS != "windows" && info.Mode() != 0o600 {
		t.Errorf("credentials.json: %v, %v", info, err)
	}
	for _, want := range []bool{true, false} {
		if got, err := s.Remove("github", "work"); got != want || err != nil {
			t.Errorf("Remove() = %v, %v, want %v", got, err, want)
		}
	}
	if got := len(mustOpen(t, path).List()); got != 2 {
		t.Errorf("%d credentials are left, want 2", got)
	}
}

func TestStoreDocument(t *testing.T) {
	path := t.TempDir()
	if err := os.Chmod(path, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := mustOpen(t, path).Set(secret.Entry{Provider: "p", Profile: "default"}, secret.New("abcd")); err != nil {
		t.Fatal(err)
	}
	want := `{
  "version": 1,
  "credentials": [
    {
      "provider": "p",
      "profile": "default",
      "value": "abcd"
    }
  ]
}
`
	got, err := os.ReadFile(filepath.Join(path, "credentials.json"))
	if diff := cmp.Diff(want, string(got)); diff != "" || err != nil {
		t.Error(diff, err)
	}
}

func TestStoreSetRefuses(t *testing.T) {
	ok := secret.Entry{Provider: "p", Profile: "default"}
	with := func(change func(*secret.Entry)) secret.Entry {
		e := ok
		change(&e)
		return e
	}
	tests := []struct {
		name  string
		entry secret.Entry
		value secret.Value
		want  string
	}{
		{"short", ok, secret.New("abc"), "cannot use the credential: its value has fewer than 4 bytes"},
		{"none", ok, secret.Value{}, "cannot use the credential: its value has fewer than 4 bytes"},
		{"NUL", ok, secret.New(canary + "\x00"), "cannot store the credential: the value has a NUL or is not UTF-8"},
		{"not UTF-8", ok, secret.New(canary + "\xff"), "cannot store the credential: the value has a NUL or is not UTF-8"},
		{"provider", with(func(e *secret.Entry) { e.Provider = "" }), secret.New(canary), "cannot store the credential: the provider has no valid name"},
		{"profile", with(func(e *secret.Entry) { e.Profile = "a b" }), secret.New(canary), "cannot store the credential: the profile has no valid name"},
		{"mode", with(func(e *secret.Entry) { e.Mode = "-x" }), secret.New(canary), "cannot store the credential: the mode has no valid name"},
		{"audience", with(func(e *secret.Entry) { e.Audience = "a\nb" }), secret.New(canary), "cannot store the credential: the audience has a control character or is not UTF-8"},
		{"long audience", with(func(e *secret.Entry) { e.Audience = strings.Repeat("a", 2049) }), secret.New(canary), "cannot store the credential: the audience has 2049 bytes, over the limit of 2048"},
		{"all too large", ok, secret.New(strings.Repeat("a", 4<<20)), "cannot store the credential: all together have 4194428 bytes, over the limit of 4194304"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "c")
			err := mustOpen(t, path).Set(tt.entry, tt.value)
			if err == nil || err.Error() != tt.want {
				t.Errorf("Set() = %v, want %s", err, tt.want)
			}
			if _, err := os.Stat(filepath.Join(path, "credentials.json")); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("something was stored: %v", err)
			}
		})
	}
	path := filepath.Join(t.TempDir(), "c")
	if err := mustOpen(t, path).Set(with(func(e *secret.Entry) { e.Audience = strings.Repeat("a", 2048) }), secret.New("abcd")); err != nil {
		t.Errorf("audience and value at their limits: %v", err)
	}
}

func TestValidName(t *testing.T) {
	tests := []struct {
		name string
		want bool
	}{
		{"a", true}, {"A9_.-", true}, {"0", true}, {strings.Repeat("a", 64), true},
		{"", false}, {strings.Repeat("a", 65), false}, {".a", false}, {"-a", false}, {"_a", false},
		{"a b", false}, {"a/b", false}, {"ä", false}, {"a\n", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := secret.ValidName(tt.name); got != tt.want {
				t.Errorf("ValidName(%q) = %v, want %v", tt.name, got, tt.want)
			}
		})
	}
}

func TestStoreBrokenFile(t *testing.T) {
	entry := func(members string) string { return `{"version":1,"credentials":[{` + members + `}]}` }
	const c = `"provider":"p","profile":"d","value":"` + canary + `"`
	tests := []struct {
		name string
		text string
		want string // reason; "" when it is accepted
	}{
		{"good", entry(c), ""},
		{"order of keys", `{"credentials":[],"version":1}`, ""},
		{"empty file", "", "it is not one whole JSON text"},
		{"cut off", entry(c)[:60], "it is not one whole JSON text"},
		{"value instead", canary, "it is not one whole JSON text"},
		{"array", `["` + canary + `"]`, "the document is not an object"},
		{"version 2", `{"version":2,"credentials":[]}`, "its version is not 1"},
		{"version text", `{"version":"1","credentials":[]}`, "its version is not 1"},
		{"no version", `{"credentials":[]}`, "it needs the keys version and credentials"},
		{"no credentials", `{"version":1}`, "it needs the keys version and credentials"},
		{"unknown key", `{"version":1,"credentials":[],"` + canary + `":1}`, "it has a key other than version and credentials"},
		{"key in another case", `{"Version":1,"credentials":[]}`, "it has a key other than version and credentials"},
		{"twice", `{"version":1,"credentials":[],"version":1}`, "the document has a key twice"},
		{"something after", `{"version":1,"credentials":[]} "` + canary + `"`, "it is not one whole JSON text"},
		{"not UTF-8", entry(`"provider":"` + "\xff" + `"`), "it is not valid UTF-8"},
		{"credentials object", `{"version":1,"credentials":{"a":"` + canary + `"}}`, "credentials is not an array"},
		{"entry text", `{"version":1,"credentials":["` + canary + `"]}`, "credential 1 is not an object"},
		{"entry key", entry(c + `,"` + canary + `":""`), "credential 1 has a key other than provider, profile, mode, audience and value"},
		{"entry key twice", entry(c + `,"value":"x"`), "credential 1 has a key twice"},
		{"entry number", entry(`"provider":12345`), "credential 1 has a value that is not a string"},
		{"entry null", entry(`"provider":null`), "credential 1 has a value that is not a string"},
		{"bad provider", entry(`"provider":"a b","profile":"d","value":"` + canary + `"`), "credential 1: the provider has no valid name"},
		{"no value", entry(`"provider":"p","profile":"d"`), "credential 1 has a value of fewer than 4 bytes"},
		{"same twice", `{"version":1,"credentials":[{` + c + `},{` + c + `}]}`, "two credentials have the same provider and profile"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "c")
			good := mustOpen(t, path)
			file := filepath.Join(path, "credentials.json")
			if err := os.WriteFile(file, []byte(tt.text), 0o600); err != nil {
				t.Fatal(err)
			}
			_, _, err := open(t, path)
			if tt.want == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if _, ok := errors.AsType[*secret.FormatError](err); !ok || err.Error() != "cannot read "+file+": "+tt.want {
				t.Errorf("OpenStore() = %v, want reason %s", err, tt.want)
			}
			if err := good.Set(secret.Entry{Provider: "p", Profile: "d"}, secret.New("abcd")); err == nil {
				t.Error("Set wrote over a broken file")
			}
			if got, err := os.ReadFile(file); string(got) != tt.text || err != nil {
				t.Errorf("the broken file is now %q, %v", got, err)
			}
		})
	}
}

func TestStoreTooLarge(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c")
	mustOpen(t, path)
	text := `{"version":1,"credentials":[]}`
	for extra, ok := range map[int]bool{0: true, 1: false} {
		padded := text + strings.Repeat(" ", 4<<20-len(text)+extra)
		if err := os.WriteFile(filepath.Join(path, "credentials.json"), []byte(padded), 0o600); err != nil {
			t.Fatal(err)
		}
		_, _, err := open(t, path)
		if _, tooLarge := errors.AsType[*fsroot.TooLargeError](err); tooLarge == ok || ok && err != nil {
			t.Errorf("%d bytes over: %v", extra, err)
		}
	}
}

func TestStoreSetAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c")
	mustOpen(t, path)
	var wg sync.WaitGroup
	const writers = 8
	for i := range writers {
		s := mustOpen(t, path)
		wg.Go(func() {
			for _, profile := range []string{"a", "b"} {
				if err := s.Set(secret.Entry{Provider: fmt.Sprintf("p%d", i), Profile: profile}, secret.New(canary)); err != nil {
					t.Error(err)
				}
			}
			if _, err := s.Remove(fmt.Sprintf("p%d", i), "b"); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if got := len(mustOpen(t, path).List()); got != writers {
		t.Errorf("%d credentials, want %d", got, writers)
	}
}
