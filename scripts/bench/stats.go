package main

import (
	"fmt"
	"slices"
	"time"
)

// finding is one number beside its budget.
type finding struct {
	what    string
	value   float64
	budget  float64
	atLeast bool   // the value must reach the budget; else it must not pass it
	unit    string // "x" for ratios
	detail  string
}

func (f finding) held() bool {
	if f.atLeast {
		return f.value >= f.budget
	}
	return f.value <= f.budget
}

func (f finding) String() string {
	verdict, sign := "ok  ", "<="
	if !f.held() {
		verdict = "OVER"
	}
	if f.atLeast {
		sign = ">="
	}
	return fmt.Sprintf("%s %-34s %8.2f%s  budget %s %.2f%s  %s", verdict, f.what, f.value, f.unit, sign, f.budget, f.unit, f.detail)
}

// median returns the middle of the values, or the mean of the two in the middle. There is no median
// of nothing: it is 0.
func median(values []time.Duration) time.Duration {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	middle := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[middle]
	}
	return (sorted[middle-1] + sorted[middle]) / 2
}

// ratio divides two durations. Nothing is fast in comparison with a floor that was not measured.
func ratio(value, floor time.Duration) (float64, error) {
	if value <= 0 || floor <= 0 {
		return 0, fmt.Errorf("cannot compare %v with %v: both must be measured", value, floor)
	}
	return float64(value) / float64(floor), nil
}

// milliseconds writes a duration for people.
func milliseconds(d time.Duration) string {
	return fmt.Sprintf("%.2f ms", float64(d)/float64(time.Millisecond))
}
