package main_test

import "strings"

// sourceRuleCase is a file and the one fault that a rule finds in it; want is what follows the
// file's name, "" is none. The text stands below a package clause, so it begins in line 2.
type sourceRuleCase struct {
	rule, name, file, text, want string
}

var sourceRuleCases = []sourceRuleCase{
	{"only cmd/runx looks at the process", "environment", "", `import "os"; var _ = os.Getenv`, ":2: os.Getenv"},
	{"only cmd/runx looks at the process", "renamed", "", `import sys "os"; var _ = sys.Args`, ":2: os.Args"},
	{"only cmd/runx looks at the process", "exit", "", "import \"os\"\nfunc f() { os.Exit(1) }", ":3: os.Exit"},
	{"only cmd/runx looks at the process", "system call", "", `import "syscall"; var _ = syscall.Environ`, ":2: syscall.Environ"},
	{"only cmd/runx looks at the process", "standard output", "", `import "fmt"; func f() { fmt.Println() }`, ":2: fmt.Println"},
	{"only cmd/runx looks at the process", "built-in", "", `func f() { println() }`, ":2: println"},
	{"only cmd/runx looks at the process", "search path", "", `import "os/exec"; var _ = exec.LookPath`, ":2: exec.LookPath"},
	{"only cmd/runx looks at the process", "default logger", "", `import "log/slog"; func f() { slog.Info("x") }`, ":2: slog.Info"},
	{"only cmd/runx looks at the process", "a value called os", "", `import "os"; var _ = os.Open; func f(os struct{ Args int }) { _ = os.Args }`, ""},
	{"only cmd/runx looks at the process", "user elsewhere", "", `import "os"; var _ = os.Geteuid`, ":2: os.Geteuid"},
	{"only cmd/runx looks at the process", "user of files", "internal/sandbox/fsroot/a.go", `import "os"; var _ = os.Geteuid`, ""},
	{"only cmd/runx looks at the process", "cmd/runx", "cmd/runx/host.go", `import "os"; var _ = os.Getenv`, ""},
	{"only cmd/runx looks at the process", "test", "internal/a/a_test.go", `import "os"; var _ = os.Getenv`, ""},

	{"writes go through fsroot", "elsewhere", "", `import "os"; var _ = os.WriteFile`, ":2: os.WriteFile"},
	{"writes go through fsroot", "fsroot", "internal/sandbox/fsroot/write.go", `import "os"; var _ = os.Rename`, ""},
	{"writes go through fsroot", "reading", "", `import "os"; var _ = os.Open`, ""},

	{"clocks come from Options", "call", "", `import "time"; func f() { time.Now() }`, ":2: time.Now"},
	{"clocks come from Options", "default", "", `import "time"; var _ = time.Now`, ""},
	{"clocks come from Options", "supervision measures", "internal/sandbox/proc/a.go", `import "time"; func f() { time.Now() }`, ""},
	{"clocks come from Options", "Windows waits, but tells no time", "internal/sandbox/fsroot/a.go", `import "time"; func f() { time.Sleep(1); time.Now() }`, ":2: time.Now"},
	{"clocks come from Options", "cmd/runx", "cmd/runx/a.go", `import "time"; func f() { time.Now() }`, ""},

	{"reads have a ceiling", "open", "", `import "io"; func f(r io.Reader) { io.ReadAll(r) }`, ":2: io.ReadAll"},
	{"reads have a ceiling", "limited by a function of ours", "", `import "io"; func f(r io.Reader) { io.ReadAll(limit(r)) }`, ":2: io.ReadAll"},
	{"reads have a ceiling", "limited", "", `import "io"; func f(r io.Reader) { io.ReadAll(io.LimitReader(r, 9)) }`, ""},

	{"a file that plans is pure", "os", "internal/a/plan.go", `import "os"`, ":2: imports os"},
	{"a file that plans is pure", "below net", "internal/a/select.go", `import "net/netip"`, ":2: imports net/netip"},
	{"a file that plans is pure", "context", "internal/a/merge.go", `import "context"`, ":2: imports context"},
	{"a file that plans is pure", "platform file", "internal/a/phase_windows.go", `import "os"`, ":2: imports os"},
	{"a file that plans is pure", "clock as a value", "internal/a/machine.go", `import "time"; var _ = time.Now`, ":2: time.Now"},
	{"a file that plans is pure", "timer", "internal/a/step.go", `import "time"; func f() { time.After(1) }`, ":2: time.After"},
	{"a file that plans is pure", "links", "internal/a/compare.go", `import "path/filepath"; var _ = filepath.EvalSymlinks`, ":2: filepath.EvalSymlinks"},
	{"a file that plans is pure", "durations and paths", "internal/a/plan.go", "import (\"time\"; \"path/filepath\")\nconst d = time.Second; var _ = filepath.Join", ""},
	{"a file that plans is pure", "another file", "internal/a/run.go", `import "os"`, ""},

	{"there is no init", "function", "", `func init() {}`, ":2: func init"},
	{"there is no init", "method", "", `type t int; func (t) init() {}`, ""},

	{"no mutable package variable", "map", "", `var m = map[string]int{}`, ":2: var m"},
	{"no mutable package variable", "zero value", "", `var n int`, ":2: var n"},
	{"no mutable package variable", "error made otherwise", "", `import "fmt"; var e = fmt.Errorf("x")`, ":2: var e"},
	{"no mutable package variable", "script", "scripts/a/main.go", `var n int`, ":2: var n"},
	{"no mutable package variable", "sentinel", "", `import "errors"; var errA = errors.New("a")`, ""},
	{"no mutable package variable", "sentinel of another package", "", `import "io"; var ErrA = io.ErrClosedPipe`, ""},
	{"no mutable package variable", "value of another package", "", `import "net/http"; var c = http.DefaultClient`, ":2: var c"},
	{"no mutable package variable", "assertion", "", `var _ interface{} = (*int)(nil)`, ""},
	{"no mutable package variable", "embedded", "", "import _ \"embed\"\n//go:embed a.md\nvar text string", ""},
	{"no mutable package variable", "allowed", "cmd/runx/main.go", `var version = "dev"`, ""},
	{"no mutable package variable", "allowed elsewhere", "", `var version = "dev"`, ":2: var version"},
	{"no mutable package variable", "local", "", `func f() { var n int; _ = n }`, ""},

	{"at most 400 lines", "401", "", strings.Repeat("\n", 400), ": 401 lines"},
	{"at most 400 lines", "400", "", strings.Repeat("\n", 399), ""},

	{"exported names have a comment", "function", "", `func F() {}`, ":2: F"},
	{"exported names have a comment", "type in a group", "", "type (\n\tT int\n\t// U is one.\n\tU int\n)", ":3: T"},
	{"exported names have a comment", "method", "", "// T is one.\ntype T int\nfunc (t *T) M() {}", ":4: M"},
	{"exported names have a comment", "directive only", "", "//nolint:x // y\nfunc F() {}", ":3: F"},
	{"exported names have a comment", "constant", "", "const (\n\tA = 1 // A is one.\n\tB = 2\n)", ":4: B"},
	{"exported names have a comment", "group", "", "// What ends a run.\nconst (\n\tA = 1\n\tB = 2\n)", ""},
	{"exported names have a comment", "well-known method", "", "// E is one.\ntype E int\nfunc (E) Error() string { return \"\" }", ""},
	{"exported names have a comment", "method of an unexported type", "", "type t int\nfunc (t) M() {}", ""},

	{"nothing is left to do", "comment", "", "// TO" + "DO: later", ":2: TO" + "DO"},
	{"nothing is left to do", "test file", "internal/a/a_test.go", "/* FIX" + "ME */", ":2: FIX" + "ME"},
	{"nothing is left to do", "text", "", `const a = "TODO"`, ""},

	{"a skip stands in a named condition with a reason", "bare", "internal/a/a_test.go", `import "testing"; func TestA(t *testing.T) { t.Skip("x") }`, ":2: Skip"},
	{"a skip stands in a named condition with a reason", "no reason", "internal/a/a_test.go", `import "testing"; func needA(t *testing.T) { t.Skip() }`, ":2: Skip"},
	{"a skip stands in a named condition with a reason", "now", "internal/a/a_test.go", `import "testing"; func needA(t *testing.T) { t.SkipNow() }`, ":2: SkipNow"},
	{"a skip stands in a named condition with a reason", "condition", "internal/a/a_test.go", `import "testing"; func needA(t *testing.T) { t.Skipf("no %s", "a") }`, ""},
}
