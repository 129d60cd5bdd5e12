package engine

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/runx-go/runx/internal/runtime"
	"github.com/runx-go/runx/internal/sandbox/secret"
)

// stored is a credential of the user's store.
type stored struct {
	entry secret.Entry
	value string
}

func TestResolveCredential(t *testing.T) {
	const one = `credentials: {api: {provider: acme, audience: "https://acme.example", auth: {token: {delivery: {env: ACME_TOKEN}}}}}`
	const plain = `credentials: {api: {provider: acme, auth: {token: {delivery: {env: ACME_TOKEN}}}}}`
	const two = `credentials: {api: {provider: acme, auth: {token: {delivery: {env: ACME_TOKEN}}, key: {delivery: {env: ACME_KEY}}}}}`
	const half = `credentials: {api: {provider: acme, auth: {oauth: {}, token: {delivery: {env: ACME_TOKEN}}}}}`
	profile := func(name string) stored {
		return stored{secret.Entry{Provider: "acme", Profile: name}, "value-of-" + name}
	}
	with := func(mode, audience string) stored {
		return stored{secret.Entry{Provider: "acme", Profile: "default", Mode: mode, Audience: audience}, "value-of-default"}
	}
	// answer is what was found, what is missing, or why it was refused.
	type answer struct{ Profile, Mode, Variable, Value, Setup, Refused string }
	host := answer{Mode: "token", Variable: "ACME_TOKEN", Value: "value-of-host"}
	default_ := answer{Profile: "default", Mode: "token", Variable: "ACME_TOKEN", Value: "value-of-default"}
	ci := answer{Profile: "ci", Mode: "token", Variable: "ACME_TOKEN", Value: "value-of-ci"}
	tests := []struct {
		name        string
		credentials string
		store       []stored
		flag, bound string // --profile, the project's binding
		env         []string
		want        answer
	}{
		{name: "nothing", credentials: one, want: answer{Setup: "runx credential set acme"}},
		{name: "the host", credentials: one, env: []string{"ACME_TOKEN=value-of-host"}, want: host},
		{name: "another variable of the host", credentials: one, env: []string{"ACME_KEY=x", "ACME_TOKENS=x"}, want: answer{Setup: "runx credential set acme"}},
		{name: "default before the host", credentials: one, store: []stored{profile("default")}, env: []string{"ACME_TOKEN=value-of-host"}, want: default_},
		{name: "another profile is not taken", credentials: one, store: []stored{profile("ci")}, want: answer{Setup: "runx credential set acme"}},
		{name: "another provider is not taken", credentials: one, store: []stored{{secret.Entry{Provider: "other", Profile: "default"}, "value"}}, want: answer{Setup: "runx credential set acme"}},
		{name: "the binding before default", credentials: one, store: []stored{profile("default"), profile("ci")}, bound: "ci", want: ci},
		{name: "the flag before the binding", credentials: one, store: []stored{profile("default"), profile("ci")}, flag: "default", bound: "ci", want: default_},
		{name: "a flag that is not stored takes no other", credentials: one, store: []stored{profile("default")}, flag: "ci", env: []string{"ACME_TOKEN=value-of-host"},
			want: answer{Setup: "runx credential set acme --profile ci"}},
		{name: "a binding that is not stored takes no other", credentials: one, store: []stored{profile("default")}, bound: "ci", env: []string{"ACME_TOKEN=value-of-host"},
			want: answer{Setup: "runx credential set acme --profile ci"}},
		{name: "the flag names default, which is not stored", credentials: one, flag: "default", env: []string{"ACME_TOKEN=value-of-host"}, want: answer{Setup: "runx credential set acme"}},

		{name: "its audience", credentials: one, store: []stored{with("", "https://acme.example")}, want: default_},
		{name: "another audience", credentials: one, store: []stored{with("", "https://acme.example/")}, env: []string{"ACME_TOKEN=value-of-host"}, want: answer{Refused: "credential_audience"}},
		{name: "an audience where none is declared", credentials: plain, store: []stored{with("", "https://acme.example")}, want: answer{Refused: "credential_audience"}},
		{name: "no audience fits any", credentials: one, store: []stored{with("", "")}, want: default_},

		{name: "its mode", credentials: two, store: []stored{with("key", "")}, want: answer{Profile: "default", Mode: "key", Variable: "ACME_KEY", Value: "value-of-default"}},
		{name: "another mode", credentials: two, store: []stored{with("oauth", "")}, want: answer{Refused: "credential_mode"}},
		{name: "no mode, two declared", credentials: two, store: []stored{with("", "")}, want: answer{Refused: "credential_mode"}},
		{name: "a mode that cannot be delivered", credentials: half, store: []stored{with("oauth", "")}, want: answer{Refused: "credential_mode"}},
		{name: "no mode, one can be delivered", credentials: half, store: []stored{with("", "")}, want: default_},
		{name: "two modes, one on the host", credentials: two, env: []string{"ACME_KEY=value-of-key"}, want: answer{Mode: "key", Variable: "ACME_KEY", Value: "value-of-key"}},
		{name: "two modes on the host", credentials: two, env: []string{"ACME_KEY=a", "ACME_TOKEN="}, want: answer{Refused: "credential_ambiguous"}},
		{name: "two modes on the host, a profile", credentials: two, store: []stored{with("token", "")}, env: []string{"ACME_KEY=a", "ACME_TOKEN=b"}, want: default_},
		{name: "two modes, nothing", credentials: two, want: answer{Setup: "runx credential set acme --mode token"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t, program(t, nil, tt.credentials, "credential: api"), tt.env...)
			for _, s := range tt.store {
				w.store(t, s.entry, s.value)
			}
			e := w.engine(t, nil)
			if tt.bound != "" {
				e.opts.Profiles = map[string]string{"acme": tt.bound, "other": "nope"}
			}
			req := w.request(t, `{}`)
			req.Profile = tt.flag
			r, err := e.resolveCredential(req)
			if err != nil {
				t.Fatal(err)
			}
			var got answer
			if c := r.found; c != nil {
				got.Profile, got.Mode, got.Variable, got.Value = c.Profile, c.Mode, c.Variable, c.Value.Reveal()
				if c.Name != "api" || c.Provider != "acme" {
					t.Errorf("found %+v", c)
				}
			}
			if r.missing != nil {
				got.Setup = r.missing.Setup
			}
			if r.refused != nil {
				got.Refused = r.refused.Code
				if r.refused.Message == "" || r.refused.Hint == "" {
					t.Errorf("refused %+v without words", r.refused)
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// A runner without a credential gets none, whatever is stored.
func TestNoCredentialIsAsked(t *testing.T) {
	w := newWorld(t, program(t, nil, acme), "ACME_TOKEN=value-of-host")
	w.store(t, secret.Entry{Provider: "acme", Profile: "default"}, "value")
	got, err := w.engine(t, nil).resolveCredential(w.request(t, `{}`))
	if err != nil || got.found != nil || got.missing != nil || got.refused != nil {
		t.Errorf("resolution %+v (%v), want none", got, err)
	}
}

// A store that cannot be read is an error: the host's variable is not taken in its place.
func TestBrokenStoreTakesNothing(t *testing.T) {
	w := newWorld(t, program(t, []string{"print", "", "", "0"}, acme, "credential: api"), "ACME_TOKEN=value-of-host")
	w.store(t, secret.Entry{Provider: "acme", Profile: "default"}, "value")
	if err := os.WriteFile(filepath.Join(w.config, "credentials.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := w.engine(t, nil).RunSkill(t.Context(), w.request(t, `{}`))
	if fault := asFault(t, err); fault.Code != "credential_store" || fault.Class != runtime.ClassFailed || w.starts(t) != 0 {
		t.Errorf("error %+v, started %d times", fault, w.starts(t))
	}
}

// Without a folder of the user's there is no store: only the host's variable counts.
func TestNoUserConfig(t *testing.T) {
	w := newWorld(t, program(t, nil, acme, "credential: api"), "ACME_TOKEN=value-of-host")
	w.host.UserConfigDir = ""
	got, err := w.engine(t, nil).resolveCredential(w.request(t, `{}`))
	if err != nil || got.found == nil || got.found.Value.Reveal() != "value-of-host" {
		t.Errorf("resolution %+v (%v)", got, err)
	}
}

// Every mode that can be delivered is judged by validate.
func TestCheckRunner(t *testing.T) {
	w := newWorld(t, program(t, nil, `credentials: {api: {provider: acme, auth: {token: {delivery: {env: ACME_TOKEN}}, key: {delivery: {env: ACME_KEY}}}}}`,
		"credential: api", "inputs: {a: {}}"))
	req := w.request(t, `{}`)
	if got := CheckRunner("linux", req.Package.Profile, &req.Runner.Runner); len(got) != 0 {
		t.Errorf("findings %+v, want none", got)
	}
	profile := *req.Package.Profile
	profile.Credentials = append(profile.Credentials[:0:0], profile.Credentials...)
	profile.Credentials[0].Modes = append(profile.Credentials[0].Modes[:0:0], profile.Credentials[0].Modes...)
	profile.Credentials[0].Modes[1].Env = "RUNX_INPUT_A"
	if got := CheckRunner("linux", &profile, &req.Runner.Runner); len(got) != 1 || got[0].Code != "name_collision" {
		t.Errorf("findings %+v, want one name_collision", got)
	}
	req.Runner.Credential = ""
	if got := CheckRunner("linux", &profile, &req.Runner.Runner); len(got) != 0 {
		t.Errorf("findings %+v of a runner without a credential", got)
	}
}
