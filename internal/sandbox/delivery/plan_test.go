package delivery

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/runx-go/runx/internal/sandbox"
)

// request is a small valid one on Linux.
func request() Request {
	return Request{
		Host:      sandbox.Host{OS: "linux", Env: []string{"PATH=/bin"}, ArgEnvLimit: 2 << 20},
		Workspace: "/work", BaseDir: "/pkg", Command: "tool", FilesDir: "/state/tmp/run_1",
	}
}

// windowsRequest is the same on Windows.
func windowsRequest() Request {
	return Request{
		Host:      sandbox.Host{OS: "windows", Env: []string{`Path=C:\bin`}},
		Workspace: `C:\work`, BaseDir: `C:\pkg`, Command: "tool", FilesDir: `C:\state\tmp\run_1`,
	}
}

// give adds inputs, declared and present; pairs are names and raw JSON texts.
func give(req *Request, pairs ...string) {
	var object []string
	for pair := range slices.Chunk(pairs, 2) {
		req.Declared = append(req.Declared, pair[0])
		req.Members = append(req.Members, Input{Name: pair[0], Raw: json.RawMessage(pair[1])})
		object = append(object, fmt.Sprintf("%q:%s", pair[0], pair[1]))
	}
	req.Inputs = json.RawMessage("{" + strings.Join(object, ",") + "}")
}

// text is a JSON string of so many letters.
func text(n int) string { return `"` + strings.Repeat("a", n) + `"` }

func mustPlan(t testing.TB, req Request) *Plan {
	t.Helper()
	plan, err := New(req)
	if err != nil {
		t.Fatalf("New: %v", err)
	}
	return plan
}

func mustRefuse(t testing.TB, req Request) *Refusal {
	t.Helper()
	plan, err := New(req)
	refusal, ok := errors.AsType[*Refusal](err)
	if !ok || plan != nil {
		t.Fatalf("New = %v, %v, want a *Refusal and no plan", plan, err)
	}
	if refusal.Hint == "" || err.Error() != refusal.Msg {
		t.Errorf("Refusal = %#v: it needs a hint, and Error() must be its message", refusal)
	}
	return refusal
}

func TestNewWhole(t *testing.T) {
	req := request()
	req.Host.Env = []string{
		"SHELL=/bin/sh", "TZ=", "PATH=/bin", "REGION=eu", "OPENAI_API_KEY=canary", "RUNX_CWD=/other",
		"RUNX_RECEIPT_VERIFY_KID=kid", "RUNX_RECEIPT_VERIFY_ED25519_PUBLIC_KEY_BASE64=key",
		"RUNX_RECEIPT_SIGN_ED25519_SEED_BASE64=canary", "RUNX_INPUTS_JSON=old", "HOME=/root", "EMPTY=",
	}
	req.ReceiptDir = "/receipts"
	req.Required, req.Optional = []string{"REGION", "PATH"}, []string{"NOPE", "EMPTY", "ABSENT"}
	give(&req, "thread.title", `"hello\nworld"`, "n", `1.0`)
	req.Declared = append(req.Declared, "absent")
	req.Args = [][]Part{
		{{Literal: "--title="}, {Input: "thread.title"}}, {{Input: "absent"}}, {}, {{Env: "REGION"}, {Env: "NOPE"}, {Literal: "{{n}}"}},
	}
	req.Cwd, req.Command, req.Stdin = "{{env.RUNX_CWD}}", "./bin/tool", true
	object := `{"thread.title":"hello\nworld","n":1.0}`
	want := &Plan{
		Env: Env{os: "linux", entries: []string{
			"PATH=/bin", "HOME=/root", "TZ=",
			"RUNX_CWD=/work", "RUNX_RECEIPT_DIR=/receipts",
			"RUNX_RECEIPT_VERIFY_KID=kid", "RUNX_RECEIPT_VERIFY_ED25519_PUBLIC_KEY_BASE64=key",
			"REGION=eu", "EMPTY=",
			"RUNX_INPUTS_PATH=/state/tmp/run_1/inputs.json", "RUNX_INPUTS_JSON=" + object,
			"RUNX_INPUT_THREAD_TITLE_PATH=/state/tmp/run_1/input-1-thread_title.txt", "RUNX_INPUT_THREAD_TITLE=hello\nworld",
			"RUNX_INPUT_N_PATH=/state/tmp/run_1/input-2-n.txt", "RUNX_INPUT_N=1.0",
		}},
		Args: []string{"--title=hello\nworld", "", "", "eu{{n}}"},
		Dir:  "/work", Command: "/pkg/bin/tool", Stdin: []byte(object),
		Files: []File{
			{"inputs.json", []byte(object)}, {"input-1-thread_title.txt", []byte("hello\nworld")}, {"input-2-n.txt", []byte("1.0")},
		},
		Delivered: []string{
			"EMPTY", "HOME", "PATH", "REGION", "RUNX_CWD", "RUNX_RECEIPT_DIR",
			"RUNX_RECEIPT_VERIFY_ED25519_PUBLIC_KEY_BASE64", "RUNX_RECEIPT_VERIFY_KID", "TZ",
		},
		MissingOptional: []string{"ABSENT", "NOPE"},
		Withheld:        []string{"OPENAI_API_KEY", "RUNX_RECEIPT_SIGN_ED25519_SEED_BASE64", "SHELL"},
		filesDir:        "/state/tmp/run_1",
	}
	got := mustPlan(t, req)
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(Plan{}, Env{})); diff != "" {
		t.Errorf("New (-want +got):\n%s", diff)
	}
	if strings.Contains(strings.Join(got.Env.Entries(), "\n"), "canary") {
		t.Error("a withheld value was delivered")
	}
}

