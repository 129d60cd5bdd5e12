package harness

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	goruntime "runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/runx-go/runx/internal/sandbox"
	"github.com/runx-go/runx/internal/skills/codec"
)

func TestProfile(t *testing.T) {
	in := setup{
		cwd: cwdToken, inputMode: "stdin", timeout: 3, required: []string{"A"}, optional: []string{"B", "C"},
		declared: []string{"opt"}, outputs: json.RawMessage(`{"n": "integer"}`),
	}
	const want = `skill: gate-case
runners:
  case:
    type: cli-tool
    command: "/bin/ru\"nx"
    args: ["a", "{{x}}\r\n\u2028"]
    cwd: "{{env.RUNX_CWD}}"
    input_mode: "stdin"
    timeout_seconds: 3
    environment:
      required: ["A"]
      optional: ["B", "C"]
    inputs:
      "x: y": {type: json}
      "opt": {type: json}
    outputs: {"n": "integer"}
`
	if d := cmp.Diff(profile(in, `/bin/ru"nx`, []string{"a", "{{x}}\r\n\u2028"}, []byte(`{"x: y":1}`)), want); d != "" {
		t.Errorf("(-got +want):\n%s", d)
	}
}

// Every text of a case must come back from YAML as it was.
func TestProfileReadsBack(t *testing.T) {
	args := []string{"", " ", "é€𝄞", "\r\n\t\x00\x1b\x7f\u0085\u2028\u2029\ufeff", `\"'#: {}[]&*!|>%@` + "`", "null", "1.10", "<&>"}
	text := profile(setup{}, "command", args, []byte("{}"))
	doc, err := codec.ParseYAML("X.yaml", []byte(text), 1<<20, 0)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	var got []string
	for _, item := range doc.Root.Get("runners").Get("case").Get("args").Items {
		got = append(got, item.Text)
	}
	if d := cmp.Diff(got, args); d != "" {
		t.Errorf("(-got +want):\n%s", d)
	}
}

// fixtureTree is a directory as an author keeps it.
func fixtureTree(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for path, mode := range map[string]os.FileMode{
		"cases.json": 0o600, "skill/probe": 0o755, "skill/data/a b.txt": 0o644, "skill/X.yaml": 0o600, "target/here": 0o600,
		".git/config": 0o600, "skill/.runx/state": 0o600, "skill/.DS_Store": 0o600,
	} {
		path = filepath.Join(dir, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(filepath.Base(path)), mode); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestPrepareFixture(t *testing.T) {
	c := Case{ID: "a", Lane: LaneCLITool, setup: setup{
		command: []string{"./probe"}, args: []string{"mode"}, fixture: fixtureTree(t), pkg: "skill",
	}}
	s, err := prepare(c, testOptions(t))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	err = filepath.WalkDir(s.root, func(path string, entry os.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			rel, _ := filepath.Rel(s.root, path)
			got = append(got, filepath.ToSlash(rel))
		}
		return err
	})
	want := []string{
		"fixture/cases.json", "fixture/skill/SKILL.md", "fixture/skill/X.yaml", "fixture/skill/data/a b.txt", "fixture/skill/probe",
		"fixture/target/gate-place", "fixture/target/here", "workspace/gate-place",
	}
	if d := cmp.Diff(got, want); err != nil || d != "" {
		t.Errorf("%v (-got +want):\n%s", err, d)
	}
	profile, err := os.ReadFile(filepath.Join(s.pkg, "X.yaml"))
	if err != nil || !strings.Contains(string(profile), `command: "./probe"`) {
		t.Errorf("X.yaml is %s (%v)", profile, err)
	}
	info, err := os.Stat(filepath.Join(s.pkg, "probe"))
	if err != nil || goruntime.GOOS != "windows" && info.Mode().Perm() != 0o700 {
		t.Errorf("the probe has mode %v (%v), want 0700", info.Mode(), err)
	}
	if err := s.remove(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(s.root); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the directory of the case is still there: %v", err)
	}
}

func TestPrepareFixtureRefuses(t *testing.T) {
	dir := fixtureTree(t)
	opts := testOptions(t)
	for pkg, want := range map[string]string{"missing": `skill_directory "missing"`, "skill/probe": `skill_directory "skill/probe"`} {
		_, err := prepare(Case{ID: "a", setup: setup{fixture: dir, pkg: pkg}}, opts)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("package directory %s gives %v", pkg, err)
		}
	}
	if _, err := prepare(Case{ID: "a", setup: setup{fixture: filepath.Join(dir, "none"), pkg: "."}}, opts); err == nil {
		t.Error("a missing fixture directory is accepted")
	}
	left, err := os.ReadDir(opts.TempDir)
	if err != nil || len(left) > 0 {
		t.Errorf("%d directories are left (%v)", len(left), err)
	}
}

func TestCopyBudget(t *testing.T) {
	left := budget{files: maxFixtureFiles, bytes: 2}
	if err := left.take(2); err != nil || left.bytes != 0 {
		t.Errorf("the last two bytes give %v", err)
	}
	if err := left.take(1); err == nil || err.Error() != "the files have more than 67108864 bytes" {
		t.Errorf("one byte more gives %v", err)
	}
	left = budget{files: 1, bytes: 9}
	if err := left.take(0); err != nil {
		t.Error(err)
	}
	if err := left.take(0); err == nil || err.Error() != "there are more than 2000 files" {
		t.Errorf("one file more gives %v", err)
	}
}

func TestTempDir(t *testing.T) {
	root := filepath.VolumeName(t.TempDir()) + string(filepath.Separator)
	tests := []struct {
		name string
		host sandbox.Host
		want string
	}{
		{"set", sandbox.Host{OS: "linux", Env: []string{"TMPDIR=" + root + "t"}}, root + "t"},
		{"relative", sandbox.Host{OS: "linux", Env: []string{"TMPDIR=t"}}, "/tmp"},
		{"unset", sandbox.Host{OS: "darwin"}, "/tmp"},
		{"windows", sandbox.Host{OS: "windows", Env: []string{"Temp=" + root + "t"}}, root + "t"},
		{"windows unset", sandbox.Host{OS: "windows", Dir: root + "here"}, root + "here"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tempDir(tt.host); got != tt.want {
				t.Errorf("tempDir is %q, want %q", got, tt.want)
			}
		})
	}
}
