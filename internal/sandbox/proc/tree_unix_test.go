//go:build unix

package proc

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func TestTreeSignals(t *testing.T) {
	for _, tt := range []struct {
		name string
		sig  syscall.Signal
	}{{"SIGKILL", syscall.SIGKILL}, {"SIGTERM", syscall.SIGTERM}, {"SIGHUP", syscall.SIGHUP}} {
		t.Run(tt.name, func(t *testing.T) {
			res := run(t, helperCommand(t, "kill", itoa(int(tt.sig))))
			if res.Cause != Exited || res.ExitCode != -1 || res.Signal != tt.name {
				t.Errorf("cause %v, code %d, signal %q, want %s", res.Cause, res.ExitCode, res.Signal, tt.name)
			}
		})
	}
	if got := signalName(syscall.Signal(63)); got != "SIG63" {
		t.Errorf("a signal without a name is %q", got)
	}
}

func TestTreeTimeout(t *testing.T) {
	tests := []struct {
		name   string
		helper []string
		stdout string
		code   int
		signal string
		grace  bool // uses up the grace
	}{
		{"ends at SIGTERM", []string{"sleep"}, "started\n", -1, "SIGTERM", false},
		{"handles SIGTERM", []string{"polite"}, "started\nasked\n", 7, "", false},
		{"ignores SIGTERM", []string{"ignore"}, "started\n", -1, "SIGKILL", true},
		{"stubborn grandchild", []string{"wrapper", "ignore"}, "started\n", -1, "SIGTERM", true},
		{"grandchild that handles SIGTERM", []string{"wrapper", "polite"}, "started\nasked\n", -1, "SIGTERM", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			cmd := helperCommand(t, tt.helper[0], tt.helper[1:]...)
			cmd.Timeout = 400 * time.Millisecond
			res := run(t, cmd)
			if res.Cause != TimedOut || res.ExitCode != tt.code || res.Signal != tt.signal || string(res.Stdout.Prefix) != tt.stdout {
				t.Errorf("cause %v, code %d, signal %q, stdout %q", res.Cause, res.ExitCode, res.Signal, res.Stdout.Prefix)
			}
			least := cmd.Timeout
			if tt.grace {
				least += termGrace
			}
			if res.Duration < least || res.Duration > cmd.Timeout+termGrace+slack {
				t.Errorf("took %v, want at least %v", res.Duration, least)
			}
			if res.DescendantHeldPipe {
				t.Error("a time limit was reported as a held pipe")
			}
			noSurvivors(t, cmd.Mark)
		})
	}
}

func TestTreeLeaderLeavesDescendant(t *testing.T) {
	tests := []struct {
		name   string
		helper []string
		stdout string
		held   bool
	}{
		{"holds the pipe", []string{"leave", "group", "hi\n"}, "hi\nstarted\n", true},
		{"late text comes within the drain", []string{"tail"}, "hi\ntail\n", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			cmd := helperCommand(t, tt.helper[0], tt.helper[1:]...)
			cmd.Timeout = time.Minute
			res := run(t, cmd)
			if res.Cause != Exited || res.ExitCode != 0 || res.DescendantHeldPipe != tt.held || res.EscapedEnded != 0 {
				t.Errorf("cause %v, code %d, held %v, escaped %d", res.Cause, res.ExitCode, res.DescendantHeldPipe, res.EscapedEnded)
			}
			if got := string(res.Stdout.Prefix); sorted(got) != sorted(tt.stdout) {
				t.Errorf("stdout %q, want the lines of %q", got, tt.stdout)
			}
			if res.Duration > drainTime+slack {
				t.Errorf("took %v", res.Duration)
			}
			noSurvivors(t, cmd.Mark)
		})
	}
}

// TestTreeKillSkipsGrace checks that Kill does not wait for a process that ignores SIGTERM, also
// when a cancel has begun already.
func TestTreeKillSkipsGrace(t *testing.T) {
	kill := make(chan struct{})
	cmd := helperCommand(t, "ignore")
	cmd.Kill = kill
	cmd.Output = func(StreamName, []byte) error { close(kill); return nil }
	res := run(t, cmd)
	if res.Cause != Cancelled || res.Signal != "SIGKILL" || res.Duration > termGrace {
		t.Errorf("cause %v, signal %q after %v", res.Cause, res.Signal, res.Duration)
	}
}

