package admission

import (
	"errors"
	"testing"
)

// A runner that cannot be run is declared all the same; one that is none is not.
func TestDeclared(t *testing.T) {
	const profile = "runners: {old: {type: mcp, server: {url: u}, inputs: {a: {type: integer}}}, now: {type: cli-tool, command: x}}\n"
	tests := []struct {
		name, profile, choose string
		inputs                int
		available             bool
		code                  string
	}{
		{name: "unavailable", profile: profile, choose: "old", inputs: 1},
		{name: "available", profile: profile, choose: "now", available: true},
		{name: "unknown", profile: profile, choose: "new", code: "runner_unknown"},
		{name: "not chosen", profile: profile, code: "runner_required"},
		{name: "manual", choose: "now", code: "not_executable"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			files := map[string]string{"SKILL.md": goodManual}
			if tt.profile != "" {
				files["X.yaml"] = tt.profile
			}
			r, err := load(t, files, Options{}).Declared(tt.choose)
			if tt.code != "" {
				if choice, ok := errors.AsType[*ChoiceError](err); !ok || choice.Code != tt.code || r != nil {
					t.Fatalf("%+v, error %v, want %s", r, err, tt.code)
				}
				return
			}
			if err != nil || r.Name != tt.choose || len(r.Inputs) != tt.inputs || r.Contract == nil || (len(r.Unavailable) == 0) != tt.available {
				t.Errorf("%+v, error %v, want %d inputs and available %v", r, err, tt.inputs, tt.available)
			}
		})
	}
}

// The profile of a package that is refused can still be judged; there may be none.
func TestProfileOfRefused(t *testing.T) {
	dir := tree(t, map[string]string{"SKILL.md": "no frontmatter", "X.yaml": goodProfile})
	if _, err := Load(t.Context(), dir, Options{}); err == nil {
		t.Fatal("the package was accepted")
	}
	p, err := Profile(t.Context(), dir, Options{})
	if err != nil || p == nil || len(p.Runners) != 1 || p.Runners[0].Name != "main" {
		t.Errorf("profile %+v, error %v", p, err)
	}
	p, err = Profile(t.Context(), tree(t, map[string]string{"SKILL.md": goodManual}), Options{})
	if err != nil || p != nil {
		t.Errorf("profile %+v, error %v, want none", p, err)
	}
	if _, err := Profile(t.Context(), dir+"-none", Options{}); err == nil {
		t.Error("a directory that does not exist has a profile")
	}
}
