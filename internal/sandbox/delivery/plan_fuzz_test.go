package delivery

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"
)

var systems = [...]string{"linux", "darwin", "windows"}

// FuzzNames: the variables of accepted inputs are all different, on every system, and none is one
// of the input object; and what is refused really collides.
func FuzzNames(f *testing.F) {
	for _, seed := range []string{"a.b,a-b", "x,x_path", "x.path,x", "é", "", "a,A,path,1", "s_path,s_json", "a,path_path,a_path_path"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, list string) {
		declared := strings.Split(list, ",")
		used := map[string]bool{nameInputsPath: true, nameInputsJSON: true}
		injective := true
		for _, input := range declared {
			name := VariableName(input)
			if name != strings.ToUpper(name) || strings.Trim(name, "_") != name || strings.Contains(name, "__") {
				t.Fatalf("VariableName(%q) = %q", input, name)
			}
			for _, variable := range []string{inputPrefix + name, inputPrefix + name + pathSuffix} {
				injective = injective && !used[variable] && name != ""
				used[variable] = true
			}
		}
		for _, os := range systems {
			if refusals := CheckNames(os, declared, nil, ""); (len(refusals) == 0) != injective {
				t.Errorf("CheckNames(%s, %q) = %v, though different variables is %v", os, declared, refusals, injective)
			}
		}
	})
}

// FuzzArgs: substitution is one pass. The value of one input is full of tokens of another, whose
// value is a mark that must come out exactly where its own token stands.
func FuzzArgs(f *testing.F) {
	f.Add("a", "{{mark}}", "b")
	f.Add("", "{{env.MARK}}{{{{", "{{mark}}")
	f.Add("x y", "\n", "\xff")
	f.Fuzz(func(t *testing.T, before, value, after string) {
		raw, err := json.Marshal(value)
		if err != nil || !utf8.ValidString(value) || strings.ContainsRune(before+value+after, 0) {
			return
		}
		req := request()
		req.Host.Env, req.Optional = []string{"MARK=<env>"}, []string{"MARK"}
		give(&req, "value", string(raw), "mark", `"<mark>"`)
		req.Args = [][]Part{{{Literal: before}, {Input: "value"}, {Input: "mark"}, {Literal: after}, {Env: "MARK"}}}
		want := before + value + "<mark>" + after + "<env>"
		plan, err := New(req)
		if err != nil {
			if refusal, ok := errors.AsType[*Refusal](err); !ok || refusal.Code != codeArgTooLarge || len(want) <= linuxTextBytes {
				t.Fatalf("New: %v", err)
			}
			return
		}
		if len(plan.Args) != 1 || plan.Args[0] != want {
			t.Errorf("Args = %q, want %q", plan.Args, want)
		}
	})
}

// FuzzFit: a plan fits every limit of its system, has every path variable and each name once; and
// a refusal names something that is really too large.
func FuzzFit(f *testing.F) {
	f.Add(uint8(0), uint32(8_000), uint32(100), uint32(200), uint32(300), "x")
	f.Add(uint8(0), uint32(150_000), uint32(140_000), uint32(8_192), uint32(0), `a "b\`)
	f.Add(uint8(1), uint32(5_000), uint32(1_000), uint32(1), uint32(1), "é")
	f.Add(uint8(2), uint32(0), uint32(30_000), uint32(8_192), uint32(32_000), `\" `)
	f.Fuzz(func(t *testing.T, system uint8, limit, first, second, hosts uint32, unit string) {
		const most = 300_000
		req := request()
		if req.Host.OS = systems[int(system)%len(systems)]; req.Host.OS == "windows" {
			req = windowsRequest()
		} else {
			req.Host.ArgEnvLimit = 1 + int(limit%(2*most))
		}
		if !utf8.ValidString(unit) || strings.ContainsRune(unit, 0) || unit == "" || len(unit) > 16 {
			return
		}
		fill := func(n uint32) string { return strings.Repeat(unit, int(n%most)/len(unit)) }
		req.Host.Env, req.Required = []string{"HOSTED=" + fill(hosts), "HOME=/root"}, []string{"HOSTED"}
		a, errA := json.Marshal(fill(first))
		b, errB := json.Marshal(fill(second))
		if errA != nil || errB != nil {
			t.Fatal(errA, errB)
		}
		give(&req, "a", string(a), "b", string(b))
		req.Args = [][]Part{{{Input: "a"}}, {}, {{Literal: unit}, {Input: "b"}}}
		plan, err := New(req)
		if err != nil {
			refusal, ok := errors.AsType[*Refusal](err)
			if !ok || refusal.Code != codeArgTooLarge && refusal.Code != codeEnvTooLarge {
				t.Fatalf("New: %v", err)
			}
			if req.Host.OS != "windows" && leastFits(t, req) {
				t.Errorf("New refuses what fits without mirrors: %v", err)
			}
			req.Host.Env, req.Args = []string{"HOSTED="}, nil
			if req.Host.ArgEnvLimit > 0 {
				req.Host.ArgEnvLimit += spareBytes + 1_000
			}
			mustPlan(t, req) // without the large texts there is always room
			return
		}
		checkFits(t, req, plan)
	})
}

// leastFits says whether everything but the mirrors fits a Unix system.
func leastFits(t *testing.T, req Request) bool {
	t.Helper()
	free := req
	free.Host.OS, free.Host.ArgEnvLimit = "darwin", 0
	plan := mustPlan(t, free)
	plan.Env.entries = slices.DeleteFunc(plan.Env.entries, func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		return name == nameInputsJSON || name == "RUNX_INPUT_A" || name == "RUNX_INPUT_B"
	})
	for _, text := range slices.Concat(plan.Env.entries, plan.Args) {
		if req.Host.OS == "linux" && len(text) > linuxTextBytes {
			return false
		}
	}
	return need(plan) <= req.Host.ArgEnvLimit
}

func checkFits(t *testing.T, req Request, plan *Plan) {
	t.Helper()
	entries := plan.Env.Entries()
	if limit := req.Host.ArgEnvLimit; limit > 0 && need(plan) > limit {
		t.Errorf("the plan needs %d bytes of %d", need(plan), limit)
	}
	line := []string{quoted(plan.Command)}
	for _, arg := range plan.Args {
		line = append(line, quoted(arg))
	}
	if n := len(utf16.Encode([]rune(strings.Join(line, " ")))) + 1; req.Host.OS == "windows" && n > windowsUnits {
		t.Errorf("the command line has %d units", n)
	}
	names := map[string]bool{}
	for _, text := range slices.Concat(entries, plan.Args) {
		if req.Host.OS == "linux" && len(text) > linuxTextBytes {
			t.Errorf("a text has %d bytes", len(text))
		}
	}
	for _, entry := range entries {
		if n := len(utf16.Encode([]rune(entry))); req.Host.OS == "windows" && n > windowsUnits {
			t.Errorf("a variable has %d units", n)
		}
		name, _, _ := strings.Cut(entry, "=")
		if names[name] {
			t.Errorf("%s appears twice", name)
		}
		names[name] = true
	}
	for _, name := range []string{nameCwd, nameInputsPath, "RUNX_INPUT_A_PATH", "RUNX_INPUT_B_PATH", "HOSTED", "HOME"} {
		if !names[name] {
			t.Errorf("%s is not delivered", name)
		}
	}
	for _, name := range plan.DroppedMirrors {
		if names[name] || strings.HasSuffix(name, pathSuffix) {
			t.Errorf("%s counts as dropped", name)
		}
	}
}
