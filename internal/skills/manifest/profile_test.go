package manifest

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/runx-go/runx/internal/skills"
)

// lines are "code line:column message | hint" of findings; a warning begins with "warning".
func lines(findings []skills.Finding) []string {
	var out []string
	for _, f := range findings {
		line := fmt.Sprintf("%s %d:%d %s", f.Code, f.Line, f.Column, f.Message)
		if f.Severity == skills.SeverityWarning {
			line = "warning " + line
		}
		if f.Hint != "" {
			line += " | " + f.Hint
		}
		out = append(out, line)
	}
	return out
}

func at(line, col int) skills.Position { return skills.Position{File: "X.yaml", Line: line, Col: col} }

func TestParseProfile(t *testing.T) {
	text := `version: 1.10
credentials:
  token:
    provider: acme
    audience: https://api.example
    auth:
      key: {delivery: {env: ACME_KEY}}
      oauth: {flow: device}
input_definitions:
  shared: {type: json, default: {b: 9007199254740993, a: 1.0, c: ~, d: yes}}
runners:
  first.one:
    type: cli-tool
    default: true
    description: Does it
    inputs:
      message: {required: true, description: text, artifact: true}
      again: {definition: shared}
      plan: {type: json, packet: plan.v1}
      count: {type: integer, schema: {minimum: 1, $defs: {}}}
    examples:
      - {message: 007}
    command: ./run
    args: ["{{message}}", plain, ""]
    cwd: ../target
    inputMode: stdin
    timeout_seconds: 100000
    environment: {required: [REGION], optional: [_L1]}
    outputs:
      summary: string
      count: {type: integer, required: false, enum: [1, 2e0], description: d, schema: {maximum: 3}}
    artifacts: {named_emits: {summary: Summary}, packets: {summary: sum.v1}, wrap_as: all, packet: all.v1}
    scopes: [a.b, "a.*"]
    credential: token
    retry: {max_attempts: 10, backoff_ms: 60000}
    risk: {mutating: true}
    idempotency: {key: k}
`
	got, findings := ParseProfile("X.yaml", []byte(text), "tidy")
	wantFindings := []string{
		"warning yaml_scalar 10:66 ~ is a string here, but other readers of YAML convert it | quote it, or write it as JSON does",
		"warning yaml_scalar 10:72 yes is a string here, but other readers of YAML convert it | quote it, or write it as JSON does",
		"warning yaml_scalar 22:19 007 is a string here, but other readers of YAML convert it | quote it, or write it as JSON does",
	}
	if diff := cmp.Diff(wantFindings, lines(findings)); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	raw := func(s string) json.RawMessage { return json.RawMessage(s) }
	template := func(text string, col int) skills.Template {
		out := skills.ParseTemplate(text)
		out.At = at(24, col)
		return out
	}
	shared := skills.Input{Name: "shared", Type: "json", Default: raw(`{"b":9007199254740993,"a":1.0,"c":"~","d":"yes"}`), At: at(10, 3), DefaultAt: at(10, 33)}
	again := shared
	again.Name, again.At = "again", at(18, 7)
	want := &skills.Profile{
		Skill: "tidy", Version: "1.10", Definitions: []skills.Input{shared},
		Credentials: []skills.Credential{{Name: "token", Provider: "acme", Audience: "https://api.example", At: at(3, 3),
			Modes: []skills.CredentialMode{{Name: "key", Env: "ACME_KEY"}, {Name: "oauth"}}}},
		Runners: []skills.Runner{{
			Name: "first.one", Type: "cli-tool", Default: true, Description: "Does it", At: at(12, 3),
			Inputs: []skills.Input{
				{Name: "message", Type: "string", Required: true, Description: "text", Artifact: true, At: at(17, 7)},
				again,
				{Name: "plan", Type: "json", Packet: "plan.v1", At: at(19, 7)},
				{Name: "count", Type: "integer", Schema: raw(`{"minimum":1,"$defs":{}}`), At: at(20, 7), SchemaAt: at(20, 38)},
			},
			Examples: []json.RawMessage{raw(`{"message":"007"}`)}, ExamplesAt: []skills.Position{at(22, 9)},
			Outputs: []skills.Output{
				{Name: "summary", Type: "string", Required: true, At: at(30, 7)},
				{Name: "count", Type: "integer", Description: "d", Enum: []json.RawMessage{raw("1"), raw("2e0")}, Schema: raw(`{"maximum":3}`), At: at(31, 7), SchemaAt: at(31, 87)},
			},
			Artifacts: skills.Artifacts{WrapAs: "all", Packet: "all.v1", NamedEmits: []skills.Named{{Name: "summary", Value: "Summary"}},
				Packets: []skills.Named{{Name: "summary", Value: "sum.v1"}}, At: at(32, 16)},
			Scopes: []string{"a.b", "a.*"}, Credential: "token", CredentialAt: at(34, 17),
			Retry: skills.Retry{MaxAttempts: 10, BackoffMS: 60000}, Mutating: true, Idempotency: "k",
			Source: skills.CLITool{Command: "./run", CommandAt: at(23, 14), Args: []skills.Template{template("{{message}}", 12), template("plain", 27), template("", 34)},
				Cwd: "../target", CwdAt: at(25, 10), InputMode: "stdin", TimeoutSeconds: 100000,
				Environment: skills.Environment{Required: []string{"REGION"}, Optional: []string{"_L1"}}},
		}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("profile (-want +got):\n%s", diff)
	}
}

// The three spellings of a source give the same value.
func TestSourcePlaces(t *testing.T) {
	fields := []string{"type: cli-tool", "command: ./run", "args: [a]", "cwd: b", "input_mode: args", "timeout_seconds: 5", "environment: {required: [A]}", "outputs: {o: json}"}
	flat := "runners: {r: {" + strings.Join(fields, ", ") + "}}"
	want, findings := ParseProfile("X.yaml", []byte(flat), "s")
	if len(findings) > 0 {
		t.Fatalf("findings: %v", lines(findings))
	}
	for _, container := range []string{"run", "source"} {
		for nested := 0; nested <= len(fields); nested++ {
			text := fmt.Sprintf("runners: {r: {%s: {%s}, %s}}", container, strings.Join(fields[:nested], ", "), strings.Join(fields[nested:], ", "))
			got, findings := ParseProfile("X.yaml", []byte(strings.ReplaceAll(text, ", }", "}")), "s")
			if len(findings) > 0 {
				t.Fatalf("%s: findings: %v", text, lines(findings))
			}
			if diff := cmp.Diff(value(want), value(got)); diff != "" {
				t.Errorf("%s (-flat +nested):\n%s", text, diff)
			}
		}
	}
}

// value is a profile without places.
func value(p *skills.Profile) string {
	var forget func(v any) any
	forget = func(v any) any {
		switch v := v.(type) {
		case map[string]any:
			for key := range v {
				if key == "At" || strings.HasSuffix(key, "At") {
					delete(v, key)
				}
				v[key] = forget(v[key])
			}
		case []any:
			for i := range v {
				v[i] = forget(v[i])
			}
		}
		return v
	}
	text, err := json.Marshal(p)
	if err != nil {
		return err.Error()
	}
	var tree any
	if err := json.Unmarshal(text, &tree); err != nil {
		return err.Error()
	}
	text, err = json.MarshalIndent(forget(tree), "", " ")
	if err != nil {
		return err.Error()
	}
	return string(text)
}
