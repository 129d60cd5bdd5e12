package harness

import (
	"strings"
	"time"
)

// inputCases are the files and variables of inputs (skills 3.4).
func inputCases() []Case {
	simple := func(id, object string, values ...value) Case {
		return builtinCase(id, func() *Expected { return sealed(factsOf(object, values...)) }, "report").inputs(object)
	}
	const (
		named = `{"message":"hi","thread.title":"A title","  repeated---separator  ":"r"}`
		kinds = `{"s":"a \"q\"\n\u00fc","n":1.50,"o":{"b":1,"a":[1, 2]},"l":[1,"x"],"b":true,"z":null}`
		digit = `{"id":9007199254740993,"z":1.0,"a":-0,"m":1e6,"o":{"y":1,"x":2}}`
	)
	return []Case{
		builtinCase("env-json", func() *Expected {
			return sealed(factsOf(named, value{"MESSAGE", "hi"}, value{"THREAD_TITLE", "A title"}, value{"REPEATED_SEPARATOR", "r"})).
				withVariables([]string{
					"RUNX_CWD", "RUNX_INPUTS_JSON", "RUNX_INPUTS_PATH", "RUNX_INPUT_REPEATED_SEPARATOR",
					"RUNX_INPUT_REPEATED_SEPARATOR_PATH", "RUNX_INPUT_THREAD_TITLE", "RUNX_INPUT_THREAD_TITLE_PATH",
				}, nil)
		}, "report").inputs(named),
		simple("value-files", kinds, value{"S", "a \"q\"\nü"}, value{"N", "1.50"}, value{"O", `{"b":1,"a":[1, 2]}`},
			value{"L", `[1,"x"]`}, value{"B", "true"}, value{"Z", ""}),
		simple("number-text", digit, value{"ID", "9007199254740993"}, value{"Z", "1.0"}, value{"A", "-0"},
			value{"M", "1e6"}, value{"O", `{"y":1,"x":2}`}),
		builtinCase("empty-string", func() *Expected {
			return sealed(factsOf(`{"e":""}`, value{"E", ""})).
				withVariables([]string{"RUNX_INPUT_E", "RUNX_INPUT_E_PATH"}, nil)
		}, "report").inputs(`{"e":""}`),
		builtinCase("absent-optional", func() *Expected {
			return sealed(factsOf(`{}`)).withVariables([]string{"RUNX_INPUTS_PATH"}, []string{"RUNX_INPUT_OPT", "RUNX_INPUT_OPT_PATH"})
		}, "report").with(func(s *setup) { s.declared = []string{"opt"} }),
		sizedCase("inputs-48k", generated("big", objectMirrorBytes)).on(platformUnix),
		sizedCase("inputs-48k-1", generated("big", objectMirrorBytes+1)),
		sizedCase("input-8k", largeValue(valueMirrorBytes)),
		sizedCase("input-8k-1", largeValue(valueMirrorBytes+1)),
		sizedCase("large-input-path", largeValue(81_920)),
		sizedCase("large-input-5m", largeValue(5_000_000)),
	}
}

// sizedCase delivers an object with one large input, called big.
func sizedCase(id, object string) Case {
	return builtinCase(id, func() *Expected {
		text := strings.TrimSuffix(strings.TrimPrefix(object, `{"big":"`), `"}`)
		present := []string{"RUNX_INPUTS_PATH", "RUNX_INPUT_BIG_PATH"}
		var absent []string
		place := func(name string, fits bool) {
			if fits {
				present = append(present, name)
			} else {
				absent = append(absent, name)
			}
		}
		place("RUNX_INPUTS_JSON", len(object) <= objectMirrorBytes)
		place("RUNX_INPUT_BIG", len(text) <= valueMirrorBytes)
		return sealed(factsOf(object, value{"BIG", text})).withVariables(present, absent)
	}, "report").inputs(object)
}

// stdinCases are about what a process can read (skills 3.5).
func stdinCases() []Case {
	const spaced = `{ "a": 1.0,  "b":"x" }`
	large := generated("v", 3<<20)
	stdin := func(s *setup) { s.inputMode = "stdin" }
	return []Case{
		builtinCase("stdin-json", func() *Expected {
			want := sealed(factsOf(spaced, value{"A", "1.0"}, value{"B", "x"}))
			want.InputsSource = new("stdin")
			return want
		}, "report:stdin").inputs(spaced).with(stdin),
		builtinCase("stdin-large", func() *Expected {
			return &Expected{Status: "sealed", ExitCode: new(0), Stdout: measureOf([]byte(large)), Stderr: &StreamWant{Text: new("")}}
		}, "echo").inputs(large).with(stdin),
		builtinCase("stdin-closed", func() *Expected {
			want := &Expected{Status: "sealed", ExitCode: new(0), Stdout: &StreamWant{JSON: []byte(`{"stdin_bytes":0}`)}}
			return want.within(2 * time.Second)
		}, "count-stdin").inputs(`{"a":1}`),
		builtinCase("stdin-never-read", func() *Expected {
			return &Expected{Status: "sealed", ErrorCode: new(""), ExitCode: new(0), Stdout: &StreamWant{Text: new("out\n")}}
		}, "exit:0").inputs(large).with(stdin),
	}
}

// argumentCases are about templates in arguments (skills 3.1).
func argumentCases() []Case {
	const object = `{"value":"{{other}} $1 \"x  y\"\nnext","other":"no","empty":""}`
	return []Case{
		builtinCase("args-one-pass", func() *Expected {
			return &Expected{Status: "sealed", ExitCode: new(0), Stdout: &StreamWant{
				JSON: []byte(`["{{other}} $1 \"x  y\"\nnext","","a nob","","* {{"]`),
			}}
		}, "argv", "{{value}}", "{{empty}}", "a {{ other }}b", "{{gone}}", "* {{{{").inputs(object).
			with(func(s *setup) { s.declared = []string{"gone"} }),
		builtinCase("args-unknown", func() *Expected {
			return refused("template_unknown", "nme", "name")
		}, "mark", "{{nme}}").inputs(`{"name":"x"}`).with(nothingStarts),
		builtinCase("args-too-large", func() *Expected {
			return refused("arg_too_large", "big")
		}, "mark", "{{big}}").inputs(largeValue(200_000)).with(nothingStarts).on("linux", "windows"),
	}
}

// nothingStarts makes a case in which the mark of the probe must not appear.
func nothingStarts(s *setup) {
	s.cwd = cwdToken
	s.started = new(false)
}
