package harness

import "strings"

// gateVariable is the variable that the cases of declared names use.
const gateVariable = "GATE_DECLARED"

// environmentCases are about what a process finds in its environment (skills 3.3).
func environmentCases(os string) []Case {
	required := func(s *setup) { s.required = []string{gateVariable} }
	optional := func(s *setup) { s.optional = []string{gateVariable} }
	delivered := func(text string) func() *Expected {
		return func() *Expected {
			f := factsOf("{}")
			f.Cwd, f.Env[gateVariable] = "workspace", &text
			want := sealed(f).withVariables([]string{gateVariable}, nil)
			want.Cwd = new("workspace")
			return want
		}
	}
	set := func(text string) func(*setup) {
		return func(s *setup) {
			s.cwd, s.started = cwdToken, new(true)
			s.env = map[string]*string{gateVariable: &text}
		}
	}
	return []Case{
		builtinCase("env-required-missing", func() *Expected {
			return refused("env_missing", gateVariable)
		}, "mark").with(required).with(nothingStarts),
		builtinCase("env-required-empty", delivered(""), "mark", gateVariable).with(required).with(set("")),
		builtinCase("env-optional-absent", func() *Expected {
			f := factsOf("{}")
			f.Env[gateVariable] = nil
			return sealed(f).withVariables(nil, []string{gateVariable})
		}, "report", gateVariable).with(optional),
		builtinCase("env-optional-set", delivered("a value"), "mark", gateVariable).with(optional).with(set("a value")),
		undeclaredCase(os),
		baselineCase(os),
		builtinCase("env-baseline-unset", func() *Expected {
			return sealed(factsOf("{}")).withVariables([]string{"RUNX_CWD"}, baselineNames())
		}, "report").with(func(s *setup) { s.noEnv = true }).on(platformUnix),
	}
}

// undeclaredCase sets what must never reach a process that did not ask for it.
func undeclaredCase(os string) Case {
	env := map[string]*string{
		// Together these make a signing key, so that the run is signed with it.
		"RUNX_RECEIPT_SIGN_KID":                 new("runx-canary-kid"),
		"RUNX_RECEIPT_SIGN_ED25519_SEED_BASE64": new("cnVueC1jYW5hcnktc2VlZC1vZi0zMi1ieXRlcy0tLS0="),
		"RUNX_RECEIPT_SIGN_ISSUER_TYPE":         new("ci"),
		"HTTPS_PROXY":                           new("http://u:runx-canary@h:1"),
	}
	for _, name := range []string{
		"OPENAI_API_KEY", "ANTHROPIC_API_KEY", "AWS_SECRET_ACCESS_KEY", "RUNX_SIGNING_KEY", "HTTP_PROXY", "NO_PROXY",
		"BASH_ENV", "ENV", "LD_PRELOAD", "DYLD_INSERT_LIBRARIES", "NODE_OPTIONS", "PYTHONPATH", "GIT_DIR", "SHELL", gateVariable,
	} {
		env[name] = new("runx-canary")
	}
	absent := make([]string, 0, len(env))
	for name := range env {
		absent = append(absent, name)
	}
	only := append(baselineNames(), "RUNX_CWD", "RUNX_INPUTS_PATH", "RUNX_INPUTS_JSON")
	return builtinCase("env-undeclared", func() *Expected {
		want := sealed(factsOf("{}")).withVariables(nil, absent)
		if os != "windows" { // where the host's spelling of the names is kept
			want.Variables.Only = only
		}
		return want
	}, "report").with(func(s *setup) { s.env = env })
}

// baselineCase sets all names of the baseline, each to a value of its own. On Windows those that a
// process needs to start keep theirs.
func baselineCase(os string) Case {
	var names []string
	env := map[string]*string{}
	for _, name := range baselineNames() {
		if os == "windows" && neededToStart(name) {
			continue
		}
		names = append(names, name)
		env[name] = new("gate value of " + strings.ToLower(name))
	}
	return builtinCase("env-baseline", func() *Expected {
		f := factsOf("{}")
		for _, name := range names {
			f.Env[name] = env[name]
		}
		return sealed(f).withVariables(names, nil)
	}, "report", names...).with(func(s *setup) { s.env = env })
}

func neededToStart(name string) bool {
	switch name {
	case "SystemRoot", "WINDIR", "COMSPEC", "PATHEXT", "PATH", "TMP", "TEMP":
		return true
	}
	return false
}

// refusalCases are names that are refused before anything starts (skills 3.3).
func refusalCases() []Case {
	collision := func(id string, want func() *Expected, declared ...string) Case {
		return builtinCase(id, want, "mark").with(nothingStarts).with(func(s *setup) { s.declared = declared })
	}
	return []Case{
		collision("collision-two", func() *Expected { return refused("name_collision", "a.b", "a-b") }, "a.b", "a-b"),
		collision("collision-path", func() *Expected { return refused("name_collision", "x_path", `"x"`) }, "x", "x_path"),
		collision("collision-empty", func() *Expected { return refused("input_name_empty", "é") }, "é"),
		builtinCase("env-reserved", func() *Expected {
			return refused("env_reserved", "RUNX_X")
		}, "mark").with(nothingStarts).with(func(s *setup) { s.optional = []string{"RUNX_X"} }),
	}
}
