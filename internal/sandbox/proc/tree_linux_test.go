package proc

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// survivors are the living processes that carry a mark.
func survivors(t testing.TB, mark string) (pids []int) {
	t.Helper()
	table, ok := readTable(func(p process) bool {
		has, _ := hasEntry(p.pid, "RUNX_INPUTS_PATH="+mark)
		return has && !p.zombie
	})
	if !ok {
		t.Fatal("cannot read the process table")
	}
	for _, p := range table.picked {
		pids = append(pids, p.pid)
	}
	return pids
}

func noSurvivors(t *testing.T, mark string) {
	t.Helper()
	if pids := survivors(t, mark); len(pids) > 0 {
		t.Errorf("processes %v are left", pids)
	}
}

// noChildren checks that not even a zombie is left below the test.
func noChildren(t *testing.T) {
	t.Helper()
	if !childless() {
		t.Error("children are left")
	}
}

func TestTreeEscapes(t *testing.T) {
	tests := []struct {
		name    string
		helper  []string
		cancel  bool // as soon as it prints
		cause   Cause
		held    bool
		escaped int
	}{
		{"new session holds the pipe", []string{"leave", "session", ""}, false, Exited, true, 1},
		{"new session with closed streams", []string{"leave", "closed", ""}, false, Exited, false, 1},
		{"new session without the mark", []string{"leave", "bare", ""}, false, Exited, false, 1},
		{"our own group without the mark", []string{"leave", "ours", ""}, false, Exited, false, 1},
		{"its child in a session of its own", []string{"escape-and-sleep"}, true, Cancelled, false, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			cmd := helperCommand(t, tt.helper[0], tt.helper[1:]...)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if tt.cancel {
				cmd.Output = func(StreamName, []byte) error { cancel(); return nil }
			}
			res, err := Run(ctx, cmd)
			if err != nil {
				t.Fatal(err)
			}
			if res.Cause != tt.cause || res.DescendantHeldPipe != tt.held || res.EscapedEnded != tt.escaped {
				t.Errorf("cause %v, held %v, escaped %d", res.Cause, res.DescendantHeldPipe, res.EscapedEnded)
			}
			noSurvivors(t, cmd.Mark)
			noChildren(t)
		})
	}
}

// TestTreeForkLoop chases chains of sessions whose links live for an instant.
func TestTreeForkLoop(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	cmd := helperCommand(t, "chain-and-sleep", "4")
	cmd.Output = func(StreamName, []byte) error { cancel(); return nil }
	res, err := Run(ctx, cmd)
	if err != nil {
		t.Fatal(err)
	}
	if res.Cause != Cancelled || res.EscapedEnded == 0 {
		t.Errorf("cause %v, escaped %d", res.Cause, res.EscapedEnded)
	}
	if limit := termGrace + time.Second; res.Duration > limit+chainLife/2 {
		t.Errorf("took %v", res.Duration)
	}
	noSurvivors(t, cmd.Mark)
	noChildren(t)
}

// TestTreeStress ends many trees with stubborn and escaped members, several at once.
func TestTreeStress(t *testing.T) {
	rounds, lanes := 200, 10
	if testing.Short() {
		rounds = 20
	}
	helpers := [][]string{{"sleep"}, {"wrapper", "ignore"}, {"leave", "session", ""}, {"leave", "closed", ""}, {"escape-and-sleep"}}
	var marks sync.Map
	var group sync.WaitGroup
	for lane := range lanes {
		group.Go(func() {
			for i := lane; i < rounds; i += lanes {
				helper := helpers[i%len(helpers)]
				cmd := helperCommand(t, helper[0], helper[1:]...)
				cmd.Timeout = 250 * time.Millisecond
				marks.Store(cmd.Mark, helper[0])
				res, err := Run(t.Context(), cmd)
				if err != nil {
					t.Errorf("round %d: %v", i, err)
					continue
				}
				if res.Cause != TimedOut && helper[0] != "leave" {
					t.Errorf("round %d: %s ended as %v", i, helper[0], res.Cause)
				}
				if pids := survivors(t, cmd.Mark); len(pids) > 0 {
					t.Errorf("round %d: %s left %v", i, helper[0], pids)
				}
			}
		})
	}
	group.Wait()
	marks.Range(func(mark, helper any) bool {
		if pids := survivors(t, mark.(string)); len(pids) > 0 {
			t.Errorf("%v left %v", helper, pids)
		}
		return true
	})
	noChildren(t)
}

// TestTreeRunsDoNotEndEachOther lets trees end while another one has an escaped descendant.
func TestTreeRunsDoNotEndEachOther(t *testing.T) {
	for _, mode := range []string{"closed", "bare"} {
		t.Run(mode, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			other := helperCommand(t, "keeper", mode)
			text := make(chan string, 4)
			other.Output = func(_ StreamName, chunk []byte) error { text <- string(chunk); return nil }
			done := make(chan Result, 1)
			go func() {
				res, err := Run(ctx, other)
				if err != nil {
					t.Error(err)
				}
				done <- res
			}()
			pid, err := strconv.Atoi(strings.TrimSpace(<-text))
			if err != nil {
				t.Fatal(err)
			}
			for range 3 {
				run(t, helperCommand(t, "leave", "closed", ""))
			}
			if err := syscall.Kill(pid, 0); err != nil {
				t.Errorf("the descendant of another run is gone: %v", err)
			}
			cancel()
			if res := <-done; res.EscapedEnded != 1 {
				t.Errorf("the other run ended %d escaped processes, want 1", res.EscapedEnded)
			}
			noChildren(t)
		})
	}
}

// TestTreeLeavesOtherChildren checks that a child that other code of this process started is
// neither ended nor reaped.
func TestTreeLeavesOtherChildren(t *testing.T) {
	for _, tt := range []struct {
		name string
		attr *syscall.SysProcAttr
	}{{"in our group", nil}, {"in a group of its own", &syscall.SysProcAttr{Setpgid: true}}} {
		t.Run(tt.name, func(t *testing.T) {
			mine := exec.Command(os.Args[0], helperArg, "cat")
			mine.SysProcAttr = tt.attr
			stdin, err := mine.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := mine.Start(); err != nil {
				t.Fatal(err)
			}
			run(t, helperCommand(t, "leave", "closed", ""))
			_ = stdin.Close()
			if err := mine.Wait(); err != nil {
				t.Errorf("the other child did not end by itself: %v", err)
			}
		})
	}
}

// TestTreeSlowReceiver checks that a leader's output is complete although its receiver is slower
// than the drain, and that slowness is not taken for a held pipe.
func TestTreeSlowReceiver(t *testing.T) {
	const size = 600 << 10
	release, first := make(chan struct{}), make(chan struct{})
	var once sync.Once
	cmd := helperCommand(t, "flood", itoa(size), "0")
	cmd.Output = func(StreamName, []byte) error {
		once.Do(func() { close(first) })
		<-release
		return nil
	}
	done := make(chan Result, 1)
	go func() { done <- run(t, cmd) }()
	<-first
	eventually(t, "the tree is swept while the receiver blocks", func() bool {
		trees.mu.Lock()
		defer trees.mu.Unlock()
		return trees.running == 0
	})
	close(release)
	res := <-done
	if res.Stdout.Bytes != size || res.Cause != Exited || res.DescendantHeldPipe {
		t.Errorf("cause %v, %d of %d bytes, held %v", res.Cause, res.Stdout.Bytes, size, res.DescendantHeldPipe)
	}
}

// TestTreeBlockedReceiverOfEnded checks that the wait for a receiver that never returns ends with the
// context, although the leader ended long before, and that what was not read is no result.
func TestTreeBlockedReceiverOfEnded(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	release := make(chan struct{})
	defer close(release)
	stopped := errors.New("interrupt")
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	cmd := helperCommand(t, "flood", "600000", "0")
	var calls atomic.Int32
	cmd.Output = func(StreamName, []byte) error { calls.Add(1); <-release; return nil }
	done := make(chan Result, 1)
	go func() {
		res, err := Run(ctx, cmd)
		if err != nil {
			t.Error(err)
		}
		done <- res
	}()
	eventually(t, "the tree is swept while the receiver blocks", func() bool {
		trees.mu.Lock()
		defer trees.mu.Unlock()
		return calls.Load() == 1 && trees.running == 0
	})
	select {
	case <-done:
		t.Error("Run did not wait for the receiver of a leader that ended by itself")
	default:
	}
	cancel(stopped)
	res := <-done
	if res.Cause != Cancelled || !errors.Is(res.CancelCause, stopped) || !res.Abandoned || res.ExitCode != 0 || res.DescendantHeldPipe {
		t.Errorf("cause %v (%v), abandoned %v, code %d, held %v", res.Cause, res.CancelCause, res.Abandoned, res.ExitCode, res.DescendantHeldPipe)
	}
	if res.Stdout.Bytes == 0 || res.Stdout.Bytes >= 600000 || calls.Load() != 1 {
		t.Errorf("%d bytes read in %d calls, want the first ones in one", res.Stdout.Bytes, calls.Load())
	}
}

// TestTreeDiesWithRunx kills a process that supervises another one.
func TestTreeDiesWithRunx(t *testing.T) {
	boss := exec.Command(os.Args[0], helperArg, "supervise")
	out, err := boss.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := boss.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil {
		t.Fatal(err)
	}
	if err := boss.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = boss.Wait()
	eventually(t, "the direct child is gone", func() bool {
		// This process may have become the one that adopts and has to reap it.
		_, _ = syscall.Wait4(pid, nil, syscall.WNOHANG, nil)
		return errors.Is(syscall.Kill(pid, 0), syscall.ESRCH)
	})
}

func TestParseStat(t *testing.T) {
	rest := strings.Repeat(" 0", 15) + " 777 0"
	tests := []struct {
		name, line string
		want       process
		ok         bool
	}{
		{"cut", "12 (sh) S 1 13 14 0 0", process{}, false},
		{"full", "12 (sh) S 1 13 14" + rest, process{pid: 12, parent: 1, group: 13, start: 777}, true},
		{"name with parentheses", "12 (a) b (c)) Z 1 13 14" + rest, process{pid: 12, parent: 1, group: 13, start: 777, zombie: true}, true},
		{"empty", "", process{}, false},
		{"no name", "12 S 1 13 14" + rest, process{}, false},
		{"no number", "12 (sh) S x 13 14" + rest, process{}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := parseStat([]byte(tt.line))
			if !tt.ok {
				tt.want = process{}
			}
			if ok != tt.ok || got != tt.want {
				t.Errorf("got %+v %v, want %+v %v", got, ok, tt.want, tt.ok)
			}
		})
	}
}

func TestContainsEntry(t *testing.T) {
	long := strings.Repeat("x", 40<<10)
	tests := []struct {
		name, env string
		want      bool
	}{
		{"first", "A=1\x00B=2\x00", true},
		{"last, no end", "B=2\x00A=1", true},
		{"prefix of another", "A=12\x00", false},
		{"suffix of another", "XA=1\x00", false},
		{"inside a value", "B=A=1\x00", false},
		{"after a long value", "L=" + long + "\x00A=1\x00", true},
		{"empty", "", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, empty := containsEntry(strings.NewReader(tt.env), "A=1")
			if got != tt.want || empty != (tt.env == "") {
				t.Errorf("got %v, empty %v, want %v", got, empty, tt.want)
			}
		})
	}
}

func ExampleBoundary() {
	for _, claim := range Boundary().Claims {
		fmt.Println(claim.Name, claim.Enforced)
	}
	// Output:
	// process_group true
	// subreaper true
	// parent_death_signal true
	// job_object false
}
