package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/runx-go/runx/internal/runtime"
	"github.com/runx-go/runx/internal/skills/codec"
)

// The project's file counts when the user trusts the workspace; else only what takes away.
func TestConfiguration(t *testing.T) {
	paths := func(list ...string) []string { return list }
	defaults := paths("skills", filepath.Join(".agents", "skills"))
	type settings struct {
		Paths    []string
		From     string
		Receipts string
		Profiles map[string]string
		Ignored  []ignoredKey
		Trusted  bool
	}
	none := map[string]string{}
	untrusted := func(keys ...string) []ignoredKey {
		var out []ignoredKey
		for _, key := range keys {
			out = append(out, ignoredKey{Key: key, Reason: "the workspace is not trusted"})
		}
		return out
	}
	tests := []struct {
		name, user, project string // WORK is the workspace
		want                settings
	}{
		{name: "no files", want: settings{Paths: defaults, From: "default", Profiles: none}},
		{name: "empty files", user: "# nothing\n", project: "", want: settings{Paths: defaults, From: "default", Profiles: none}},
		{name: "the user", user: "skills:\n  paths: [tools, '~']\nreceipts:\n  dir: WORK\n", want: settings{Paths: paths("tools", "~"), From: "user", Receipts: "WORK", Profiles: none}},
		{name: "an empty list", user: "skills: {paths: []}\n", want: settings{Paths: []string{}, From: "user", Profiles: none}},
		{name: "an untrusted project adds nothing", project: "skills: {paths: [skills, elsewhere]}\ncredentials: {acme: ci}\n",
			want: settings{Paths: defaults, From: "default", Profiles: none, Ignored: untrusted("skills.paths", "credentials.acme")}},
		{name: "an untrusted project takes away", project: "skills: {paths: [skills]}\n", want: settings{Paths: paths("skills"), From: "project", Profiles: none}},
		{name: "an untrusted project takes all away", project: "skills: {paths: []}\n", want: settings{Paths: []string{}, From: "project", Profiles: none}},
		{name: "an untrusted project against the user", user: "skills: {paths: [tools]}\n", project: "skills: {paths: [skills]}\n",
			want: settings{Paths: paths("tools"), From: "user", Profiles: none, Ignored: untrusted("skills.paths")}},
		{name: "a trusted project", user: "skills: {paths: [tools]}\ntrust: {workspaces: [WORK]}\n", project: "skills: {paths: [elsewhere]}\ncredentials: {acme: ci, Other: x}\n",
			want: settings{Paths: paths("elsewhere"), From: "project", Profiles: map[string]string{"acme": "ci", "Other": "x"}, Trusted: true}},
		{name: "providers that differ in case", user: "trust: {workspaces: [WORK]}\n", project: "credentials: {acme: ci, Acme: prod}\n",
			want: settings{Paths: defaults, From: "default", Profiles: map[string]string{"acme": "ci", "Acme": "prod"}, Trusted: true}},
		{name: "providers with dots", user: "trust: {workspaces: [WORK]}\n", project: "credentials: {api.acme.com: ci, '1': x}\n",
			want: settings{Paths: defaults, From: "default", Profiles: map[string]string{"api.acme.com": "ci", "1": "x"}, Trusted: true}},
		{name: "trust of a folder above or below is none", user: "trust: {workspaces: [WORK/.., WORK/.runx, WORK/nowhere]}\n", project: "credentials: {acme: ci}\n",
			want: settings{Paths: defaults, From: "default", Profiles: none, Ignored: untrusted("credentials.acme")}},
		{name: "trust by another spelling", user: "trust: {workspaces: [WORK/.runx/..//]}\n", project: "credentials: {acme: ci}\n",
			want: settings{Paths: defaults, From: "default", Profiles: map[string]string{"acme": "ci"}, Trusted: true}},
		{name: "an untrusted project with an unknown key", project: "skills: {paths: [skills], path: []}\n",
			want: settings{Paths: defaults, From: "default", Profiles: none, Ignored: []ignoredKey{
				{Key: "skills.path", Reason: `FILE:1:27: unknown configuration key "skills.path"`, fault: true}, {Key: "skills.paths", Reason: "its file has a fault"}}}},
		{name: "an untrusted project with a key of the user", project: "trust: {workspaces: [WORK]}\nreceipts: {dir: WORK}\n",
			want: settings{Paths: defaults, From: "default", Profiles: none, Ignored: []ignoredKey{
				{Key: "trust.workspaces", Reason: `FILE:1:9: key "trust.workspaces" cannot stand in a project's configuration`, fault: true},
				{Key: "receipts.dir", Reason: `FILE:2:12: key "receipts.dir" cannot stand in a project's configuration`, fault: true}}}},
		{name: "an untrusted project that is no YAML", project: "a: &b c\n",
			want: settings{Paths: defaults, From: "default", Profiles: none, Ignored: []ignoredKey{{Reason: "FILE:1:4: an anchor (&b) is not allowed", fault: true}}}},
		{name: "an untrusted project that is too large", project: strings.Repeat("#", codec.YAMLBytes+1),
			want: settings{Paths: defaults, From: "default", Profiles: none, Ignored: []ignoredKey{{Reason: "cannot read configuration FILE: it has more than 1048576 bytes", fault: true}}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			project := filepath.Join(w.workspace, ".runx", "config.yaml")
			fill := strings.NewReplacer("WORK", filepath.ToSlash(w.workspace), "FILE", project).Replace
			w.write(t, filepath.Join(w.config, "config.yaml"), fill(tt.user))
			w.write(t, project, fill(tt.project))
			tt.want.Receipts = fill(tt.want.Receipts)
			for i := range tt.want.Ignored {
				tt.want.Ignored[i].Reason = fill(tt.want.Ignored[i].Reason)
			}
			c, err := loadConfiguration(w.host, w.workspace)
			if err != nil {
				t.Fatal(err)
			}
			got := settings{c.list(keySkillsPaths), c.sources[keySkillsPaths], c.receiptsDir(), c.profiles(), c.ignored, c.trusted}
			if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(ignoredKey{})); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// A file that is believed is read strictly; a fault has its place. Projects are trusted here.
func TestConfigurationFaults(t *testing.T) {
	tests := []struct {
		name, user, project string
		code, message       string // FILE is the file
		hint                string
	}{
		{name: "an unknown key", user: "skills:\n  path: [a]\n", code: "config_key", message: `FILE:2:3: unknown configuration key "skills.path"`, hint: "runx config get skills.paths"},
		{name: "nothing near", user: "{zzzzzzzzzz: 1}", code: "config_key", message: `FILE:1:2: unknown configuration key "zzzzzzzzzz"`,
			hint: "the keys are: skills.paths, receipts.dir, trust.workspaces, credentials.<provider>"},
		{name: "a group that is no mapping", user: "skills: x\n", code: "config_type", message: `FILE:1:9: key "skills" needs a mapping of keys`},
		{name: "a group without a value", user: "skills:\n", code: "config_type"},
		{name: "a group that is null", user: "skills: null\n", code: "config_type", message: `FILE:1:9: key "skills" needs a mapping of keys`},
		{name: "a literal dotted key", user: "skills: {paths: [a]}\nskills.paths: [b]\n", code: "config_key", message: `FILE:2:1: unknown configuration key "skills.paths": a dot does not nest here`,
			hint: `write the key "paths" below "skills"`},
		{name: "a literal dotted provider", project: "credentials.acme: ci\n", code: "config_key", hint: `write the key "acme" below "credentials"`},
		{name: "a provider that no store has", project: "credentials: {a b: ci}\n", code: "config_key",
			message: `FILE:1:15: cannot use "a b" as a provider: only letters, digits, '_', '.' and '-' are allowed, at most 64`},
		{name: "a profile that no store has", project: "credentials: {acme: a b}\n", code: "config_type", message: `FILE:1:21: key "credentials.acme" takes the name of a profile, and "a b" is none`},
		{name: "a relative folder of receipts", user: "receipts: {dir: kept}\n", code: "config_type", message: `FILE:1:17: key "receipts.dir" takes an absolute path, and "kept" is none`},
		{name: "a relative workspace", user: "trust: {workspaces: ['*']}\n", code: "config_type", message: `FILE:1:22: key "trust.workspaces" takes an absolute path, and "*" is none`},
		{name: "an empty search path", user: "skills: {paths: [a, '']}\n", code: "config_type", message: `FILE:1:21: key "skills.paths" takes no empty text`},
		{name: "trust in a project", project: "trust:\n  workspaces: [/]\n", code: "config_place", message: `FILE:2:3: key "trust.workspaces" cannot stand in a project's configuration`, hint: "remove it here"},
		{name: "receipts in a project", project: "receipts: {dir: x}\n", code: "config_place", message: `FILE:1:12: key "receipts.dir" cannot stand in a project's configuration`, hint: "remove it here"},
		{name: "a binding of the user", user: "credentials: {acme: ci}\n", code: "config_place", message: `FILE:1:15: key "credentials.acme" cannot stand in the user's configuration`,
			hint: "remove it here, then: runx config set --project credentials.acme ci"},
		{name: "a text where a list must be", user: "skills: {paths: a}\n", code: "config_type", message: `FILE:1:17: key "skills.paths" takes a list`},
		{name: "a list where a text must be", user: "receipts: {dir: [a]}\n", code: "config_type", message: `FILE:1:17: key "receipts.dir" takes a text`},
		{name: "nothing where a text must be", user: "receipts:\n  dir:\n", code: "config_type"},
		{name: "an unknown group that is empty", user: "skils: {}\n", code: "config_key", message: `FILE:1:1: unknown configuration key "skils"`},
		{name: "a mapping where a list must be", user: "skills: {paths: {}}\n", code: "config_type", message: `FILE:1:17: key "skills.paths" takes a list`},
		{name: "a mapping where a profile must be", project: "credentials: {acme: {profile: ci}}\n", code: "config_type", message: `FILE:1:21: key "credentials.acme" takes a text`},
		{name: "a list in a list", user: "skills: {paths: [[a]]}\n", code: "config_type", message: `FILE:1:18: key "skills.paths" takes a list of texts`},
		{name: "a list", user: "- a\n", code: "config_type", message: "FILE:1:1: configuration must be a mapping of keys"},
		{name: "a key twice", user: "receipts: {dir: a}\nreceipts: {dir: b}\n", code: "duplicate_key"},
		{name: "an anchor", project: "skills: {paths: &a [b]}\n", code: "yaml_feature"},
		{name: "no YAML", user: "skills: [\n", code: "yaml_syntax"},
		{name: "too large", user: strings.Repeat("#", codec.YAMLBytes) + "\n", code: "config_unreadable", message: "cannot read configuration FILE: it has more than 1048576 bytes"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			file, text := filepath.Join(w.config, "config.yaml"), tt.user
			if tt.project != "" {
				w.trust(t)
				file, text = filepath.Join(w.workspace, ".runx", "config.yaml"), tt.project
			}
			w.write(t, file, text)
			_, err := loadConfiguration(w.host, w.workspace)
			fault := wantFault(t, err, runtime.ClassInvalid, tt.code)
			if want := strings.ReplaceAll(tt.message, "FILE", file); tt.message != "" && fault.Message != want {
				t.Errorf("message %q, want %q", fault.Message, want)
			}
			if tt.hint != "" && fault.Hint != tt.hint {
				t.Errorf("hint %q, want %q", fault.Hint, tt.hint)
			}
		})
	}
	w := newWorld(t)
	w.write(t, filepath.Join(w.config, "config.yaml"), strings.Repeat("#", codec.YAMLBytes))
	if _, err := loadConfiguration(w.host, w.workspace); err != nil {
		t.Errorf("a file of exactly the limit: %v", err)
	}
}

// A broken configuration stops a run: it is not taken for an empty one.
func TestBrokenConfigurationStops(t *testing.T) {
	w := newWorld(t)
	w.pack(t, "print", "x", "")
	w.write(t, filepath.Join(w.config, "config.yaml"), "skils: {}\n")
	for _, line := range [][]string{{"skill", "./pack", "--json"}, {"receipt", "list", "--json"}, {"config", "list", "--json"}} {
		if got := w.main(t, "", line...); got.code != 64 || got.fault() == "" {
			t.Errorf("%q: exit %d, stdout %q", line, got.code, got.out)
		}
	}
	if _, err := os.Stat(filepath.Join(w.workspace, ".runx")); !os.IsNotExist(err) {
		t.Errorf("state was made: %v", err)
	}
}

// Where receipts lie: the flag, the variable, the configuration, else the state.
func TestReceiptDir(t *testing.T) {
	abs := t.TempDir()
	tests := []struct {
		name, flag, variable, config string
		state                        string // --state-dir
		want                         string // relative: below the workspace
		source                       string
		delivered                    bool
	}{
		{name: "nothing", want: ".runx/receipts", source: "default"},
		{name: "another state", state: "state", want: "state/receipts", source: "default"},
		{name: "the configuration", config: abs, want: abs, source: "user"},
		{name: "the variable wins over it", variable: "var", config: abs, want: "var", source: "variable RUNX_RECEIPT_DIR", delivered: true},
		{name: "the flag wins over both", flag: "flag/../named", variable: "var", config: abs, want: "named", source: "flag", delivered: true},
		{name: "an absolute flag", flag: abs, want: abs, source: "flag", delivered: true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var env []string
			if tt.variable != "" {
				env = append(env, "RUNX_RECEIPT_DIR="+tt.variable)
			}
			w := newWorld(t, env...)
			if tt.config != "" {
				w.write(t, filepath.Join(w.config, "config.yaml"), "receipts: {dir: '"+tt.config+"'}\n")
			}
			c := w.console()
			c.global.receiptDir, c.global.stateDir = tt.flag, tt.state
			p, err := c.place()
			if err != nil {
				t.Fatal(err)
			}
			want, delivered := tt.want, ""
			if !filepath.IsAbs(want) {
				want = filepath.Join(w.workspace, want)
			}
			if tt.delivered {
				delivered = want
			}
			if p.receiptDir() != want || p.receiptSource() != tt.source || p.deliveredReceiptDir() != delivered {
				t.Errorf("%s (%s), delivered %q, want %s (%s), %q", p.receiptDir(), p.receiptSource(), p.deliveredReceiptDir(), want, tt.source, delivered)
			}
		})
	}
}
