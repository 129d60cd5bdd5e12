package clitool

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/runx-go/runx/internal/runtime/runner"
	"github.com/runx-go/runx/internal/sandbox/secret"
	"github.com/runx-go/runx/internal/skills"
)

// A plan has the names of every rule, and the environment tells the declared ones from the baseline.
func TestPlanEnvironment(t *testing.T) {
	tests := []struct {
		name       string
		env        skills.Environment
		host       []string
		receiptDir string
		want       runner.Environment
	}{
		{name: "baseline only", host: []string{"PATH=/bin", "HOME=", "SHELL=sh"},
			want: runner.Environment{Delivered: []string{"HOME", "PATH", "RUNX_CWD"}, Declared: []string{"RUNX_CWD"}, Withheld: []string{"SHELL"}}},
		{name: "required and optional", env: skills.Environment{Required: []string{"B_ONE"}, Optional: []string{"A_TWO", "C_THREE"}},
			host: []string{"PATH=/bin", "C_THREE=", "B_ONE=1", "OTHER=x"},
			want: runner.Environment{Delivered: []string{"B_ONE", "C_THREE", "PATH", "RUNX_CWD"}, Declared: []string{"B_ONE", "C_THREE", "RUNX_CWD"},
				MissingOptional: []string{"A_TWO"}, Withheld: []string{"OTHER"}}},
		{name: "a baseline name that is declared", env: skills.Environment{Required: []string{"PATH"}}, host: []string{"PATH=/bin", "LANG=C"},
			want: runner.Environment{Delivered: []string{"LANG", "PATH", "RUNX_CWD"}, Declared: []string{"PATH", "RUNX_CWD"}}},
		{name: "transport", receiptDir: filepath.Join(t.TempDir(), "receipts"),
			host: []string{"RUNX_RECEIPT_VERIFY_KID=k", "RUNX_RECEIPT_SIGN_KID=s", "RUNX_RECEIPT_SIGN_ED25519_SEED_BASE64=canary"},
			want: runner.Environment{Delivered: []string{"RUNX_CWD", "RUNX_RECEIPT_DIR", "RUNX_RECEIPT_VERIFY_KID"},
				Declared: []string{"RUNX_CWD", "RUNX_RECEIPT_DIR", "RUNX_RECEIPT_VERIFY_KID"},
				Withheld: []string{"RUNX_RECEIPT_SIGN_ED25519_SEED_BASE64", "RUNX_RECEIPT_SIGN_KID"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			req, _ := request(t, program(t, nil), `{}`)
			req.Host.OS, req.Host.Env, req.ReceiptDir = "linux", tt.host, tt.receiptDir
			source := skills.CLITool{Command: "x", Environment: tt.env}
			p, err := plan(req, source)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, environment(p, tt.env), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// A plan takes over every field of the source and the request.
func TestPlanFields(t *testing.T) {
	req, _ := request(t, "runners:\n  main:\n    type: cli-tool\n    command: tool\n    inputs: {a: {}, b: {type: json}}\n", `{"b":[1.0],"a":"{{b}}"}`, "GREETING=hi")
	req.Credential = credential(testSecret)
	source := skills.CLITool{Command: "tool", Cwd: "../target", InputMode: skills.InputStdin, Environment: skills.Environment{Optional: []string{"GREETING"}},
		Args: []skills.Template{skills.ParseTemplate("x{{a}} {{ b }}"), skills.ParseTemplate("{{env.GREETING}}{{{{"), skills.ParseTemplate("")}}
	p, err := plan(req, source)
	if err != nil {
		t.Fatal(err)
	}
	type shown struct {
		Args         []string
		Dir, Command string
		Stdin        string
		Token, A     string
		InputsPath   string
	}
	look := func(name string) string { value, _ := p.Env.Lookup(name); return value }
	got := shown{p.Args, p.Dir, p.Command, string(p.Stdin), look("SECRET_TOKEN"), look("RUNX_INPUT_A"), filepath.Dir(look("RUNX_INPUTS_PATH"))}
	want := shown{[]string{"x{{b}} [1.0]", "hi{{", ""}, filepath.Join(req.Workspace, "target"), "tool", `{"b":[1.0],"a":"{{b}}"}`,
		testSecret, "{{b}}", filepath.Join(req.Tmp.Name(), "run-1")}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	source.InputMode = skills.InputArgs
	if p, err = plan(req, source); err != nil || p.Stdin != nil {
		t.Errorf("stdin of mode args is %q (%v), want none", p.Stdin, err)
	}
	if _, err := os.Stat(filepath.Join(req.Tmp.Name(), "run-1")); !os.IsNotExist(err) {
		t.Errorf("planning made files: %v", err)
	}
}

// Every input counts as declared, given or not; Check refuses before anything is made.
func TestCheckRefuses(t *testing.T) {
	const head = "runners:\n  main:\n    type: cli-tool\n    command: tool\n"
	tests := []struct {
		name, profile, inputs string
		credential            *runner.Credential
		host                  []string
		code                  string
	}{
		{name: "accepted", profile: head, inputs: `{}`},
		{name: "two inputs with one variable", profile: head + "    inputs: {a.b: {}, a-b: {}}\n", inputs: `{}`, code: "name_collision"},
		{name: "an input without a name", profile: head + "    inputs: {é: {}}\n", inputs: `{}`, code: "input_name_empty"},
		{name: "the credential collides with an input", profile: head + "    inputs: {a: {}}\n", inputs: `{}`,
			credential: &runner.Credential{Variable: "RUNX_INPUT_A", Value: secret.New("abcd")}, code: "name_collision"},
		{name: "a required variable is missing", profile: head + "    environment: {required: [A_ONE]}\n", inputs: `{}`, code: "env_missing"},
		{name: "a required variable is empty", profile: head + "    environment: {required: [A_ONE]}\n", inputs: `{}`, host: []string{"A_ONE="}},
		{name: "NUL in an argument", profile: head + "    args: ['{{a}}']\n    inputs: {a: {}}\n", inputs: `{"a":"x\u0000"}`, code: "arg_nul"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			req, _ := request(t, tt.profile, tt.inputs, tt.host...)
			req.Credential = tt.credential
			code := ""
			if fault := Check(req); fault != nil {
				code = fault.Code
				if fault.Message == "" {
					t.Error("the fault has no message")
				}
			}
			if code != tt.code {
				t.Errorf("code %q, want %q", code, tt.code)
			}
			if entries, err := os.ReadDir(req.Tmp.Name()); err != nil || len(entries) != 0 {
				t.Errorf("the folder of input files holds %v (%v), want nothing", entries, err)
			}
		})
	}
}

func TestCheckOtherLane(t *testing.T) {
	req, _ := request(t, program(t, nil), `{}`)
	req.Runner.Source = nil
	if fault := Check(req); fault == nil || fault.Code != "runner_unavailable" {
		t.Errorf("fault %+v, want runner_unavailable", fault)
	}
	if _, err := (Runner{}).Run(t.Context(), req); err == nil {
		t.Error("a runner that is no cli-tool was run")
	}
}

// CheckNames finds what every run would be refused for, at the place of the runner.
func TestCheckNames(t *testing.T) {
	r := &skills.Runner{Name: "main", At: skills.Position{File: "X.yaml", Line: 2, Col: 3}, Inputs: []skills.Input{{Name: "x"}, {Name: "x_path"}},
		Source: skills.CLITool{Environment: skills.Environment{Required: []string{"RUNX_A"}, Optional: []string{"TOKEN"}}}}
	var codes []string
	for _, f := range CheckNames("linux", r, "TOKEN") {
		if f.Severity != skills.SeverityError || f.File != "X.yaml" || f.Line != 2 || f.Column != 3 {
			t.Errorf("finding %+v is no error at X.yaml:2:3", f)
		}
		codes = append(codes, f.Code)
	}
	if diff := cmp.Diff([]string{"name_collision", "env_reserved", "name_collision"}, codes); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	r.Source = nil
	if got := CheckNames("linux", r, "TOKEN"); got != nil {
		t.Errorf("findings %v for a runner of another lane", got)
	}
}

// A directory is named by its identity: a link to the package is the package.
func TestRelation(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"skill", "other"} {
		if err := os.Mkdir(filepath.Join(root, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	skill := filepath.Join(root, "skill")
	tests := []struct{ name, dir, skill, workspace, want string }{
		{"the package", skill, skill, root, "skill"},
		{"the workspace", root, skill, root, "workspace"},
		{"written otherwise", filepath.Join(root, "other") + string(filepath.Separator) + ".." + string(filepath.Separator) + "skill", skill, root, "skill"},
		{"the package is the workspace", skill, skill, skill, "skill"},
		{"another", filepath.Join(root, "other"), skill, root, "other"},
		{"missing", filepath.Join(root, "nowhere"), filepath.Join(root, "nowhere"), root, "other"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := relation(tt.dir, tt.skill, tt.workspace); got != tt.want {
				t.Errorf("relation = %s, want %s", got, tt.want)
			}
		})
	}
}

func TestBaseName(t *testing.T) {
	for command, want := range map[string]string{"node": "node", "./bin/run": "run", `C:\tools\run.exe`: "run.exe", "/usr/bin/env": "env"} {
		if got := baseName(command); got != want {
			t.Errorf("baseName(%q) = %q, want %q", command, got, want)
		}
	}
}
