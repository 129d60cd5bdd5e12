package proc

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	goruntime "runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/runx-go/runx/internal/sandbox"
	"github.com/runx-go/runx/internal/sandbox/delivery"
)

// slack is what a loaded machine may add to any limit of time.
const slack = 5 * time.Second

// whole is a stream that was kept completely.
func whole(text string) Stream {
	return Stream{Prefix: []byte(text), Bytes: int64(len(text)), SHA256: hashOf([]byte(text))}
}

// comparable leaves out what differs between two runs of one command.
var comparable = cmp.Options{
	cmpopts.IgnoreFields(Result{}, "Path", "Boundary", "Duration"), cmpopts.EquateEmpty(), cmpopts.EquateErrors(),
}

func TestRunEnds(t *testing.T) {
	tests := []struct {
		name string
		args []string
		want Result
	}{
		{"both streams", []string{"print", "out\n", "err\n"}, Result{Cause: Exited, Stdout: whole("out\n"), Stderr: whole("err\n")}},
		{"nothing printed", []string{"exit", "0"}, Result{Cause: Exited, Stdout: whole(""), Stderr: whole("")}},
		{"exit code", []string{"exit", "3"}, Result{Cause: Exited, ExitCode: 3, Stdout: whole(""), Stderr: whole("")}},
		{"largest exit code", []string{"exit", "255"}, Result{Cause: Exited, ExitCode: 255, Stdout: whole(""), Stderr: whole("")}},
		{"no input", []string{"stdin"}, Result{Cause: Exited, Stdout: whole(fmt.Sprintf("0 %s <nil>", hashOf(nil))), Stderr: whole("")}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := run(t, helperCommand(t, tt.args[0], tt.args[1:]...))
			if diff := cmp.Diff(tt.want, got, comparable); diff != "" {
				t.Errorf("result (-want +got):\n%s", diff)
			}
		})
	}
}

func TestRunGivesExactlyWhatItWasTold(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("RUNX_TEST_CANARY", "leaked")
	exe := helperCommand(t, "x").Name
	env, mark := testEnv(t, "PATH="+filepath.Dir(exe), "EMPTY=", "ODD=a=b\nc")
	tests := []struct {
		name string
		cmd  Command
		want string
	}{
		{"environment", Command{Name: exe, Args: []string{helperArg, "env"}, Env: env}, strings.Join(env.Entries(), "\n")},
		{"empty environment", Command{Name: exe, Args: []string{helperArg, "env"}, Env: delivery.Empty()}, ""},
		{"directory", Command{Name: exe, Args: []string{helperArg, "cwd"}, Env: env}, dir + "<nil>"},
		{"arguments", Command{Name: exe, Args: []string{helperArg, "argv", "", " a  b ", "x\ny", `"`}, Env: env},
			fmt.Sprintf("%q", []string{exe, "", " a  b ", "x\ny", `"`})},
		{"bare name stays argument 0", Command{Name: filepath.Base(exe), Args: []string{helperArg, "argv"}, Env: env},
			fmt.Sprintf("%q", []string{filepath.Base(exe)})},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.cmd.Dir, tt.cmd.Mark = dir, mark
			res := run(t, tt.cmd)
			if diff := cmp.Diff(tt.want, string(res.Stdout.Prefix)); diff != "" {
				t.Errorf("stdout (-want +got):\n%s", diff)
			}
			if res.Path != exe {
				t.Errorf("path = %q, want %q", res.Path, exe)
			}
		})
	}
}

func TestRunStdin(t *testing.T) {
	big := bytes.Repeat([]byte("0123456789\n"), 3<<20/11)
	tests := []struct {
		name   string
		helper []string
		stdin  []byte
		want   string
	}{
		{"empty closes at once", []string{"stdin"}, []byte{}, fmt.Sprintf("0 %s <nil>", hashOf(nil))},
		{"3 MiB read", []string{"stdin"}, big, fmt.Sprintf("%d %s <nil>", len(big), hashOf(big))},
		{"3 MiB copied while it is written", []string{"cat"}, big, string(big)},
		{"3 MiB never read", []string{"print", "done", ""}, big, "done"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			cmd := helperCommand(t, tt.helper[0], tt.helper[1:]...)
			cmd.Stdin = tt.stdin
			res := run(t, cmd)
			if res.Cause != Exited || res.ExitCode != 0 {
				t.Errorf("ended as %v, code %d", res.Cause, res.ExitCode)
			}
			if string(res.Stdout.Prefix) != tt.want {
				t.Errorf("stdout has %d bytes, want %d", len(res.Stdout.Prefix), len(tt.want))
			}
		})
	}
}

func TestRunKeepsPrefix(t *testing.T) {
	tests := []struct {
		name            string
		head            int
		text            string
		count, retained int
	}{
		{"exactly the limit", prefixLimit - 3, "€", 1, prefixLimit},
		{"one over the limit", prefixLimit, "a", 1, prefixLimit},
		{"cut inside a character", prefixLimit - 1, "€", 10, prefixLimit - 1},
		{"cut after 3 of 4 bytes", prefixLimit - 3, "😀", 2, prefixLimit - 3},
		{"invalid bytes stay", prefixLimit - 3, "\x80", 9, prefixLimit},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			all := []byte(strings.Repeat("a", tt.head) + strings.Repeat(tt.text, tt.count))
			cmd := helperCommand(t, "cat")
			cmd.Stdin = all
			got := run(t, cmd).Stdout
			want := Stream{Prefix: all[:tt.retained], Bytes: int64(len(all)), SHA256: hashOf(all), Truncated: len(all) > prefixLimit}
			if !bytes.Equal(got.Prefix, want.Prefix) {
				t.Errorf("prefix has %d bytes, want the first %d", len(got.Prefix), len(want.Prefix))
			}
			got.Prefix, want.Prefix = nil, nil
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("stream (-want +got):\n%s", diff)
			}
		})
	}
}

// TestRunFlood drains both streams far over the prefix: no deadlock, exact measures, little memory.
func TestRunFlood(t *testing.T) {
	const out, other = 96 << 20, 12 << 20
	var before, after goruntime.MemStats
	goruntime.ReadMemStats(&before)
	res := run(t, helperCommand(t, "flood", fmt.Sprint(out), fmt.Sprint(other)))
	goruntime.ReadMemStats(&after)
	for _, s := range []struct {
		name string
		got  Stream
		want int64
	}{{"stdout", res.Stdout, out}, {"stderr", res.Stderr, other}} {
		if s.got.Bytes != s.want || !s.got.Truncated || len(s.got.Prefix) != prefixLimit {
			t.Errorf("%s: %d bytes, truncated %v, prefix %d", s.name, s.got.Bytes, s.got.Truncated, len(s.got.Prefix))
		}
		if want := hashOf(bytes.Repeat([]byte("0123456789abcde\n"), int(s.want)/16)); s.got.SHA256 != want {
			t.Errorf("%s: hash %s, want %s", s.name, s.got.SHA256, want)
		}
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 64<<20 {
		t.Errorf("allocated %d MiB for two prefixes of 8 MiB", used>>20)
	}
}

func TestRunOutput(t *testing.T) {
	var mu sync.Mutex
	got := map[StreamName][]byte{}
	cmd := helperCommand(t, "flood", "3000000", "100000")
	cmd.Output = func(name StreamName, chunk []byte) error {
		mu.Lock()
		defer mu.Unlock()
		got[name] = append(got[name], chunk...)
		return nil
	}
	res := run(t, cmd)
	for name, stream := range map[StreamName]Stream{Stdout: res.Stdout, Stderr: res.Stderr} {
		if !bytes.Equal(got[name], stream.Prefix) {
			t.Errorf("%s: the receiver got %d bytes, the prefix has %d", name, len(got[name]), len(stream.Prefix))
		}
	}
}

func TestRunOutputError(t *testing.T) {
	gone := errors.New("reader gone")
	cmd := helperCommand(t, "sleep")
	calls := 0
	cmd.Output = func(StreamName, []byte) error { calls++; return gone }
	res := run(t, cmd)
	if res.Cause != Cancelled || !errors.Is(res.CancelCause, gone) || calls != 1 {
		t.Errorf("cause %v (%v) after %d calls, want cancelled by the receiver", res.Cause, res.CancelCause, calls)
	}
}

func TestRunTimeout(t *testing.T) {
	t.Parallel()
	cmd := helperCommand(t, "sleep")
	cmd.Timeout = 300 * time.Millisecond
	res := run(t, cmd)
	if res.Cause != TimedOut || res.ExitCode != -1 || res.CancelCause != nil {
		t.Errorf("result %+v, want timed out", res)
	}
	if res.Duration < cmd.Timeout || res.Duration > cmd.Timeout+slack {
		t.Errorf("took %v for a limit of %v", res.Duration, cmd.Timeout)
	}
}

func TestRunCancel(t *testing.T) {
	cause := errors.New("interrupt")
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	cmd := helperCommand(t, "sleep")
	cmd.Output = func(StreamName, []byte) error { cancel(cause); return nil }
	res, err := Run(ctx, cmd)
	if err != nil {
		t.Fatal(err)
	}
	if res.Cause != Cancelled || !errors.Is(res.CancelCause, cause) || string(res.Stdout.Prefix) != "started\n" {
		t.Errorf("cause %v (%v), stdout %q", res.Cause, res.CancelCause, res.Stdout.Prefix)
	}
}

func TestRunCancelledBefore(t *testing.T) {
	cause := errors.New("too late")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(cause)
	cmd := helperCommand(t, "sleep")
	cmd.Output = func(StreamName, []byte) error { t.Error("something was started"); return nil }
	got, err := Run(ctx, cmd)
	if err != nil {
		t.Fatal(err)
	}
	want := Result{Cause: Cancelled, CancelCause: cause, ExitCode: -1, Stdout: whole(""), Stderr: whole(""), Boundary: Boundary()}
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty(), cmpopts.EquateErrors()); diff != "" {
		t.Errorf("result (-want +got):\n%s", diff)
	}
}

func TestRunKill(t *testing.T) {
	kill := make(chan struct{})
	cmd := helperCommand(t, "sleep")
	cmd.Kill = kill
	cmd.Output = func(StreamName, []byte) error { close(kill); return nil }
	res := run(t, cmd)
	if res.Cause != Cancelled || !errors.Is(res.CancelCause, ErrKilled) {
		t.Errorf("cause %v (%v), want killed", res.Cause, res.CancelCause)
	}
}

func TestRunManyAtOnce(t *testing.T) {
	var group sync.WaitGroup
	for i := range 40 {
		text := fmt.Sprintf("run %d", i)
		cmd := helperCommand(t, "print", text, "")
		group.Go(func() {
			res, err := Run(t.Context(), cmd)
			if err != nil || res.Cause != Exited || res.ExitCode != 0 || string(res.Stdout.Prefix) != text {
				t.Errorf("%s: %v %v %d %q", text, err, res.Cause, res.ExitCode, res.Stdout.Prefix)
			}
		})
	}
	group.Wait()
}

func TestBoundary(t *testing.T) {
	got := Boundary()
	if got.Kind != sandbox.TrustedHostProcess {
		t.Errorf("kind = %q", got.Kind)
	}
	var names []string
	for _, claim := range got.Claims {
		names = append(names, claim.Name)
		if claim.Enforced == (claim.Reason != "") {
			t.Errorf("%s: enforced %v with reason %q", claim.Name, claim.Enforced, claim.Reason)
		}
	}
	if diff := cmp.Diff([]string{claimGroup, claimSubreaper, claimDeath, claimJob}, names); diff != "" {
		t.Errorf("claims (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(got, run(t, helperCommand(t, "exit", "0")).Boundary); diff != "" {
		t.Errorf("the boundary of a run (-platform +run):\n%s", diff)
	}
}
