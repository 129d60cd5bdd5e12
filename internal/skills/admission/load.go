package admission

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/runx-go/runx/internal/sandbox/fsroot"
	"github.com/runx-go/runx/internal/skills"
	"github.com/runx-go/runx/internal/skills/manifest"
)

// Load accepts the package in a directory, or refuses it with every reason. dir may also be the
// SKILL.md or X.yaml of the package; a link to the directory is resolved first. Errors:
// *RefusedError; *ChoiceError with code package_not_found; the cause of ctx.
func Load(ctx context.Context, dir string, opts Options) (*Package, error) {
	a, err := admit(ctx, dir, opts)
	if err != nil {
		return nil, err
	}
	if reasons := a.reasons(); len(reasons) > 0 {
		return nil, &RefusedError{Dir: a.pkg.Dir, Reasons: reasons}
	}
	return a.accepted(), nil
}

// admitter holds one package while it is judged.
type admitter struct {
	opts     Options
	dir      *fsroot.Dir
	pkg      *Package
	files    []file // in byte order of their paths
	manual   document
	profile  document
	packets  []packetFile // of the package
	findings []skills.Finding
	searched int // how often a nearest name was searched
}

// document is one of the two files that are read whole.
type document struct {
	path string // "" when the package has none
	data []byte
	read bool
}

// admit judges a directory. The error is not about the package: it could not be found, or ctx ended.
func admit(ctx context.Context, path string, opts Options) (*admitter, error) {
	real, err := packageDir(path, path)
	if err != nil {
		return nil, err
	}
	dir, err := fsroot.Open(real)
	if err != nil {
		return nil, notFound(path, err)
	}
	a := &admitter{opts: opts, dir: dir, pkg: &Package{Dir: real}}
	if err := errors.Join(a.judge(ctx), dir.Close()); err != nil {
		return nil, err
	}
	a.dir = nil
	sortFindings(a.findings)
	a.findings = slices.Compact(a.findings)
	return a, nil
}

// judge does everything that needs the open directory.
func (a *admitter) judge(ctx context.Context) error {
	complete, err := a.walk(ctx)
	if err != nil {
		return err
	}
	a.findManual(complete)
	a.findProfile()
	if a.readDocument(&a.manual) {
		var found []skills.Finding
		a.pkg.Manual, found = manifest.ParseManual(a.manual.path, a.manual.data)
		a.pkg.Name = a.pkg.Manual.Name
		a.pkg.ManualDigest = skills.DigestBytes(a.manual.data)
		a.findings = append(a.findings, found...)
	}
	if a.readDocument(&a.profile) {
		var found []skills.Finding
		a.pkg.Profile, found = manifest.ParseProfile(a.profile.path, a.profile.data, a.pkg.Name)
		a.findings = append(a.findings, found...)
	}
	if a.pkg.Profile != nil {
		if err := a.findPackets(ctx); err != nil {
			return err
		}
		a.checkProfile()
	}
	if complete {
		return a.digest(ctx)
	}
	return nil
}

// packageDir turns the path of a package, its SKILL.md or its X.yaml into its real directory. Errors
// name it as the user did.
func packageDir(path, named string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", notFound(named, err)
	}
	if !info.IsDir() {
		if !isManualName(filepath.Base(path)) && !isProfileName(filepath.Base(path)) {
			return "", &ChoiceError{Code: codeNotFound, Hint: "name the directory, its SKILL.md or its X.yaml",
				Msg: fmt.Sprintf("cannot find package %s: it is neither a directory nor a SKILL.md or X.yaml", named)}
		}
		path = filepath.Dir(path)
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", notFound(named, err)
	}
	real, err := filepath.EvalSymlinks(abs)
	if err != nil {
		return "", notFound(named, err)
	}
	return real, nil
}

const codeNotFound = "package_not_found"

// notFound says why a path is no package, without repeating the path.
func notFound(path string, err error) *ChoiceError {
	return &ChoiceError{Code: codeNotFound, Msg: fmt.Sprintf("cannot find package %s: %s", path, cause(err)),
		Hint: "run runx skill list to see the packages"}
}

func isManualName(name string) bool { return strings.EqualFold(name, "SKILL.md") }

func isProfileName(name string) bool {
	return strings.EqualFold(name, "X.yaml") || strings.EqualFold(name, "X.yml")
}

func (a *admitter) fault(at skills.Position, code, hint, format string, args ...any) {
	a.add(skills.SeverityError, at, code, hint, fmt.Sprintf(format, args...))
}

func (a *admitter) warn(at skills.Position, code, hint, format string, args ...any) {
	a.add(skills.SeverityWarning, at, code, hint, fmt.Sprintf(format, args...))
}

func (a *admitter) add(severity skills.Severity, at skills.Position, code, hint, message string) {
	a.findings = append(a.findings, skills.Finding{
		Code: code, Severity: severity, File: at.File, Line: at.Line, Column: at.Col, Message: message, Hint: hint,
	})
}

// reasons are the errors, in file order.
func (a *admitter) reasons() []skills.Finding {
	var out []skills.Finding
	for _, f := range a.findings {
		if f.Severity == skills.SeverityError {
			out = append(out, f)
		}
	}
	return out
}

// accepted is the package with its warnings; there are no reasons against it.
func (a *admitter) accepted() *Package {
	for _, f := range a.findings {
		if f.Code != "yaml_scalar" && f.Code != "yaml_comment" {
			a.pkg.Warnings = append(a.pkg.Warnings, f)
		}
	}
	return a.pkg
}
