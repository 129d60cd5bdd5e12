package cli

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/runx-go/runx/internal/runtime"
)

// A fault is one document wherever --json or --events stands on the line, and words otherwise.
func TestFaultForms(t *testing.T) {
	tests := []struct {
		name  string
		args  []string
		stdin string
		code  string
		exit  int
		text  bool
	}{
		{name: "a command's own flag", args: []string{"version", "extra", "--json"}, code: "argument_extra", exit: 64},
		{name: "before the wrong word", args: []string{"skill", "--json"}, code: "argument_missing", exit: 64},
		{name: "behind it", args: []string{"skill", "./nope", "--json"}, code: "package_not_found", exit: 64},
		{name: "between", args: []string{"skill", "./pack", "--json", "--nope"}, code: "flag_unknown", exit: 64},
		{name: "behind an unknown flag", args: []string{"skill", "./pack", "--nope", "--json"}, code: "flag_unknown", exit: 64},
		{name: "--events", args: []string{"skill", "./pack", "--nope", "--events"}, code: "flag_unknown", exit: 64},
		{name: "both", args: []string{"skill", "./pack", "--json", "--events"}, code: "flag_conflict", exit: 64},
		{name: "--json=true", args: []string{"skill", "./pack", "--nope", "--json=true"}, code: "flag_unknown", exit: 64},
		{name: "where no command takes it", args: []string{"--json"}, code: "flag_unknown", exit: 64},
		{name: "behind an unknown command", args: []string{"nope", "--json"}, code: "command_unknown", exit: 64},
		{name: "behind a group", args: []string{"receipt", "nope", "--json"}, code: "command_unknown", exit: 64},
		{name: "bad inputs", args: []string{"skill", "./pack", "--inputs", "-", "--json"}, stdin: `{"txt":1}`, code: "input_unknown", exit: 64},
		{name: "a key twice", args: []string{"skill", "./pack", "--inputs", "-", "--json"}, stdin: `{"text":"1","text":"2"}`, code: "input_json", exit: 64},
		{name: "another package", args: []string{"skill", "./pack", "--package-digest", "sha256:0", "--json"}, code: "package_digest_mismatch", exit: 3},
		{name: "a third word", args: []string{"skill", "./pack", "main", "more", "--json"}, code: "argument_extra", exit: 64},
		{name: "a runner that is none", args: []string{"skill", "./pack", "mian", "--json"}, code: "runner_unknown", exit: 64},
		{name: "--profile without a credential", args: []string{"skill", "./pack", "--profile", "ci", "--json"}, code: "profile_unused", exit: 64},
		{name: "a negative limit", args: []string{"skill", "./pack", "--timeout", "-1s", "--json"}, code: "flag_value", exit: 64},
		{name: "inputs in two ways", args: []string{"skill", "./pack", "--inputs", "-", "-i", "text=x", "--json"}, code: "inputs_exclusive", exit: 64},
		{name: "inputs twice", args: []string{"skill", "./pack", "--inputs", "-", "--inputs", "-", "--json"}, code: "flag_twice", exit: 64},
		{name: "--json=false is not --json", args: []string{"skill", "./pack", "--nope", "--json=false"}, exit: 64, text: true},
		{name: "behind -- it is a word", args: []string{"skill", "./pack", "--", "--json"}, exit: 64, text: true},
		{name: "words", args: []string{"skill", "./nope"}, exit: 64, text: true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.pack(t, "print", "x", "")
			got := w.main(t, tt.stdin, tt.args...)
			if got.code != tt.exit {
				t.Errorf("exit %d, want %d: %+v", got.code, tt.exit, got)
			}
			if tt.text {
				if lines := strings.Split(got.err, "\n"); got.out != "" || len(lines) != 3 || !strings.HasPrefix(lines[0], "error: ") || !strings.HasPrefix(lines[1], "  try: ") {
					t.Errorf("stdout %q, stderr %q, want one sentence and one line of what to try", got.out, got.err)
				}
				return
			}
			if code := got.fault(); code != tt.code || got.err != "" {
				t.Errorf("code %q, stderr %q, want %s and nothing: %s", code, got.err, tt.code, got.out)
			}
		})
	}
}

func TestHasFlag(t *testing.T) {
	tests := []struct {
		name string
		args []string
		want bool
	}{
		{"nothing", nil, false},
		{"there", []string{"a", "--json", "b"}, true},
		{"true", []string{"--json=true"}, true},
		{"false", []string{"--json=false"}, false},
		{"behind --", []string{"a", "--", "--json"}, false},
		{"before --", []string{"--json", "--"}, true},
		{"a longer flag", []string{"--jsonl", "-json", "json"}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := hasFlag(tt.args, "--json"); got != tt.want {
				t.Errorf("hasFlag(%q) = %v, want %v", tt.args, got, tt.want)
			}
		})
	}
}

