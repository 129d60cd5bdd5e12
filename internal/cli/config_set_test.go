package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/runx-go/runx/internal/runtime"
)

// trust makes the workspace a trusted one.
func (w *world) trust(t testing.TB) {
	t.Helper()
	w.write(t, filepath.Join(w.config, "config.yaml"), "trust: {workspaces: ['"+w.workspace+"']}\n")
}

// set runs one config set that must work.
func (w *world) set(t testing.TB, args ...string) {
	t.Helper()
	if got := w.main(t, "", append([]string{"config", "set"}, args...)...); got != (ending{}) {
		t.Errorf("config set %q: %+v", args, got)
	}
}

func (w *world) read(t testing.TB, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// config set changes one key and keeps the words around it.
func TestConfigSet(t *testing.T) {
	const before = "# mine\nskills:\n  paths: [a] # search\n# kept\n"
	w := newWorld(t)
	file, dir := filepath.Join(w.config, "config.yaml"), filepath.Join(w.workspace, "x, y")
	w.write(t, file, before)
	for _, step := range []struct {
		args  []string
		keeps string
	}{
		{[]string{"receipts.dir", dir}, before}, {[]string{"skills.paths", "b", "c, d", "b"}, "# mine\nskills:\n  paths:"}, {[]string{"receipts.dir", dir}, "# kept\n"},
	} {
		w.set(t, step.args...)
		if text := w.read(t, file); !strings.Contains(text, step.keeps) {
			t.Errorf("%q is gone from\n%s", step.keeps, text)
		}
	}
	c, err := loadConfiguration(w.host, w.workspace)
	if err != nil || c.receiptsDir() != dir || !cmp.Equal(c.list(keySkillsPaths), []string{"b", "c, d"}) {
		t.Errorf("read back %q and %q (%v)", c.receiptsDir(), c.list(keySkillsPaths), err)
	}
}

// A list is replaced, emptied or added to.
func TestConfigSetList(t *testing.T) {
	standard := []string{"skills", filepath.Join(".agents", "skills")}
	tests := []struct {
		name, user, project string
		args                []string
		want                []string
	}{
		{name: "replaced", user: "skills: {paths: [a]}\n", args: []string{"b"}, want: []string{"b"}},
		{name: "without a value", user: "skills: {paths: [a]}\n", want: []string{}},
		{name: "an empty value", user: "skills: {paths: [a]}\n", args: []string{""}, want: []string{}},
		{name: "over a group without a value", user: "skills:\n", args: []string{"b"}, want: []string{"b"}},
		{name: "added", user: "skills: {paths: [a]}\n", args: []string{"--add", "b", "a", "c", "b"}, want: []string{"a", "b", "c"}},
		{name: "added to the default", args: []string{"--add", "b"}, want: append(standard, "b")},
		{name: "added to an empty list", user: "skills: {paths: []}\n", args: []string{"--add", "b"}, want: []string{"b"}},
		{name: "added in a project to those of the user", user: "skills: {paths: [a]}\ntrust: {workspaces: ['WORK']}\n", args: []string{"--add", "--project", "b"}, want: []string{"a", "b"}},
		{name: "added in a project to its own", user: "skills: {paths: [a]}\ntrust: {workspaces: ['WORK']}\n", project: "skills: {paths: [c]}\n", args: []string{"--add", "--project", "b"}, want: []string{"c", "b"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.write(t, filepath.Join(w.config, "config.yaml"), strings.ReplaceAll(tt.user, "WORK", w.workspace))
			w.write(t, filepath.Join(w.workspace, ".runx", "config.yaml"), tt.project)
			w.set(t, append([]string{"skills.paths"}, tt.args...)...)
			c, err := loadConfiguration(w.host, w.workspace)
			if diff := cmp.Diff(tt.want, c.list(keySkillsPaths)); err != nil || diff != "" {
				t.Errorf("%v (-want +got)\n%s", err, diff)
			}
		})
	}
}

// The repair that doctor names for a workspace nobody trusts leaves the trust in others as it is.
func TestConfigTrust(t *testing.T) {
	w := newWorld(t)
	other, link := t.TempDir(), filepath.Join(t.TempDir(), "link")
	w.write(t, filepath.Join(w.config, "config.yaml"), "trust:\n  workspaces:\n    - '"+other+"' # mine\n")
	w.write(t, filepath.Join(w.workspace, ".runx", "config.yaml"), "credentials: {acme: ci}\n")
	row := doctorRow(t, w, "config")
	want := "runx config set --add trust.workspaces " + quoteArg(w.workspace)
	if row.Status != checkWarning || row.Hint != want {
		t.Fatalf("%+v, want the hint %s", row, want)
	}
	w.set(t, "--add", "trust.workspaces", w.workspace)
	if row := doctorRow(t, w, "config"); row.Status != checkOK {
		t.Errorf("%+v", row)
	}
	wantPaths := []string{other, w.workspace}
	trusted := func() []string {
		c, err := loadConfiguration(w.host, w.workspace)
		if err != nil {
			t.Fatal(err)
		}
		return c.list(keyTrustWorkspaces)
	}
	if diff := cmp.Diff(wantPaths, trusted()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if err := os.Symlink(w.workspace, link); err != nil {
		return // a system without links
	}
	w.set(t, "--add", "trust.workspaces", link, filepath.Join(w.workspace, ".")+string(filepath.Separator))
	if diff := cmp.Diff(wantPaths, trusted()); diff != "" {
		t.Errorf("through a link (-want +got)\n%s", diff)
	}
	w.write(t, filepath.Join(w.config, "config.yaml"), "trust: {workspaces: ['"+link+"']}\n")
	if c, err := loadConfiguration(w.host, w.workspace); err != nil || !c.trusted {
		t.Errorf("a link in the file is not compared resolved (%v)", err)
	}
}

// What config set refuses leaves no file behind. WORK is the workspace.
func TestConfigSetRefuses(t *testing.T) {
	tests := []struct {
		name string
		args []string
		code string
		hint string
	}{
		{"nothing", nil, "argument_missing", "runx config set <key> [<value>…] [flags]"},
		{"an unknown key", []string{"skills.path", "x"}, "config_key", "runx config get skills.paths"},
		{"a group", []string{"skills", "x"}, "config_key", ""},
		{"no provider", []string{"credentials.", "x", "--project"}, "config_key", ""},
		{"the placeholder", []string{"credentials.<provider>", "x", "--project"}, "config_key", "name a provider: runx config get credentials.acme"},
		{"a binding of the user", []string{"credentials.acme", "x"}, "config_place", "runx config set --project credentials.acme x"},
		{"trust by the project", []string{"trust.workspaces", "WORK", "--project", "--add"}, "config_place", "runx config set --add trust.workspaces WORK"},
		{"relative trust by the project", []string{"trust.workspaces", "x", "--project"}, "config_place", "leave --project out"},
		{"no value", []string{"receipts.dir"}, "argument_missing", ""},
		{"nothing to add", []string{"--add", "skills.paths"}, "argument_missing", ""},
		{"an empty value to add", []string{"--add", "skills.paths", ""}, "argument_missing", ""},
		{"a value too many", []string{"receipts.dir", "WORK", "y"}, "argument_extra", ""},
		{"adding to a text", []string{"receipts.dir", "--add", "WORK"}, "flag_conflict", "leave --add out"},
		{"relative receipts", []string{"receipts.dir", "x y"}, "config_type", "runx config set receipts.dir 'WORK/x y'"},
		{"empty receipts", []string{"receipts.dir", ""}, "config_type", "choose another value"},
		{"an empty path in a list", []string{"skills.paths", "a", ""}, "config_type", ""},
		{"no UTF-8", []string{"skills.paths", "a\xff"}, "config_type", ""},
		{"a profile that no store has", []string{"credentials.acme", "a b", "--project"}, "config_type", ""},
		{"relative trust", []string{"--add", "trust.workspaces", "."}, "config_type", "runx config set --add trust.workspaces WORK"},
		{"trust of nothing", []string{"trust.workspaces", filepath.Join("WORK", "none")}, "config_type", "name a directory that exists"},
		{"trust of a file", []string{"trust.workspaces", filepath.Join("WORK", ".keep")}, "config_type", "name a directory that exists"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			args := []string{"config", "set"}
			for _, arg := range tt.args {
				args = append(args, strings.ReplaceAll(arg, "WORK", w.workspace))
			}
			cmd := newCmdRoot(w.console())
			cmd.SetArgs(args)
			fault := wantFault(t, cmd.Execute(), runtime.ClassInvalid, tt.code)
			if want := filepath.FromSlash(strings.ReplaceAll(tt.hint, "WORK", w.workspace)); tt.hint != "" && fault.Hint != want {
				t.Errorf("hint %q, want %q", fault.Hint, want)
			}
			if got := w.main(t, "", args...); got.code != 64 || !strings.HasPrefix(got.err, "error: ") {
				t.Errorf("exit %d, stderr %q", got.code, got.err)
			}
			for _, path := range []string{w.config, filepath.Join(w.workspace, ".runx")} {
				if _, err := os.Stat(path); !os.IsNotExist(err) {
					t.Errorf("%s was made: %v", path, err)
				}
			}
		})
	}
}

// A file is changed without the other one; its own fault stops it, unless the change removes it.
func TestConfigSetBrokenFile(t *testing.T) {
	const broken = "skils: {}\n"
	w := newWorld(t)
	user, project := filepath.Join(w.config, "config.yaml"), filepath.Join(w.workspace, ".runx", "config.yaml")
	w.write(t, project, broken)
	w.set(t, "--add", "trust.workspaces", w.workspace)
	if got := w.main(t, "", "config", "set", "--project", "credentials.acme", "ci"); got.code != 64 || !strings.Contains(got.err, project+":1:1:") {
		t.Errorf("%+v", got)
	}
	w.write(t, user, "# a comment\nskils: {}\n")
	if got := w.main(t, "", "config", "set", "--add", "skills.paths", "x"); got.code != 64 || !strings.Contains(got.err, user+":2:1:") {
		t.Errorf("%+v", got)
	}
	if text := w.read(t, user) + w.read(t, project); text != "# a comment\n"+broken+broken {
		t.Errorf("the files became %q", text)
	}
	const half = "skills: {paths: [a, '']}\n"
	w.write(t, user, half)
	if got := w.main(t, "", "config", "set", "--add", "skills.paths", "x"); got.code != 64 || w.read(t, user) != half {
		t.Errorf("what was added to a broken list took its place: %+v", got)
	}
	w.write(t, project, "")
	w.set(t, "--project", "credentials.acme", "ci")
	w.write(t, user, "receipts: {dir: relative}\n")
	w.set(t, "receipts.dir", w.workspace)
	w.host.Dir = filepath.Join(w.workspace, "gone")
	w.set(t, "receipts.dir", w.config)
}

// A project's file is made with its folder, closed to others and out of repositories but for itself.
func TestConfigSetProject(t *testing.T) {
	w := newWorld(t)
	for _, provider := range []string{"acme", "Acme", "api.acme.com"} {
		w.set(t, "credentials."+provider, "of-"+provider, "--project")
	}
	if _, err := os.Stat(filepath.Join(w.workspace, ".runx", ".gitignore")); err != nil {
		t.Error(err)
	}
	if got := w.main(t, "", "config", "get", "credentials.acme"); got != (ending{}) {
		t.Errorf("an untrusted project binds %+v", got)
	}
	w.set(t, "trust.workspaces", w.workspace)
	for _, provider := range []string{"acme", "Acme", "api.acme.com"} {
		if got := w.main(t, "", "config", "get", "credentials."+provider); got.out != "of-"+provider+"\n" {
			t.Errorf("a trusted project binds %q", got.out)
		}
	}
	if got := w.main(t, "", "config", "get", "credentials.other", "--json"); got.code != 0 || !strings.Contains(got.out, `"value":null,"source":"default"`) {
		t.Errorf("%+v", got)
	}
	if got := w.main(t, "", "config", "get", "credentials.<provider>"); got.code != 64 {
		t.Errorf("%+v", got)
	}
	first := w.main(t, "", "config", "list", "--json").out
	if strings.Index(first, `"credentials.Acme"`) > strings.Index(first, `"credentials.acme"`) || !strings.Contains(first, `"credentials.api.acme.com"`) {
		t.Errorf("providers are not in order:\n%s", first)
	}
}

// The file keeps the marks of the editor that wrote it.
func TestConfigSetWindowsFile(t *testing.T) {
	w := newWorld(t)
	file := filepath.Join(w.config, "config.yaml")
	w.write(t, file, "\ufeff# mine\r\nskills:\r\n  paths: [a]\r\n")
	w.set(t, "--add", "skills.paths", "b")
	if got, want := w.read(t, file), "\ufeff# mine\r\nskills:\r\n  paths:\r\n    - a\r\n    - b\r\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Without a folder of the user's there is nothing to set it in.
func TestConfigSetNowhere(t *testing.T) {
	w := newWorld(t)
	opts := setOptions{key: configKeys()[1], texts: []string{w.workspace}}
	w.host.UserConfigDir = ""
	wantFault(t, setConfig(w.console(), opts), runtime.ClassFailed, "user_config")
	w.host.UserConfigDir = filepath.Join(w.workspace, ".keep")
	wantFault(t, setConfig(w.console(), opts), runtime.ClassInvalid, "config_unreadable")
	w.host.UserConfigDir = filepath.Join(w.workspace, ".keep", "below")
	if got := w.main(t, "", "config", "set", "receipts.dir", w.workspace); got.code != 64 {
		t.Errorf("%+v", got)
	}
}

// What a project nobody trusts holds stops no command, however much it is.
func TestUntrustedFaults(t *testing.T) {
	w := newWorld(t)
	w.pack(t, "print", "x", "")
	var many strings.Builder
	for i := range maxConfigFaults + 1 {
		fmt.Fprintf(&many, "unknown%d: 1\n", i)
	}
	w.write(t, filepath.Join(w.workspace, ".runx", "config.yaml"), many.String())
	if got := w.main(t, "", "config", "list"); got.code != 0 || strings.Count(got.err, "unknown configuration key") != maxConfigFaults {
		t.Errorf("%+v", got)
	}
	if got := w.main(t, "", "skill", "./pack"); got.code != 0 {
		t.Errorf("%+v", got)
	}
	row := doctorRow(t, w, "config")
	if row.Status != checkWarning || row.Hint != "correct "+filepath.Join(w.workspace, ".runx", "config.yaml") {
		t.Errorf("%+v", row)
	}
	w.trust(t)
	if got := w.main(t, "", "config", "list"); got.code != 64 {
		t.Errorf("%+v", got)
	}
}
