package admission

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/runx-go/runx/internal/skills"
)

// finding is what a row compares: the place is line:column of X.yaml.
type finding struct{ Code, At, Message, Hint string }

func short(findings []skills.Finding, severity skills.Severity) []finding {
	var out []finding
	for _, f := range findings {
		if f.Severity == severity && !strings.HasPrefix(f.Code, "standard_") {
			at := strings.TrimPrefix(codes([]skills.Finding{f})[0], string(f.Severity)+" "+f.Code+" ")
			out = append(out, finding{f.Code, at, f.Message, f.Hint})
		}
	}
	return out
}

func TestChecks(t *testing.T) {
	tests := []struct {
		name    string
		runner  string // lines of the runner beside its type, without indentation
		top     string // more lines of X.yaml
		refused []finding
	}{
		{name: "tokens of inputs and environment", runner: `
args: ["{{name}}", "a{{ name }}b{{env.REGION}}", "{{ env.LABEL }}", "{{{{name}}", "{{", "}}"]
inputs: {name: {}}
environment: {required: [REGION], optional: [LABEL]}`},
		{name: "mistyped tokens", runner: `
args: ["{{nme}}", "{{env.REGIN}}"]
inputs: {name: {}}
environment: {required: [REGION]}`,
			refused: []finding{
				{"template_unknown", "X.yaml:5:12", "the token {{nme}} names neither a declared input nor a declared environment name", `did you mean "name"?`},
				{"template_unknown", "X.yaml:5:23", "the token {{env.REGIN}} names neither a declared input nor a declared environment name", `did you mean "env.REGION"?`},
			}},
		{name: "tokens of nothing", runner: `
args:
  - "{{}}"
  - "{{env.}}"
  - "{{env.HOME}}"
  - "{{{quoted}}}"
inputs: {env.HOME: {}}`,
			refused: []finding{
				{"template_unknown", "X.yaml:6:9", `a token of "{{}}" has no name`, "declare it in inputs, or write {{{{ for a literal {{"},
				{"template_unknown", "X.yaml:7:9", `a token of "{{env.}}" has no name`, "declare it in inputs, or write {{{{ for a literal {{"},
				{"template_unknown", "X.yaml:8:9", "the token {{env.HOME}} names neither a declared input nor a declared environment name", `did you mean "env.HOME"?`},
				{"template_unknown", "X.yaml:9:9", "the token {{{quoted}} names neither a declared input nor a declared environment name", "declare it in inputs, or write {{{{ for a literal {{"},
			}},
		{name: "command is no template", runner: "command: ./{{x}}"},
		{name: "command of an ignored entry: ./.runx/evil.sh", runner: `command: './.runx/evil.sh'`, refused: []finding{
			{"command_outside_digest", "X.yaml:4:14", `the command "./.runx/evil.sh" lies in ".runx", which is not part of the package and not in its digest`, "move the program to a folder that is part of the package"}}},
		{name: "command of an ignored entry: .git/hooks/pre-push", runner: `command: '.git/hooks/pre-push'`, refused: []finding{
			{"command_outside_digest", "X.yaml:4:14", `the command ".git/hooks/pre-push" lies in ".git", which is not part of the package and not in its digest`, "move the program to a folder that is part of the package"}}},
		{name: "command of an ignored entry: a/b/__pycache__/x.pyc", runner: `command: 'a/b/__pycache__/x.pyc'`, refused: []finding{
			{"command_outside_digest", "X.yaml:4:14", `the command "a/b/__pycache__/x.pyc" lies in "__pycache__", which is not part of the package and not in its digest`, "move the program to a folder that is part of the package"}}},
		{name: "command of an ignored entry: a/.DS_Store", runner: `command: 'a/.DS_Store'`, refused: []finding{
			{"command_outside_digest", "X.yaml:4:14", `the command "a/.DS_Store" lies in ".DS_Store", which is not part of the package and not in its digest`, "move the program to a folder that is part of the package"}}},
		{name: "command of an ignored entry: a/../.runx/x", runner: `command: 'a/../.runx/x'`, refused: []finding{
			{"command_outside_digest", "X.yaml:4:14", `the command "a/../.runx/x" lies in ".runx", which is not part of the package and not in its digest`, "move the program to a folder that is part of the package"}}},
		{name: "command of an ignored entry: ./.RUNX/x", runner: `command: './.RUNX/x'`, refused: []finding{
			{"command_outside_digest", "X.yaml:4:14", `the command "./.RUNX/x" lies in ".RUNX", which is not part of the package and not in its digest`, "move the program to a folder that is part of the package"}}},
		{name: "command of an ignored entry: ./.runx./x", runner: `command: './.runx./x'`, refused: []finding{
			{"command_outside_digest", "X.yaml:4:14", `the command "./.runx./x" lies in ".runx.", which is not part of the package and not in its digest`, "move the program to a folder that is part of the package"}}},
		{name: "command of an ignored entry: .\\.runx\\x.cmd", runner: `command: '.\.runx\x.cmd'`, refused: []finding{
			{"command_outside_digest", "X.yaml:4:14", `the command ".\\.runx\\x.cmd" lies in ".runx", which is not part of the package and not in its digest`, "move the program to a folder that is part of the package"}}},
		{name: "command that is bound, or not of the package: .runx", runner: `command: '.runx'`},
		{name: "command that is bound, or not of the package: ../.runx/x", runner: `command: '../.runx/x'`},
		{name: "command that is bound, or not of the package: /opt/.runx/x", runner: `command: '/opt/.runx/x'`},
		{name: "command that is bound, or not of the package: .runx/../bin/run", runner: `command: '.runx/../bin/run'`},
		{name: "command that is bound, or not of the package: ./.runxx/x", runner: `command: './.runxx/x'`},
		{name: "command that is bound, or not of the package: ./bin/.git.sh", runner: `command: './bin/.git.sh'`},
		{name: "command that is bound, or not of the package: ../other/bin/x", runner: `command: '../other/bin/x'`},
		{name: "cwd", runner: `cwd: "{{env.RUNX_CWD}}"`},
		{name: "cwd with blanks", runner: `cwd: "{{ env.RUNX_CWD }}"`, refused: []finding{
			{"cwd_template", "X.yaml:5:10", "cwd cannot contain {{ but as {{env.RUNX_CWD}} alone", "write exactly {{env.RUNX_CWD}}, or a path"}}},
		{name: "cwd with more", runner: `cwd: "{{env.RUNX_CWD}}/a"`, refused: []finding{
			{"cwd_template", "X.yaml:5:10", "cwd cannot contain {{ but as {{env.RUNX_CWD}} alone", "write exactly {{env.RUNX_CWD}}, or a path"}}},
		{name: "credential", runner: "credential: token", top: "credentials: {token: {provider: p, auth: {m: {delivery: {env: TOKEN}}}}}"},
		{name: "unknown credential", runner: "credential: tokn", top: "credentials: {token: {provider: p, auth: {m: {delivery: {env: TOKEN}}}}}", refused: []finding{
			{"credential_unknown", "X.yaml:5:17", `runner "r" names the credential "tokn", which the package does not declare`, `did you mean "token"?`}}},
		{name: "defaults", runner: `
inputs:
  a: {default: text}
  b: {type: integer, default: 2e0}
  c: {type: json, default: null}
  d: {type: array, default: [], schema: {maxItems: 0}}
  e: {required: true}`},
		{name: "wrong defaults", runner: `
inputs:
  a: {default: 1}
  b: {type: integer, default: 1.5}
  c: {default: null}
  d: {type: array, default: [1], schema: {maxItems: 0}}`,
			refused: []finding{
				{"default_invalid", "X.yaml:6:20", `the default of input "a" does not fit: …`, ""},
				{"default_invalid", "X.yaml:7:35", `the default of input "b" does not fit: …`, ""},
				{"default_invalid", "X.yaml:8:20", `the default of input "c" does not fit: …`, ""},
				{"default_invalid", "X.yaml:9:33", `the default of input "d" does not fit: …`, ""},
			}},
		{name: "wrong schemas", runner: `
inputs:
  a: {schema: {pattern: "("}}
  b: {schema: {$ref: "https://example.com/s.json"}}
  c: {schema: {type: 5}, default: x}
  d: {definition: shared}
outputs:
  o: {type: string, schema: {minLength: -1}}`, top: "input_definitions: {shared: {schema: {type: none}}, unused: {schema: {type: none}, type: array, default: 1}}",
			refused: []finding{
				{"schema_invalid", "X.yaml:6:19", `the schema of input "a" cannot be used: …`, ""},
				{"schema_ref", "X.yaml:7:19", `the schema of input "b" cannot be used: …`, ""},
				{"schema_invalid", "X.yaml:8:19", `the schema of input "c" cannot be used: …`, ""},
				{"schema_invalid", "X.yaml:11:33", `the schema of output "o" cannot be used: …`, ""},
				{"schema_invalid", "X.yaml:12:38", `the schema of input "d" cannot be used: …`, ""},
				{"schema_invalid", "X.yaml:12:70", `the schema of input "unused" cannot be used: …`, ""},
				{"default_invalid", "X.yaml:12:106", `the default of input "unused" does not fit: …`, ""},
			}},
		{name: "examples", runner: `
inputs: {a: {type: integer, required: true}, b: {default: x}}
examples:
  - {a: 1}
  - {a: 1, b: y}`},
		{name: "wrong examples", runner: `
inputs: {count: {type: integer, required: true}}
examples:
  - {}
  - {count: "1", cuont: 2}`,
			refused: []finding{
				{"example_invalid", "X.yaml:7:9", "the example does not fit: …", ""},
				{"example_invalid", "X.yaml:8:9", "the example does not fit: …", `did you mean "count"?`},
				{"example_invalid", "X.yaml:8:9", "the example does not fit: …", ""},
			}},
		{name: "an example without inputs", runner: "examples: [{a: 1}]", refused: []finding{
			{"example_invalid", "X.yaml:5:16", "the example does not fit: …", ""}}},
		{name: "enum of another type", runner: "outputs: {o: {type: string, enum: [a, 1]}}", refused: []finding{
			{"output_enum", "X.yaml:5:15", `the enum of output "o" has 1, which is not of type string`, ""}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			runner := strings.TrimPrefix(tt.runner, "\n")
			if !strings.HasPrefix(runner, "command:") {
				runner = "command: ./run\n" + runner
			}
			profile := "runners:\n  r:\n    type: cli-tool\n    " + strings.ReplaceAll(runner, "\n", "\n    ") + "\n" + tt.top + "\n"
			findings, err := Validate(t.Context(), tree(t, map[string]string{"SKILL.md": goodManual, "X.yaml": profile}), Options{})
			if err != nil {
				t.Fatal(err)
			}
			got := short(findings, skills.SeverityError)
			for i := range got {
				// The words behind the colon belong to skills/schema; that there are some is checked.
				for _, mark := range []string{"does not fit: ", "cannot be used: "} {
					if before, after, ok := strings.Cut(got[i].Message, mark); ok && after != "" {
						got[i].Message = before + mark + "…"
						if got[i].Hint != `did you mean "count"?` {
							got[i].Hint = ""
						}
					}
				}
			}
			if diff := cmp.Diff(tt.refused, got); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}

// A path that leaves the package and comes back is one of the package.
func TestCommandThatComesBack(t *testing.T) {
	dir := tree(t, map[string]string{"SKILL.md": goodManual})
	for command, want := range map[string][]string{
		"../" + filepath.Base(dir) + "/.runx/x":  {"error command_outside_digest X.yaml:1:40"},
		"../" + filepath.Base(dir) + "/bin/x":    nil,
		"../" + filepath.Base(dir) + "-b/.git/x": nil,
	} {
		write(t, dir, map[string]string{"X.yaml": "runners: {r: {type: cli-tool, command: '" + command + "'}}\n"})
		_, refused := refusal(t, dir, Options{})
		if diff := cmp.Diff(want, refused); diff != "" {
			t.Errorf("%s: reasons (-want +got):\n%s", command, diff)
		}
	}
}

func TestAgentNeedsManual(t *testing.T) {
	profile := "runners: {r: {type: agent-task, agent: a, task: t, outputs: {o: string}}}\n"
	if _, refused := refusal(t, tree(t, map[string]string{"SKILL.md": goodManual, "X.yaml": profile}), Options{}); refused != nil {
		t.Errorf("refused with a manual: %v", refused)
	}
	_, refused := refusal(t, tree(t, map[string]string{"SKILL.md": "---\nname: a\n---\n \n", "X.yaml": profile}), Options{})
	if diff := cmp.Diff([]string{"error manual_empty X.yaml:1:11"}, refused); diff != "" {
		t.Errorf("reasons (-want +got):\n%s", diff)
	}
}

// A fault of a shared definition is one finding, however many runners take it.
func TestSharedFaultIsReportedOnce(t *testing.T) {
	profile := "input_definitions: {n: {default: 1}}\nrunners:\n" +
		"  a: {type: cli-tool, command: x, inputs: {n: {definition: n}}}\n  b: {type: cli-tool, command: x, inputs: {n: {definition: n}}}\n"
	_, refused := refusal(t, tree(t, map[string]string{"SKILL.md": goodManual, "X.yaml": profile}), Options{})
	if diff := cmp.Diff([]string{"error default_invalid X.yaml:1:34"}, refused); diff != "" {
		t.Errorf("reasons (-want +got):\n%s", diff)
	}
}
