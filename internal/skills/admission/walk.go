package admission

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/runx-go/runx/internal/sandbox/fsroot"
	"github.com/runx-go/runx/internal/skills"
)

// file is one file of the package.
type file struct {
	path   string         // as the package calls it
	source fsroot.RelPath // where its bytes lie: the target of a link
}

// walker finds the files of one package.
type walker struct {
	*admitter
	folders int
	full    bool // a limit was reached: files is not complete
}

// walk finds the files and reports names and links that a package cannot have. complete is false
// when a limit ended it.
func (a *admitter) walk(ctx context.Context) (complete bool, err error) {
	w := &walker{admitter: a}
	if err := w.folder(ctx, fsroot.Self, 0); err != nil {
		return false, err
	}
	slices.SortFunc(a.files, func(x, y file) int { return strings.Compare(x.path, y.path) })
	return !w.full, nil
}

// folder reads one folder. The error is that of ctx; everything else is a finding.
func (w *walker) folder(ctx context.Context, p fsroot.RelPath, depth int) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	w.folders++
	if w.folders > packageFolders || depth > packageDepth {
		w.tooLarge("the package has more than %d folders or is nested deeper than %d", packageFolders, packageDepth)
		return nil
	}
	f, err := w.dir.Open(p)
	if err != nil {
		w.unreadable(string(p), err)
		return nil
	}
	folders, err := w.entries(f, p)
	if err = errors.Join(err, f.Close()); err != nil {
		w.unreadable(string(p), err)
		return nil
	}
	for _, sub := range folders {
		if w.full {
			return nil
		}
		if err := w.folder(ctx, sub, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// entries sorts out what lies in a folder and returns the folders below it.
func (w *walker) entries(f *os.File, p fsroot.RelPath) (folders []fsroot.RelPath, err error) {
	const batch = 512
	for !w.full {
		list, err := f.ReadDir(batch)
		for _, entry := range list {
			if sub, isFolder := w.entry(p, entry); isFolder {
				folders = append(folders, sub)
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return folders, nil
		case err != nil:
			return folders, err
		case len(folders) > packageFolders:
			w.tooLarge("the package has more than %d folders", packageFolders)
		}
	}
	return folders, nil
}

func (w *walker) entry(p fsroot.RelPath, entry fs.DirEntry) (folder fsroot.RelPath, isFolder bool) {
	if ignored(entry.Name()) {
		return "", false
	}
	text := string(p.Join(fsroot.RelPath(entry.Name())))
	path, err := fsroot.ParseRelPath(text)
	if err != nil {
		w.fault(skills.Position{File: strings.ToValidUTF8(text, "\uFFFD")}, "package_path", "rename it", "%v", err)
		return "", false
	}
	switch kind := entry.Type(); {
	case kind.IsDir():
		return path, true
	case kind.IsRegular():
		w.file(file{path: text, source: path})
	case kind&(fs.ModeSymlink|fs.ModeIrregular) != 0:
		w.link(path)
	default:
		w.fault(skills.Position{File: text}, "package_path", "remove it", "%q is not a regular file", text)
	}
	return "", false
}

func (w *walker) file(f file) {
	if len(w.files) == packageFiles {
		w.tooLarge("the package has more than %d files", packageFiles)
		return
	}
	w.files = append(w.files, f)
}

// tooLarge ends the walk.
func (w *walker) tooLarge(format string, args ...any) {
	if !w.full {
		w.fault(skills.Position{}, "package_too_large", "move what is not part of the skill elsewhere", format, args...)
	}
	w.full = true
}

// link admits a link to a regular file of the package. The target is found by name here and opened
// later inside the directory, so a link that changes meanwhile still leads nowhere else.
func (w *walker) link(p fsroot.RelPath) {
	target, err := w.dir.Readlink(p)
	if err != nil {
		target = "an unknown place"
	}
	refuse := func(reason string) {
		w.fault(skills.Position{File: string(p)}, "package_link", "put a copy of the file in its place",
			"the link %q leads to %q, %s", string(p), strings.ToValidUTF8(target, "\uFFFD"), reason)
	}
	real, err := filepath.EvalSymlinks(filepath.Join(w.pkg.Dir, filepath.FromSlash(string(p))))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		refuse("which does not exist")
		return
	case err != nil:
		refuse("which cannot be followed, as a link that leads to itself")
		return
	}
	inside, err := filepath.Rel(w.pkg.Dir, real)
	source, pathErr := fsroot.ParseRelPath(filepath.ToSlash(inside))
	if err != nil || !filepath.IsLocal(inside) || pathErr != nil && inside != "." {
		refuse("which is outside the package")
		return
	}
	if slices.ContainsFunc(strings.Split(string(source), "/"), ignored) {
		refuse("which is not part of the package")
		return
	}
	info, err := w.dir.Lstat(source)
	switch {
	case err != nil:
		refuse("which cannot be read")
	case info.IsDir():
		refuse("which is a directory")
	case !info.Mode().IsRegular():
		refuse("which is not a regular file")
	default:
		w.file(file{path: string(p), source: source})
	}
}

// ignored reports whether an entry is never part of a package, at any depth.
func ignored(name string) bool {
	names := ignoredNames()
	return slices.Contains(names[:], name)
}

func ignoredNames() [4]string { return [...]string{".git", ".runx", "__pycache__", ".DS_Store"} }

// opensIgnored reports whether a name may open an ignored entry on some system: one that ignores
// case, or the dots and blanks at the end of a name.
func opensIgnored(name string) bool {
	name = strings.TrimRight(name, ". ")
	for _, entry := range ignoredNames() {
		if strings.EqualFold(name, entry) {
			return true
		}
	}
	return false
}

// unreadable adds the finding of a file or folder that could not be read.
func (a *admitter) unreadable(path string, err error) {
	if path == string(fsroot.Self) {
		path = ""
	}
	name := strconv.Quote(path)
	if path == "" {
		name = "the directory"
	}
	a.fault(skills.Position{File: path}, "package_read", "", "cannot read %s: %s", name, cause(err))
}
