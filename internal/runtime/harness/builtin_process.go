package harness

import (
	"strings"
	"time"
)

// startCases are about where and whether a process starts, and how it ends (skills 3.2, 3.5, 3.8).
func startCases() []Case {
	in := func(cwd string) func(*setup) { return func(s *setup) { s.cwd = cwd } }
	at := func(relation, place string) func() *Expected {
		return func() *Expected {
			f := factsOf("{}")
			f.Cwd = place
			want := sealed(f)
			want.Cwd = &relation
			return want
		}
	}
	return []Case{
		builtinCase("cwd-relative", at("other", "target"), "report").with(in("../target")),
		builtinCase("cwd-token", at("workspace", "workspace"), "report").with(in(cwdToken)),
		builtinCase("cwd-missing", func() *Expected {
			want := failed("spawn_cwd")
			want.MessageContains = []string{"no-such-directory"}
			return want
		}, "report").with(in("no-such-directory")),
		builtinCase("exit-nonzero", func() *Expected {
			want := failed("process_exit")
			want.ExitCode, want.Signal, want.MessageContains = new(3), new(""), []string{"err"}
			want.Stdout, want.Stderr = &StreamWant{Text: new("out\n")}, &StreamWant{Text: new("err\n")}
			return want
		}, "exit:3"),
		builtinCase("exit-signal", func() *Expected {
			want := failed("process_signal")
			want.Signal, want.MessageContains = new("SIGKILL"), []string{"SIGKILL"}
			return want
		}, "kill-self").on(platformUnix),
		spawnCase("spawn-not-found", "./no-such-program"),
		spawnCase("spawn-directory", "./folder", packageFile{path: "folder/file", text: "x"}),
		spawnCase("spawn-not-executable", "./tool", packageFile{path: "tool", text: "#!/bin/sh\necho hi\n"}).on(platformUnix),
		spawnCase("spawn-shebang", "./tool", packageFile{path: "tool", text: "#!/bin/sh\r\necho hi\r\n", executable: true}).on(platformUnix),
	}
}

// spawnCase starts a command that cannot be started; its error code is its id.
func spawnCase(id, command string, files ...packageFile) Case {
	code := strings.ReplaceAll(id, "-", "_")
	c := Case{ID: id, Lane: LaneCLITool, lazy: func() *Expected {
		want := failed(code)
		want.MessageContains = []string{command[len("./"):]}
		return want
	}}
	return c.with(func(s *setup) { s.command, s.args, s.files = []string{command}, []string{"word"}, files })
}

// treeCases are about limits and about what a leader leaves (skills 3.6).
func treeCases() []Case {
	limit := func(s *setup) { s.timeout = 1 }
	timedOut := func() *Expected {
		want := &Expected{Status: "timed_out", Survivors: new(0), Stderr: &StreamWant{Text: new("started\n")}}
		return want.within(2500 * time.Millisecond)
	}
	left := func(held bool) func() *Expected {
		return func() *Expected {
			want := &Expected{Status: "sealed", ErrorCode: new(""), ExitCode: new(0), Survivors: new(0)}
			if held {
				want.DescendantHeldPipe = new(true)
			}
			return want.within(3 * time.Second)
		}
	}
	return []Case{
		builtinCase("timeout-tree", timedOut, "tree").with(limit),
		builtinCase("timeout-setsid", timedOut, "tree:setsid").with(limit).on("linux"),
		builtinCase("exit-setsid", left(false), "leave:setsid").on("linux"),
		builtinCase("held-pipe", left(true), "leave:hold"),
		builtinCase("held-pipe-tail", func() *Expected {
			want := &Expected{Status: "sealed", ExitCode: new(0), Stdout: &StreamWant{Text: new("head\ntail\n")}}
			return want.within(3 * time.Second)
		}, "leave:tail"),
		builtinCase("cancel-tree", func() *Expected {
			return &Expected{Status: "cancelled", Survivors: new(0), Stderr: &StreamWant{Text: new("started\n")}}
		}, "tree:ready").with(func(s *setup) { s.cwd, s.cancel = cwdToken, true }).on(platformUnix),
	}
}
