package delivery

import (
	"regexp"
	"strings"
	"testing"
)

// TestMirrors: at the limit a mirror is there, one byte more and it is not; the file always is.
func TestMirrors(t *testing.T) {
	padding := len(`{"blob":""}`)
	tests := []struct {
		name           string
		raw            string
		object, single bool // RUNX_INPUTS_JSON and RUNX_INPUT_BLOB are there
	}{
		{"empty", `""`, true, true},
		{"null", `null`, true, true},
		{"8,192 bytes", text(8_192), true, true},
		{"8,193 bytes", text(8_193), true, false},
		{"8,192 rendered bytes of more JSON bytes", `"` + strings.Repeat(`\n`, 8_192) + `"`, true, true},
		{"bytes count, not characters", `"` + strings.Repeat("é", 4_097) + `"`, true, false},
		{"object of 49,152 bytes", text(49_152 - padding), true, false},
		{"object of 49,153 bytes", text(49_153 - padding), false, false},
		{"NUL", `"a\u0000b"`, true, false},
		{"5,000,000 bytes", text(5_000_000), false, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			req := request()
			give(&req, "blob", tt.raw)
			plan := mustPlan(t, req)
			value, err := render(req.Members[0].Raw)
			if err != nil {
				t.Fatal(err)
			}
			for i, mirror := range []struct {
				name    string
				present bool
				text    string
			}{{"RUNX_INPUTS_JSON", tt.object, string(req.Inputs)}, {"RUNX_INPUT_BLOB", tt.single, string(value)}} {
				got, ok := plan.Env.Lookup(mirror.name)
				if ok != mirror.present || ok && got != mirror.text {
					t.Errorf("%s is there: %v (%d bytes), want %v with %d bytes", mirror.name, ok, len(got), mirror.present, len(mirror.text))
				}
				if string(plan.Files[i].Data) != mirror.text {
					t.Errorf("%s has %d bytes, want the %d of the complete text", plan.Files[i].Name, len(plan.Files[i].Data), len(mirror.text))
				}
			}
			if len(plan.DroppedMirrors) != 0 {
				t.Errorf("DroppedMirrors = %q, want none: nothing lacked room", plan.DroppedMirrors)
			}
		})
	}
}

func TestFileNames(t *testing.T) {
	long := strings.Repeat("long-", 25)
	req := request()
	give(&req, long+"aaa", "1", long+"bbb", "2", "con", "3", "Thread.Title", "4", "x", "null")
	plan := mustPlan(t, req)
	portable, seen := regexp.MustCompile(`^[a-z][a-z0-9_.-]{0,63}$`), map[string]bool{}
	for i, file := range plan.Files {
		if !portable.MatchString(file.Name) || seen[file.Name] {
			t.Errorf("file name %d is %q: it must be portable and unique", i, file.Name)
		}
		seen[file.Name] = true
	}
	if got, want := plan.Files[4].Name, "input-4-thread_title.txt"; got != want {
		t.Errorf("file name = %q, want %q", got, want)
	}
	for i, name := range []string{"RUNX_INPUTS_PATH", "RUNX_INPUT_" + VariableName(long+"aaa") + "_PATH", "RUNX_INPUT_" + VariableName(long+"bbb") + "_PATH"} {
		if got, want := mustLookup(t, plan, name), req.FilesDir+"/"+plan.Files[i].Name; got != want {
			t.Errorf("%s = %q, want %q", name, got, want)
		}
	}
	windows := windowsRequest()
	give(&windows, "x", "1")
	if got, want := mustLookup(t, mustPlan(t, windows), "RUNX_INPUT_X_PATH"), `C:\state\tmp\run_1\input-1-x.txt`; got != want {
		t.Errorf("RUNX_INPUT_X_PATH = %q, want %q", got, want)
	}
}

func mustLookup(t *testing.T, plan *Plan, name string) string {
	t.Helper()
	value, ok := plan.Env.Lookup(name)
	if !ok {
		t.Fatalf("%s is not delivered", name)
	}
	return value
}
