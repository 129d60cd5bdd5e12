package admission

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/runx-go/runx/internal/sandbox/fsroot"
)

func TestSearchLimit(t *testing.T) {
	dir := tree(t, map[string]string{"a/SKILL.md": named("a"), "b/SKILL.md": named("b")})
	for limit, want := range map[int]struct{ hits, problems int }{3: {2, 0}, 2: {1, 1}, 1: {0, 1}} {
		s := newSearch([]string{dir}, false)
		s.limit = limit
		if err := s.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if len(s.hits) != want.hits || len(s.problems) != want.problems {
			t.Errorf("limit %d: %d hits, %v, want %+v", limit, len(s.hits), s.problems, want)
		}
	}
}

func TestSearchPaths(t *testing.T) {
	dir := tree(t, map[string]string{"real/SKILL.md": named("real"), "dangling": "->none", "ring": "->ring", "linked": "->real"})
	absolute := join(dir, "real")
	s, err := find(t.Context(), searchRoots(dir, []string{"linked", absolute, "none", "dangling", "ring"}), false)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{absolute}, []string{s.hits[0].dir}); diff != "" || len(s.hits) != 1 {
		t.Errorf("hits %v (-want +got):\n%s", s.hits, diff)
	}
	want := []string{"warning skill_link " + join(dir, "dangling"), "warning skill_link " + join(dir, "ring")}
	if diff := cmp.Diff(want, codes(s.problems)); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

func TestOneOf(t *testing.T) {
	for want, words := range map[string][]string{"": nil, `"a"`: {"a"}, `"a" or "b"`: {"a", "b"}, `"a", "b" or "c"`: {"a", "b", "c"}} {
		if got := oneOf(words); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// A file that goes away or turns into something else between the walk and the digest refuses the
// package.
func TestDigestOfChangedFiles(t *testing.T) {
	real := tree(t, map[string]string{"SKILL.md": goodManual, "folder/x": ""})
	dir, err := fsroot.Open(real)
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	a := &admitter{dir: dir, pkg: &Package{Dir: real}, files: []file{{"SKILL.md", "SKILL.md"}, {"folder", "folder"}, {"gone", "gone"}}}
	if err := a.digest(t.Context()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"error package_read folder", "error package_read gone"}, codes(a.findings)); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	if got := a.findings[0].Message; got != `cannot read "folder": it changed while it was read` {
		t.Errorf("got %q", got)
	}
	a.findings = nil
	a.unreadable(string(fsroot.Self), errChanged)
	if got := a.findings[0].String(); got != "cannot read the directory: it changed while it was read" {
		t.Errorf("got %q", got)
	}
}
