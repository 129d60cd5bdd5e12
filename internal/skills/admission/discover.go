package admission

import (
	"context"
	"slices"
	"strings"

	"github.com/runx-go/runx/internal/skills"
)

// The kinds of an Entry.
const (
	KindExecutable = "executable"
	KindManual     = "manual"
	KindInvalid    = "invalid"
)

// Entry is one row of skill list.
type Entry struct {
	Name    string   // of SKILL.md, or of the directory when it cannot be read
	Kind    string   // KindExecutable, KindManual or KindInvalid
	Runners []string // of X.yaml, as far as it could be read, in document order
	Dir     string   // absolute, links resolved
	Reasons []skills.Finding
	Package *Package // nil when invalid
}

// Discover lists every package below the search paths of cwd and of workspace, each real directory
// once, sorted by path. A package that Load would refuse is an entry with its reasons. problems are
// links and folders that could not be followed, in the order of their paths; their File is an
// absolute path. The error is the cause of ctx.
func Discover(ctx context.Context, cwd, workspace string, paths []string, opts Options) (entries []Entry, problems []skills.Finding, err error) {
	roots := searchRoots(cwd, paths)
	if baseCount(cwd, workspace) == 2 {
		roots = append(roots, searchRoots(workspace, paths)...)
	}
	found, err := find(ctx, roots, opts.OS == "windows")
	if err != nil {
		return nil, nil, err
	}
	for _, h := range found.hits {
		entry, err := discovered(ctx, h, opts)
		if err != nil {
			return nil, nil, err
		}
		entries = append(entries, entry)
	}
	slices.SortFunc(entries, func(x, y Entry) int { return strings.Compare(x.Dir, y.Dir) })
	sortFindings(found.problems)
	return entries, slices.Compact(found.problems), nil
}

// discovered judges one directory; the error is that of ctx.
func discovered(ctx context.Context, h hit, opts Options) (Entry, error) {
	a, err := admit(ctx, h.dir, opts)
	if ended := context.Cause(ctx); ended != nil {
		return Entry{}, ended
	}
	if err != nil {
		return Entry{Name: nameOr("", h.dir), Kind: KindInvalid, Dir: h.dir, Reasons: []skills.Finding{{ //nolint:nilerr // the row carries it
			Code: codeNotFound, Severity: skills.SeverityError, Message: err.Error(),
		}}}, nil
	}
	entry := Entry{
		Name: nameOr(a.pkg.Name, h.dir), Kind: KindInvalid, Runners: a.pkg.runnerNames(), Dir: h.dir, Reasons: a.reasons(),
	}
	if len(entry.Reasons) > 0 {
		return entry, nil
	}
	entry.Package, entry.Kind = a.accepted(), KindManual
	if a.pkg.Profile != nil {
		entry.Kind = KindExecutable
	}
	return entry, nil
}
