//go:build linux

package proc

import (
	"fmt"
	"strings"
	"testing"
)

// FuzzParseStat checks that an accepted line says what was read from it, whatever the name is.
func FuzzParseStat(f *testing.F) {
	f.Add("12 (sh) S 1 13 14 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 777 0")
	f.Add("12 (a) b (c)) Z 1 13 14 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 777 0")
	f.Add("12 (")
	f.Add(") (")
	f.Fuzz(func(t *testing.T, line string) {
		p, ok := parseStat([]byte(line))
		if !ok {
			if p != (process{}) {
				t.Fatalf("refused %q and returned %+v", line, p)
			}
			return
		}
		state := "S"
		switch {
		case p.zombie:
			state = "Z"
		case p.stopped:
			state = "T"
		}
		again := fmt.Sprintf("%d (%s) %s %d %d %s %d", p.pid, "x) y (", state, p.parent, p.group, strings.Repeat("0 ", 16), p.start)
		if q, ok := parseStat([]byte(again)); !ok || q != p {
			t.Fatalf("%q gives %+v, %q gives %+v %v", line, p, again, q, ok)
		}
	})
}
