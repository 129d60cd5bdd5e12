package admission

import (
	"fmt"
	"testing"
)

// Budget: under 1 ms for a small package, because runx skill starts with it.
func BenchmarkLoadSmall(b *testing.B) {
	dir := tree(b, map[string]string{"SKILL.md": goodManual, "X.yaml": goodProfile, "run": "#!/bin/sh\n"})
	for b.Loop() {
		if _, err := Load(b.Context(), dir, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

// Budget: under 50 ms for a package of 500 files.
func BenchmarkLoad500Files(b *testing.B) {
	files := map[string]string{"SKILL.md": goodManual, "X.yaml": goodProfile}
	for i := range 498 {
		files[fmt.Sprintf("data/%02d/file%03d.txt", i%20, i)] = "text\n"
	}
	dir := tree(b, files)
	for b.Loop() {
		if _, err := Load(b.Context(), dir, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
