package admission

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func refusal(t *testing.T, dir string, opts Options) (*Package, []string) {
	t.Helper()
	p, err := Load(t.Context(), dir, opts)
	if err == nil {
		return p, nil
	}
	refused, ok := errors.AsType[*RefusedError](err)
	if !ok {
		t.Fatalf("Load: %v, want a *RefusedError", err)
	}
	if p != nil {
		t.Error("a refused package was returned")
	}
	return nil, codes(refused.Reasons)
}

func TestLoadFiles(t *testing.T) {
	profile := goodProfile
	tests := []struct {
		name     string
		files    map[string]string
		refused  []string // nil: accepted
		warnings []string
	}{
		{name: "manual and profile", files: map[string]string{"SKILL.md": goodManual, "X.yaml": profile}, warnings: []string{}},
		{name: "manual alone", files: map[string]string{"SKILL.md": goodManual}, warnings: []string{}},
		{name: "byte-order mark and CRLF", files: map[string]string{
			"SKILL.md": "\ufeff" + strings.ReplaceAll(goodManual, "\n", "\r\n"), "X.yaml": "\ufeff" + strings.ReplaceAll(profile, "\n", "\r\n"),
		}, warnings: []string{}},
		{name: "UTF-16", files: map[string]string{"SKILL.md": goodManual, "X.yaml": "\xff\xfes\x00"}, refused: []string{"error encoding X.yaml:1:1"}},
		{name: "empty directory", refused: []string{"error skill_md_missing SKILL.md"}},
		{name: "profile alone", files: map[string]string{"X.yaml": profile}, refused: []string{"error skill_md_missing SKILL.md"}},
		{name: "empty manual", files: map[string]string{"SKILL.md": ""}, refused: []string{"error frontmatter SKILL.md:1:1"}},
		{name: "unclosed frontmatter", files: map[string]string{"SKILL.md": "---\nname: tidy\n"}, refused: []string{"error frontmatter SKILL.md:1:1"}},
		{name: "no name", files: map[string]string{"SKILL.md": "---\ndescription: d\n---\n"}, refused: []string{"error manual_name SKILL.md:2:1"}},
		{name: "lower-case manual", files: map[string]string{"skill.md": goodManual}, warnings: []string{"warning skill_md_case skill.md"}},
		{name: "both manuals", files: map[string]string{"skill.md": "not read", "SKILL.md": goodManual}, warnings: []string{"warning skill_md_case skill.md"}},
		{name: "manual of another case", files: map[string]string{"Skill.md": goodManual}, refused: []string{"error skill_md_missing Skill.md"}},
		{name: "both of another case", files: map[string]string{"Skill.md": "no", "skill.md": goodManual, "sKill.md": "no"}, warnings: []string{"warning skill_md_case skill.md"}},
		{name: "x.yaml", files: map[string]string{"SKILL.md": goodManual, "x.yaml": profile}, refused: []string{"error x_yaml_name x.yaml"}},
		{name: "X.yml", files: map[string]string{"SKILL.md": goodManual, "X.yml": profile}, refused: []string{"error x_yaml_name X.yml"}},
		{name: "X.yml beside X.yaml", files: map[string]string{"SKILL.md": goodManual, "X.yaml": profile, "X.yml": "a"}, warnings: []string{"warning x_yaml_name X.yml"}},
		{name: "x.yaml below", files: map[string]string{"SKILL.md": goodManual, "data/x.yaml": "a"}, warnings: []string{}},
		{name: "another name in the profile", files: map[string]string{"SKILL.md": goodManual, "X.yaml": strings.Replace(profile, "tidy", "tydi", 1)},
			refused: []string{"error skill_name_mismatch X.yaml:1:8"}},
		{name: "every reason, in file order", files: map[string]string{
			"SKILL.md": "---\nname:\n  - a\n---\n", "X.yaml": "runner: {}\n", "z": "->none", "a\tb": "",
		}, refused: []string{
			"error yaml_type SKILL.md:3:3", "error unknown_key X.yaml:1:1", "error field_missing X.yaml:1:1",
			"error package_path a\tb", "error package_link z",
		}},
		{name: "backslash", files: map[string]string{"SKILL.md": goodManual, `data/a\b`: ""}, refused: []string{`error package_path data/a\b`}},
		{name: "ignored entries", files: map[string]string{
			"SKILL.md": goodManual, ".git/a\tb": "", "x/.runx": "->none", "x/y/__pycache__/l": "->..", "x/.DS_Store": "->/",
		}, warnings: []string{}},
		{name: "foreign frontmatter keys", files: map[string]string{"SKILL.md": "---\nname: tidy\nruns: 1\nruners: x\nrunners: {}\n---\n"},
			warnings: []string{"warning frontmatter_key SKILL.md:3:1", "warning frontmatter_key SKILL.md:4:1", "warning frontmatter_key SKILL.md:5:1"}},
		{name: "yaml style is for validate", files: map[string]string{"SKILL.md": goodManual, "X.yaml": profile + "      n: {default: 0123}\n    description: fix #12 now\n"}, warnings: []string{}},
		{name: "too large manual", files: map[string]string{"SKILL.md": goodManual + strings.Repeat("a", int(textBytes)-len(goodManual)+1)}, refused: []string{"error yaml_limit SKILL.md"}},
		{name: "largest manual", files: map[string]string{"SKILL.md": goodManual + strings.Repeat("a", int(textBytes)-len(goodManual))}, warnings: []string{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if strings.Contains(strings.Join(keys(tt.files), ""), `\`) || strings.Contains(strings.Join(keys(tt.files), ""), "\t") {
				needUnixNames(t)
			}
			if strings.HasPrefix(tt.name, "both ") || tt.name == "X.yml beside X.yaml" {
				needCase(t)
			}
			p, refused := refusal(t, tree(t, tt.files), Options{})
			if diff := cmp.Diff(tt.refused, refused); diff != "" {
				t.Errorf("reasons (-want +got):\n%s", diff)
			}
			if p == nil {
				return
			}
			if diff := cmp.Diff(tt.warnings, codes(p.Warnings)); diff != "" {
				t.Errorf("warnings (-want +got):\n%s", diff)
			}
			if p.Name != "tidy" {
				t.Errorf("name %q, want tidy", p.Name)
			}
		})
	}
}

func TestLoadReferences(t *testing.T) {
	dir := tree(t, map[string]string{"p/SKILL.md": goodManual, "p/X.yaml": goodProfile, "link": "->p", "dangling": "->none", "file": ""})
	want, err := Load(t.Context(), dir+"/p", Options{})
	if err != nil {
		t.Fatal(err)
	}
	if want.Dir != join(dir, "p") {
		t.Errorf("Dir %s, want %s", want.Dir, join(dir, "p"))
	}
	for _, ref := range []string{"p/SKILL.md", "p/X.yaml", "link", "link/X.yaml"} {
		p, err := Load(t.Context(), join(dir, ref), Options{})
		if err != nil || p.Dir != want.Dir || p.Digest != want.Digest {
			t.Errorf("Load %s = %v, %v, want the package of p", ref, p, err)
		}
	}
	for ref, message := range map[string]string{
		"none":     "cannot find package " + join(dir, "none") + ": no such file or directory",
		"dangling": "cannot find package " + join(dir, "dangling") + ": no such file or directory",
		"file":     "cannot find package " + join(dir, "file") + ": it is neither a directory nor a SKILL.md or X.yaml",
	} {
		_, err := Load(t.Context(), join(dir, ref), Options{})
		choice, ok := errors.AsType[*ChoiceError](err)
		if !ok || choice.Code != "package_not_found" {
			t.Fatalf("Load %s: %v, want package_not_found", ref, err)
		}
		if goos() != "windows" && err.Error() != message {
			t.Errorf("got %q, want %q", err, message)
		}
	}
}

func TestLoadKeepsWords(t *testing.T) {
	p, err := Load(t.Context(), tree(t, map[string]string{
		"SKILL.md": "---\nname: 007\ndescription: no\n---\n---\nbody \xff\n",
		"X.yaml":   "version: 1.10\nrunners:\n  r: {type: cli-tool, command: 'no', args: [0x1f, null, yes]}\n",
	}), Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := p.Runner("")
	if err != nil {
		t.Fatal(err)
	}
	type words struct{ Name, Description, Body, Skill, Version, Args string }
	tool := cliTool(t, r)
	got := words{p.Name, p.Manual.Description, string(p.Manual.Body), p.Profile.Skill, p.Profile.Version, tool.Args[0].Text + tool.Args[1].Text + tool.Args[2].Text}
	if want := (words{"007", "no", "---\nbody \xff\n", "007", "1.10", "0x1fnullyes"}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestRefusedErrorIsShort(t *testing.T) {
	_, err := Load(t.Context(), tree(t, map[string]string{"SKILL.md": goodManual, "X.yaml": "a: 1\nb: 1\nc: 1\nd: 1\nrunners: {r: {type: graph, graph: {}}}\n"}), Options{})
	if err == nil || !strings.HasSuffix(err.Error(), "; and 1 more") || strings.Contains(err.Error(), "\n") {
		t.Errorf("got %v, want one line with three reasons and a count", err)
	}
}
