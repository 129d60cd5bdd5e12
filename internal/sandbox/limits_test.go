package sandbox

import (
	"math"
	"testing"
)

func TestLinuxArgEnvLimit(t *testing.T) {
	tests := []struct {
		name  string
		stack uint64
		want  int
	}{
		{"none", 0, 131_072},
		{"at the lower bound", 524_288, 131_072},
		{"below the lower bound", 524_284, 131_072},
		{"above the lower bound", 524_292, 131_073},
		{"usual 8 MiB", 8 << 20, 2 << 20},
		{"rounded down", 8<<20 + 3, 2 << 20},
		{"below the upper bound", 24<<20 - 4, 6<<20 - 1},
		{"at the upper bound", 24 << 20, 6 << 20},
		{"above the upper bound", 24<<20 + 4, 6 << 20},
		{"unlimited", math.MaxUint64, 6 << 20},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := LinuxArgEnvLimit(tt.stack); got != tt.want {
				t.Errorf("LinuxArgEnvLimit(%d) = %d, want %d", tt.stack, got, tt.want)
			}
		})
	}
}
