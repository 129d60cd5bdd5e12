package proc

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"
)

// benchStream is the length of a drained stream in bytes.
const benchStream = 2 << 30

// BenchmarkSHA256 is the floor of BenchmarkDrain: the same bytes hashed in this process.
func BenchmarkSHA256(b *testing.B) {
	block := floodBlock()
	b.SetBytes(benchStream)
	for b.Loop() {
		h := sha256.New()
		for n := 0; n < benchStream; n += len(block) {
			h.Write(block)
		}
		h.Sum(nil)
	}
}

func BenchmarkDrain(b *testing.B) {
	b.SetBytes(benchStream)
	b.ReportAllocs()
	for b.Loop() {
		res := run(b, helperCommand(b, "flood", fmt.Sprint(benchStream), "0"))
		if res.Stdout.Bytes != benchStream || res.ExitCode != 0 {
			b.Fatalf("%d bytes, code %d", res.Stdout.Bytes, res.ExitCode)
		}
	}
}

func BenchmarkSpawn(b *testing.B) {
	cmd := helperCommand(b, "exit", "0")
	for b.Loop() {
		run(b, cmd)
	}
}

// BenchmarkSpawnExec is the floor of BenchmarkSpawn: the same program by the standard library, with
// both outputs captured.
func BenchmarkSpawnExec(b *testing.B) {
	cmd := helperCommand(b, "exit", "0")
	for b.Loop() {
		c := exec.Command(cmd.Name, cmd.Args...)
		c.Env, c.Dir = []string{}, os.TempDir()
		if _, err := c.Output(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkTimeout reports how long a return takes in parts of the limit, for a tree that ends when
// it is asked.
func BenchmarkTimeout(b *testing.B) {
	cmd := helperCommand(b, "sleep")
	cmd.Timeout = 200 * time.Millisecond
	var total time.Duration
	for b.Loop() {
		total += run(b, cmd).Duration
	}
	b.ReportMetric(float64(total)/float64(b.N)/float64(cmd.Timeout), "limits/op")
}