func TestFlagText(t *testing.T) {
	tests := []struct {
		name, want string
		args       []string
	}{
		{"nothing", "", nil},
		{"with =", "never", []string{"a", "--color=never"}},
		{"two words", "never", []string{"--color", "never"}},
		{"no value", "", []string{"--color"}},
		{"behind --", "", []string{"--", "--color=never"}},
		{"a longer flag", "", []string{"--colors=never"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := flagText(tt.args, "--color"); got != tt.want {
				t.Errorf("flagText(%q) = %q, want %q", tt.args, got, tt.want)
			}
		})
	}
}

// A word that is no command says which is near; help is on stdout.
func TestWords(t *testing.T) {
	tests := []struct {
		name     string
		args     []string
		exit     int
		out, err string // what they begin with; "" is nothing
	}{
		{name: "no word", exit: 0, out: "runx runs skill packages"},
		{name: "--help", args: []string{"--help"}, out: "runx runs skill packages"},
		{name: "help", args: []string{"help"}, out: "runx runs skill packages"},
		{name: "help of a command", args: []string{"help", "receipt", "list"}, out: "List receipts, newest first"},
		{name: "--help of a command", args: []string{"receipt", "list", "--help"}, out: "List receipts, newest first"},
		{name: "skill --help", args: []string{"skill", "--help"}, out: "Run a runner of a skill package."},
		{name: "help of nothing", args: []string{"help", "nope"}, exit: 64, err: "error: cannot run \"nope\": runx has no such command\n  try: runx --help\n"},
		{name: "help of nothing below", args: []string{"help", "receipt", "lst"}, exit: 64, err: "error: cannot run \"lst\": runx receipt has no such command\n  try: runx receipt list\n"},
		{name: "nothing near", args: []string{"zzzzzz"}, exit: 64, err: "error: cannot run \"zzzzzz\": runx has no such command\n  try: runx --help\n"},
		{name: "near", args: []string{"skil", "./x"}, exit: 64, err: "error: cannot run \"skil\": runx has no such command\n  try: runx skill\n"},
		{name: "near, with a flag behind", args: []string{"skil", "--nope"}, exit: 64, err: "error: cannot run \"skil\": runx has no such command\n  try: runx skill\n"},
		{name: "a group alone", args: []string{"receipt"}, exit: 64, err: "error: cannot run \"runx receipt\": it needs one of its commands: list, show, verify\n  try: runx receipt --help\n"},
		{name: "near in a group", args: []string{"receipt", "verfy"}, exit: 64, err: "error: cannot run \"verfy\": runx receipt has no such command\n  try: runx receipt verify\n"},
		{name: "an unknown flag", args: []string{"version", "--jsn"}, exit: 64, err: "error: unknown flag --jsn\n  try: --json\n"},
		{name: "an unknown letter", args: []string{"version", "-z"}, exit: 64, err: "error: unknown flag -z\n"},
		{name: "a flag without its value", args: []string{"version", "--state-dir"}, exit: 64, err: "error: flag --state-dir needs a value\n"},
		{name: "a word that is none of the choices", args: []string{"version", "--color", "blue"}, exit: 64, err: "error: cannot use \"blue\" for --color: must be one of auto, always, never\n"},
		{name: "version", args: []string{"version"}, out: "runx 1.2.3 (go"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := newWorld(t).main(t, "", tt.args...)
			if got.code != tt.exit || !strings.HasPrefix(got.out, tt.out) || !strings.HasPrefix(got.err, tt.err) ||
				(got.out == "") != (tt.out == "") || (got.err == "") != (tt.err == "") {
				t.Errorf("exit %d\nstdout %.200q\nstderr %q\nwant exit %d, %q, %q", got.code, got.out, got.err, tt.exit, tt.out, tt.err)
			}
		})
	}
}

// failing fails from its n-th write on.
type failing struct {
	mu    sync.Mutex
	after int
	err   error
}

func (f *failing) Write(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.after--; f.after < 0 {
		return 0, f.err
	}
	return len(p), nil
}

// When nobody reads stdout, every command ends with 1 and without a word.
func TestClosedStdout(t *testing.T) {
	lines := [][]string{
		{"version"}, {"version", "--json"}, {"--help"}, {"help", "skill"}, {"skill", "./pack", "--help"}, {"skill", "list"}, {"skill", "inspect", "./pack"},
		{"skill", "./pack"}, {"skill", "./pack", "--json"}, {"skill", "./pack", "--events"}, {"config", "list"}, {"config", "list", "--json"},
		{"nope", "--json"}, {"receipt", "list", "--json"}, {"doctor", "--json"},
	}
	for _, line := range lines {
		t.Run(strings.Join(line, " "), func(t *testing.T) {
			w := newWorld(t)
			w.pack(t, "print", "x", "")
			w.streams.Out = &failing{err: fmt.Errorf("write: %w", io.ErrClosedPipe)}
			if got := w.main(t, "", line...); got.code != 1 || got.err != "" {
				t.Errorf("exit %d, stderr %q, want 1 and nothing", got.code, got.err)
			}
		})
	}
}

