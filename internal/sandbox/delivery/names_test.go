package delivery

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestVariableName(t *testing.T) {
	tests := []struct{ name, input, want string }{
		{"plain", "title", "TITLE"},
		{"dot", "thread.title", "THREAD_TITLE"},
		{"runs and ends", "  repeated---separator  ", "REPEATED_SEPARATOR"},
		{"underscores are a run too", "__a__b__", "A_B"},
		{"mixed run", "a-_. b", "A_B"},
		{"digits", "1", "1"},
		{"letters outside ASCII are separators", "naïve", "NA_VE"},
		{"only letters outside ASCII", "é", ""},
		{"empty", "", ""},
		{"only separators", "-_-", ""},
		{"upper-casing is ASCII only", "ıſ\u212ak", "K"},
		{"no UTF-8", "a\xffb", "A_B"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := VariableName(tt.input); got != tt.want {
				t.Errorf("VariableName(%q) = %q, want %q", tt.input, got, tt.want)
			}
		})
	}
}

const (
	hintInputs     = "rename one of the two inputs"
	hintEmpty      = "give the input a name with a letter A-Z or a digit"
	hintReserved   = "take another name: what a child may have of RUNX_ it gets without being asked"
	hintCredential = "give the credential a variable of its own"
	hintCase       = "keep one of the two names"
)

func TestCheckNamesInputs(t *testing.T) {
	tests := []struct {
		name     string
		declared []string
		want     []*Refusal
	}{
		{"none", nil, nil},
		{"apart", []string{"a", "b", "path", "x.y", "1"}, nil},
		{"one variable", []string{"a.b", "a-b"}, []*Refusal{
			{codeNameCollision, `inputs "a.b" and "a-b" both need the variable RUNX_INPUT_A_B`, hintInputs},
		}},
		{"differ in case", []string{"Title", "title"}, []*Refusal{
			{codeNameCollision, `inputs "Title" and "title" both need the variable RUNX_INPUT_TITLE`, hintInputs},
		}},
		{"path variable of an earlier one", []string{"x", "x_path"}, []*Refusal{
			{codeNameCollision, `inputs "x" and "x_path" both need the variable RUNX_INPUT_X_PATH`, hintInputs},
		}},
		{"path variable of a later one", []string{"a.path", "a"}, []*Refusal{
			{codeNameCollision, `inputs "a" and "a.path" both need the variable RUNX_INPUT_A_PATH`, hintInputs},
		}},
		{"a path of a path", []string{"x", "x path path"}, nil},
		{"in the middle of two", []string{"x", "x-path-path", "x-path"}, []*Refusal{
			{codeNameCollision, `inputs "x-path" and "x-path-path" both need the variable RUNX_INPUT_X_PATH_PATH`, hintInputs},
			{codeNameCollision, `inputs "x" and "x-path" both need the variable RUNX_INPUT_X_PATH`, hintInputs},
		}},
		{"all are found", []string{"é", "a.b", "a-b", "", "a b"}, []*Refusal{
			{codeInputNameEmpty, `input "é" has no variable: its name holds no ASCII letter or digit`, hintEmpty},
			{codeNameCollision, `inputs "a.b" and "a-b" both need the variable RUNX_INPUT_A_B`, hintInputs},
			{codeInputNameEmpty, `input "" has no variable: its name holds no ASCII letter or digit`, hintEmpty},
			{codeNameCollision, `inputs "a.b" and "a b" both need the variable RUNX_INPUT_A_B`, hintInputs},
		}},
		{"no input reaches RUNX_INPUTS_PATH or RUNX_INPUTS_JSON", []string{"s", "s_path", "s_json", "inputs_json", "json"}, []*Refusal{
			{codeNameCollision, `inputs "s" and "s_path" both need the variable RUNX_INPUT_S_PATH`, hintInputs},
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, os := range []string{"linux", "darwin", "windows"} {
				if diff := cmp.Diff(tt.want, CheckNames(os, tt.declared, nil, "")); diff != "" {
					t.Errorf("CheckNames on %s (-want +got):\n%s", os, diff)
				}
			}
		})
	}
}

func TestCheckNamesEnvironment(t *testing.T) {
	tests := []struct {
		name        string
		os          string
		declared    []string
		environment []string
		credential  string
		want        []*Refusal
	}{
		{"free names and a baseline name", "linux", nil, []string{"REGION", "region", "PATH"}, "", nil},
		{"baseline name in another case on Windows", "windows", nil, []string{"Path"}, "", nil},
		{"reserved, all of them", "linux", nil, []string{"RUNX_CWD", "A", "RUNX_RECEIPT_SIGN_KEY", "RUNX_"}, "", []*Refusal{
			{codeEnvReserved, "environment names RUNX_CWD: names that begin with RUNX_ belong to runx", hintReserved},
			{codeEnvReserved, "environment names RUNX_RECEIPT_SIGN_KEY: names that begin with RUNX_ belong to runx", hintReserved},
			{codeEnvReserved, "environment names RUNX_: names that begin with RUNX_ belong to runx", hintReserved},
		}},
		{"reserved counts case on Unix", "linux", nil, []string{"runx_a", "RUNX"}, "", nil},
		{"reserved in any case on Windows", "windows", nil, []string{"Runx_a"}, "", []*Refusal{
			{codeEnvReserved, "environment names Runx_a: names that begin with RUNX_ belong to runx", hintReserved},
		}},
		{"case apart on Windows", "windows", nil, []string{"Region", "A", "REGION"}, "", []*Refusal{
			{codeNameCollision, "environment names Region and REGION, which are one variable on Windows", hintCase},
		}},
		{"credential alone", "linux", []string{"token"}, []string{"REGION"}, "TOKEN", nil},
		{"credential is baseline", "linux", nil, nil, "HOME", []*Refusal{
			{codeNameCollision, "the credential's variable HOME is also the baseline variable HOME", hintCredential},
		}},
		{"credential is baseline in another case on Windows", "windows", nil, nil, "path", []*Refusal{
			{codeNameCollision, "the credential's variable path is also the baseline variable PATH", hintCredential},
		}},
		{"credential in another case on Unix", "linux", nil, []string{"Token"}, "TOKEN", nil},
		{"credential is transport", "linux", nil, nil, "RUNX_CWD", []*Refusal{
			{codeNameCollision, "the credential's variable RUNX_CWD is also the variable of runx RUNX_CWD", hintCredential},
		}},
		{"credential is declared", "linux", nil, []string{"A", "TOKEN"}, "TOKEN", []*Refusal{
			{codeNameCollision, "the credential's variable TOKEN is also the declared environment name TOKEN", hintCredential},
		}},
		{"credential is declared in another case on Windows", "windows", nil, []string{"Token"}, "TOKEN", []*Refusal{
			{codeNameCollision, "the credential's variable TOKEN is also the declared environment name Token", hintCredential},
		}},
		{"credential is the input object", "linux", nil, nil, "RUNX_INPUTS_JSON", []*Refusal{
			{codeNameCollision, "the credential's variable RUNX_INPUTS_JSON is also the variable of the input object, RUNX_INPUTS_JSON", hintCredential},
		}},
		{"credential is an input", "linux", []string{"a", "to.ken"}, nil, "RUNX_INPUT_TO_KEN", []*Refusal{
			{codeNameCollision, `the credential's variable RUNX_INPUT_TO_KEN is also a variable of input "to.ken"`, hintCredential},
		}},
		{"credential is the path of an input on Windows", "windows", []string{"a"}, nil, "runx_input_a_path", []*Refusal{
			{codeNameCollision, `the credential's variable runx_input_a_path is also a variable of input "a"`, hintCredential},
		}},
		{"credential is reserved", "linux", nil, nil, "RUNX_RECEIPT_SIGN_KEY", []*Refusal{
			{codeEnvReserved, "the credential names RUNX_RECEIPT_SIGN_KEY: names that begin with RUNX_ belong to runx", hintReserved},
		}},
		{"everything in order", "windows", []string{"a", "A"}, []string{"RUNX_X", "t", "T"}, "T", []*Refusal{
			{codeNameCollision, `inputs "a" and "A" both need the variable RUNX_INPUT_A`, hintInputs},
			{codeEnvReserved, "environment names RUNX_X: names that begin with RUNX_ belong to runx", hintReserved},
			{codeNameCollision, "environment names t and T, which are one variable on Windows", hintCase},
			{codeNameCollision, "the credential's variable T is also the declared environment name t", hintCredential},
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, CheckNames(tt.os, tt.declared, tt.environment, tt.credential)); diff != "" {
				t.Errorf("CheckNames (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAllNames(t *testing.T) {
	tests := []struct {
		name     string
		declared []string
		members  []string
		want     []string
	}{
		{"absent inputs count", []string{"a", "b"}, []string{"b"}, []string{"a", "b"}},
		{"an undeclared member counts", []string{"a"}, []string{"a", "c"}, []string{"a", "c"}},
		{"a member given twice comes out twice", []string{"a"}, []string{"a", "a"}, []string{"a", "a"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var members []Input
			for _, name := range tt.members {
				members = append(members, Input{Name: name})
			}
			if diff := cmp.Diff(tt.want, allNames(tt.declared, members)); diff != "" {
				t.Errorf("allNames (-want +got):\n%s", diff)
			}
		})
	}
}