// TestTreeGraceOfGroup checks that a member of the group which holds no stream has the grace too, also
// when its leader ends at once.
func TestTreeGraceOfGroup(t *testing.T) {
	saved := filepath.Join(t.TempDir(), "saved")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	cmd := helperCommand(t, "saver", saved)
	cmd.Output = func(StreamName, []byte) error { cancel(); return nil }
	res, err := Run(ctx, cmd)
	if err != nil {
		t.Fatal(err)
	}
	if res.Cause != Cancelled || res.Signal != "SIGTERM" || res.Duration < saveTime {
		t.Errorf("cause %v, signal %q after %v", res.Cause, res.Signal, res.Duration)
	}
	if _, err := os.Stat(saved); err != nil {
		t.Errorf("the member of the group was not let end: %v", err)
	}
	noSurvivors(t, cmd.Mark)
}

// TestTreeEmpty checks that the group of a leader that ended counts as empty when its last member
// ended, and not before, so that a tree that does as it was asked does not use up the grace.
func TestTreeEmpty(t *testing.T) {
	cmd := helperCommand(t, "leave", "group", "")
	s, failed := begin(cmd, cmd.Name)
	if failed != nil {
		t.Fatal(failed)
	}
	s.feed(inStarted)
	<-s.tree.exited()
	if s.tree.empty() {
		t.Error("a group with a member counts as empty")
	}
	if !s.tree.holdsPipe(s.streams) {
		t.Error("nobody holds the streams of a member that lives")
	}
	if err := syscall.Kill(-s.tree.pid, syscall.SIGKILL); err != nil {
		t.Error(err)
	}
	eventually(t, "the group is empty", s.tree.empty)
	<-s.streams.closed
	s.swept = s.tree.sweep()
	if code, signal := s.tree.exit(); code != 0 || signal != "" || s.swept != (swept{}) {
		t.Errorf("code %d, signal %q, swept %+v", code, signal, s.swept)
	}
	s.streams.finish()
}

// eventually waits for a condition outside of this process, with room for a loaded machine.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for limit := time.Now().Add(2 * slack); !holds(); time.Sleep(time.Millisecond) {
		if time.Now().After(limit) {
			t.Fatalf("%s: not so after %v", what, 2*slack)
		}
	}
}

func TestTreeDescriptorsAreNotInherited(t *testing.T) {
	leak, err := unix.FcntlInt(0, unix.F_DUPFD, 100) // as a parent of runx may have left one open
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = syscall.Close(leak) }()
	for fd, want := range map[int]string{0: "true", 1: "true", 2: "true", leak: "false"} {
		if got := string(run(t, helperCommand(t, "isopen", itoa(fd))).Stdout.Prefix); got != want {
			t.Errorf("descriptor %d open in the child: %s, want %s", fd, got, want)
		}
	}
	if _, err := unix.FcntlInt(uintptr(leak), unix.F_SETFD, 0); err != nil {
		t.Fatal(err)
	}
	markPrivate("/dev/fd")
	for fd := range 3 {
		if flags := fdFlags(t, fd); flags&syscall.FD_CLOEXEC != 0 {
			t.Errorf("standard file %d was marked close-on-exec", fd)
		}
	}
	if flags := fdFlags(t, leak); flags&syscall.FD_CLOEXEC == 0 {
		t.Error("a descriptor was not marked close-on-exec")
	}
}

func itoa(n int) string { return strconv.Itoa(n) }

func fdFlags(t *testing.T, fd int) int {
	t.Helper()
	flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0)
	if err != nil {
		t.Fatal(err)
	}
	return flags
}

// sorted returns the lines of a text in byte order.
func sorted(text string) string {
	lines := strings.SplitAfter(text, "\n")
	slices.Sort(lines)
	return strings.Join(lines, "")
}
