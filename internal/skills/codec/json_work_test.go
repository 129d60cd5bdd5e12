package codec

import (
	"fmt"
	"strings"
	"testing"
)

// TestJSONWorkIsBounded reads texts that make careless readers slow, compared with a harmless text in
// the same run: sorting is up to 25 times as much work, a quadratic search for duplicates over 500.
func TestJSONWorkIsBounded(t *testing.T) {
	const count, factor = 200000, 150
	var names, items strings.Builder
	for i := range count {
		fmt.Fprintf(&names, `"k%d":0,`, i)
		fmt.Fprintf(&items, `"k%d",0,`, i)
	}
	work := func(t *testing.T, text string, valid bool) {
		_, err := Canonical([]byte(text))
		_, equalErr := Equal([]byte(text), []byte(text))
		if (err == nil) != valid || (equalErr == nil) != valid {
			t.Errorf("got %v, %v", err, equalErr)
		}
	}
	limit := factor * best(0, func() { work(t, "["+items.String()+"0]", true) })
	tests := []struct {
		name, text string
		valid      bool
	}{
		{"many names", "{" + names.String() + `"z":0}`, true},
		{"deep and unsorted", strings.Repeat(`{"b":`, 900) + `"` + strings.Repeat("x", 1<<20) + `"` + strings.Repeat(`,"a":1}`, 900), true},
		{"long exponent", "1e" + strings.Repeat("9", 1<<20), true},
		{"long number", strings.Repeat("9", 1<<20) + "." + strings.Repeat("9", 1<<20), true},
		{"brackets", strings.Repeat("[", 1<<20), false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if took := best(limit, func() { work(t, tt.text, tt.valid) }); took > limit {
				t.Errorf("took %v, a harmless text %v", took, limit/factor)
			}
		})
	}
}
