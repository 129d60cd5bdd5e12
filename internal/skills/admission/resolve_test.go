package admission

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/runx-go/runx/internal/skills"
)

func named(name string) string { return "---\nname: " + name + "\ndescription: d\n---\n" }

func TestResolve(t *testing.T) {
	dir := tree(t, map[string]string{
		"cwd/skills/tidy/SKILL.md":             named("tidy"),
		"cwd/skills/group/sort/SKILL.md":       named("sorter"),
		"cwd/skills/broken/SKILL.md":           "---\nname: @scope/x\n---\n",
		"cwd/skills/a/b/c/d/e/f/SKILL.md":      named("six"),
		"cwd/skills/a/b/c/d/e/f/g/SKILL.md":    named("seven"),
		"cwd/skills/node_modules/m/SKILL.md":   named("module"),
		"cwd/skills/one/SKILL.md":              named("same"),
		"cwd/.agents/skills/two/SKILL.md":      named("same"),
		"cwd/.agents/skills/lower/skill.md":    named("lower"),
		"cwd/skills/linked":                    "->../../elsewhere",
		"cwd/skills/loop":                      "->.",
		"cwd/tidy/SKILL.md":                    named("path-first"),
		"cwd/registry:x/SKILL.md":              named("odd"),
		"cwd/file.txt":                         "",
		"cwd/dangling":                         "->none",
		"elsewhere/SKILL.md":                   named("far"),
		"workspace/skills/far/SKILL.md":        named("far"),
		"workspace/skills/ours/SKILL.md":       named("ours"),
		"workspace/skills/tidy/SKILL.md":       named("sorter"),
		"workspace/skills/left/right/SKILL.md": named("twin"),
		"workspace/skills/again":               "->left",
	})
	notFoundBelow := func(name string) string {
		return fmt.Sprintf("cannot find package %q: there is no such path, and no skill of that name below skills, .agents/skills", name)
	}
	tests := []struct {
		name, ref string
		want      string
		err       *ChoiceError
	}{
		{name: "path before name", ref: "tidy", want: "cwd/tidy"},
		{name: "manual", ref: "skills/tidy/SKILL.md", want: "cwd/skills/tidy"},
		{name: "parent", ref: "../elsewhere", want: "elsewhere"},
		{name: "absolute", ref: join(dir, "elsewhere"), want: "elsewhere"},
		{name: "a link is resolved", ref: "skills/linked", want: "elsewhere"},
		{name: "name", ref: "sorter", want: "cwd/skills/group/sort"},
		{name: "name of the second root", ref: "lower", want: "cwd/.agents/skills/lower"},
		{name: "directory of an unreadable manual", ref: "broken", want: "cwd/skills/broken"},
		{name: "six directories below", ref: "six", want: "cwd/skills/a/b/c/d/e/f"},
		{name: "seven directories below", ref: "seven", err: &ChoiceError{Code: "package_not_found", Msg: notFoundBelow("seven"), Hint: "name its directory, or run runx skill list"}},
		{name: "node_modules", ref: "module", err: &ChoiceError{Code: "package_not_found", Msg: notFoundBelow("module"), Hint: "name its directory, or run runx skill list"}},
		{name: "behind a link, before the workspace", ref: "far", want: "elsewhere"},
		{name: "workspace", ref: "ours", want: "workspace/skills/ours"},
		{name: "one directory by two paths", ref: "twin", want: "workspace/skills/left/right"},
		{name: "two of a name", ref: "same", err: &ChoiceError{Code: "skill_ambiguous", Hint: "name one of them by its path",
			Msg: fmt.Sprintf(`cannot choose a skill named "same": it is in %s and in %s`, join(dir, "cwd/.agents/skills/two"), join(dir, "cwd/skills/one"))}},
		{name: "mistyped", ref: "sortr", err: &ChoiceError{Code: "package_not_found", Msg: notFoundBelow("sortr"), Hint: `did you mean "sorter"?`}},
		{name: "no name", ref: "", err: &ChoiceError{Code: "package_not_found", Msg: "cannot find a package without a name", Hint: "name a directory or a skill"}},
		{name: "another file", ref: "file.txt", err: &ChoiceError{Code: "package_not_found", Hint: "name the directory, its SKILL.md or its X.yaml",
			Msg: "cannot find package file.txt: it is neither a directory nor a SKILL.md or X.yaml"}},
		{name: "registry", ref: "registry:y", err: registry("registry:y")},
		{name: "a path that looks like a registry", ref: "registry:x", want: "cwd/registry:x"},
		{name: "registry of runx", ref: "runx-registry:a/b", err: registry("runx-registry:a/b")},
		{name: "address", ref: "runx://a/b", err: registry("runx://a/b")},
		{name: "owner and version", ref: "owner/name@1.2", err: registry("owner/name@1.2")},
		{name: "no version", ref: "owner/name", err: &ChoiceError{Code: "package_not_found", Msg: notFoundBelow("owner/name"), Hint: "name its directory, or run runx skill list"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if strings.Contains(tt.ref, ":x") {
				needUnixNames(t)
			}
			got, err := Resolve(t.Context(), tt.ref, join(dir, "cwd"), join(dir, "workspace"), []string{"skills", ".agents/skills"})
			choice, _ := errors.AsType[*ChoiceError](err)
			if diff := cmp.Diff(tt.err, choice); diff != "" {
				t.Fatalf("error (-want +got):\n%s", diff)
			}
			if err == nil && relative(t, dir, got) != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
	if _, err := Resolve(t.Context(), "dangling", join(dir, "cwd"), "", nil); err == nil || !strings.HasPrefix(err.Error(), "cannot find package dangling: ") {
		t.Errorf("dangling: got %v", err)
	}
}

func registry(ref string) *ChoiceError {
	return &ChoiceError{Code: "registry_unsupported", Hint: "copy the package into the workspace and name its directory",
		Msg: fmt.Sprintf("cannot load %q: this version of runx has no registry", ref)}
}

func TestDiscover(t *testing.T) {
	valid := named("valid")
	dir := tree(t, map[string]string{
		"cwd/skills/valid/SKILL.md":         valid,
		"cwd/skills/valid/X.yaml":           "runners: {b: {type: cli-tool, command: x}, a: {type: mcp}}\n",
		"cwd/skills/valid/inner/SKILL.md":   named("inner"),
		"cwd/skills/valid/graph/s/X.yaml":   "runners: {}\n",
		"cwd/skills/colon/SKILL.md":         "---\nname: colon\ndescription: Use it when: always\n---\n",
		"cwd/skills/hint/SKILL.md":          "---\nname: hint\nargument-hint: [a] - x\n---\n",
		"cwd/skills/scope/SKILL.md":         "---\nname: @scope/x\n---\n",
		"cwd/skills/percent/SKILL.md":       "---\nname: percent\ndescription: %d items\n---\n",
		"cwd/skills/tab/SKILL.md":           "---\nname: tab\n\tdescription: d\n---\n",
		"cwd/skills/profile/SKILL.md":       named("profile"),
		"cwd/skills/profile/X.yaml":         "runners: {main: {type: cli-tool, comand: x}}\n",
		"cwd/skills/shared/SKILL.md":        "->../../shared.md",
		"cwd/skills/none/README.md":         "",
		"cwd/skills/alias":                  "->valid",
		"cwd/skills/dang":                   "->nowhere",
		"cwd/skills/loop":                   "->.",
		"cwd/skills/ring":                   "->ring",
		"cwd/shared.md":                     named("shared"),
		"workspace/skills/far/SKILL.md":     named("far"),
		"workspace/skills/back":             "->../../cwd/skills/valid",
		"workspace/skills/.git/no/SKILL.md": named("no"),
	})
	entries, problems, err := Discover(t.Context(), join(dir, "cwd"), join(dir, "workspace"), []string{"skills", ".agents/skills"}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	type row struct {
		Name, Kind, Dir string
		Runners         []string
		Reasons         []string
	}
	var got []row
	for _, e := range entries {
		if (e.Package == nil) != (e.Kind == KindInvalid) {
			t.Errorf("%s: kind %s with package %v", e.Name, e.Kind, e.Package)
		}
		r := row{Name: e.Name, Kind: e.Kind, Dir: relative(t, dir, e.Dir), Runners: e.Runners}
		for _, code := range codes(e.Reasons) {
			code = strings.TrimPrefix(code, "error ")
			if strings.HasPrefix(code, "yaml_syntax ") { // the column belongs to the codec
				code = code[:strings.LastIndexByte(code, ':')]
			}
			r.Reasons = append(r.Reasons, code)
		}
		got = append(got, r)
	}
	want := []row{
		{Name: "colon", Kind: "invalid", Dir: "cwd/skills/colon", Reasons: []string{"yaml_syntax SKILL.md:3"}},
		{Name: "hint", Kind: "invalid", Dir: "cwd/skills/hint", Reasons: []string{"yaml_syntax SKILL.md:3"}},
		{Name: "percent", Kind: "invalid", Dir: "cwd/skills/percent", Reasons: []string{"yaml_syntax SKILL.md:3"}},
		{Name: "profile", Kind: "invalid", Dir: "cwd/skills/profile", Runners: []string{"main"},
			Reasons: []string{"field_missing X.yaml:1:11", "unknown_key X.yaml:1:34"}},
		{Name: "scope", Kind: "invalid", Dir: "cwd/skills/scope", Reasons: []string{"yaml_syntax SKILL.md:2"}},
		{Name: "shared", Kind: "invalid", Dir: "cwd/skills/shared", Reasons: []string{"package_link SKILL.md"}},
		{Name: "tab", Kind: "invalid", Dir: "cwd/skills/tab", Reasons: []string{"yaml_syntax SKILL.md:3"}},
		{Name: "valid", Kind: "executable", Dir: "cwd/skills/valid", Runners: []string{"b", "a"}},
		{Name: "inner", Kind: "manual", Dir: "cwd/skills/valid/inner"},
		{Name: "far", Kind: "manual", Dir: "workspace/skills/far"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("entries (-want +got):\n%s", diff)
	}
	var links []string
	for _, p := range problems {
		links = append(links, relative(t, dir, p.File)+" "+p.Message)
	}
	if diff := cmp.Diff([]string{
		`cwd/skills/dang the link leads to "nowhere", which does not exist`,
		`cwd/skills/loop the link leads to ".", which contains it`,
		`cwd/skills/ring the link leads to "ring", which cannot be followed, as a link that leads to itself`,
	}, links); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

func TestDiscoverNothing(t *testing.T) {
	dir := tree(t, map[string]string{"file": ""})
	for _, paths := range [][]string{nil, {"none"}, {"file"}} {
		entries, problems, err := Discover(t.Context(), dir, "", paths, Options{})
		if len(entries) > 0 || len(problems) > 0 || err != nil {
			t.Errorf("%q: %v, %v, %v, want nothing", paths, entries, problems, err)
		}
	}
}

func TestDiscoverFoldsCase(t *testing.T) {
	dir := tree(t, map[string]string{"skills/a/SKILL.md": named("a")})
	s := newSearch([]string{join(dir, "skills")}, true)
	s.enter(place{real: strings.ToUpper(join(dir, "skills"))})
	if len(s.queue) != 1 {
		t.Errorf("two spellings of one directory are queued: %v", s.queue)
	}
}

func TestNestedPackageCountsInTheOuterOne(t *testing.T) {
	dir := tree(t, map[string]string{"SKILL.md": goodManual, "inner/SKILL.md": named("inner")})
	outer, err := Load(t.Context(), dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if want := digestOf([2]string{"SKILL.md", goodManual}, [2]string{"inner/SKILL.md", named("inner")}); outer.Digest != want {
		t.Errorf("digest %s, want %s", outer.Digest, want)
	}
	var none *skills.Profile
	if outer.Profile != none {
		t.Error("a manual has a profile")
	}
}
