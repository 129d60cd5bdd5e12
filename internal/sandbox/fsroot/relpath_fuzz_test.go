package fsroot_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/runx-go/runx/internal/sandbox/fsroot"
)

// FuzzParseRelPath: an accepted path round-trips and stays below the root when it is cleaned; a
// portable one can be written inside the root and read back, and nothing appears beside the root.
func FuzzParseRelPath(f *testing.F) {
	for _, seed := range []string{
		"a", "a/b", "../x", "a/../../x", "/etc/passwd", `..\x`, "C:", "c:/x", "aux", "a/./b", "a\x00", "ä/ö", ".tmp-1",
		"a ", "a.", "...", "con.txt", "link/x", strings.Repeat("a", 255),
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := fsroot.ParseRelPath(text)
		if err != nil {
			if fsroot.RelPath(text).Portable() == nil {
				t.Errorf("%q is refused and portable", text)
			}
			return
		}
		if again, err := fsroot.ParseRelPath(string(p)); again != p || string(p) != text || err != nil {
			t.Errorf("%q became %q, then %q, %v", text, p, again, err)
		}
		if !filepath.IsLocal(text) || filepath.ToSlash(filepath.Clean(text)) != text {
			t.Errorf("%q is not local and clean", text)
		}
		outer := t.TempDir()
		d, err := fsroot.Create(filepath.Join(outer, "root"), false)
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		if err := os.Symlink(outer, filepath.Join(outer, "root", "link")); err != nil {
			t.Fatal(err)
		}
		if i := strings.LastIndexByte(text, '/'); i >= 0 {
			if sub, err := d.Sub(p[:i]); err == nil {
				sub.Close()
			}
		}
		err = d.WriteAtomic(p, []byte(text))
		if portable := p.Portable(); portable != nil && err == nil {
			t.Errorf("wrote %q: %v", text, portable)
		}
		if err == nil {
			if got, err := d.ReadLimited(p, int64(len(text))); string(got) != text || err != nil {
				t.Errorf("read %q, %v", got, err)
			}
		}
		if entries, err := os.ReadDir(outer); len(entries) != 1 || err != nil {
			t.Errorf("%q left the root: %v, %v", text, entries, err)
		}
	})
}
