package delivery

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestArgs(t *testing.T) {
	tests := []struct {
		name string
		args [][]Part
		want []string
	}{
		{"none", nil, []string{}},
		{"literal, blanks and newlines kept", [][]Part{{{Literal: " a  b\n"}}, {}, {{Literal: ""}}}, []string{" a  b\n", "", ""}},
		{"input is one argument", [][]Part{{{Input: "text"}}}, []string{"a b\n$(c) 'd'"}},
		{"value with tokens stays text", [][]Part{{{Input: "tokens"}, {Literal: "|"}, {Input: "number"}}}, []string{"{{number}} {{env.A}} {{{{|9007199254740993"}},
		{"environment value with tokens stays text", [][]Part{{{Env: "B"}}}, []string{"{{number}}"}},
		{"null and absent are empty", [][]Part{{{Input: "null"}, {Literal: "-"}, {Input: "absent"}}}, []string{"-"}},
		{"object as it was written", [][]Part{{{Input: "object"}}}, []string{`{ "b":1.0 }`}},
		{"environment", [][]Part{{{Env: "A"}, {Literal: "/"}, {Env: "MISSING"}, {Env: "EMPTY"}}}, []string{"eu/"}},
		{"undeclared variable is empty", [][]Part{{{Env: "SECRET"}, {Env: "PATH"}, {Env: "RUNX_CWD"}}}, []string{""}},
		{"an input is no variable and the reverse", [][]Part{{{Input: "A"}, {Env: "number"}}}, []string{""}},
		{"same input twice", [][]Part{{{Input: "number"}, {Input: "number"}}, {{Input: "number"}}}, []string{"90071992547409939007199254740993", "9007199254740993"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			req := request()
			req.Host.Env = []string{"A=eu", "B={{number}}", "EMPTY=", "SECRET=canary", "PATH=/bin"}
			req.Required, req.Optional = []string{"A"}, []string{"B", "EMPTY", "MISSING"}
			give(&req, "text", `"a b\n$(c) 'd'"`, "tokens", `"{{number}} {{env.A}} {{{{"`, "number", `9007199254740993`, "null", `null`, "object", `{ "b":1.0 }`)
			req.Declared = append(req.Declared, "absent")
			req.Args = tt.args
			if diff := cmp.Diff(tt.want, mustPlan(t, req).Args); diff != "" {
				t.Errorf("Args (-want +got):\n%s", diff)
			}
		})
	}
}

func TestArgsWindowsCase(t *testing.T) {
	req := windowsRequest()
	req.Host.Env = append(req.Host.Env, "Region=eu")
	req.Required = []string{"PATH", "REGION"}
	req.Args = [][]Part{{{Env: "PATH"}}, {{Env: "REGION"}}}
	if diff := cmp.Diff([]string{`C:\bin`, "eu"}, mustPlan(t, req).Args); diff != "" {
		t.Errorf("Args (-want +got):\n%s", diff)
	}
}

func TestArgNUL(t *testing.T) {
	tests := []struct {
		name string
		arg  []Part
		want *Refusal
	}{
		{"value", []Part{{Input: "other"}, {Input: "a.b"}}, &Refusal{codeArgNUL,
			`cannot pass argument 2: the value of input "a.b" holds a NUL character`,
			"use RUNX_INPUT_A_B_PATH instead: it names a file with the complete value"}},
		{"literal", []Part{{Literal: "x\x00"}}, &Refusal{codeArgNUL,
			"cannot pass argument 2: its text holds a NUL character", "take the NUL character out of the argument"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			req := request()
			give(&req, "a.b", `"x\u0000"`, "other", `"ok"`)
			req.Args = [][]Part{{{Input: "other"}}, tt.arg}
			if diff := cmp.Diff(tt.want, mustRefuse(t, req)); diff != "" {
				t.Errorf("Refusal (-want +got):\n%s", diff)
			}
		})
	}
	req := request()
	give(&req, "a.b", `"x\u0000"`)
	plan := mustPlan(t, req) // NUL is refused in an argument only
	if got := string(plan.Files[1].Data); got != "x\x00" {
		t.Errorf("file = %q, want the complete value", got)
	}
}
