package proc

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/runx-go/runx/internal/sandbox"
	"github.com/runx-go/runx/internal/sandbox/delivery"
	"go.uber.org/goleak"
)

// helperArg is the first argument of the test binary when it plays a program: helperArg, then the
// name of the program, then its arguments.
const helperArg = "-proc-helper"

// forever is longer than a helper is let live: one that sleeps it must be ended. What a killed test
// leaves behind still goes away by itself.
const forever = time.Minute

func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == helperArg {
		os.Exit(helper(os.Args[2], os.Args[3:]))
	}
	goleak.VerifyTestMain(m)
}

// helper plays a program and returns its exit code. Programs that need the system's own calls are
// in platformHelper.
func helper(name string, args []string) int {
	number := func(i int) int {
		n, err := strconv.Atoi(args[i])
		if err != nil {
			panic(err)
		}
		return n
	}
	switch name {
	case "print": // STDOUT STDERR
		fmt.Fprint(os.Stdout, args[0])
		fmt.Fprint(os.Stderr, args[1])
	case "argv":
		fmt.Printf("%q", append([]string{os.Args[0]}, args...))
	case "env":
		fmt.Print(strings.Join(os.Environ(), "\n"))
	case "cwd":
		dir, err := os.Getwd()
		fmt.Print(dir, err)
	case "flood": // BYTES OF-STDOUT, BYTES OF-STDERR
		flood(os.Stdout, number(0))
		flood(os.Stderr, number(1))
	case "exit":
		return number(0)
	case "sleep":
		fmt.Println("started")
		time.Sleep(forever)
	case "both-and-sleep":
		fmt.Println("out")
		fmt.Fprintln(os.Stderr, "err")
		time.Sleep(forever)
	case "stdin": // prints length and hash of all input
		h := sha256.New()
		n, err := io.Copy(h, os.Stdin)
		fmt.Printf("%d %x %v", n, h.Sum(nil), err)
	case "cat":
		_, _ = io.Copy(os.Stdout, os.Stdin)
	default:
		return platformHelper(name, args)
	}
	return 0
}

func flood(w io.Writer, n int) {
	block := floodBlock()
	for n > 0 {
		k, err := w.Write(block[:min(n, len(block))])
		if err != nil {
			os.Exit(3)
		}
		n -= k
	}
}

func floodBlock() []byte { return bytes.Repeat([]byte("0123456789abcde\n"), 64<<10/16) }

// testEnv makes an environment with the given host variables delivered, and returns the mark.
func testEnv(t testing.TB, host ...string) (env delivery.Env, mark string) {
	t.Helper()
	var names []string
	for _, entry := range host {
		v, ok := sandbox.SplitEnv(entry)
		if !ok {
			t.Fatalf("bad entry %q", entry)
		}
		if !slices.Contains(delivery.Baseline(), v.Name) {
			names = append(names, v.Name)
		}
	}
	dir := t.TempDir()
	plan, err := delivery.New(delivery.Request{
		Host:      sandbox.Host{OS: goos(), Env: host, Dir: dir, ArgEnvLimit: 1 << 20},
		Workspace: dir, Inputs: []byte(`{}`), Optional: names,
		BaseDir: dir, Command: "x", FilesDir: dir,
	})
	if err != nil {
		t.Fatalf("cannot plan a delivery: %v", err)
	}
	mark, ok := plan.Env.Lookup("RUNX_INPUTS_PATH")
	if !ok {
		t.Fatal("the environment has no RUNX_INPUTS_PATH")
	}
	return plan.Env, mark
}

// helperCommand is a command that starts the test binary as a helper.
func helperCommand(t testing.TB, name string, args ...string) Command {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	env, mark := testEnv(t)
	return Command{
		Name: exe, Args: append([]string{helperArg, name}, args...), Dir: t.TempDir(), Env: env, Mark: mark,
	}
}

// run runs a command that must start.
func run(t testing.TB, cmd Command) Result {
	t.Helper()
	res, err := Run(t.Context(), cmd)
	if err != nil {
		t.Fatalf("Run: %v", err)
	}
	return res
}

func hashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
