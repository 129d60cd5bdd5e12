package admission

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/runx-go/runx/internal/skills"
	"github.com/runx-go/runx/internal/skills/codec"
)

func load(t *testing.T, files map[string]string, opts Options) *Package {
	t.Helper()
	p, err := Load(t.Context(), tree(t, files), opts)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestRunner(t *testing.T) {
	const tool = "{type: cli-tool, command: x}"
	two := "runners: {alpha: " + tool + ", beta: " + tool + "}\n"
	byDefault := "runners: {alpha: " + tool + ", beta: {type: cli-tool, command: x, default: true}}\n"
	mixed := "runners: {old: {type: mcp, server: {url: u}}, task: {type: agent-step, agent: a, task: t, outputs: {o: json}}, now: " + tool + "}\n"
	locked := "runners: {r: {type: cli-tool, command: x, credential: c}}\ncredentials: {c: {provider: p, auth: {oauth: {flow: device}}}}\n"
	tests := []struct {
		name, profile, choose string
		want                  string
		err                   *ChoiceError
	}{
		{name: "the only one", profile: "runners: {r: " + tool + "}\n", want: "r"},
		{name: "by name", profile: two, choose: "beta", want: "beta"},
		{name: "the default", profile: byDefault, want: "beta"},
		{name: "not the default", profile: byDefault, choose: "alpha", want: "alpha"},
		{name: "behind the default", profile: "runners: {alpha: {type: cli-tool, command: x, default: true}, beta: " + tool + "}\n", choose: "beta", want: "beta"},
		{name: "none of two", profile: two, err: &ChoiceError{Code: "runner_required", Hint: "name one of: alpha, beta",
			Msg: "cannot choose a runner of tidy: it has 2 and no default"}},
		{name: "unknown", profile: two, choose: "bta", err: &ChoiceError{Code: "runner_unknown", Hint: `did you mean "beta"?`,
			Msg: `cannot find runner "bta" of tidy: it has alpha, beta`}},
		{name: "nothing near", profile: two, choose: "omega-three", err: &ChoiceError{Code: "runner_unknown", Hint: "name one of: alpha, beta",
			Msg: `cannot find runner "omega-three" of tidy: it has alpha, beta`}},
		{name: "beside unavailable ones", profile: mixed, choose: "now", want: "now"},
		{name: "unsupported type", profile: mixed, choose: "old", err: unavailable(1, 23, `cannot run runner "old" of tidy: `, "this version of runx cannot run mcp runners")},
		{name: "lane of a later version", profile: mixed, choose: "task", err: unavailable(1, 60, `cannot run runner "task" of tidy: `, "this version of runx cannot run agent-task runners")},
		{name: "credential without delivery", profile: locked, err: unavailable(1, 55, `cannot run runner "r" of tidy: `,
			`this version of runx cannot deliver credential "c": it has no mode with delivery.env`)},
		{name: "manual", choose: "r", err: &ChoiceError{Code: "not_executable", Hint: "add X.yaml with a runner, or read SKILL.md",
			Msg: "cannot run tidy: it is a manual without X.yaml"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			files := map[string]string{"SKILL.md": goodManual}
			if tt.profile != "" {
				files["X.yaml"] = tt.profile
			}
			r, err := load(t, files, Options{}).Runner(tt.choose)
			got, _ := errors.AsType[*ChoiceError](err)
			if diff := cmp.Diff(tt.err, got); diff != "" {
				t.Fatalf("error (-want +got):\n%s", diff)
			}
			if err == nil && r.Name != tt.want {
				t.Errorf("got runner %q, want %q", r.Name, tt.want)
			}
		})
	}
}

func unavailable(line, column int, prefix, message string) *ChoiceError {
	const hint = "choose another runner of the package"
	return &ChoiceError{Code: "runner_unavailable", Msg: prefix + message, Hint: hint, Reasons: []skills.Finding{{
		Code: "runner_unavailable", Severity: skills.SeverityWarning, File: "X.yaml", Line: line, Column: column, Message: message, Hint: hint,
	}}}
}

func TestRunnerContracts(t *testing.T) {
	p := load(t, map[string]string{"SKILL.md": goodManual, "X.yaml": `
input_definitions: {n: {type: integer, default: 3, schema: {minimum: 2}}}
runners:
  r:
    type: cli-tool
    command: x
    inputs: {message: {required: true}, count: {definition: n}}
    outputs: {summary: string}
`}, Options{})
	r, err := p.Runner("r")
	if err != nil {
		t.Fatal(err)
	}
	object, err := codec.ParseObject("", []byte(`{"message":"m"}`), codec.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	bound, err := r.Contract.Bind(object)
	if err != nil || string(bound.Raw()) != `{"message":"m","count":3}` {
		t.Errorf("bound %s, %v", bound.Raw(), err)
	}
	if failures := r.Outputs.Check([]byte(`{"summary":1}`)); len(failures) != 1 {
		t.Errorf("outputs were not compiled: %v", failures)
	}
	empty, err := load(t, map[string]string{"SKILL.md": goodManual, "X.yaml": "runners: {r: {type: cli-tool, command: x}}\n"}, Options{}).Runner("")
	if err != nil || empty.Outputs != nil {
		t.Fatalf("outputs without a declaration: %v, %v", empty, err)
	}
	if _, err := empty.Contract.Bind(object); err == nil {
		t.Error("a runner without inputs accepted one")
	}
}

func TestPackets(t *testing.T) {
	const profile = `runners:
  r:
    type: cli-tool
    command: x
    inputs: {plan: {type: json, packet: plan.v1}}
    artifacts: {named_emits: {a: A}, packets: {a: out.v1}}
`
	plan := `{"x-runx-packet-id": "plan.v1", "type": "object"}`
	out := `{"x-runx-packet-id": "out.v1", "type": "array"}`
	tests := []struct {
		name      string
		files     map[string]string
		workspace map[string]string
		refused   []string
		warnings  []string
		found     map[string]string // id to the end of its file
	}{
		{name: "in both folders", files: map[string]string{"packets/plan.json": plan, "dist/packets/a/out.json": out}, warnings: []string{},
			found: map[string]string{"plan.v1": "packets/plan.json", "out.v1": "dist/packets/a/out.json"}},
		{name: "in the workspace", files: map[string]string{"packets/plan.json": plan}, workspace: map[string]string{"dist/packets/x/out.json": out}, warnings: []string{},
			found: map[string]string{"plan.v1": "packets/plan.json", "out.v1": "dist/packets/x/out.json"}},
		{name: "the package first", files: map[string]string{"packets/plan.json": plan, "packets/out.json": out}, workspace: map[string]string{"packets/plan.json": plan}, warnings: []string{},
			found: map[string]string{"plan.v1": "packets/plan.json", "out.v1": "packets/out.json"}},
		{name: "not found", files: map[string]string{"packets/plan.txt": plan, "other/plan.json": plan, "packets/none.json": "{}"},
			warnings: []string{"warning packet_unresolved X.yaml:5:14", "warning packet_unresolved X.yaml:6:16"}, found: map[string]string{}},
		{name: "equal copies", files: map[string]string{"packets/plan.json": plan, "dist/packets/plan.json": plan, "packets/out.json": out}, warnings: []string{},
			found: map[string]string{"plan.v1": "dist/packets/plan.json", "out.v1": "packets/out.json"}},
		{name: "two different files", files: map[string]string{"packets/plan.json": plan, "dist/packets/plan.json": plan + " ", "packets/out.json": out},
			refused: []string{"error packet_ambiguous X.yaml:5:14"}},
		{name: "another one in the workspace", files: map[string]string{"packets/plan.json": plan, "packets/out.json": out}, workspace: map[string]string{"packets/out.json": out + "\n"},
			refused: []string{"error packet_ambiguous X.yaml:6:16"}},
		{name: "no JSON", files: map[string]string{"packets/plan.json": "{\n]", "packets/out.json": out}, refused: []string{"error packet_invalid packets/plan.json:2:1"}},
		{name: "no schema", files: map[string]string{"packets/plan.json": `{"x-runx-packet-id": "plan.v1", "type": 1}`, "packets/out.json": out},
			refused: []string{"error packet_invalid X.yaml:5:14"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := tree(t, map[string]string{"SKILL.md": goodManual, "X.yaml": profile})
			write(t, dir, tt.files)
			opts := Options{Workspace: tree(t, tt.workspace)}
			p, refused := refusal(t, dir, opts)
			if diff := cmp.Diff(tt.refused, refused); diff != "" {
				t.Fatalf("reasons (-want +got):\n%s", diff)
			}
			if p == nil {
				return
			}
			if diff := cmp.Diff(tt.warnings, codes(p.Warnings)); diff != "" {
				t.Errorf("warnings (-want +got):\n%s", diff)
			}
			r, err := p.Runner("")
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]string{}
			for id, packet := range r.Packets {
				got[id] = relative(t, opts.Workspace, packet.File)
			}
			if diff := cmp.Diff(tt.found, got); diff != "" {
				t.Errorf("packets (-want +got):\n%s", diff)
			}
		})
	}
}

func TestWorkspacePacketsAreNotOurs(t *testing.T) {
	workspace := tree(t, map[string]string{"packets/broken.json": "{"})
	p := load(t, map[string]string{"SKILL.md": goodManual, "X.yaml": "runners: {r: {type: cli-tool, command: x, artifacts: {wrap_as: w, packet: p.v1}}}\n"},
		Options{Workspace: workspace})
	want := []string{"warning packet_invalid " + join(workspace, "packets/broken.json") + ":1:2", "warning packet_unresolved X.yaml:1:54"}
	if diff := cmp.Diff(want, codes(p.Warnings)); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
	quiet := load(t, map[string]string{"SKILL.md": goodManual, "X.yaml": goodProfile}, Options{Workspace: workspace})
	if len(quiet.Warnings) > 0 {
		t.Errorf("packets were searched though none is named: %v", quiet.Warnings)
	}
}