func TestNewLeast(t *testing.T) {
	req := request()
	req.Host.Env = nil
	want := &Plan{
		Env: Env{os: "linux", entries: []string{
			"RUNX_CWD=/work", "RUNX_INPUTS_PATH=/state/tmp/run_1/inputs.json", "RUNX_INPUTS_JSON={}",
		}},
		Args: []string{}, Dir: "/pkg", Command: "tool",
		Files:     []File{{"inputs.json", []byte("{}")}},
		Delivered: []string{"RUNX_CWD"}, Withheld: []string{},
		filesDir: "/state/tmp/run_1",
	}
	if diff := cmp.Diff(want, mustPlan(t, req), cmp.AllowUnexported(Plan{}, Env{})); diff != "" {
		t.Errorf("New (-want +got):\n%s", diff)
	}
}

// TestNewFirstRefusal: names before missing variables before arguments before sizes.
func TestNewFirstRefusal(t *testing.T) {
	req := request()
	give(&req, "a.b", `"\u0000"`, "a-b", text(200_000))
	req.Required = []string{"NOPE"}
	req.Args = [][]Part{{{Input: "a-b"}}, {{Input: "a.b"}}}
	steps := []struct {
		want string
		fix  func()
	}{
		{codeNameCollision, func() { req.Declared[1], req.Members[1].Name, req.Args[0][0].Input = "c", "c", "c" }},
		{codeEnvMissing, func() { req.Host.Env = append(req.Host.Env, "NOPE=") }},
		{codeArgNUL, func() { req.Members[0].Raw = json.RawMessage(`""`) }},
		{codeArgTooLarge, func() { req.Members[1].Raw = json.RawMessage(`""`) }},
	}
	for _, step := range steps {
		if got := mustRefuse(t, req); got.Code != step.want {
			t.Errorf("New refuses with %s, want %s: %s", got.Code, step.want, got.Msg)
		}
		step.fix()
	}
	mustPlan(t, req)
}

func TestNewNames(t *testing.T) {
	tests := []struct {
		name   string
		change func(*Request)
		want   string
	}{
		{"an absent input counts", func(r *Request) { give(r, "a.b", "1"); r.Declared = append(r.Declared, "a-b") }, codeNameCollision},
		{"a path variable", func(r *Request) { give(r, "x", "1", "x_path", "2") }, codeNameCollision},
		{"no variable", func(r *Request) { r.Declared = []string{"é"} }, codeInputNameEmpty},
		{"a member that is not declared", func(r *Request) { give(r, "a", "1", "A", "2"); r.Declared = r.Declared[:1] }, codeNameCollision},
		{"a member given twice", func(r *Request) { give(r, "a", "1", "a", "2"); r.Declared = r.Declared[:1] }, codeNameCollision},
		{"reserved though it is set", func(r *Request) {
			r.Host.Env, r.Optional = []string{"RUNX_RECEIPT_SIGN_KEY=canary"}, []string{"RUNX_RECEIPT_SIGN_KEY"}
		}, codeEnvReserved},
		{"credential", func(r *Request) { r.Optional, r.CredentialName = []string{"TOKEN"}, "TOKEN" }, codeNameCollision},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			req := request()
			tt.change(&req)
			if got := mustRefuse(t, req); got.Code != tt.want {
				t.Errorf("New refuses with %s, want %s: %s", got.Code, tt.want, got.Msg)
			}
		})
	}
}

func TestNewCallerFaults(t *testing.T) {
	tests := []struct {
		name   string
		change func(*Request)
		want   string
	}{
		{"workspace", func(r *Request) { r.Workspace = "w" }, `cannot plan a delivery: the workspace "w" is not absolute`},
		{"base", func(r *Request) { r.BaseDir = "" }, `cannot plan a delivery: the base directory "" is not absolute`},
		{"files", func(r *Request) { r.FilesDir = "tmp" }, `cannot plan a delivery: the directory of the input files "tmp" is not absolute`},
		{"raw text", func(r *Request) { give(r, "a", `"`) }, `cannot render input "a": it is no JSON text`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			req := request()
			tt.change(&req)
			_, err := New(req)
			if _, ok := errors.AsType[*Refusal](err); ok || err == nil || err.Error() != tt.want {
				t.Errorf("New error = %v, want %s", err, tt.want)
			}
		})
	}
}

// TestNewSharesMemory: the complete object and its values are in memory once, as they came.
func TestNewSharesMemory(t *testing.T) {
	req := request()
	raw := json.RawMessage(`{"blob":` + text(4<<20) + `}`)
	req.Inputs, req.Declared, req.Stdin = raw, []string{"blob"}, true
	req.Members = []Input{{Name: "blob", Raw: raw[len(`{"blob":`) : len(raw)-1]}}
	plan := mustPlan(t, req)
	for _, shared := range []struct {
		what string
		data []byte
		at   int
	}{
		{"stdin", plan.Stdin, 0}, {"inputs.json", plan.Files[0].Data, 0}, {"the value", plan.Files[1].Data, len(`{"blob":"`)},
	} {
		if &shared.data[0] != &raw[shared.at] {
			t.Errorf("%s was copied", shared.what)
		}
	}
}
