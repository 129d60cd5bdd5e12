package fsroot_test

import (
	"fmt"
	"testing"

	"github.com/runx-go/runx/internal/sandbox/fsroot"
)

// Budgets on a local disk: 5 ms a synced file, so that the about three files of a run cost no more
// than 15 ms; 100 µs for a line that is not synced. What is over the cost of fsync is ours.

func BenchmarkWriteAtomic(b *testing.B) {
	d, data := openTemp(b), make([]byte, 4096)
	for b.Loop() {
		if err := d.WriteAtomic("f", data); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCreateNew(b *testing.B) {
	d, data, i := openTemp(b), make([]byte, 4096), 0
	for b.Loop() {
		i++
		if err := d.CreateNew(fsroot.RelPath(fmt.Sprint(i)), data); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAppendLine(b *testing.B) {
	d, data := openTemp(b), make([]byte, 400)
	for b.Loop() {
		if err := d.AppendLine("f", data); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAppendLineSync(b *testing.B) {
	d, data := openTemp(b), make([]byte, 400)
	for b.Loop() {
		if err := d.AppendLineSync("f", data); err != nil {
			b.Fatal(err)
		}
	}
}
