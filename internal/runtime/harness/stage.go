package harness

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/runx-go/runx/internal/sandbox"
	"github.com/runx-go/runx/internal/sandbox/fsroot"
	"github.com/runx-go/runx/internal/skills/codec"
)

// Files that the gate and its probe agree on.
const (
	// placeFile stands in the directories that a case knows and holds the name of its directory.
	placeFile = "gate-place"
	// startedFile and readyFile are made by the probe in its current directory.
	startedFile = "probe-started"
	readyFile   = "probe-ready"
)

// stage is the set of directories of one case: a new temporary directory with the package, a
// directory beside it called target, the workspace and the user's configuration.
type stage struct {
	root      string // absolute, links resolved
	pkg       string
	workspace string
	inputs    []byte
	host      sandbox.Host
}

// prepare makes the directories and writes the package of a case below temp.
func prepare(c Case, opts RunOptions) (*stage, error) {
	root, err := os.MkdirTemp(opts.TempDir, "runx-gate-")
	if err != nil {
		return nil, fmt.Errorf("cannot make the directory of the case: %w", err)
	}
	s := &stage{root: root}
	if err := s.fill(c, opts); err != nil {
		return nil, errors.Join(err, s.remove())
	}
	return s, nil
}

func (s *stage) remove() error { return os.RemoveAll(s.root) }

func (s *stage) fill(c Case, opts RunOptions) error {
	resolved, err := filepath.EvalSymlinks(s.root)
	if err != nil {
		return fmt.Errorf("cannot resolve the directory of the case: %w", err)
	}
	s.root = resolved
	s.workspace = filepath.Join(s.root, "workspace")
	s.pkg = filepath.Join(s.root, "fixture", "skill")
	if c.setup.fixture != "" {
		s.pkg = filepath.Join(s.root, "fixture", filepath.FromSlash(c.setup.pkg))
		if err := copyTree(c.setup.fixture, filepath.Join(s.root, "fixture")); err != nil {
			return fmt.Errorf("cannot copy the fixture directory: %w", err)
		}
		if info, err := os.Stat(s.pkg); err != nil || !info.IsDir() {
			return fmt.Errorf("cannot use skill_directory %q: it is no directory", c.setup.pkg)
		}
	}
	inputs := []byte("{}")
	if c.setup.inputs != nil {
		if inputs, err = c.setup.inputs(); err != nil {
			return fmt.Errorf("cannot make the inputs: %w", err)
		}
	}
	s.inputs = inputs
	s.host = caseHost(opts.Host, c.setup, s)
	for _, place := range []struct{ dir, name string }{
		{s.workspace, "workspace"}, {filepath.Join(filepath.Dir(s.pkg), "target"), "target"},
	} {
		if err := writeFiles(place.dir, []packageFile{{path: placeFile, text: place.name}}); err != nil {
			return err
		}
	}
	return writeFiles(s.pkg, append(s.packageFiles(c, opts), c.setup.files...))
}

// packageFiles are SKILL.md, X.yaml and, in a generated package, its mark.
func (s *stage) packageFiles(c Case, opts RunOptions) []packageFile {
	command := c.setup.command
	args := c.setup.args
	if command == nil {
		command = []string{opts.Host.Executable}
		args = append([]string{ProbeMode}, args...)
	}
	files := []packageFile{
		{path: "SKILL.md", text: "---\nname: gate-case\ndescription: One case of the author gate.\n---\nA case.\n"},
		{path: "X.yaml", text: profile(c.setup, command[0], args, s.inputs)},
	}
	if c.setup.fixture == "" {
		files = append(files, packageFile{path: placeFile, text: "skill"})
	}
	return files
}

// profile is X.yaml of a case: block YAML in which every text of a case is a quoted JSON string.
func profile(in setup, command string, args []string, inputs []byte) string {
	var b strings.Builder
	line := func(format string, values ...any) { fmt.Fprintf(&b, format+"\n", values...) }
	line("skill: gate-case")
	line("runners:")
	line("  case:")
	line("    type: cli-tool")
	line("    command: %s", quote(command))
	line("    args: %s", list(args))
	if in.cwd != "" {
		line("    cwd: %s", quote(in.cwd))
	}
	if in.inputMode != "" {
		line("    input_mode: %s", quote(in.inputMode))
	}
	if in.timeout != 0 {
		line("    timeout_seconds: %d", in.timeout)
	}
	if len(in.required)+len(in.optional) > 0 {
		line("    environment:")
		line("      required: %s", list(in.required))
		line("      optional: %s", list(in.optional))
	}
	if names := inputNames(in.declared, inputs); len(names) > 0 {
		line("    inputs:")
		for _, name := range names {
			line("      %s: {type: json}", quote(name))
		}
	}
	if in.outputs != nil {
		line("    outputs: %s", in.outputs)
	}
	return b.String()
}

// inputNames are the names of the object and those declared beside it. An object that cannot be
// read declares nothing: the run refuses it.
func inputNames(declared []string, inputs []byte) []string {
	var names []string
	if object, err := codec.ParseObject("inputs", inputs, codec.Limits{}); err == nil {
		for _, m := range object.Members() {
			names = append(names, m.Name)
		}
	}
	return append(names, declared...)
}

func list(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = quote(w)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

// quote writes a text as a JSON string that is a YAML string too: YAML refuses the characters
// below that JSON allows unescaped.
func quote(text string) string {
	var b strings.Builder
	for _, r := range string(codec.Quote(text)) {
		if r >= 0x7F && r <= 0x9F || r == 0x2028 || r == 0x2029 || r == 0xFEFF || r == 0xFFFE || r == 0xFFFF {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// writeFiles writes files below a directory, making it when missing.
func writeFiles(path string, files []packageFile) error {
	dir, err := fsroot.Create(path, false)
	if err != nil {
		return fmt.Errorf("cannot make a directory of the case: %w", err)
	}
	defer dir.Close()
	for _, f := range files {
		if err := writeFile(dir, f.path, []byte(f.text), f.executable); err != nil {
			return err
		}
	}
	return nil
}

// writeFile writes one file and its parents; executable adds the permission to run it.
func writeFile(dir *fsroot.Dir, path string, data []byte, executable bool) error {
	rel, err := fsroot.ParseRelPath(path)
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", path, err)
	}
	if i := strings.LastIndexByte(path, '/'); i > 0 {
		parent, err := dir.Sub(fsroot.RelPath(path[:i]))
		if err != nil {
			return fmt.Errorf("cannot write %s: %w", path, err)
		}
		if err := parent.Close(); err != nil {
			return fmt.Errorf("cannot write %s: %w", path, err)
		}
	}
	if err := dir.WriteAtomic(rel, data); err != nil {
		return fmt.Errorf("cannot write %s: %w", path, err)
	}
	if !executable {
		return nil
	}
	if err := os.Chmod(filepath.Join(dir.Name(), filepath.FromSlash(path)), 0o700); err != nil {
		return fmt.Errorf("cannot make %s executable: %w", path, err)
	}
	return nil
}

// exists says whether a file of the probe stands in the workspace.
func (s *stage) exists(name string) bool {
	_, err := os.Lstat(filepath.Join(s.workspace, name))
	return err == nil
}

// hide replaces the case's own directory in a text, so that reports are the same every time.
func (s *stage) hide(text string) string {
	if !strings.Contains(text, filepath.Base(s.root)) {
		return text
	}
	escaped := string(bytes.Trim(codec.Quote(s.root), `"`))
	return strings.ReplaceAll(strings.ReplaceAll(text, s.root, "<case>"), escaped, "<case>")
}
