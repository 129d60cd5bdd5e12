package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	goruntime "runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/runx-go/runx/internal/runtime"
	"github.com/runx-go/runx/internal/runtime/receipt"
	"github.com/runx-go/runx/internal/runtime/session"
	"github.com/runx-go/runx/internal/sandbox"
	"github.com/runx-go/runx/internal/sandbox/fsroot"
	"github.com/runx-go/runx/internal/sandbox/secret"
	"github.com/runx-go/runx/internal/skills/admission"
	"github.com/runx-go/runx/internal/skills/codec"
	"go.uber.org/goleak"
)

// helperArg is the first argument of the test binary when it plays a program: helperArg, then the
// name of the program, then its arguments.
const helperArg = "-engine-helper"

// forever is longer than any test: a helper that sleeps it must be ended.
const forever = 10 * time.Minute

// started is the file of the workspace that every helper leaves behind first.
const started = "helper-started"

func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == helperArg {
		code := helper(os.Args[2], os.Args[3:])
		os.Stderr.Close() // a binary with coverage would write to it at its end
		os.Exit(code)
	}
	goleak.VerifyTestMain(m)
}

// helper plays a program and returns its exit code. It adds a byte to the file started.
func helper(name string, args []string) int {
	file, err := os.OpenFile(filepath.Join(os.Getenv("RUNX_CWD"), started), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	if _, err := file.WriteString("x"); err != nil {
		panic(err)
	}
	info, err := file.Stat()
	if err != nil {
		panic(err)
	}
	file.Close()
	switch name {
	case "print": // STDOUT STDERR CODE
		fmt.Fprint(os.Stdout, args[0])
		fmt.Fprint(os.Stderr, args[1])
		code, err := strconv.Atoi(args[2])
		if err != nil {
			panic(err)
		}
		return code
	case "flaky": // N: fails until it has been started N times
		if n, err := strconv.Atoi(args[0]); err != nil || info.Size() < int64(n) {
			fmt.Fprint(os.Stderr, "not yet")
			return 1
		}
		fmt.Print("{}")
	case "garble":
		fmt.Print("a\xff")
	case "sleep":
		fmt.Println("started")
		time.Sleep(forever)
	case "leak": // every variable that it was given, on both streams
		for _, entry := range os.Environ() {
			fmt.Println(entry)
			fmt.Fprintln(os.Stderr, entry)
		}
	default:
		panic("no helper " + name)
	}
	return 0
}

// world is a workspace with a package, a state directory and a user's configuration.
type world struct {
	workspace, state, receipts, config, pack string
	host                                     sandbox.Host
}

// newWorld writes a package called pack with this X.yaml.
func newWorld(t testing.TB, profile string, host ...string) *world {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{workspace: filepath.Join(root, "work"), config: filepath.Join(root, "config")}
	w.state, w.pack = filepath.Join(w.workspace, ".runx"), filepath.Join(w.workspace, "pack")
	w.receipts = filepath.Join(w.state, "receipts")
	for _, dir := range []string{w.workspace, w.pack} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range map[string]string{"SKILL.md": "---\nname: pack\n---\nRead.\n", "X.yaml": profile} {
		if err := os.WriteFile(filepath.Join(w.pack, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if goruntime.GOOS == "windows" {
		host = append(host, "SystemRoot="+os.Getenv("SystemRoot"))
	}
	w.host = sandbox.Host{OS: goruntime.GOOS, Dir: w.workspace, Env: host, UserConfigDir: w.config, ArgEnvLimit: 1 << 20}
	return w
}

// program is the X.yaml of a runner that plays a program; fields are further lines of the runner,
// those that begin with "credentials:" stand on top.
func program(t testing.TB, args []string, fields ...string) string {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	quote := func(text string) string {
		raw, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		return string(raw)
	}
	list := []string{quote(helperArg)}
	for _, a := range args {
		list = append(list, quote(a))
	}
	top := ""
	lines := []string{"type: cli-tool", "command: " + quote(exe), "args: [" + strings.Join(list, ", ") + "]"}
	for _, f := range fields {
		if strings.HasPrefix(f, "credentials:") {
			top += f + "\n"
		} else {
			lines = append(lines, f)
		}
	}
	return "version: 1.10\n" + top + "runners:\n  main:\n    " + strings.Join(lines, "\n    ") + "\n"
}

func (w *world) engine(t testing.TB, sink runtime.Sink) *Engine {
	t.Helper()
	e, err := New(Options{Host: w.host, Version: "1.2.3", Workspace: w.workspace, StateDir: w.state, ReceiptDir: w.receipts, Sink: sink})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func (w *world) request(t testing.TB, inputs string) SkillRequest {
	t.Helper()
	pkg, err := admission.Load(t.Context(), w.pack, admission.Options{Workspace: w.workspace, OS: w.host.OS})
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
	return SkillRequest{Package: pkg, Runner: r, Inputs: object, Next: "runx skill ./pack"}
}

// run runs the package, whose record must be kept.
func (w *world) run(t testing.TB, req SkillRequest) session.Run {
	t.Helper()
	run, err := w.engine(t, nil).RunSkill(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	w.checkRecord(t, run)
	return run
}

// checkRecord holds run.json against the envelope and looks for input files that were left.
func (w *world) checkRecord(t testing.TB, run session.Run) {
	t.Helper()
	want, err := run.Document()
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(w.state, "runs", run.RunID, "run.json"))
	if err != nil || string(got) != string(want)+"\n" {
		t.Errorf("run.json (%v)\n%s\nwant\n%s", err, got, want)
	}
	if left, err := os.ReadDir(filepath.Join(w.state, "tmp")); err != nil || len(left) != 0 {
		t.Errorf("input files were left: %v (%v)", left, err)
	}
}

// starts is how often the package's command was started.
func (w *world) starts(t testing.TB) int {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(w.workspace, started))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return len(data)
}

// receipt reads the receipt of a run, which must verify.
func (w *world) receipt(t testing.TB, run session.Run) receipt.Predicate {
	t.Helper()
	if run.ReceiptID == nil {
		t.Fatalf("the run %s, %s has no receipt: %+v", run.RunID, run.Status, run.Error)
	}
	store, closeStore, err := Receipts(w.receipts)
	if err != nil {
		t.Fatal(err)
	}
	defer closeStore()
	raw, id, err := store.Get(*run.ReceiptID)
	if err != nil {
		t.Fatal(err)
	}
	keys, err := Keys(w.host)
	if err != nil {
		t.Fatal(err)
	}
	if verdict := receipt.Verify(raw, keys, receipt.Expect{ID: id}); !verdict.Valid {
		t.Errorf("the receipt does not verify: %+v", verdict.Findings)
	}
	opened, err := receipt.Open(raw)
	if err != nil {
		t.Fatal(err)
	}
	return opened.Predicate
}

// store keeps a credential of the user.
func (w *world) store(t testing.TB, entry secret.Entry, value string) {
	t.Helper()
	dir, err := fsroot.Create(w.config, true)
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	store, err := secret.OpenStore(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Set(entry, secret.New(value)); err != nil {
		t.Fatal(err)
	}
}

// seen remembers events and can fail.
type seen struct {
	mu     sync.Mutex
	events []runtime.Event
	fail   func(runtime.Event) error // nil: never
}

func (s *seen) Emit(_ context.Context, e runtime.Event) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fail != nil {
		if err := s.fail(e); err != nil {
			return err
		}
	}
	s.events = append(s.events, e)
	return nil
}

func (s *seen) types() []string {
	var out []string
	for _, e := range s.events {
		out = append(out, e.Body.Type())
	}
	return out
}

// filesWith are the files below a directory that hold the text.
func filesWith(t testing.TB, dir, text string) []string {
	t.Helper()
	var found []string
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if strings.Contains(string(data), text) || strings.Contains(path, text) {
			found = append(found, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}
