package main

import (
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

func TestMedian(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		values []time.Duration
		want   time.Duration
	}{
		{"none", nil, 0},
		{"one", []time.Duration{7}, 7},
		{"odd, unsorted", []time.Duration{9, 1, 5}, 5},
		{"even", []time.Duration{1, 100, 3, 5}, 4},
		{"an outlier changes nothing", []time.Duration{2, 2, 2, 2, 1000000}, 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := median(tt.values); got != tt.want {
				t.Errorf("median %v, want %v", got, tt.want)
			}
		})
	}
}

func TestRatio(t *testing.T) {
	t.Parallel()
	if got, err := ratio(3*time.Second, 2*time.Second); err != nil || got != 1.5 {
		t.Errorf("ratio %v, %v; want 1.5", got, err)
	}
	for _, pair := range [][2]time.Duration{{0, 1}, {1, 0}, {-1, 1}} {
		if got, err := ratio(pair[0], pair[1]); err == nil {
			t.Errorf("ratio of %v is %v, want an error", pair, got)
		}
	}
}

func TestFinding(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		f    finding
		held bool
		want string
	}{
		{"at the budget", finding{what: "a / b", value: 7, budget: 7, unit: "x", detail: "d"}, true,
			"ok   a / b                                  7.00x  budget <= 7.00x  d"},
		{"over", finding{what: "a / b", value: 7.01, budget: 7, unit: "x"}, false,
			"OVER a / b                                  7.01x  budget <= 7.00x  "},
		{"reached", finding{what: "a", value: 0.6, budget: 0.6, atLeast: true}, true,
			"ok   a                                      0.60  budget >= 0.60  "},
		{"not reached", finding{what: "a", value: 0.59, budget: 0.6, atLeast: true}, false,
			"OVER a                                      0.59  budget >= 0.60  "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := tt.f.held(); got != tt.held {
				t.Errorf("held %v, want %v", got, tt.held)
			}
			if got := tt.f.String(); got != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

func TestRecordedBudgets(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	text := "package p\n\n// BenchmarkA has a budget\n// of 1 ms.\nfunc BenchmarkA() {}\n\n// BenchmarkB is a floor.\nfunc BenchmarkB() {}\n"
	if err := os.WriteFile(filepath.Join(dir, "a_test.go"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := recordedBudgets(dir)
	if want := map[string]string{"BenchmarkA": "BenchmarkA has a budget of 1 ms."}; err != nil || !maps.Equal(got, want) {
		t.Errorf("budgets %q, %v; want %q", got, err, want)
	}
	for printed, want := range map[string]string{"BenchmarkA-2": "BenchmarkA", "BenchmarkA/x-y-2": "BenchmarkA", "BenchmarkA": "BenchmarkA"} {
		if got := benchmarkName(printed); got != want {
			t.Errorf("name of %q is %q, want %q", printed, got, want)
		}
	}
}

func TestCountSurvivors(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// No system gives a process this id.
	for _, pid := range []int{os.Getpid(), 1<<31 - 1} {
		if err := os.WriteFile(filepath.Join(dir, strconv.Itoa(pid)), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	started, survivors, err := countSurvivors(dir, self)
	if err != nil || started != 2 || !canSignal() || survivors != 1 {
		if canSignal() {
			t.Errorf("started %d, survivors %d, %v; want 2 and 1", started, survivors, err)
		}
	}
}

// canSignal says whether this system can tell that a process runs.
func canSignal() bool { return signalled(os.Getpid()) }
