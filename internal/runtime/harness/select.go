package harness

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/runx-go/runx/internal/runtime"
	"github.com/runx-go/runx/internal/skills/codec"
)

// Shard is one part of the sorted case list; the zero Shard is all of it. All shards of one Of are
// together the whole list, and no case is in two of them.
type Shard struct{ Index, Of int }

// ParseShard reads I/N with 1 ≤ I ≤ N.
func ParseShard(text string) (Shard, error) {
	index, of, ok := strings.Cut(text, "/")
	i, errI := strconv.Atoi(index)
	n, errN := strconv.Atoi(of)
	if !ok || errI != nil || errN != nil || i < 1 || i > n {
		return Shard{}, filterError("shard", fmt.Sprintf("a shard is I/N with 1 ≤ I ≤ N, not %q", text), "write for example --shard 1/4")
	}
	return Shard{Index: i, Of: n}, nil
}

// Filter chooses cases. Empty fields choose all.
type Filter struct {
	Lanes []string // words of --lane
	Cases []string // ids of --case, exact
	Shard Shard
}

// Select returns the chosen cases sorted by id. A lane that this version does not have, and an id
// or a lane that matches nothing, is a *runtime.Error of class invalid with code fixtures_filter.
func Select(cases []Case, filter Filter) ([]Case, error) {
	cases = sorted(cases)
	for _, lane := range filter.Lanes {
		if !Lane(lane).available() {
			return nil, filterError("fixtures_filter", fmt.Sprintf("cannot run lane %q: this version has lane %s", lane, LaneCLITool), "use --lane C, or leave it out")
		}
	}
	if len(filter.Lanes) > 0 {
		cases = slices.DeleteFunc(cases, func(c Case) bool { return !slices.Contains(filter.Lanes, string(c.Lane)) })
		if len(cases) == 0 {
			return nil, filterError("fixtures_filter", "no case is in lane "+strings.Join(filter.Lanes, ", "), "leave --lane out")
		}
	}
	if err := checkIDs(cases, filter.Cases); err != nil {
		return nil, err
	}
	if len(filter.Cases) > 0 {
		cases = slices.DeleteFunc(cases, func(c Case) bool { return !slices.Contains(filter.Cases, c.ID) })
	}
	if filter.Shard.Of == 0 {
		return cases, nil
	}
	// Neighbours in the list belong together; a fair share is one that differs by at most one case.
	from := len(cases) * (filter.Shard.Index - 1) / filter.Shard.Of
	to := len(cases) * filter.Shard.Index / filter.Shard.Of
	return cases[from:to], nil
}

// checkIDs refuses ids that no case has.
func checkIDs(cases []Case, wanted []string) error {
	ids := make([]string, len(cases))
	for i, c := range cases {
		ids[i] = c.ID
	}
	for _, id := range wanted {
		if slices.Contains(ids, id) {
			continue
		}
		hint := "list the cases with --list"
		if near := codec.Nearest(id, ids, 1); len(near) > 0 {
			hint = fmt.Sprintf("did you mean %q?", near[0])
		}
		return filterError("fixtures_filter", fmt.Sprintf("no case has the id %q", id), hint)
	}
	return nil
}

func filterError(code, message, hint string) error {
	return &runtime.Error{Class: runtime.ClassInvalid, Code: code, Message: message, Hint: hint}
}
