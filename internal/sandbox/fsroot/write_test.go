package fsroot_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/runx-go/runx/internal/sandbox/fsroot"
)

func TestWriteAtomic(t *testing.T) {
	d := openTemp(t)
	long := fsroot.RelPath(strings.Repeat("n", 255))
	for _, p := range []fsroot.RelPath{"a", long} {
		for _, content := range []string{"first", "", "third"} {
			if err := d.WriteAtomic(p, []byte(content)); err != nil {
				t.Fatal(err)
			}
			if got, err := d.ReadLimited(p, 100); string(got) != content || err != nil {
				t.Errorf("%.5s holds %q, %v", p, got, err)
			}
		}
	}
	if err := d.WriteAtomic("none/a", nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("without a directory: %v", err)
	}
	if err := d.WriteAtomic("aux", nil); message(err) != `cannot store path "aux" on every platform: "aux" is the name of a device on Windows` {
		t.Errorf("a name that is not portable: %v", err)
	}
	if err := errors.Join(d.Mkdir("dir"), d.WriteAtomic("dir/x", []byte("x"))); err != nil {
		t.Fatal(err)
	}
	if err := d.WriteAtomic("dir", nil); err == nil {
		t.Error("a directory was replaced")
	}
	if diff := cmp.Diff([]string{"a", "dir", string(long)}, names(t, d, "")); diff != "" {
		t.Errorf("litter: %s", diff)
	}
}

func TestCreateNew(t *testing.T) {
	d := openTemp(t)
	long := fsroot.RelPath(strings.Repeat("n", 255))
	for _, p := range []fsroot.RelPath{"a", long} {
		if err := d.CreateNew(p, []byte("first")); err != nil {
			t.Fatal(err)
		}
		if err := d.CreateNew(p, []byte("second")); !errors.Is(err, fs.ErrExist) {
			t.Errorf("a second time: %v", err)
		}
		if got, err := d.ReadLimited(p, 100); string(got) != "first" || err != nil {
			t.Errorf("holds %q, %v", got, err)
		}
	}
	if err := errors.Join(d.Mkdir("dir"), os.Symlink("nowhere", d.Name()+"/dangling")); err != nil {
		t.Fatal(err)
	}
	for _, p := range []fsroot.RelPath{"dir", "dangling"} {
		if err := d.CreateNew(p, nil); !errors.Is(err, fs.ErrExist) {
			t.Errorf("%s: %v", p, err)
		}
	}
	if diff := cmp.Diff([]string{"a", "dangling", "dir", string(long)}, names(t, d, "")); diff != "" {
		t.Errorf("litter: %s", diff)
	}
}

func TestCreateNewByTwoProcesses(t *testing.T) {
	d := openTemp(t)
	var helpers []helper
	for range 2 {
		h := startHelper(t, helperCreate, d.Name())
		h.line(t)
		helpers = append(helpers, h)
	}
	for _, h := range helpers {
		h.in.Close()
	}
	sum := 0
	for _, h := range helpers {
		made := 0
		if _, err := fmt.Sscan(h.line(t), &made); err != nil {
			t.Fatal(err)
		}
		sum += made
	}
	if sum != creations {
		t.Errorf("%d files were made by somebody, want each of %d by one", sum, creations)
	}
	if got := len(names(t, d, "")); got != creations {
		t.Errorf("%d files, want %d", got, creations)
	}
}

func TestWritersAndReadersAtOnce(t *testing.T) {
	d := openTemp(t)
	content := func(i int) []byte { return bytes.Repeat([]byte{byte('a' + i)}, 10_000) }
	if err := d.WriteAtomic("f", content(0)); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for range 10 {
				if err := d.WriteAtomic("f", content(i)); err != nil {
					t.Error(err)
				}
				got, err := d.ReadLimited("f", 10_000)
				if err != nil || !bytes.Equal(got, bytes.Repeat(got[:1], 10_000)) {
					t.Errorf("read half a file of %d bytes, %v", len(got), err)
				}
			}
		})
	}
	wg.Wait()
	if diff := cmp.Diff([]string{"f"}, names(t, d, "")); diff != "" {
		t.Errorf("litter: %s", diff)
	}
}

func TestAppendLine(t *testing.T) {
	tests := []struct {
		name   string
		before string
		want   string
	}{
		{"new file", "", "line\n"},
		{"whole lines", "a\nb\n", "a\nb\nline\n"},
		{"half an object", `{"a":1}` + "\n" + `{"b`, `{"a":1}` + "\n" + `{"b` + "\nline\n"},
		{"half a character", "a\n\xc3", "a\n\xc3\nline\n"},
		{"object without newline", `{"a":1}`, `{"a":1}` + "\nline\n"},
		{"NULs", "a\n\x00\x00", "a\n\x00\x00\nline\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := openTemp(t)
			if tt.before != "" {
				if err := d.WriteAtomic("log", []byte(tt.before)); err != nil {
					t.Fatal(err)
				}
			}
			if err := errors.Join(d.AppendLine("log", []byte("line")), d.AppendLineSync("log", []byte("next"))); err != nil {
				t.Fatal(err)
			}
			if got, err := d.ReadLimited("log", 1000); string(got) != tt.want+"next\n" || err != nil {
				t.Errorf("holds %q, %v, want %q", got, err, tt.want)
			}
		})
	}
	d := openTemp(t)
	if err := d.AppendLine("log", []byte("a\nb")); err == nil || len(names(t, d, "")) != 0 {
		t.Errorf("a line with a newline: %v", err)
	}
	if err := errors.Join(d.Mkdir("dir")); err != nil {
		t.Fatal(err)
	}
	if err := d.AppendLine("dir", nil); err == nil {
		t.Error("appended to a directory")
	}
}

func TestAppendLineAtOnce(t *testing.T) {
	d := openTemp(t)
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for range 50 {
				if err := d.AppendLine("log", bytes.Repeat([]byte{byte('a' + i)}, 3000)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	got, err := d.ReadLimited("log", 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for line := range strings.Lines(string(got)) {
		if line == "\n" {
			continue // a writer looked while another was writing
		}
		if line != strings.Repeat(line[:1], 3000)+"\n" {
			t.Fatalf("mixed line %.20q… of %d bytes", line, len(line))
		}
		count++
	}
	if count != 200 {
		t.Errorf("%d lines, want 200", count)
	}
}
