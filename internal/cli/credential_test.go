package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/runx-go/runx/internal/runtime"
	"github.com/runx-go/runx/internal/sandbox/fsroot"
	"github.com/runx-go/runx/internal/sandbox/secret"
)

func TestCredentialSet(t *testing.T) {
	const long = 64 << 10
	good := credentialOptions{provider: "acme", profile: "default"}
	tests := []struct {
		name  string
		opts  credentialOptions
		stdin string
		want  string // the stored value; "" is none
		code  string
	}{
		{name: "a value", opts: good, stdin: "abcd", want: "abcd"},
		{name: "one line end goes", opts: good, stdin: "abcd\n", want: "abcd"},
		{name: "of Windows too", opts: good, stdin: "abcd\r\n", want: "abcd"},
		{name: "only one goes", opts: good, stdin: "abcd\n\n", want: "abcd\n"},
		{name: "lines inside stay", opts: good, stdin: "ab\r\ncd\n", want: "ab\r\ncd"},
		{name: "blanks stay", opts: good, stdin: "  ab  ", want: "  ab  "},
		{name: "the shortest", opts: good, stdin: "äö", want: "äö"},
		{name: "under four bytes", opts: good, stdin: "abc\n", code: "credential_short"},
		{name: "under four bytes but for the line end", opts: good, stdin: "ab\r\n", code: "credential_short"},
		{name: "nothing", opts: good, code: "credential_short"},
		{name: "NUL", opts: good, stdin: "q7z9\x00cd", code: "credential_value"},
		{name: "the longest", opts: good, stdin: strings.Repeat("x", long), want: strings.Repeat("x", long)},
		{name: "one over", opts: good, stdin: "q7z9" + strings.Repeat("x", long), code: "credential_value"},
		{name: "a provider that is none", opts: credentialOptions{provider: "ac/me", profile: "default"}, stdin: "abcd", code: "credential_name"},
		{name: "no provider", opts: credentialOptions{profile: "default"}, stdin: "abcd", code: "credential_name"},
		{name: "a profile that is none", opts: credentialOptions{provider: "acme", profile: "c i"}, stdin: "abcd", code: "credential_name"},
		{name: "no profile", opts: credentialOptions{provider: "acme"}, stdin: "abcd", code: "credential_name"},
		{name: "a mode that is none", opts: credentialOptions{provider: "acme", profile: "default", mode: "../x"}, stdin: "abcd", code: "credential_name"},
		{name: "mode and audience", opts: credentialOptions{provider: "acme", profile: "ci", mode: "token", audience: "https://acme.example"}, stdin: "abcd", want: "abcd"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.streams.In = strings.NewReader(tt.stdin)
			err := setCredential(t.Context(), w.console(), tt.opts)
			if tt.code != "" {
				fault := wantFault(t, err, runtime.ClassInvalid, tt.code)
				if fault.Hint == "" || strings.Contains(fault.Message, "q7z9") {
					t.Errorf("fault %+v shows the value or nothing to try", fault)
				}
				if _, err := os.Stat(filepath.Join(w.config, "credentials.json")); !os.IsNotExist(err) {
					t.Errorf("there is a store: %v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			dir, err := fsroot.Open(w.config)
			if err != nil {
				t.Fatal(err)
			}
			defer dir.Close()
			store, err := secret.OpenStore(dir)
			if err != nil {
				t.Fatal(err)
			}
			entry, value, ok := store.Get(tt.opts.provider, tt.opts.profile)
			want := secret.Entry{Provider: tt.opts.provider, Profile: tt.opts.profile, Mode: tt.opts.mode, Audience: tt.opts.audience}
			if diff := cmp.Diff(want, entry); !ok || value.Reveal() != tt.want || diff != "" {
				t.Errorf("stored %v, value is the same: %v (-want +got)\n%s", ok, value.Reveal() == tt.want, diff)
			}
		})
	}
}

// A person is asked only on a terminal, and when asking is allowed.
func TestCredentialPrompt(t *testing.T) {
	var prompts []string
	typed := func(_ context.Context, prompt string) (string, error) {
		prompts = append(prompts, prompt)
		return "typed-value", nil
	}
	tests := []struct {
		name    string
		streams IO
		noInput bool
		want    string
		code    string
	}{
		{name: "a terminal", streams: IO{InTerminal: true, ErrTerminal: true, ReadSecret: typed}, want: "typed-value"},
		{name: "asking is not allowed", streams: IO{InTerminal: true, ErrTerminal: true, ReadSecret: typed}, noInput: true, code: "no_terminal"},
		{name: "nobody would see it", streams: IO{InTerminal: true, ReadSecret: typed}, code: "no_terminal"},
		{name: "no way to ask", streams: IO{InTerminal: true, ErrTerminal: true}, code: "no_terminal"},
		{name: "a pipe", streams: IO{In: strings.NewReader("piped\n"), ErrTerminal: true, ReadSecret: typed}, want: "piped"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			prompts = nil
			w := newWorld(t)
			w.streams = tt.streams
			c := w.console()
			c.global.noInput = tt.noInput
			got, err := readCredential(t.Context(), c, credentialOptions{provider: "acme", profile: "ci"})
			if tt.code != "" {
				if wantFault(t, err, runtime.ClassInvalid, tt.code); prompts != nil {
					t.Errorf("asked %q", prompts)
				}
				return
			}
			if err != nil || got != tt.want {
				t.Errorf("value %q (%v), want %q", got, err, tt.want)
			}
			if asked := tt.want == "typed-value"; asked && !cmp.Equal(prompts, []string{"value for acme (ci), not shown: "}) || !asked && prompts != nil {
				t.Errorf("asked %q", prompts)
			}
		})
	}
}

// The value is never an argument, and one that was given is not repeated.
func TestCredentialArgument(t *testing.T) {
	w := newWorld(t)
	for _, form := range [][]string{nil, {"--json"}} {
		got := w.main(t, "abcd", append([]string{"credential", "set", "acme", "canary-value"}, form...)...)
		if got.code != 64 || strings.Contains(got.out+got.err, "canary") {
			t.Errorf("%+v", got)
		}
	}
}

// The list shows names and never values; rm takes one profile away.
func TestCredentialListAndRemove(t *testing.T) {
	w := newWorld(t)
	if got := w.main(t, "", "credential", "list", "--json"); got.out != `{"schema":"runx.credential_list.v1","credentials":[]}`+"\n" {
		t.Errorf("%+v", got)
	}
	for _, line := range [][]string{{"acme"}, {"acme", "--profile", "ci", "--mode", "token"}} {
		if got := w.main(t, "canary-value\n", append([]string{"credential", "set"}, line...)...); got.code != 0 || got.out != "" || strings.Contains(got.err, "canary") {
			t.Errorf("%+v", got)
		}
	}
	want := `{"schema":"runx.credential_list.v1","credentials":[{"provider":"acme","profile":"ci","mode":"token"},{"provider":"acme","profile":"default"}]}` + "\n"
	if got := w.main(t, "", "credential", "list", "--json"); got.out != want {
		t.Errorf("%s, want %s", got.out, want)
	}
	if got := w.main(t, "", "credential", "list"); strings.Contains(got.out, "canary") || strings.Count(got.out, "\n") != 2 {
		t.Errorf("%+v", got)
	}
	if got := w.main(t, "", "credential", "rm", "acme", "--profile", "ci"); got.code != 0 {
		t.Errorf("%+v", got)
	}
	if got := w.main(t, "", "credential", "rm", "acme", "--profile", "ci"); got.code != 64 || !strings.HasPrefix(got.err, `error: no credential of provider "acme" with profile "ci" is stored`) {
		t.Errorf("%+v", got)
	}
	if got := w.main(t, "", "credential", "list", "--json"); !strings.HasSuffix(got.out, `"credentials":[{"provider":"acme","profile":"default"}]}`+"\n") {
		t.Errorf("%+v", got)
	}
}

// Without a folder of the user's nothing can be stored.
func TestCredentialNowhere(t *testing.T) {
	w := newWorld(t)
	w.host.UserConfigDir = ""
	w.streams.In = strings.NewReader("abcd")
	err := setCredential(t.Context(), w.console(), credentialOptions{provider: "acme", profile: "default"})
	if wantFault(t, err, runtime.ClassFailed, "user_config"); errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
