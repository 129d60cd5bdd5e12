package admission

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/runx-go/runx/internal/skills/codec"
)

// Resolve finds the directory of a reference by skills 1.7: an existing path from cwd, which may be
// that of the directory, its SKILL.md or its X.yaml; else the name of a package below paths of cwd,
// and only when none has it, of workspace. The directory is absolute, with links resolved; whether
// its package is valid is judged by Load. Errors: *ChoiceError with code package_not_found,
// skill_ambiguous or registry_unsupported; the cause of ctx.
func Resolve(ctx context.Context, ref, cwd, workspace string, paths []string) (dir string, err error) {
	if ref == "" {
		return "", &ChoiceError{Code: codeNotFound, Msg: "cannot find a package without a name", Hint: "name a directory or a skill"}
	}
	path := ref
	if !filepath.IsAbs(path) {
		path = filepath.Join(cwd, path)
	}
	if _, err := os.Lstat(path); err == nil {
		return packageDir(path, ref)
	} else if !errors.Is(err, fs.ErrNotExist) && strings.ContainsAny(ref, `/\`) {
		return "", notFound(ref, err)
	}
	if isRegistryRef(ref) {
		return "", &ChoiceError{Code: "registry_unsupported", Hint: "copy the package into the workspace and name its directory",
			Msg: fmt.Sprintf("cannot load %q: this version of runx has no registry", ref)}
	}
	return resolveName(ctx, ref, cwd, workspace, paths)
}

// isRegistryRef recognises references to packages that are not on this machine.
func isRegistryRef(ref string) bool {
	for _, scheme := range []string{"registry:", "runx-registry:", "runx://"} {
		if strings.HasPrefix(ref, scheme) {
			return true
		}
	}
	owner, rest, _ := strings.Cut(ref, "/")
	name, version, found := strings.Cut(rest, "@")
	return found && owner != "" && name != "" && version != "" &&
		!strings.HasPrefix(owner, ".") && !strings.HasPrefix(owner, "@") && !strings.ContainsAny(rest, `/\ `)
}

func resolveName(ctx context.Context, name, cwd, workspace string, paths []string) (string, error) {
	var known []string
	bases := []string{cwd, workspace}
	for _, base := range bases[:baseCount(cwd, workspace)] {
		found, err := find(ctx, searchRoots(base, paths), false)
		if err != nil {
			return "", err
		}
		var dirs []string
		for _, h := range found.hits {
			called := h.name()
			if called == name {
				dirs = append(dirs, h.dir)
			}
			known = append(known, called)
		}
		slices.Sort(dirs)
		switch len(dirs) {
		case 0:
		case 1:
			return dirs[0], nil
		default:
			return "", &ChoiceError{Code: "skill_ambiguous", Hint: "name one of them by its path",
				Msg: fmt.Sprintf("cannot choose a skill named %q: it is in %s", name, strings.Join(dirs, " and in "))}
		}
	}
	hint := "name its directory, or run runx skill list"
	if near := codec.Nearest(name, known, nearestNames); len(near) > 0 {
		hint = "did you mean " + oneOf(near) + "?"
	}
	return "", &ChoiceError{Code: codeNotFound, Hint: hint,
		Msg: fmt.Sprintf("cannot find package %q: there is no such path, and no skill of that name below %s", name, strings.Join(paths, ", "))}
}

// baseCount is 1 when the workspace is not another directory than cwd.
func baseCount(cwd, workspace string) int {
	if workspace == "" || filepath.Clean(workspace) == filepath.Clean(cwd) {
		return 1
	}
	return 2
}

// oneOf quotes words and joins them: "a", "b" or "c".
func oneOf(words []string) string {
	var b strings.Builder
	for i, word := range words {
		switch {
		case i == 0:
		case i == len(words)-1:
			b.WriteString(" or ")
		default:
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%q", word)
	}
	return b.String()
}
