package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/runx-go/runx/internal/runtime"
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
		Ignored  []string
		Trusted  bool
	}
	none := map[string]string{}
	tests := []struct {
		name, user, project string // WORK is the workspace
		want                settings
	}{
		{name: "no files", want: settings{Paths: defaults, From: "default", Profiles: none}},
		{name: "empty files", user: "# nothing\n", project: "", want: settings{Paths: defaults, From: "default", Profiles: none}},
		{name: "the user", user: "skills:\n  paths: [tools, '~']\nreceipts:\n  dir: kept\n", want: settings{Paths: paths("tools", "~"), From: "user", Receipts: "kept", Profiles: none}},
		{name: "an empty list", user: "skills: {paths: []}\n", want: settings{Paths: []string{}, From: "user", Profiles: none}},
		{name: "an untrusted project adds nothing", project: "skills: {paths: [skills, elsewhere]}\ncredentials: {acme: ci}\n",
			want: settings{Paths: defaults, From: "default", Profiles: none, Ignored: []string{"skills.paths", "credentials.acme"}}},
		{name: "an untrusted project takes away", project: "skills: {paths: [skills]}\n", want: settings{Paths: paths("skills"), From: "project", Profiles: none}},
		{name: "an untrusted project takes all away", project: "skills: {paths: []}\n", want: settings{Paths: []string{}, From: "project", Profiles: none}},
		{name: "an untrusted project against the user", user: "skills: {paths: [tools]}\n", project: "skills: {paths: [skills]}\n",
			want: settings{Paths: paths("tools"), From: "user", Profiles: none, Ignored: []string{"skills.paths"}}},
		{name: "a trusted project", user: "skills: {paths: [tools]}\ntrust: {workspaces: [WORK]}\n", project: "skills: {paths: [elsewhere]}\ncredentials: {acme: ci, Other: x}\n",
			want: settings{Paths: paths("elsewhere"), From: "project", Profiles: map[string]string{"acme": "ci", "Other": "x"}, Trusted: true}},
		{name: "providers that differ in case", user: "trust: {workspaces: [WORK]}\n", project: "credentials: {acme: ci, Acme: prod}\n",
			want: settings{Paths: defaults, From: "default", Profiles: map[string]string{"acme": "ci", "Acme": "prod"}, Trusted: true}},
		{name: "trust of a folder above is none", user: "trust: {workspaces: [WORK/.., /, WORK/, '*']}\n", project: "credentials: {acme: ci}\n",
			want: settings{Paths: defaults, From: "default", Profiles: none, Ignored: []string{"credentials.acme"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.write(t, filepath.Join(w.config, "config.yaml"), strings.ReplaceAll(tt.user, "WORK", "'"+w.workspace+"'"))
			if strings.Contains(tt.user, "WORK/") {
				w.write(t, filepath.Join(w.config, "config.yaml"), strings.ReplaceAll(tt.user, "WORK", filepath.ToSlash(w.workspace)))
			}
			w.write(t, filepath.Join(w.workspace, ".runx", "config.yaml"), tt.project)
			c, err := loadConfiguration(w.host, w.workspace)
			if err != nil {
				t.Fatal(err)
			}
			got := settings{c.list(keySkillsPaths), c.sources[keySkillsPaths], c.receiptsDir(), c.profiles(), c.ignored, c.trusted}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// A file is read strictly, also that of a project nobody trusts; a fault has its place.
func TestConfigurationFaults(t *testing.T) {
	tests := []struct {
		name, user, project string
		code, message       string // FILE is the file
		hint                string
	}{
		{name: "an unknown key", user: "skills:\n  path: [a]\n", code: "config_key", message: `FILE:2:3: unknown configuration key "skills.path"`, hint: "runx config get skills.paths"},
		{name: "nothing near", user: "{zzzzzzzzzz: 1}", code: "config_key", message: `FILE:1:2: unknown configuration key "zzzzzzzzzz"`,
			hint: "the keys are: skills.paths, receipts.dir, trust.workspaces, credentials.<provider>"},
		{name: "a group that is no mapping", user: "skills: x\n", code: "config_key", message: `FILE:1:1: unknown configuration key "skills"`},
		{name: "trust in a project", project: "trust:\n  workspaces: [/]\n", code: "config_place", message: `FILE:2:3: key "trust.workspaces" cannot stand in a project's configuration`},
		{name: "receipts in a project", project: "receipts: {dir: x}\n", code: "config_place", message: `FILE:1:12: key "receipts.dir" cannot stand in a project's configuration`},
		{name: "a binding of the user", user: "credentials: {acme: ci}\n", code: "config_place", message: `FILE:1:15: key "credentials.acme" cannot stand in the user's configuration`},
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
		{name: "too large", user: strings.Repeat("#", maxConfig) + "\n", code: "config_unreadable", message: "cannot read configuration FILE: it has more than 1048576 bytes"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			file, text := filepath.Join(w.config, "config.yaml"), tt.user
			if tt.project != "" {
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
	w.write(t, filepath.Join(w.config, "config.yaml"), strings.Repeat("#", maxConfig))
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

// config set changes one key and keeps the words around it.
func TestConfigSet(t *testing.T) {
	const before = "# mine\nskills:\n  paths: [a] # search\n# kept\n"
	w := newWorld(t)
	file := filepath.Join(w.config, "config.yaml")
	w.write(t, file, before)
	text := ""
	for _, step := range []struct{ key, value, keeps string }{
		{"receipts.dir", "x y", before}, {"skills.paths", "b, c", "# mine\nskills:\n  paths:"}, {"receipts.dir", "x y", "# kept\n"},
	} {
		if got := w.main(t, "", "config", "set", step.key, step.value); got != (ending{}) {
			t.Errorf("%s: %+v", step.key, got)
		}
		data, err := os.ReadFile(file)
		if text = string(data); err != nil || !strings.Contains(text, step.keeps) {
			t.Errorf("%q is gone (%v) from\n%s", step.keeps, err, text)
		}
	}
	c, err := loadConfiguration(w.host, w.workspace)
	if err != nil || c.receiptsDir() != "x y" || !cmp.Equal(c.list(keySkillsPaths), []string{"b", "c"}) {
		t.Errorf("read back %q and %q (%v) from\n%s", c.receiptsDir(), c.list(keySkillsPaths), err, text)
	}
}

// What config set refuses leaves the file as it is.
func TestConfigSetRefuses(t *testing.T) {
	tests := []struct {
		name string
		args []string
		code string
	}{
		{"an unknown key", []string{"skills.path", "x"}, "config_key"},
		{"a group", []string{"skills", "x"}, "config_key"},
		{"no provider", []string{"credentials.", "x", "--project"}, "config_key"},
		{"a binding of the user", []string{"credentials.acme", "x"}, "config_place"},
		{"trust by the project", []string{"trust.workspaces", "/", "--project"}, "config_place"},
		{"no value", []string{"receipts.dir"}, "argument_missing"},
		{"a value too many", []string{"receipts.dir", "x", "y"}, "argument_extra"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			got := w.main(t, "", append([]string{"config", "set"}, tt.args...)...)
			if got.code != 64 || !strings.HasPrefix(got.err, "error: ") {
				t.Errorf("exit %d, stderr %q", got.code, got.err)
			}
			if got := w.main(t, "", append([]string{"config", "set"}, append(tt.args, "--debug")...)...); got.code != 64 {
				t.Errorf("exit %d", got.code)
			}
			for _, path := range []string{w.config, filepath.Join(w.workspace, ".runx")} {
				if _, err := os.Stat(path); !os.IsNotExist(err) {
					t.Errorf("%s was made: %v", path, err)
				}
			}
			if err := setConfig(w.console(), tt.args[0], "x", len(tt.args) > 2 && tt.args[2] == "--project"); strings.HasPrefix(tt.code, "config_") {
				wantFault(t, err, runtime.ClassInvalid, tt.code)
			}
		})
	}
}

// A project's file is made with its folder, closed to others and out of repositories but for itself.
func TestConfigSetProject(t *testing.T) {
	w := newWorld(t)
	if got := w.main(t, "", "config", "set", "credentials.acme", "ci", "--project"); got != (ending{}) {
		t.Fatalf("%+v", got)
	}
	if _, err := os.Stat(filepath.Join(w.workspace, ".runx", ".gitignore")); err != nil {
		t.Error(err)
	}
	if got := w.main(t, "", "config", "get", "credentials.acme"); got.out != "" {
		t.Errorf("an untrusted project binds %q", got.out)
	}
	if got := w.main(t, "", "config", "set", "trust.workspaces", w.workspace); got != (ending{}) {
		t.Fatalf("%+v", got)
	}
	if got := w.main(t, "", "config", "get", "credentials.acme"); got.out != "ci\n" {
		t.Errorf("a trusted project binds %q", got.out)
	}
	if got := w.main(t, "", "config", "list"); !strings.Contains(got.out, "credentials.acme") {
		t.Errorf("list shows no binding:\n%s", got.out)
	}
}

// Without a folder of the user's there is nothing to set it in.
func TestConfigSetNowhere(t *testing.T) {
	w := newWorld(t)
	w.host.UserConfigDir = ""
	wantFault(t, setConfig(w.console(), "receipts.dir", "x", false), runtime.ClassFailed, "user_config")
	w.host.UserConfigDir = filepath.Join(w.workspace, ".keep")
	if got := w.main(t, "", "config", "set", "receipts.dir", "x"); got.code == 0 {
		t.Errorf("%+v", got)
	}
}
