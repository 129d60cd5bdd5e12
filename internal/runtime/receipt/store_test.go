package receipt

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/runx-go/runx/internal/sandbox/fsroot"
)

// receiptAt is a receipt of a run that ended in that second.
func receiptAt(t testing.TB, skill, second string) Receipt {
	t.Helper()
	p := fullPredicate()
	p.Skill, p.Run.FinishedAt = skill, "2026-01-01T00:00:"+second+".000Z"
	return sealed(t, p, ciSigner(t))
}

func TestPutAndGet(t *testing.T) {
	dir := newDir(t)
	store := NewStore(dir)
	a, b := receiptAt(t, "a", "01"), receiptAt(t, "b", "02")
	for _, r := range []Receipt{a, b, a} {
		if err := store.Put(r); err != nil {
			t.Fatal(err)
		}
	}
	digits := strings.TrimPrefix(a.ID, "sha256:")
	for _, id := range []string{a.ID, digits, "sha256:" + digits[:8], digits[:8], digits[:63]} {
		raw, full, err := store.Get(id)
		if err != nil || full != a.ID {
			t.Errorf("Get(%s): %s, %v", id, full, err)
			continue
		}
		if diff := cmp.Diff(string(a.Envelope), string(raw)); diff != "" {
			t.Errorf("Get(%s) (-want +got):\n%s", id, diff)
		}
	}
	for _, id := range []string{"", "sha256:", digits[:7], strings.ToUpper(digits), digits + "0", "sha256-" + digits,
		"sha256:" + strings.Repeat("0", 64), strings.Repeat("0", 8), "../../x", "????????", digits[:7] + "g"} {
		if raw, full, err := store.Get(id); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("Get(%q): %d bytes, %s, %v, want fs.ErrNotExist", id, len(raw), full, err)
		}
	}
	files, err := os.ReadDir(dir.Name())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if err := fsroot.RelPath(f.Name()).Portable(); err != nil {
			t.Error(err)
		}
	}
	if len(files) != 2 {
		t.Errorf("%d files, want 2", len(files))
	}
	needModes(t)
	info, err := dir.Stat(fileName(digits))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v, want 0600", info.Mode(), err)
	}
}

func TestGetAmbiguous(t *testing.T) {
	dir := newDir(t)
	first, second := "0123456789"+strings.Repeat("a", 54), "0123456789"+strings.Repeat("b", 54)
	for _, digits := range []string{second, first} {
		if err := dir.CreateNew(fileName(digits), []byte(digits)); err != nil {
			t.Fatal(err)
		}
	}
	_, _, err := NewStore(dir).Get("sha256:01234567")
	want := `cannot choose receipt "sha256:01234567": 2 receipts begin so, among them sha256:` + first + " and sha256:" + second
	if err == nil || err.Error() != want || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v, want %s", err, want)
	}
	if raw, _, err := NewStore(dir).Get("0123456789a"); err != nil || string(raw) != first {
		t.Errorf("got %s, %v", raw, err)
	}
}

func TestPutNeverReplaces(t *testing.T) {
	dir := newDir(t)
	r := receiptAt(t, "a", "01")
	name := fileName(strings.TrimPrefix(r.ID, "sha256:"))
	if err := dir.CreateNew(name, []byte("other")); err != nil {
		t.Fatal(err)
	}
	want := "cannot keep receipt " + r.ID + ": " + string(name) + " is there with other bytes"
	if err := NewStore(dir).Put(r); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if got, _ := dir.ReadLimited(name, 100); string(got) != "other" {
		t.Errorf("the file became %q", got)
	}
}

// An empty file is what a crash leaves where there are no hard links.
func TestPutReplacesAnEmptyFile(t *testing.T) {
	dir := newDir(t)
	r := receiptAt(t, "a", "01")
	if err := dir.CreateNew(fileName(strings.TrimPrefix(r.ID, "sha256:")), nil); err != nil {
		t.Fatal(err)
	}
	if err := NewStore(dir).Put(r); err != nil {
		t.Fatal(err)
	}
	if raw, _, err := NewStore(dir).Get(r.ID); err != nil || string(raw) != string(r.Envelope) {
		t.Errorf("got %d bytes, %v", len(raw), err)
	}
}

func TestPutRefusesWhatIsNotThatReceipt(t *testing.T) {
	dir := newDir(t)
	r := receiptAt(t, "a", "01")
	for _, tt := range []struct {
		name string
		r    Receipt
		want string
	}{
		{"another id", Receipt{ID: string(digestOf("0")), Envelope: r.Envelope}, "its payload has the id " + r.ID},
		{"another text", Receipt{ID: r.ID, Envelope: append([]byte(" "), r.Envelope...)}, "the file is not the canonical JSON"},
		{"nothing", Receipt{}, "the file is no envelope"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if err := NewStore(dir).Put(tt.r); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want an error with %q", err, tt.want)
			}
		})
	}
	if files, _ := dir.ReadDir(fsroot.Self); len(files) != 0 {
		t.Errorf("something was written: %v", files)
	}
}

// Two processes that keep the same receipt at once both succeed.
func TestPutAtOnce(t *testing.T) {
	dir := newDir(t)
	r := receiptAt(t, "a", "01")
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			if err := NewStore(dir).Put(r); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if files, _ := dir.ReadDir(fsroot.Self); len(files) != 1 {
		t.Errorf("files %v, want one", files)
	}
}

func TestList(t *testing.T) {
	dir := newDir(t)
	store := NewStore(dir)
	if rows, err := store.List(); err != nil || rows == nil || len(rows) != 0 {
		t.Errorf("empty folder: %v, %v, want an empty list", rows, err)
	}
	old, recent := receiptAt(t, "old", "01"), receiptAt(t, "recent", "02")
	for _, r := range []Receipt{old, recent} {
		if err := store.Put(r); err != nil {
			t.Fatal(err)
		}
	}
	moved, torn := strings.Repeat("0", 64), strings.Repeat("f", 64)
	for name, data := range map[fsroot.RelPath][]byte{fileName(moved): old.Envelope, fileName(torn): old.Envelope[:100],
		"notes.json": nil, ".tmp-1": nil, "sha256-12.json": nil, fsroot.RelPath("sha256-" + moved): nil} {
		if err := dir.CreateNew(name, data); err != nil {
			t.Fatal(err)
		}
	}
	directory := strings.Repeat("e", 64)
	if err := dir.Mkdir(fileName(directory)); err != nil {
		t.Fatal(err)
	}
	got, err := store.List()
	if err != nil {
		t.Fatal(err)
	}
	row := func(r Receipt, skill, second string) Entry {
		at := "2026-01-01T00:00:" + second + ".000Z"
		finished, err := time.Parse(time.RFC3339, at)
		if err != nil {
			t.Fatal(err)
		}
		return Entry{ID: r.ID, Skill: skill, Runner: "count", Status: "sealed", ReasonCode: "process_closed", FinishedAt: at, Finished: finished}
	}
	want := []Entry{
		row(recent, "recent", "02"), row(old, "old", "01"),
		{ID: "sha256:" + moved, Problem: "the file holds the receipt " + old.ID},
		{ID: "sha256:" + directory, Problem: "cannot read"},
		{ID: "sha256:" + torn, Problem: "cannot read the receipt: the file is no envelope"},
	}
	prefix := cmpopts.AcyclicTransformer("Problem", func(e Entry) Entry {
		for _, w := range want {
			if w.ID == e.ID && strings.HasPrefix(e.Problem, w.Problem) {
				e.Problem = w.Problem
			}
		}
		return e
	})
	if diff := cmp.Diff(want, got, prefix); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
}
