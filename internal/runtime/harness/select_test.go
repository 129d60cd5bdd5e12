package harness

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/runx-go/runx/internal/runtime"
)

func ids(cases []Case) []string {
	out := []string{}
	for _, c := range cases {
		out = append(out, c.ID)
	}
	return out
}

func TestSelect(t *testing.T) {
	cases := []Case{{ID: "c", Lane: LaneCLITool}, {ID: "a", Lane: LaneCLITool}, {ID: "b", Lane: LaneJavaScript}}
	tests := []struct {
		name   string
		filter Filter
		want   []string
		err    string
	}{
		{name: "all", want: []string{"a", "b", "c"}},
		{name: "lane", filter: Filter{Lanes: []string{"C"}}, want: []string{"a", "c"}},
		{name: "cases", filter: Filter{Cases: []string{"c", "b"}}, want: []string{"b", "c"}},
		{name: "shard", filter: Filter{Shard: Shard{2, 2}}, want: []string{"b", "c"}},
		{name: "empty shard", filter: Filter{Shard: Shard{1, 4}}, want: []string{}},
		{name: "lane to come", filter: Filter{Lanes: []string{"J"}}, err: `cannot run lane "J": this version has lane C`},
		{name: "no lane", filter: Filter{Lanes: []string{"c"}}, err: `cannot run lane "c": this version has lane C`},
		{name: "unknown case", filter: Filter{Cases: []string{"a", "aa"}}, err: `no case has the id "aa"`},
		{name: "case of another lane", filter: Filter{Lanes: []string{"C"}, Cases: []string{"b"}}, err: `no case has the id "b"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Select(cases, tt.filter)
			if tt.err != "" {
				fault, ok := errors.AsType[*runtime.Error](err)
				if !ok || fault.Class != runtime.ClassInvalid || fault.Message != tt.err {
					t.Errorf("error is %v, want %s", err, tt.err)
				}
				return
			}
			if d := cmp.Diff(ids(got), tt.want); err != nil || d != "" {
				t.Errorf("%v (-got +want):\n%s", err, d)
			}
		})
	}
}

func TestSelectNoCaseInLane(t *testing.T) {
	_, err := Select([]Case{{ID: "b", Lane: LaneJavaScript}}, Filter{Lanes: []string{"C"}})
	if err == nil || err.Error() != "no case is in lane C" {
		t.Errorf("error is %v", err)
	}
}

func TestShardsAreTheWhole(t *testing.T) {
	all := Builtin("linux")
	for _, of := range []int{1, 2, 3, 7, len(all), len(all) + 3} {
		var together []string
		for i := 1; i <= of; i++ {
			shard, err := ParseShard(fmt.Sprintf("%d/%d", i, of))
			if err != nil {
				t.Fatal(err)
			}
			part, err := Select(all, Filter{Shard: shard})
			if err != nil {
				t.Fatal(err)
			}
			if spread := len(part) - len(all)/of; spread < 0 || spread > 1 {
				t.Errorf("shard %d/%d has %d of %d cases", i, of, len(part), len(all))
			}
			together = append(together, ids(part)...)
		}
		if d := cmp.Diff(together, ids(all)); d != "" {
			t.Errorf("%d shards (-got +want):\n%s", of, d)
		}
	}
}

func TestParseShardRefuses(t *testing.T) {
	for _, text := range []string{"", "1", "0/2", "3/2", "-1/2", "a/2", "1/b", "1/2/3", "/"} {
		if _, err := ParseShard(text); err == nil || !strings.Contains(err.Error(), "a shard is I/N") {
			t.Errorf("ParseShard(%q) gives error %v", text, err)
		}
	}
}

func TestBuiltin(t *testing.T) {
	cases := Builtin("linux")
	if !slices.IsSorted(ids(cases)) || len(slices.Compact(ids(cases))) != len(cases) {
		t.Errorf("ids are not sorted or not unique: %v", ids(cases))
	}
	// The rows of skills 10.2 with lane C.
	table := strings.Fields(`env-json stdin-json stdin-large stdin-closed stdin-never-read inputs-48k inputs-48k-1 input-8k input-8k-1
		large-input-path large-input-5m value-files empty-string absent-optional number-text collision-two collision-path collision-empty
		env-reserved env-required-missing env-required-empty env-optional-absent env-optional-set env-undeclared env-baseline args-one-pass
		args-unknown args-too-large cwd-relative cwd-token cwd-missing exit-nonzero exit-signal spawn-not-found spawn-directory
		spawn-not-executable spawn-shebang timeout-tree timeout-setsid exit-setsid held-pipe held-pipe-tail cancel-tree out-2m out-8m out-8m-1
		out-utf8-cut err-over both-64m out-invalid-utf8 out-json out-json-two out-text out-contract`)
	for _, id := range table {
		if !slices.Contains(ids(cases), id) {
			t.Errorf("the matrix lacks %s", id)
		}
	}
	for _, c := range cases {
		prefix := func(id string) bool { return c.ID == id || strings.HasPrefix(c.ID, id+"-") }
		if !slices.ContainsFunc(table, prefix) {
			t.Errorf("%s is not in the table", c.ID)
		}
		want := c.expected()
		if want == nil {
			t.Errorf("%s has no expectation", c.ID)
			continue
		}
		if err := want.check(); err != nil {
			t.Errorf("%s: %v", c.ID, err)
		}
		if want.Status == "refused" && (c.setup.started == nil || *c.setup.started) {
			t.Errorf("%s is refused and does not prove that nothing was started", c.ID)
		}
	}
	if got := len(baselineNames()); got != 25 {
		t.Errorf("%d names of the baseline, want 25", got)
	}
}

func TestGeneratedSizes(t *testing.T) {
	if got := len(generated("big", objectMirrorBytes)); got != objectMirrorBytes {
		t.Errorf("the object has %d bytes, want %d", got, objectMirrorBytes)
	}
	if want := patternOf(60); *want.Measure.SHA256 != digest([]byte(strings.Repeat("abcdefghijklmnopqrstuvwxyz", 3)[:60])) {
		t.Error("the digest of the pattern is wrong")
	}
}