// A child that would never end is ended when the reader of its output goes away.
func TestReaderGoesAway(t *testing.T) {
	for _, form := range [][]string{nil, {"--events"}} {
		w := newWorld(t)
		w.pack(t, "sleep")
		w.streams.Out = &failing{after: len(form) * 2, err: io.ErrClosedPipe}
		if got := w.main(t, "", append([]string{"skill", "./pack"}, form...)...); got.code != 1 || got.err != "" {
			t.Errorf("%q: exit %d, stderr %q, want 1 and nothing", form, got.code, got.err)
		}
		if got := w.listed(t); got != "cancelled" {
			t.Errorf("%q: the receipts say %q, want cancelled", form, got)
		}
	}
}

// listed are the statuses of all receipts.
func (w *world) listed(t testing.TB) string {
	t.Helper()
	reader := *w
	reader.streams = IO{}
	var statuses []string
	for line := range strings.Lines(reader.main(t, "", "receipt", "list").out) {
		if fields := strings.Fields(line); len(fields) > 2 {
			statuses = append(statuses, fields[2])
		}
	}
	return strings.Join(statuses, " ")
}

// A stdout that cannot be written for another reason says so.
func TestBrokenStdout(t *testing.T) {
	w := newWorld(t)
	w.streams.Out = &failing{err: errBroken}
	if got := w.main(t, "", "version"); got.code != 1 {
		t.Errorf("exit %d, stderr %q, want 1", got.code, got.err)
	}
	s := &stdout{Writer: w.streams.Out}
	_, err := s.Write([]byte("x"))
	if wantFault(t, err, runtime.ClassFailed, "stdout_write"); s.gone.Load() {
		t.Error("a disk that is full is taken for a reader that went away")
	}
}

// panicking panics at its first write.
type panicking struct {
	strings.Builder
	done bool
}

func (p *panicking) Write(data []byte) (int, error) {
	if !p.done {
		p.done = true
		panic("a bug\x1b[2J")
	}
	return p.Builder.Write(data)
}

// A panic is exit 70, one document or sentence, and a stack only when it is asked for.
func TestPanic(t *testing.T) {
	run := func(args ...string) (ending, *panicking) {
		w, out := newWorld(t), &panicking{}
		w.streams.Out = out
		return w.main(t, "", args...), out
	}
	got, out := run("version", "--json")
	got.out = out.String()
	if got.code != 70 || got.fault() != "internal" || got.err != "" {
		t.Errorf("exit %d, stdout %q, stderr %q", got.code, got.out, got.err)
	}
	got, out = run("version")
	if want := "error: runx crashed: a bug␛[2J\n  try: this is a bug in runx: "; got.code != 70 || out.Len() != 0 || !strings.HasPrefix(got.err, want) || strings.Contains(got.err, "goroutine") {
		t.Errorf("exit %d, stdout %q, stderr %q, want %q", got.code, out.String(), got.err, want)
	}
	if got, _ = run("version", "--debug"); got.code != 70 || !strings.Contains(got.err, "goroutine") {
		t.Errorf("exit %d, stderr %q, want the stack", got.code, got.err)
	}
}

// An interrupt is told by its exit code, also when stdin never ends.
func TestInterrupted(t *testing.T) {
	for want, cause := range map[int]error{130: ErrInterrupted, 143: ErrTerminated} {
		w := newWorld(t)
		w.pack(t, "print", "x", "")
		ctx, cancel := context.WithCancelCause(t.Context())
		reader, writer := io.Pipe()
		w.streams.In = reader // its second read waits
		go func() {
			if _, err := writer.Write([]byte("{")); err != nil {
				t.Error(err)
			}
			cancel(cause)
		}()
		got := w.mainCtx(t, ctx, "", "skill", "./pack", "--inputs", "-", "--json")
		writer.Close()
		if got.code != want || got.fault() != "cancelled" {
			t.Errorf("exit %d, stdout %q, want %d and cancelled", got.code, got.out, want)
		}
	}
}

// A run that was interrupted keeps its receipt, and its exit code says who did it.
func TestRunInterrupted(t *testing.T) {
	w := newWorld(t)
	w.pack(t, "sleep")
	ctx, cancel := context.WithCancelCause(t.Context())
	w.streams.Out = writerFunc(func(p []byte) (int, error) { cancel(ErrInterrupted); return len(p), nil })
	got := w.mainCtx(t, ctx, "", "skill", "./pack")
	if got.code != 130 || !strings.HasPrefix(got.err, "runx: cancelled: ") || w.listed(t) != "cancelled" {
		t.Errorf("exit %d, stderr %q, receipts %s", got.code, got.err, w.listed(t))
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }
