package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/runx-go/runx/internal/runtime/harness"
)

// probeRun is what one run of the probe in this process gave.
type probeRun struct {
	stdout, stderr string
	code           int
}

func runProbe(t *testing.T, stdin string, environ []string, args ...string) probeRun {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code := probeMain(args, environ, strings.NewReader(stdin), &stdout, &stderr)
	return probeRun{stdout.String(), stderr.String(), code}
}

func TestProbeModes(t *testing.T) {
	tests := []struct {
		name, stdin string
		args        []string
		want        probeRun
	}{
		{"argv", "", []string{"argv", "a b", "", "<&>", "é\n"}, probeRun{"[\"a b\",\"\",\"<&>\",\"é\\n\"]\n", "", 0}},
		{"no words", "", []string{"argv"}, probeRun{"[]\n", "", 0}},
		{"echo", "x\x00y", []string{"echo"}, probeRun{"x\x00y", "", 0}},
		{"count", "12345", []string{"count-stdin"}, probeRun{"{\"stdin_bytes\":5}\n", "", 0}},
		{"exit", "unread", []string{"exit:3"}, probeRun{"out\n", "err\n", 3}},
		{"print", "", []string{"print://4="}, probeRun{"\xff\xfe", "", 0}},
		{"flood", "", []string{"flood:stdout:28"}, probeRun{"abcdefghijklmnopqrstuvwxyzab", "", 0}},
		{"flood stderr", "", []string{"flood:stderr:2"}, probeRun{"", "ab", 0}},
		{"flood both", "", []string{"flood:both:2"}, probeRun{"ab", "ab", 0}},
		{"no mode", "", nil, probeRun{"", "probe: a mode is needed\n", probeUsage}},
		{"unknown", "", []string{"dance"}, probeRun{"", "probe: cannot do dance: no such mode\n", probeUsage}},
		{"bad number", "", []string{"flood:stdout:x"}, probeRun{"", "probe: cannot do flood:stdout:x: no such mode: \"x\" is no number of bytes\n", probeUsage}},
		{"bad tree", "", []string{"tree:x"}, probeRun{"", "probe: cannot do tree:x: no such mode\n", probeUsage}},
		{"bad child", "", []string{"child:x"}, probeRun{"", "probe: cannot do child:x: no such mode\n", probeUsage}},
		{"child without a pipe", "", []string{"child:hold"}, probeRun{"", "probe: cannot do child:hold: stdin is no pipe\n", probeBroken}},
		{"leave without files", "", []string{"leave:tail"}, probeRun{"", "probe: cannot do leave:tail: a child needs streams that are files\n", probeBroken}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := runProbe(t, tt.stdin, nil, tt.args...); got != tt.want {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
		})
	}
}

func TestProbeLargePatterns(t *testing.T) {
	const n = 1<<20 + 3
	got := runProbe(t, "", nil, "flood:stdout:1048579").stdout
	if len(got) != n || got[n-1] != "abcdefghijklmnopqrstuvwxyz"[(n-1)%26] {
		t.Errorf("the pattern has %d bytes and ends in %q", len(got), got[len(got)-1])
	}
	cut := runProbe(t, "", nil, "utf8-cut").stdout
	if len(cut) != 8_388_637 || strings.Count(cut, "€") != 10 || strings.IndexRune(cut, '€') != 8_388_607 {
		t.Errorf("the cut text has %d bytes, its first € at %d", len(cut), strings.IndexRune(cut, '€'))
	}
}

func TestProbeReport(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write("gate-place", "workspace")
	environ := []string{
		"RUNX_CWD=" + dir, "RUNX_INPUTS_PATH=" + write("all", `{"a":"x"}`), "RUNX_INPUTS_JSON={}",
		"RUNX_INPUT_A_PATH=" + write("a", "x"), "RUNX_INPUT_A=x", "KEY=has runx-canary inside", "EMPTY=",
	}
	t.Chdir(dir)
	got := runProbe(t, `{"from":"stdin"}`, environ, "report", "EMPTY", "GONE")
	const report = `{"inputs_source":"path","variables":["EMPTY","KEY","RUNX_CWD","RUNX_INPUTS_JSON","RUNX_INPUTS_PATH","RUNX_INPUT_A","RUNX_INPUT_A_PATH"],"pids":[]}` + "\n"
	facts := `{"cwd":"workspace","runx_cwd":"workspace",` +
		`"object":{"bytes":9,"sha256":"` + sum(`{"a":"x"}`) + `","text":"{\"a\":\"x\"}","mirror":"differs"},` +
		`"values":{"A":{"bytes":1,"sha256":"` + sum("x") + `","text":"x","mirror":"equal"}},` +
		`"env":{"EMPTY":"","GONE":null},"canaries":["KEY"]}` + "\n"
	if got.stdout != report || got.code != 0 {
		t.Errorf("report is %s(code %d), want %s", got.stdout, got.code, report)
	}
	if got.stderr != facts {
		t.Errorf("facts are %s, want %s", got.stderr, facts)
	}
	for source, text := range map[string]string{"stdin": `{"from":"stdin"}`, "json": "{}", "argument": `{"a": 1}`} {
		got := runProbe(t, `{"from":"stdin"}`, environ, "report:"+source, `{"a":`, "1}")
		var facts probeFacts
		if err := json.Unmarshal([]byte(got.stderr), &facts); err != nil || facts.Object.Text != text {
			t.Errorf("source %s reads %q (%v), want %q", source, facts.Object.Text, err, text)
		}
		if !strings.HasPrefix(got.stdout, `{"inputs_source":"`+source+`"`) {
			t.Errorf("source %s reports %s", source, got.stdout)
		}
	}
	if got := runProbe(t, "", nil, "report"); got.code != probeBroken || got.stdout != "" {
		t.Errorf("a report without inputs gives %+v", got)
	}
	if got := runProbe(t, "", environ, "mark"); got.code != 0 || got.stdout != report {
		t.Errorf("mark gives %+v", got)
	}
	if _, err := os.Stat("probe-started"); err != nil {
		t.Error(err)
	}
}

