package admission

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/runx-go/runx/internal/sandbox/fsroot"
	"github.com/runx-go/runx/internal/skills"
	"github.com/runx-go/runx/internal/skills/manifest"
)

// place is one directory that a search reads.
type place struct {
	real  string // absolute, links resolved
	depth int    // below its search path
	// within says that the place lies in a package: what is wrong with links there is said when that
	// package is loaded.
	within bool
}

// hit is a directory with a manual.
type hit struct {
	dir    string // absolute, links resolved
	manual string // the name of its SKILL.md as the directory spells it
}

// search walks directories level by level, so that each one is read where it is nearest to a search
// path, and each one once, by its identity.
type search struct {
	foldCase bool // two paths that differ only in case are one
	limit    int  // of directories
	visited  map[string]bool
	queue    []place
	hits     []hit
	problems []skills.Finding
}

// searchRoots are the search paths below a directory; an absolute one stands for itself.
func searchRoots(base string, paths []string) []string {
	out := make([]string, 0, len(paths))
	for _, p := range paths {
		if !filepath.IsAbs(p) {
			p = filepath.Join(base, filepath.FromSlash(p))
		}
		out = append(out, p)
	}
	return out
}

// find reads everything below the roots. The error is that of ctx.
func find(ctx context.Context, roots []string, foldCase bool) (*search, error) {
	s := newSearch(roots, foldCase)
	err := s.run(ctx)
	return s, err
}

func newSearch(roots []string, foldCase bool) *search {
	s := &search{foldCase: foldCase, limit: searchFolders, visited: map[string]bool{}}
	for _, root := range roots {
		s.root(root)
	}
	return s
}

func (s *search) run(ctx context.Context) error {
	for i := 0; i < len(s.queue); i++ {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		if i == s.limit {
			s.problem(s.queue[i].real, "search_limit", "name a smaller directory in skills.paths",
				fmt.Sprintf("the search ended here: it has read %d directories", s.limit))
			break
		}
		s.read(s.queue[i])
	}
	return nil
}

func (s *search) root(path string) {
	real, err := filepath.EvalSymlinks(path)
	switch {
	case err == nil:
		s.enter(place{real: real})
	case errors.Is(err, fs.ErrNotExist) && !linkExists(path):
	default:
		s.problem(path, "skill_link", "repair or remove the link", "the search path cannot be followed: "+cause(err))
	}
}

func linkExists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// enter queues a directory unless it was queued before.
func (s *search) enter(p place) {
	key := p.real
	if s.foldCase {
		key = strings.ToLower(key)
	}
	if !s.visited[key] {
		s.visited[key] = true
		s.queue = append(s.queue, p)
	}
}

// read lists one directory.
func (s *search) read(p place) {
	entries, err := os.ReadDir(p.real)
	if err != nil {
		if info, statErr := os.Stat(p.real); statErr != nil || info.IsDir() {
			s.problem(p.real, "skill_folder", "", "the directory cannot be read: "+cause(err))
		}
		return
	}
	manual := ""
	for _, entry := range entries {
		name := entry.Name()
		if !entry.IsDir() && (name == manualName || name == "skill.md" && manual == "") {
			manual = name
		}
	}
	if manual != "" {
		s.hits = append(s.hits, hit{p.real, manual})
	}
	for _, entry := range entries {
		s.below(p, entry, manual != "" && p.depth > 0)
	}
}

// below enters what an entry leads to.
func (s *search) below(p place, entry fs.DirEntry, isPackage bool) {
	name := entry.Name()
	if name == ".git" || name == "node_modules" || name == manualName || p.depth == searchDepth && entry.IsDir() {
		return
	}
	path := filepath.Join(p.real, name)
	next := place{real: path, depth: p.depth + 1, within: p.within || isPackage}
	if entry.IsDir() {
		s.enter(next)
		return
	}
	if entry.Type()&(fs.ModeSymlink|fs.ModeIrregular) == 0 || next.within {
		return
	}
	real, err := filepath.EvalSymlinks(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		s.link(path, "which does not exist")
	case err != nil:
		s.link(path, "which cannot be followed, as a link that leads to itself")
	case above(real, p.real):
		s.link(path, "which contains it")
	case p.depth < searchDepth && isDir(real):
		next.real = real
		s.enter(next)
	}
}

func (s *search) link(path, reason string) {
	target, err := os.Readlink(path)
	if err != nil {
		target = "an unknown place"
	}
	s.problem(path, "skill_link", "repair or remove the link", fmt.Sprintf("the link leads to %q, %s", target, reason))
}

func (s *search) problem(path, code, hint, message string) {
	s.problems = append(s.problems, skills.Finding{
		Code: code, Severity: skills.SeverityWarning, File: path, Message: message, Hint: hint,
	})
}

// above reports whether dir is path or contains it.
func above(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// name is what a package is called: the name of its SKILL.md, or its directory when that cannot be
// read.
func (h hit) name() string {
	dir, err := fsroot.Open(h.dir)
	if err != nil {
		return filepath.Base(h.dir)
	}
	defer dir.Close() // read only
	data, err := dir.ReadLimited(fsroot.RelPath(h.manual), textBytes)
	if err != nil {
		return filepath.Base(h.dir)
	}
	return nameOr(manualNameOf(h.manual, data), h.dir)
}

func manualNameOf(file string, data []byte) string {
	m, _ := manifest.ParseManual(file, data)
	return m.Name
}

func nameOr(name, dir string) string {
	if name == "" {
		return filepath.Base(dir)
	}
	return name
}

// cause is an error without the path that messages name already.
func cause(err error) string {
	if pathError, ok := errors.AsType[*fs.PathError](err); ok {
		return pathError.Err.Error()
	}
	return err.Error()
}
