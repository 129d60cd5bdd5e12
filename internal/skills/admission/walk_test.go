package admission

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/runx-go/runx/internal/skills"
)

func TestLinks(t *testing.T) {
	outside := tree(t, map[string]string{"shared.md": goodManual})
	tests := []struct {
		name   string
		target string // of the link data/link
		reason string // "": read as a file
	}{
		{name: "file inside", target: "../SKILL.md"},
		{name: "file beside", target: "file"},
		{name: "link to a file", target: "second"},
		{name: "absolute, inside", target: "INSIDE/data/file"},
		{name: "out and in again", target: "../../PACKAGE/data/file"},
		{name: "outside", target: outside + "/shared.md", reason: "which is outside the package"},
		{name: "parent", target: "../..", reason: "which is outside the package"},
		{name: "directory", target: "folder", reason: "which is a directory"},
		{name: "the package", target: "..", reason: "which is a directory"},
		{name: "dangling", target: "none", reason: "which does not exist"},
		{name: "itself", target: "link", reason: "which cannot be followed, as a link that leads to itself"},
		{name: "not part of the package", target: "../.git/config", reason: "which is not part of the package"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := tree(t, map[string]string{
				"SKILL.md": goodManual, "data/file": "text", "data/second": "->file", "data/folder/x": "", ".git/config": "secret",
			})
			base := dir[strings.LastIndexByte(dir, os.PathSeparator)+1:]
			target := strings.NewReplacer("INSIDE", dir, "PACKAGE", base).Replace(tt.target)
			write(t, dir, map[string]string{"data/link": "->" + target})
			_, err := Load(t.Context(), dir, Options{})
			if tt.reason == "" {
				if err != nil {
					t.Errorf("got %v, want the link read as a file", err)
				}
				return
			}
			refused, ok := errors.AsType[*RefusedError](err)
			if !ok {
				t.Fatalf("got %v, want a *RefusedError", err)
			}
			want := []skills.Finding{{
				Code: "package_link", Severity: skills.SeverityError, File: "data/link", Hint: "put a copy of the file in its place",
				Message: fmt.Sprintf("the link %q leads to %q, %s", "data/link", target, tt.reason),
			}}
			if diff := cmp.Diff(want, refused.Reasons); diff != "" {
				t.Errorf("reasons (-want +got):\n%s", diff)
			}
		})
	}
}

func TestLinkedManual(t *testing.T) {
	dir := tree(t, map[string]string{"shared.md": goodManual, "in/SKILL.md": "->manual.md", "in/manual.md": goodManual, "out/SKILL.md": "->../shared.md"})
	if _, refused := refusal(t, join(dir, "in"), Options{}); refused != nil {
		t.Errorf("a manual linked to a file inside was refused: %v", refused)
	}
	_, refused := refusal(t, join(dir, "out"), Options{})
	if diff := cmp.Diff([]string{"error package_link SKILL.md"}, refused); diff != "" {
		t.Errorf("reasons (-want +got):\n%s", diff)
	}
}

func TestPackageLimits(t *testing.T) {
	tooLarge := []string{"error package_too_large package"}
	t.Run("files", func(t *testing.T) {
		files := map[string]string{"SKILL.md": goodManual}
		for i := range packageFiles - 1 {
			files[fmt.Sprintf("d%d/%d", i%7, i)] = ""
		}
		dir := tree(t, files)
		if _, refused := refusal(t, dir, Options{}); refused != nil {
			t.Errorf("%d files were refused: %v", packageFiles, refused)
		}
		write(t, dir, map[string]string{"d0/more": ""})
		if _, refused := refusal(t, dir, Options{}); !cmp.Equal(refused, tooLarge) {
			t.Errorf("%d files: got %v, want %v", packageFiles+1, refused, tooLarge)
		}
	})
	t.Run("bytes", func(t *testing.T) {
		dir := tree(t, map[string]string{"SKILL.md": goodManual, "big": ""})
		size := packageBytes - int64(len(goodManual))
		if err := os.Truncate(join(dir, "big"), size); err != nil {
			t.Fatal(err)
		}
		if _, refused := refusal(t, dir, Options{}); refused != nil {
			t.Errorf("%d bytes were refused: %v", packageBytes, refused)
		}
		if err := os.Truncate(join(dir, "big"), size+1); err != nil {
			t.Fatal(err)
		}
		if _, refused := refusal(t, dir, Options{}); !cmp.Equal(refused, tooLarge) {
			t.Errorf("%d bytes: got %v, want %v", packageBytes+1, refused, tooLarge)
		}
	})
	t.Run("nesting", func(t *testing.T) {
		deep := strings.Repeat("d/", packageDepth)
		dir := tree(t, map[string]string{"SKILL.md": goodManual, deep + "f": ""})
		if _, refused := refusal(t, dir, Options{}); refused != nil {
			t.Errorf("depth %d was refused: %v", packageDepth, refused)
		}
		write(t, dir, map[string]string{deep + "d/f": ""})
		if _, refused := refusal(t, dir, Options{}); !cmp.Equal(refused, tooLarge) {
			t.Errorf("depth %d: got %v, want %v", packageDepth+1, refused, tooLarge)
		}
	})
}