func sum(text string) string {
	digest := sha256.Sum256([]byte(text))
	return hex.EncodeToString(digest[:])
}

// startProbe starts this test binary as the probe; what it prints comes through read ends that are
// at their end when no process holds them any more.
func startProbe(t *testing.T, args ...string) (process *os.Process, stdout, stderr *os.File) {
	t.Helper()
	return startProbeAs(t, nil, args...)
}

// startProbeAs is startProbe with attributes of the system.
func startProbeAs(t *testing.T, sys *syscall.SysProcAttr, args ...string) (process *os.Process, stdout, stderr *os.File) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	pipe := func() (r, w *os.File) {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { r.Close() })
		return r, w
	}
	stdin, inWriter := pipe()
	stdout, outWriter := pipe()
	stderr, errWriter := pipe()
	process, err = os.StartProcess(self, append([]string{self, probeMode}, args...), &os.ProcAttr{
		Dir: t.TempDir(), Env: os.Environ(), Files: []*os.File{stdin, outWriter, errWriter}, Sys: sys,
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []*os.File{inWriter, outWriter, errWriter} {
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return process, stdout, stderr
}

// pidsOf reads the first line of a probe that leaves processes and kills them at the end of the test.
func pidsOf(t *testing.T, stdout io.Reader) []int {
	t.Helper()
	var report struct {
		PIDs []int `json:"pids"`
	}
	if err := json.NewDecoder(stdout).Decode(&report); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, pid := range report.PIDs {
			if p, err := os.FindProcess(pid); err == nil {
				_ = p.Kill()
			}
		}
	})
	return report.PIDs
}

func waitGone(t *testing.T, pid int) {
	t.Helper()
	deadline := time.Now().Add(10 * time.Second)
	for alive(pid) {
		if time.Now().After(deadline) {
			t.Fatalf("process %d is still there", pid)
		}
		time.Sleep(2 * time.Millisecond)
	}
}

func TestProbeLeavesAChild(t *testing.T) {
	for _, how := range []string{"hold", "setsid"} {
		t.Run(how, func(t *testing.T) {
			leader, stdout, _ := startProbe(t, "leave:"+how)
			pids := pidsOf(t, stdout)
			state, err := leader.Wait()
			if err != nil || state.ExitCode() != 0 {
				t.Fatalf("the leader ended with %v, %v", state, err)
			}
			if len(pids) != 1 || pids[0] == leader.Pid || !alive(pids[0]) {
				t.Fatalf("pids are %v, the leader was %d", pids, leader.Pid)
			}
			child, err := os.FindProcess(pids[0])
			if err != nil {
				t.Fatal(err)
			}
			if err := child.Kill(); err != nil {
				t.Fatal(err)
			}
			if _, err := io.ReadAll(stdout); err != nil { // ends when the child does
				t.Fatal(err)
			}
			waitGone(t, pids[0])
		})
	}
}

func TestProbeTail(t *testing.T) {
	leader, stdout, _ := startProbe(t, "leave:tail")
	if state, err := leader.Wait(); err != nil || state.ExitCode() != 0 {
		t.Fatalf("the leader ended with %v, %v", state, err)
	}
	if text, err := io.ReadAll(stdout); err != nil || string(text) != "head\ntail\n" {
		t.Errorf("stdout is %q, %v", text, err)
	}
}

func TestProbeTree(t *testing.T) {
	leader, stdout, stderr := startProbe(t, "tree")
	pids := pidsOf(t, stdout)
	line := make([]byte, len("started\n"))
	if _, err := io.ReadFull(stderr, line); err != nil || string(line) != "started\n" {
		t.Fatalf("stderr is %q, %v", line, err)
	}
	if len(pids) != 2 || !slices.Contains(pids, leader.Pid) || pids[0] == pids[1] {
		t.Fatalf("pids are %v, the leader is %d", pids, leader.Pid)
	}
	stubborn(t, pids)
	if err := leader.Kill(); err != nil {
		t.Fatal(err)
	}
	if _, err := leader.Wait(); err != nil {
		t.Fatal(err)
	}
	waitGone(t, leader.Pid)
	if !alive(pids[1]) {
		t.Error("the child ended with its leader")
	}
}

// The gate and the binary must mean the same program.
func TestProbeMode(t *testing.T) {
	if probeMode != harness.ProbeMode {
		t.Errorf("the gate starts %q, the binary knows %q", harness.ProbeMode, probeMode)
	}
}
