package clitool

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	rt "github.com/runx-go/runx/internal/runtime"
	"github.com/runx-go/runx/internal/runtime/runner"
	"github.com/runx-go/runx/internal/sandbox"
	"github.com/runx-go/runx/internal/sandbox/fsroot"
	"github.com/runx-go/runx/internal/sandbox/secret"
	"github.com/runx-go/runx/internal/skills/admission"
	"github.com/runx-go/runx/internal/skills/codec"
	"go.uber.org/goleak"
)

// helperArg is the first argument of the test binary when it plays a program: helperArg, then the
// name of the program, then its arguments.
const helperArg = "-clitool-helper"

// forever is longer than any test: a helper that sleeps it must be ended.
const forever = 10 * time.Minute

func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == helperArg {
		code := helper(os.Args[2], os.Args[3:])
		os.Stderr.Close() // a binary with coverage would write to it at its end
		os.Exit(code)
	}
	goleak.VerifyTestMain(m)
}

// helper plays a program and returns its exit code.
func helper(name string, args []string) int {
	switch name {
	case "print": // STDOUT STDERR CODE
		fmt.Fprint(os.Stdout, args[0])
		fmt.Fprint(os.Stderr, args[1])
		code, err := strconv.Atoi(args[2])
		if err != nil {
			panic(err)
		}
		return code
	case "cat":
		_, _ = io.Copy(os.Stdout, os.Stdin)
	case "sleep":
		fmt.Println("started")
		time.Sleep(forever)
	case "flood": // BYTES, then the variable SECRET_TOKEN and some more
		n, err := strconv.Atoi(args[0])
		if err != nil {
			panic(err)
		}
		fmt.Print(strings.Repeat("x", n) + os.Getenv("SECRET_TOKEN") + " and the end")
	case "leak": // the variable SECRET_TOKEN in every way
		token := os.Getenv("SECRET_TOKEN")
		fmt.Fprintf(os.Stderr, "bearer %s\n", token)
		fmt.Printf(`{"token":%q,"%s":1}`, token, token)
	case "leak-fail": // in the last words of a failure
		fmt.Fprint(os.Stderr, "cannot use "+os.Getenv("SECRET_TOKEN"))
		return 3
	default:
		panic("no helper " + name)
	}
	return 0
}

// sink remembers every chunk that it is given.
type sink struct {
	mu     sync.Mutex
	chunks []rt.OutputChunk
	fail   func(rt.OutputChunk) error // nil: never
}

func (s *sink) Emit(_ context.Context, e rt.Event) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	chunk, ok := e.Body.(rt.OutputChunk)
	if !ok {
		return fmt.Errorf("cannot take event %s", e.Body.Type())
	}
	chunk.Bytes = append([]byte(nil), chunk.Bytes...)
	s.chunks = append(s.chunks, chunk)
	if s.fail != nil {
		return s.fail(chunk)
	}
	return nil
}

// text joins the chunks of one stream and checks their offsets and the one mark of the end.
func (s *sink) text(t testing.TB, stream string) string {
	t.Helper()
	var b strings.Builder
	ended := false
	for _, c := range s.chunks {
		if c.Stream != stream {
			continue
		}
		if ended || c.Offset != int64(b.Len()) {
			t.Errorf("chunk of %s at %d after the end (%v), want offset %d", stream, c.Offset, ended, b.Len())
		}
		b.Write(c.Bytes)
		ended = c.End
	}
	if !ended {
		t.Errorf("%s has no event with the mark of its end", stream)
	}
	return b.String()
}

const testSecret = "hunter22-swordfish"

func redactor(t testing.TB, value string) *secret.Redactor {
	t.Helper()
	r, err := secret.NewRedactor(secret.New(value))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func quote(text string) string {
	raw, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(raw)
}

// program is the X.yaml of a runner that plays a program; fields are further lines of the runner.
func program(t testing.TB, args []string, fields ...string) string {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	list := []string{quote(helperArg)}
	for _, a := range args {
		list = append(list, quote(a))
	}
	lines := append([]string{"type: cli-tool", "command: " + quote(exe), "args: [" + strings.Join(list, ", ") + "]"}, fields...)
	return "runners:\n  main:\n    " + strings.Join(lines, "\n    ") + "\n"
}

// request is a run of the only runner of a package with this X.yaml in a new workspace.
func request(t testing.TB, profile, inputs string, host ...string) (runner.Request, *sink) {
	t.Helper()
	workspace, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(workspace, "pack")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"SKILL.md": "---\nname: pack\n---\nRead.\n", "X.yaml": profile} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	pkg, err := admission.Load(t.Context(), dir, admission.Options{Workspace: workspace, OS: runtime.GOOS})
	if err != nil {
		t.Fatal(err)
	}
	r, err := pkg.Runner("")
	if err != nil {
		t.Fatal(err)
	}
	object, err := codec.ParseObject("inputs", []byte(inputs), codec.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	tmp, err := fsroot.Create(filepath.Join(workspace, "tmp"), true)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tmp.Close() })
	if runtime.GOOS == "windows" {
		host = append(host, "SystemRoot="+os.Getenv("SystemRoot"))
	}
	taken := &sink{}
	return runner.Request{Package: pkg, Runner: r, Inputs: object, Workspace: workspace, Tmp: tmp, Execution: "run-1", Sink: taken,
		Host: sandbox.Host{OS: runtime.GOOS, Dir: workspace, Env: host, ArgEnvLimit: 1 << 20}}, taken
}

// credential is the delivered credential of a test.
func credential(value string) *runner.Credential {
	return &runner.Credential{Name: "api", Provider: "acme", Mode: "token", Variable: "SECRET_TOKEN", Value: secret.New(value)}
}
