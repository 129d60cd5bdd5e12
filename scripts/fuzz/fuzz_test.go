package main

import (
	"slices"
	"testing"
	"time"
)

func TestParseTargets(t *testing.T) {
	t.Parallel()
	text := "FuzzA\nFuzzB\nok  \texample.org/a\t0.01s\n?   \texample.org/none\t[no test files]\nok  \texample.org/b\t0.01s\nFuzzC\nok  \texample.org/c\t(cached)\n"
	want := []target{{"example.org/a", "FuzzA"}, {"example.org/a", "FuzzB"}, {"example.org/c", "FuzzC"}}
	if got := parseTargets(text); !slices.Equal(got, want) {
		t.Errorf("targets %v, want %v", got, want)
	}
}

func TestParseArguments(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name        string
		args        []string
		wantLimit   time.Duration
		wantPattern string
		wantError   string
	}{
		{"duration", []string{"30s"}, 30 * time.Second, "", ""},
		{"pattern", []string{"1m", "FuzzA$"}, time.Minute, "FuzzA$", ""},
		{"none", nil, 0, "", "usage: go run ./scripts/fuzz DURATION [PATTERN]"},
		{"three", []string{"1s", "a", "b"}, 0, "", "usage: go run ./scripts/fuzz DURATION [PATTERN]"},
		{"no unit", []string{"30"}, 0, "", `cannot read the duration "30": it is a positive number with a unit, such as 30s`},
		{"zero", []string{"0s"}, 0, "", `cannot read the duration "0s": it is a positive number with a unit, such as 30s`},
		{"bad pattern", []string{"1s", "("}, 0, "", "cannot read the pattern: error parsing regexp: missing closing ): `(`"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			limit, pattern, err := parseArguments(tt.args)
			gotPattern, gotError := "", ""
			if err != nil {
				gotError = err.Error()
			} else {
				gotPattern = pattern.String()
			}
			if limit != tt.wantLimit || gotPattern != tt.wantPattern || gotError != tt.wantError {
				t.Errorf("got %v %q %q, want %v %q %q", limit, gotPattern, gotError, tt.wantLimit, tt.wantPattern, tt.wantError)
			}
		})
	}
}
