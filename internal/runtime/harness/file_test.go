package harness

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/runx-go/runx/internal/runtime"
)

const oneCase = `{"schema":"runx.author_fixtures.v1","probe":["./probe","-x"],"skill_directory":"skill","cases":[%s]}`

func parseOne(t *testing.T, fields string) (Case, error) {
	t.Helper()
	text := fmt.Sprintf(oneCase, `{"id":"one","lane":"C","mode":"m","timeout_seconds":10,"expected":{"status":"sealed"}`+fields+`}`)
	cases, err := parseFixtures("dir", "/dir", []byte(text))
	if err != nil {
		return Case{}, err
	}
	if len(cases) != 1 {
		t.Fatalf("%d cases, want 1", len(cases))
	}
	return cases[0], nil
}

func TestParseFixturesCase(t *testing.T) {
	c, err := parseOne(t, `,"platforms":["linux","unix"],"cwd":"../target","input_mode":"stdin",
		"environment":{"required":["A"],"optional":["B"]},"env":{"A":"1","B":null},"inputs":{"n":1.0},"large_input_bytes":3`)
	if err != nil {
		t.Fatal(err)
	}
	inputs, err := c.setup.inputs()
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(inputs), `{"n":1.0,"large":"xxx"}`; got != want {
		t.Errorf("inputs are %s, want %s", got, want)
	}
	c.setup.inputs = nil
	want := setup{
		command: []string{"./probe"}, args: []string{"-x", "m"}, cwd: "../target", inputMode: "stdin", timeout: 10,
		required: []string{"A"}, optional: []string{"B"}, env: map[string]*string{"A": new("1"), "B": nil},
		fixture: "/dir", pkg: "skill",
	}
	if d := cmp.Diff(c.setup, want, cmp.AllowUnexported(setup{}, packageFile{})); d != "" {
		t.Errorf("setup (-got +want):\n%s", d)
	}
	if c.ID != "one" || c.Lane != LaneCLITool || c.Dir != "dir" || c.Expected.Status != "sealed" {
		t.Errorf("case is %+v", c)
	}
}

func TestParseFixturesExactInputs(t *testing.T) {
	c, err := parseOne(t, `,"inputs_base64":"eyAiYSIgOiAxIH0="`)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := c.setup.inputs(); err != nil || string(got) != `{ "a" : 1 }` {
		t.Errorf("inputs are %s, %v", got, err)
	}
}

func TestParseFixturesRefuses(t *testing.T) {
	withCase := func(fields string) string {
		return fmt.Sprintf(oneCase, `{"id":"one","lane":"C","mode":"m","timeout_seconds":10,"expected":{"status":"sealed"}`+fields+`}`)
	}
	tests := []struct{ name, text, want string }{
		{"no json", `{`, "cases.json:1:2"},
		{"unknown key", `{"schema":"runx.author_fixtures.v1","skil_directory":"."}`, "skil_directory"},
		{"unknown key of a case", withCase(`,"timeout":1`), `the key "timeout" is not known here`},
		{"duplicate key", withCase(`,"mode":"n"`), "mode"},
		{"schema", strings.Replace(withCase(""), "author_fixtures.v1", "author_fixtures.v2", 1), "schema must be"},
		{"no probe", strings.Replace(withCase(""), `["./probe","-x"]`, `[]`, 1), "probe must be"},
		{"directory outside", strings.Replace(withCase(""), `"skill"`, `"../skill"`, 1), "skill_directory must be"},
		{"id", strings.Replace(withCase(""), `"one"`, `"a b"`, 1), "an id is"},
		{"long id", strings.Replace(withCase(""), `"one"`, `"`+strings.Repeat("a", maxIDBytes+1)+`"`, 1), "an id is"},
		{"lane", strings.Replace(withCase(""), `"C"`, `"X"`, 1), "lane must be C, T or J"},
		{"mode", strings.Replace(withCase(""), `"m"`, `""`, 1), "mode is missing"},
		{"platform", withCase(`,"platforms":["macos"]`), "platforms must be"},
		{"input mode", withCase(`,"input_mode":"pipe"`), "input_mode must be"},
		{"timeout", strings.Replace(withCase(""), `:10`, fmt.Sprintf(":%d", maxTimeoutSeconds+1), 1), "timeout_seconds must be"},
		{"no timeout", strings.Replace(withCase(""), `"timeout_seconds":10,`, "", 1), "timeout_seconds must be"},
		{"a timeout of 0", strings.Replace(withCase(""), `:10`, ":0", 1), "timeout_seconds must be"},
		{"place", withCase(`,"env":{"RUNX_STATE_DIR":"/x"}`), "RUNX_STATE_DIR"},
		{"variable name", withCase(`,"env":{"A=B":"/x"}`), "no system can store"},
		{"inputs type", withCase(`,"inputs":[1]`), "inputs"},
		{"both inputs", withCase(`,"inputs":{},"inputs_base64":"e30="`), "excludes inputs"},
		{"base64", withCase(`,"inputs_base64":"*"`), "inputs_base64"},
		{"large taken", withCase(`,"inputs":{"large":1},"large_input_bytes":1`), "adds an input large"},
		{"large size", withCase(fmt.Sprintf(`,"large_input_bytes":%d`, maxLargeInputBytes+1)), "large_input_bytes must be"},
		{"twice", fmt.Sprintf(oneCase, `{"id":"a","lane":"C","mode":"m","timeout_seconds":10},{"id":"a","lane":"T","mode":"m","timeout_seconds":10}`), "stands twice"},
		{"expected", fmt.Sprintf(oneCase, `{"id":"a","lane":"C","mode":"m","timeout_seconds":10,"expected":{"status":"ok"}}`), `status "ok" is not known`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := parseFixtures("dir", "/dir", []byte(tt.text))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error is %v, want one with %q", err, tt.want)
			}
		})
	}
}

func TestLoad(t *testing.T) {
	dir := t.TempDir()
	_, err := Load("fixtures", dir)
	fault, ok := errors.AsType[*runtime.Error](err)
	if !ok || fault.Class != runtime.ClassInvalid || fault.Code != "fixtures_file" || !strings.HasPrefix(fault.Message, "cannot use the fixtures of fixtures: ") {
		t.Errorf("a missing file gives %#v", err)
	}
	writeCases(t, dir, `{"id":"a","lane":"J","mode":"m","timeout_seconds":10}`)
	cases, err := Load("fixtures", dir)
	if err != nil || len(cases) != 1 || cases[0].Expected != nil || cases[0].Dir != "fixtures" {
		t.Errorf("Load gives %+v, %v", cases, err)
	}
}

// writeCases writes cases.json with a skill directory beside it.
func writeCases(t *testing.T, dir, cases string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Join(dir, "skill"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "cases.json"), fmt.Appendf(nil, oneCase, cases), 0o600); err != nil {
		t.Fatal(err)
	}
}
