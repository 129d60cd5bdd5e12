package manifest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/runx-go/runx/internal/skills"
)

const noLane = "this version of runx cannot run "

func TestProfileFaults(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string
	}{
		{"empty file", "", []string{"yaml_type 1:1 the file must be a mapping with runners, found no value"}},
		{"a list", "- a", []string{"yaml_type 1:1 the file must be a mapping with runners, found a list"}},
		{"no runners", "skill: tidy", []string{"field_missing 1:1 X.yaml has no runners | add runners:"}},
		{"runners without a value", "runners:", []string{"yaml_type 1:9 runners must be a mapping, found no value"}},
		{"no runner", "runners: {}", []string{"field_missing 1:10 runners must have at least one runner | add a runner"}},
		{"unknown keys", "runers: {}\nrunners: {r: {type: cli-tool, command: x, timout_seconds: 1, inputs: {a: {typ: string}}}}", []string{
			`unknown_key 1:1 the key "runers" is not known in X.yaml | did you mean "runners"?`,
			`unknown_key 2:43 the key "timout_seconds" is not known in runner "r" | did you mean "timeout_seconds"?`,
			`unknown_key 2:75 the key "typ" is not known in input "a" | did you mean "type"?`,
		}},
		{"what a fault of the YAML does not hide", "skill: &s tydi\nskill: tidy\nrunners:\n  r: {type: cli-tool, command: x, comand: y}\n  r: 1\n", []string{
			`yaml_feature 1:8 an anchor (&s) is not allowed | remove it, or quote a value that begins with &`,
			`skill_name_mismatch 1:8 skill is "tydi", but SKILL.md is named "tidy" | write tidy, or leave skill out`,
			`duplicate_key 2:1 the key "skill" is given twice, on line 1 and line 2 | keep one of them`,
			`unknown_key 4:35 the key "comand" is not known in runner "r" | did you mean "command"?`,
			`duplicate_key 5:3 the key "r" is given twice, on line 4 and line 5 | keep one of them`,
		}},
		{"what a fault of the YAML hides is not guessed", "skil: tidy\nrunners: {r: {<<: {type: cli-tool}, command: 'x'}}\n", []string{
			`yaml_feature 2:15 a merge key (<<) is not allowed | write the keys out`}},
		{"instructions", "instructions: x\nrunners: {r: {type: agent, instructions: y, outputs: {o: {type: json, instructions: z}}}}", []string{
			`unknown_key 1:1 the key "instructions" is not known in X.yaml | the manual is SKILL.md`,
			`unknown_key 2:28 the key "instructions" is not known in runner "r" | the manual is SKILL.md`,
			`unknown_key 2:71 the key "instructions" is not known in output "o" | the manual is SKILL.md`,
		}},
		{"name", "skill: tydi\nrunners: {r: {type: cli-tool, command: x}}", []string{
			`skill_name_mismatch 1:8 skill is "tydi", but SKILL.md is named "tidy" | write tidy, or leave skill out`}},
		{"runner names", "runners: {a b: {type: cli-tool, command: x}, " + strings.Repeat("n", 65) + ": {type: cli-tool, command: x}, ok: 1}", []string{
			`runner_name 1:11 the runner name "a b" must have 1 to 64 of the characters A-Z a-z 0-9 _ . - | use A-Z a-z 0-9 _ . - only`,
			`runner_name 1:46 the runner name "` + strings.Repeat("n", 60) + `…" must have 1 to 64 of the characters A-Z a-z 0-9 _ . - | use A-Z a-z 0-9 _ . - only`,
			`yaml_type 1:147 runner "ok" must be a mapping, found "1"`,
		}},
		{"two defaults", "runners: {a: {type: cli-tool, command: x, default: true}, b: {type: cli-tool, command: x, default: true}}", []string{
			`default_twice 1:59 the runner "b" is a second default: the first is "a" on line 1 | keep one default: true`}},
		{"words for booleans", "runners: {a: {type: cli-tool, command: x, default: yes, mutating: 'true'}}", []string{
			`yaml_type 1:52 default must be a boolean, found "yes" | true or false`, `yaml_type 1:67 mutating must be a boolean, found "true" | true or false`}},
		{"no type", "runners: {a: {command: x, url: y}}", []string{`field_missing 1:11 runner "a" has no type | add type:, such as type: cli-tool`}},
		{"mistyped type", "runners: {a: {type: cli_tool}}", []string{`runner_type 1:21 "cli_tool" is no type of a runner | did you mean "cli-tool"?`}},
		{"run and source", "runners: {a: {type: cli-tool, run: {command: x}, source: {args: []}}}", []string{
			`duplicate_source 1:50 runner "a" has both run (line 1) and source | keep one of them`}},
		{"two places", "runners:\n  a:\n    type: cli-tool\n    command: x\n    input_mode: none\n    inputMode: stdin\n    run: {command: y}", []string{
			`duplicate_source 6:5 input_mode of runner "a" is given in two places: line 5 and line 6 | keep one of them`,
			`duplicate_source 7:11 command of runner "a" is given in two places: line 4 and line 7 | keep one of them`,
		}},
		{"runner field in the source", "runners: {a: {type: cli-tool, run: {command: x, inputs: {}}}}", []string{
			`unknown_key 1:49 inputs does not belong to the source of runner "a" | move it to the runner, beside run or source`}},
		{"cli-tool", "runners: {a: {type: cli-tool}, b: {type: cli-tool, command: ' ', args: x, cwd: '', input_mode: pipe, timeout_seconds: 0}, c: {type: cli-tool, command: \"a\\0\", args: [[], null], timeout_seconds: 1.0}}", []string{
			`field_missing 1:11 runner "a" has no command | add command:`,
			`field_value 1:61 command must not be blank`,
			`yaml_type 1:72 args must be a list, found "x"`,
			`field_value 1:80 cwd must not be blank`,
			`field_value 1:96 input_mode must be args, stdin or none, it is "pipe" | known: args, stdin, none`,
			`timeout_range 1:119 timeout_seconds must be at least 1, it is 0`,
			`field_value 1:152 command must not contain NUL`,
			`yaml_type 1:166 an entry of args must be a string, found a list`,
			`yaml_type 1:194 timeout_seconds must be an integer, found "1.0"`,
		}},
		{"environment", "runners: {a: {type: cli-tool, command: x, environment: {required: [A, 1B, A], optional: [A, é], all: []}}}", []string{
			`env_name 1:71 an entry of environment.required "1B" is no name of an environment variable | use A-Z a-z 0-9 _ and begin with no digit`,
			`env_duplicate 1:75 environment names A twice, first on line 1 | keep one of them`,
			`env_duplicate 1:90 environment names A twice, first on line 1 | keep one of them`,
			`env_name 1:93 an entry of environment.optional "é" is no name of an environment variable | use A-Z a-z 0-9 _ and begin with no digit`,
			`unknown_key 1:97 the key "all" is not known in environment | known: required, optional`,
		}},
		{"inputs", "runners: {a: {type: cli-tool, command: x, inputs: {a: string, b: , c: {type: text, packet: p}, d: {type: json, packet: p, schema: 1, default: .nan}, \"e\\n\": {}, '': {}}}}", []string{
			`yaml_type 1:55 input "a" must be a mapping, found "string" | write {type: string}`,
			`yaml_type 1:66 input "b" must be a mapping, found no value`,
			`field_value 1:78 "text" is no type | known: string, number, integer, boolean, array, object, json`,
			`input_packet 1:92 input "c" has a packet, so its type must be json, not string | write type: json`,
			`input_packet 1:120 input "d" has a packet, so it cannot have a schema | remove schema`,
			`input_packet 1:120 input "d" has a packet, so it cannot have a default | remove default`,
			`yaml_type 1:131 schema must be a JSON Schema (a mapping), found "1"`,
			`yaml_type 1:143 .nan is not a JSON value | quote it if it is text`,
			`input_name 1:150 the name of an input must not contain control characters: "e\n"`,
			`input_name 1:161 the name of an input must have 1 to 128 bytes, "" has 0`,
		}},
		{"definitions", "input_definitions: {text: {}, more: {definition: text}}\nrunners: {a: {type: cli-tool, command: x, inputs: {a: {definition: txt}, b: {definition: text, required: true}, c: {definition: }}}}", []string{
			`definition_unknown 1:50 input_definitions has no usable entry "text"`,
			`definition_unknown 2:68 input_definitions has no usable entry "txt" | did you mean "text"?`,
			`definition_alone 2:96 definition must stand alone in input "b", beside it is "required" | move it to the entry of input_definitions`,
			`yaml_type 2:129 definition must be a string, found no value`,
		}},
		{"outputs", "runners: {a: {type: cli-tool, command: x, outputs: {a: strin, b: , c: {enum: []}, d: {type: 'null', wrap_as: x, enum: 1}}}}", []string{
			`field_value 1:56 "strin" is no type | did you mean "string"?`,
			`yaml_type 1:66 output "b" must be a type or a mapping, found no value`,
			`field_missing 1:71 output "c" has no type | add type:`,
			`field_value 1:78 enum must have at least one value`,
			`warning field_ignored 1:101 wrap_as inside output "d" is not used | use wrap_as of artifacts`,
			`yaml_type 1:119 enum must be a list, found "1"`,
		}},
		{"artifacts", "runners: {a: {type: cli-tool, command: x, artifacts: {packet: p, named_emits: {one: ''}, packets: {onee: p}, wrap: x}}}", []string{
			`artifact_packet 1:63 packet of artifacts needs wrap_as | add wrap_as:`,
			`artifact_packet 1:100 packets of artifacts names "onee", which named_emits does not have | did you mean "one"?`,
			`unknown_key 1:110 the key "wrap" is not known in artifacts | did you mean "wrap_as"?`,
		}},
		{"lists and numbers", "runners: {a: {type: cli-tool, command: x, scopes: [' ', a], examples: [1, {}], retry: {max_attempts: 11, backoff_ms: -1, tries: 2}, idempotency: {}}}", []string{
			`field_value 1:52 a scope must not be blank`,
			`yaml_type 1:72 an example must be a mapping, found "1"`,
			`retry_range 1:102 max_attempts must be 1 to 10, it is 11`,
			`retry_range 1:118 backoff_ms must be 0 to 60000, it is -1`,
			`unknown_key 1:122 the key "tries" is not known in retry | known: max_attempts, backoff_ms`,
			`field_missing 1:146 idempotency has no key | add key:`,
		}},
		{"idempotency and tools", "runners: {a: {type: agent, outputs: {o: json}, idempotency: ' ', allowed_tools: [], runx: {allowed_tools: []}}, b: {type: cli-tool, command: x, idempotency: {kee: k}, runx: {allowed_tools: []}}}\ncredentials: {' ': {provider: p, auth: {m: {}}}}", []string{
			`field_value 1:61 idempotency must not be blank`,
			`duplicate_source 1:92 allowed_tools of runner "a" is given in two places, the other is runx.allowed_tools | keep one of them`,
			`field_missing 1:158 idempotency has no key | add key:`,
			`unknown_key 1:159 the key "kee" is not known in idempotency | did you mean "key"?`,
			`field_not_for_lane 1:175 allowed_tools cannot stand on a runner of type cli-tool, only on: agent, agent-task | remove it`,
			`field_value 2:15 the name of a credential must not be blank`,
		}},
		{"foreign fields", "runners: {a: {type: cli-tool, command: x, sandbox: {}, run: {url: y}}}", []string{
			`field_not_for_lane 1:43 sandbox cannot stand on a runner of type cli-tool | remove it`,
			`field_not_for_lane 1:62 url cannot stand on a runner of type cli-tool | remove it`,
		}},
		{"fields of other lanes", "runners: {a: {type: cli-tool, command: x, module: m, allowed_tools: [], policy: {}}, b: {type: agent, outputs: {o: json}, environment: {}, task: t}}", []string{
			`field_not_for_lane 1:43 module cannot stand on a runner of type cli-tool, only on: javascript | remove it`,
			`field_not_for_lane 1:54 allowed_tools cannot stand on a runner of type cli-tool, only on: agent, agent-task | remove it`,
			`field_not_for_lane 1:73 policy cannot stand on a runner of type cli-tool, only on: graph | remove it`,
			`field_not_for_lane 1:123 environment cannot stand on a runner of type agent, only on: cli-tool, javascript | remove it`,
			`field_not_for_lane 1:140 task cannot stand on a runner of type agent, only on: agent-task | remove it`,
		}},
		{"javascript", "runners: {a: {type: javascript, credential: c, pages: [], timeout_seconds: 31}}", []string{
			`field_missing 1:11 runner "a" has no module | add module:`,
			`credential_javascript 1:33 a javascript runner cannot have a credential | use a cli-tool runner`,
			`yaml_type 1:55 pages must be a mapping, found a list`,
			`timeout_range 1:76 timeout_seconds must be 1 to 30, it is 31`,
		}},
		{"agents", "runners: {a: {type: agent-task, outputs: {}}, b: {type: agent, context_skills: {}, runx: {allowed_tools: x}}}", []string{
			`field_missing 1:11 runner "a" has no agent | add agent:`,
			`field_missing 1:11 runner "a" has no task | add task:`,
			`outputs_required 1:11 runner "a" must declare at least one output | add outputs:`,
			`outputs_required 1:47 runner "b" must declare at least one output | add outputs:`,
			`yaml_type 1:80 context_skills must be a list, found a mapping`,
			`yaml_type 1:106 runx.allowed_tools must be a list, found "x"`,
		}},
		{"graph", "runners: {a: {type: graph, graph: {steps: 1}, outputs: {o: json}, artifacts: {}}, b: {type: graph}}", []string{
			`graph_output_owner 1:47 a graph runner cannot declare outputs: the last step that produces output owns the result | declare it on the last step of the graph`,
			`graph_output_owner 1:67 a graph runner cannot declare artifacts: the last step that produces output owns the result | declare it on the last step of the graph`,
			`field_missing 1:83 runner "b" has no graph | add graph:`,
		}},
		{"credentials", "runners: {a: {type: cli-tool, command: x}}\ncredentials: {a: {auth: {}}, b: {provider: p, scope: s, auth: {m: {delivery: {env: RUNX_T, as: x}, more: 1}, n: {delivery: {env: 'a b'}}, o: x}}, c: 1}", []string{
			`field_missing 2:15 credential "a" has no provider | add provider:`,
			`field_missing 2:25 auth must have at least one mode | add a mode, such as token: {delivery: {env: NAME}}`,
			`unknown_key 2:47 the key "scope" is not known in credential "b" | known: provider, audience, auth`,
			`env_reserved 2:84 the credential variable RUNX_T begins with RUNX_, which belongs to runx | choose another name`,
			`unknown_key 2:92 the key "as" is not known in delivery | known: env`,
			`unknown_key 2:100 the key "more" is not known in auth mode "m" | known: delivery`,
			`env_name 2:130 delivery.env "a b" is no name of an environment variable | use A-Z a-z 0-9 _ and begin with no digit`,
			`yaml_type 2:142 auth mode "o" must be a mapping, found "x"`,
			`yaml_type 2:150 credential "c" must be a mapping, found "1"`,
		}},
		{"harness", "runners: {a: {type: cli-tool, command: x}}\nharness: {files: [1, ''], cases: [{name: a, expect: {}}, {}, 1], lane: x}", []string{
			`warning field_ignored 2:1 this version of runx does not run the harness of a package`,
			`field_value 2:22 a file of harness.files must not be blank`,
			`field_missing 2:58 a case of harness.cases has no name | add name:`,
			`yaml_type 2:62 a case of harness.cases must be a mapping, found "1"`,
			`unknown_key 2:66 the key "lane" is not known in harness | known: files, cases`,
		}},
		{"what is not used", "catalog: 1\nemits:\npolicy: []\nrunx: {tags: []}\nrunners: {a: {type: cli-tool, command: x, act: {}, execution: {}, risk: {level: low}, runx: {category: c, tags: []}}}", []string{
			`warning field_ignored 1:1 catalog is not used by this version of runx`,
			`warning field_ignored 2:1 emits is not used by this version of runx`,
			`warning field_ignored 3:1 policy is not used by this version of runx`,
			`warning field_ignored 4:1 runx is not used by this version of runx`,
			`warning field_ignored 5:43 act is not used by this version of runx`,
			`warning field_ignored 5:52 execution is not used by this version of runx`,
			`warning field_ignored 5:67 not used by this version of runx in risk: level`,
			`warning field_ignored 5:87 not used by this version of runx in runx: category, tags`,
		}},
		{"not even mappings", "runners: {a: {type: cli-tool, command: x, act: 1, risk: high, runx: [], retry: 1}}", []string{
			`yaml_type 1:48 act must be a mapping, found "1"`, `yaml_type 1:57 risk must be a mapping, found "high"`,
			`yaml_type 1:69 runx must be a mapping, found a list`, `yaml_type 1:80 retry must be a mapping, found "1"`,
		}},
		{"the faults of YAML", "a: &x 1\nb: *x\n", []string{
			"yaml_feature 1:4 an anchor (&x) is not allowed | remove it, or quote a value that begins with &",
			"yaml_feature 2:4 an alias (*x) is not allowed | write the value out, or quote a value that begins with *",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, findings := ParseProfile("X.yaml", []byte(tt.text), "tidy")
			if diff := cmp.Diff(tt.want, lines(findings)); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}

func TestUnavailable(t *testing.T) {
	tests := []struct {
		name, text string
		want       [][]string // one row a runner
	}{
		{"types of other systems are not checked", "runners: {a: {type: mcp, server: {x: 1}, tool: t, anything: [], timeout_seconds: x, outputs: 1}, b: {run: {type: a2a, agent_card_url: u, inputs: 1}}}",
			[][]string{{noLane + "mcp runners"}, {noLane + "a2a runners"}}},
		{"other types", "runners: {a: {type: external-adapter}, b: {type: thread-outbox-provider}, c: {type: http, url: u}, d: {type: catalog}}",
			[][]string{{noLane + "external-adapter runners"}, {noLane + "thread-outbox-provider runners"}, {noLane + "http runners"}, {noLane + "catalog runners"}}},
		{"lanes of a later version", "runners: {a: {type: javascript, module: m.mjs}, b: {type: agent, outputs: {o: json}}, c: {type: graph, graph: {}}}",
			[][]string{{noLane + "javascript runners"}, {noLane + "agent runners"}, {noLane + "graph runners"}}},
		{"authority", "runners: {a: {type: cli-tool, command: x, mint_authority: {}, run: {requested_scope_from: s}, charter_from: c, runx: {payment_authority: p}}, b: {type: cli-tool, command: x}}",
			[][]string{{
				"this version of runx does not support mint_authority", "this version of runx does not support charter_from",
				"this version of runx does not support requested_scope_from", "this version of runx does not support runx.payment_authority",
			}, nil}},
		{"authority of the whole package", "runx: {payment_authority: p}\nrunners: {a: {type: cli-tool, command: x}}",
			[][]string{{"this version of runx does not support runx.payment_authority"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			profile, findings := ParseProfile("X.yaml", []byte(tt.text), "tidy")
			for _, f := range findings {
				if f.Severity == skills.SeverityError {
					t.Errorf("refused: %s", f)
				}
			}
			var got [][]string
			for _, r := range profile.Runners {
				var reasons []string
				for _, reason := range r.Unavailable {
					if reason.Code != "runner_unavailable" || reason.Line == 0 {
						t.Errorf("reason %+v has no place or another code", reason)
					}
					reasons = append(reasons, reason.Message)
				}
				got = append(got, reasons)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("reasons (-want +got):\n%s", diff)
			}
		})
	}
}

// What every lane has is still checked on a runner of another system.
func TestUnavailableIsStillRead(t *testing.T) {
	profile, findings := ParseProfile("X.yaml", []byte("runners: {a: {type: mcp, description: d, inputs: {x: {typ: y}}}}"), "tidy")
	if diff := cmp.Diff([]string{`unknown_key 1:55 the key "typ" is not known in input "x" | did you mean "type"?`}, lines(findings)); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	if r := profile.Runners[0]; r.Description != "d" || len(r.Inputs) != 1 || r.Source != nil {
		t.Errorf("got %+v", r)
	}
}

// A mode that is wrong is not taken for one that runx does not have.
func TestFaultyModeIsDropped(t *testing.T) {
	profile, _ := ParseProfile("X.yaml", []byte("runners: {}\ncredentials: {c: {provider: p, auth: {bad: {delivery: {env: 1}}, other: {delivery: {header: h}}}}}"), "tidy")
	if diff := cmp.Diff([]skills.CredentialMode{{Name: "other"}}, profile.Credentials[0].Modes); diff != "" {
		t.Errorf("modes (-want +got):\n%s", diff)
	}
}

// One place that says mutating is enough, in any order.
func TestMutating(t *testing.T) {
	for text, want := range map[string]bool{
		"mutating: true": true, "mutating: false": false, "risk: {mutating: true}, mutating: false": true,
		"mutating: false, runx: {mutating: true}": true, "mutating: true, risk: {mutating: false}, runx: {mutating: false}": true,
	} {
		profile, findings := ParseProfile("X.yaml", []byte("runners: {r: {type: cli-tool, command: x, "+text+"}}"), "tidy")
		if got := profile.Runners[0].Mutating; got != want || len(findings) > 0 {
			t.Errorf("%s: got %v with %v, want %v", text, got, lines(findings), want)
		}
	}
}

func TestAgentStep(t *testing.T) {
	profile, findings := ParseProfile("X.yaml", []byte("runners: {a: {type: agent-step, agent: a, task: t, outputs: {o: json}, mutating: false, runx: {mutating: true}}}"), "tidy")
	if diff := cmp.Diff([]string{"warning agent_step 1:21 the type agent-step is read as agent-task | write agent-task"}, lines(findings)); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	if r := profile.Runners[0]; r.Type != "agent-task" || !r.Mutating {
		t.Errorf("type %q, mutating %v", r.Type, r.Mutating)
	}
}

func TestProfileLimits(t *testing.T) {
	many := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	runners := func(n int) string { return "runners:\n" + many(n, "  r%d: {type: cli-tool, command: x}\n") }
	inputs := func(n int) string {
		return "runners:\n  r:\n    type: cli-tool\n    command: x\n    inputs:\n" + many(n, "      i%d: {}\n")
	}
	timeout := func(text string) string {
		return "runners: {r: {type: cli-tool, command: x, timeout_seconds: " + text + "}}"
	}
	name := func(n int) string {
		return "runners: {r: {type: cli-tool, command: x, inputs: {" + strings.Repeat("é", n/2) + ": {}}}}"
	}
	tests := []struct {
		name, text, code string // no code: accepted
	}{
		{"64 runners", runners(64), ""}, {"65 runners", runners(65), "runners_limit"},
		{"256 inputs", inputs(256), ""}, {"257 inputs", inputs(257), "inputs_limit"},
		{"a name of 128 bytes", name(128), ""}, {"a name of 130 bytes", name(130), "input_name"},
		{"a file of 1 MiB", padded(1 << 20), ""}, {"one byte more", padded(1<<20 + 1), "yaml_limit"},
		{"a long timeout", timeout("9223372036"), ""}, {"a longer one", timeout("99999999999999999999"), ""},
		{"a negative one", timeout("-99999999999999999999"), "timeout_range"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, findings := ParseProfile("X.yaml", []byte(tt.text), "tidy")
			got := ""
			for _, f := range findings {
				got += f.Code
			}
			if got != tt.code {
				t.Errorf("got %v, want code %q", lines(findings), tt.code)
			}
		})
	}
	for text, want := range map[string]int64{"1": 1, "9223372036": 9223372036, "9223372037": 9223372036, "99999999999999999999": 9223372036} {
		profile, _ := ParseProfile("X.yaml", []byte(timeout(text)), "tidy")
		if tool, ok := profile.Runners[0].Source.(skills.CLITool); !ok || tool.TimeoutSeconds != want {
			t.Errorf("timeout_seconds %s: got %+v, want %d", text, tool, want)
		}
	}
	if profile, _ := ParseProfile("X.yaml", []byte("runners: {r: {type: cli-tool, command: x}}"), "tidy"); profile.Runners[0].Source.(skills.CLITool).TimeoutSeconds != 60 {
		t.Errorf("default: got %+v, want 60 seconds", profile.Runners[0].Source)
	}
}

func padded(size int) string {
	const text = "runners: {r: {type: cli-tool, command: x}}\n#"
	return text + strings.Repeat("a", size-len(text))
}

// Warnings never crowd out a fault, and what is cut is counted.
func TestManyFindings(t *testing.T) {
	text := "runners:\n"
	for i := range 64 {
		text += fmt.Sprintf("  r%d: {type: cli-tool, command: x, act: {}, execution: {}, b: 1, c: 2}\n", i)
	}
	_, findings := ParseProfile("X.yaml", []byte(text), "tidy")
	count := map[skills.Severity]int{}
	var more []string
	for _, f := range findings {
		count[f.Severity]++
		if f.Code == "more_findings" {
			more = append(more, f.Message)
		}
	}
	if count[skills.SeverityError] != 101 || count[skills.SeverityWarning] != 101 {
		t.Errorf("got %v, want 100 and one more of each", count)
	}
	if diff := cmp.Diff([]string{"28 more findings are not shown", "28 more findings are not shown"}, more); diff != "" {
		t.Errorf("counts (-want +got):\n%s", diff)
	}
}