// digestOf is the definition of runx.skill-package.v1, written a second time over files in order.
func digestOf(files ...[2]string) skills.Digest {
	h := sha256.New()
	h.Write([]byte("runx.skill-package.v1\x00"))
	for _, f := range files {
		for _, text := range f {
			h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(text))))
			h.Write([]byte(text))
		}
	}
	return skills.Digest("sha256:" + hex.EncodeToString(h.Sum(nil)))
}

func TestDigest(t *testing.T) {
	long := strings.Repeat("0123456789", 20_000) // several buffers
	profile := goodProfile + "    artifacts: {wrap_as: w, packet: p.v1}\n"
	packet := `{"x-runx-packet-id": "p.v1"}`
	dir := tree(t, map[string]string{
		"SKILL.md": goodManual, "X.yaml": profile, "a-b": "1", "a/b": long, "a.b": "", "é": "2", "link": "->a-b",
		"packets/p.json": packet, ".git/x": "no", "nested/SKILL.md": "any\xff",
	})
	p, err := Load(t.Context(), dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := digestOf([2]string{"SKILL.md", goodManual}, [2]string{"X.yaml", profile}, [2]string{"a-b", "1"}, [2]string{"a.b", ""},
		[2]string{"a/b", long}, [2]string{"link", "1"}, [2]string{"nested/SKILL.md", "any\xff"}, [2]string{"packets/p.json", packet}, [2]string{"é", "2"})
	if p.Digest != want {
		t.Errorf("digest %s, want %s", p.Digest, want)
	}
	if want := skills.DigestBytes([]byte(goodManual)); p.ManualDigest != want {
		t.Errorf("manual digest %s, want %s", p.ManualDigest, want)
	}
	if err := os.Chmod(join(dir, "a-b"), 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, dir, map[string]string{".runx/state": ""})
	if again, err := Load(t.Context(), dir, Options{}); err != nil || again.Digest != want {
		t.Errorf("modes or ignored entries count: %v", err)
	}
	write(t, dir, map[string]string{"a.b": "x"})
	if again, err := Load(t.Context(), dir, Options{}); err != nil || again.Digest == want {
		t.Errorf("one byte more has the same digest (%v)", err)
	}
}

// The digest is part of receipts: it must never change.
func TestDigestIsFixed(t *testing.T) {
	p, err := Load(t.Context(), tree(t, map[string]string{"SKILL.md": "---\nname: a\n---\n", "b/c": "d"}), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if want := skills.Digest("sha256:c850476a6302106da90dd91b77bace2ae0f82a8157eeb6a6feb071ba20a924d0"); p.Digest != want {
		t.Errorf("digest %s, want %s", p.Digest, want)
	}
}

func TestLoadEndsWithItsContext(t *testing.T) {
	dir := tree(t, map[string]string{"SKILL.md": goodManual})
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(cause)
	if _, err := Load(ctx, dir, Options{}); !errors.Is(err, cause) {
		t.Errorf("Load: %v, want %v", err, cause)
	}
	if _, err := Validate(ctx, dir, Options{}); !errors.Is(err, cause) {
		t.Errorf("Validate: %v, want %v", err, cause)
	}
	if _, _, err := Discover(ctx, dir, "", []string{"."}, Options{}); !errors.Is(err, cause) {
		t.Errorf("Discover: %v, want %v", err, cause)
	}
	if _, err := Resolve(ctx, "x", dir, "", []string{"."}); !errors.Is(err, cause) {
		t.Errorf("Resolve: %v, want %v", err, cause)
	}
}
