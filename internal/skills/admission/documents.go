package admission

import (
	"errors"

	"github.com/runx-go/runx/internal/sandbox/fsroot"
	"github.com/runx-go/runx/internal/skills"
)

const (
	manualName  = "SKILL.md"
	profileName = "X.yaml"
)

// findManual chooses SKILL.md, else skill.md. Names are those of the directory's list, so that a file
// system that ignores case gives the same answer as one that does not.
// complete is false when the list is cut: then nothing can be said to be missing.
func (a *admitter) findManual(complete bool) {
	const lower = "skill.md"
	other := ""
	for _, f := range a.files {
		switch {
		case f.path == manualName:
			a.manual.path = manualName
		case isManualName(f.path) && (other == "" || f.path == lower):
			other = f.path
		}
	}
	at := skills.Position{File: other}
	switch {
	case a.manual.path != "" && other == lower:
		a.warn(at, "skill_md_case", "remove skill.md", "the package has both SKILL.md and skill.md: SKILL.md is used")
	case a.manual.path != "":
	case other == lower:
		a.manual.path = lower
		a.warn(at, "skill_md_case", "rename it to SKILL.md", "the manual is called skill.md, not SKILL.md")
	case other != "":
		a.fault(at, "skill_md_missing", "rename "+other+" to SKILL.md", "the package has no SKILL.md, only %s", other)
	case complete && !a.refusedFile(isManualName):
		a.fault(skills.Position{File: manualName}, "skill_md_missing", "add SKILL.md with a name and a description", "the directory has no SKILL.md")
	}
}

// findProfile chooses X.yaml and reports names that only look like it.
func (a *admitter) findProfile() {
	other := ""
	for _, f := range a.files {
		switch {
		case f.path == profileName:
			a.profile.path = profileName
		case isProfileName(f.path) && other == "":
			other = f.path
		}
	}
	at := skills.Position{File: other}
	switch {
	case other == "":
	case a.profile.path != "":
		a.warn(at, "x_yaml_name", "remove "+other, "the package has both X.yaml and %s: X.yaml is used", other)
	default:
		a.fault(at, "x_yaml_name", "rename it to X.yaml", "the profile must be called X.yaml, not %s", other)
	}
}

// refusedFile reports whether a top-level entry of such a name was refused as a link or path: then
// it is not missing.
func (a *admitter) refusedFile(named func(string) bool) bool {
	for _, f := range a.findings {
		if named(f.File) {
			return true
		}
	}
	return false
}

// readDocument reads SKILL.md or X.yaml whole. False means that there is nothing to parse.
func (a *admitter) readDocument(d *document) bool {
	if d.path == "" {
		return false
	}
	data, err := a.dir.ReadLimited(a.sourceOf(d.path), textBytes)
	if _, ok := errors.AsType[*fsroot.TooLargeError](err); ok {
		a.fault(skills.Position{File: d.path}, "yaml_limit", "", "%s has more than %d bytes", d.path, textBytes)
		return false
	}
	if err != nil {
		a.unreadable(d.path, err)
		return false
	}
	d.data, d.read = data, true
	return true
}

func (a *admitter) sourceOf(path string) fsroot.RelPath {
	for _, f := range a.files {
		if f.path == path {
			return f.source
		}
	}
	return fsroot.RelPath(path)
}
