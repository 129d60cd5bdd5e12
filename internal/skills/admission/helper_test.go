package admission

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/runx-go/runx/internal/skills"
)

// tree writes files below a new directory; a text that begins with "->" is a link. It returns the
// directory with links resolved.
func tree(t testing.TB, files map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, files)
	return dir
}

func write(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		var err error
		if target, ok := strings.CutPrefix(text, "->"); ok {
			err = os.Symlink(filepath.FromSlash(strings.TrimSpace(target)), path)
		} else {
			err = os.WriteFile(path, []byte(text), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

const goodManual = "---\nname: tidy\ndescription: Tidies.\n---\nRead me.\n"

const goodProfile = `skill: tidy
version: 1.10
runners:
  main:
    type: cli-tool
    command: ./run
    args: ["{{message}}"]
    inputs:
      message: {type: string, required: true}
`

// codes are "severity code file:line:column" of findings.
func codes(findings []skills.Finding) []string {
	out := []string{}
	for _, f := range findings {
		place, _, _ := strings.Cut(f.String(), ": ")
		if f.File == "" {
			place = "package"
		}
		out = append(out, string(f.Severity)+" "+f.Code+" "+place)
	}
	return out
}
