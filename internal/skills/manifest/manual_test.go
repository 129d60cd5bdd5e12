package manifest

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/runx-go/runx/internal/skills"
)

func TestParseManual(t *testing.T) {
	tests := []struct {
		name, text string
		want       skills.Manual
		findings   []string
	}{
		{name: "plain", text: "---\nname: a\ndescription: b\n---\nbody\n", want: skills.Manual{Name: "a", Description: "b", Body: []byte("body\n"), BodyLine: 5}},
		{name: "a body like a frontmatter", text: "--- \nname: a\n---\t\n\ufeff---\nx: y\n---\n", want: skills.Manual{Name: "a", Body: []byte("\ufeff---\nx: y\n---\n"), BodyLine: 4}},
		{name: "words", text: "---\nname: 007\ndescription: 1.10\nlicense: no\n---\n", want: skills.Manual{Name: "007", Description: "1.10", Body: []byte{}, BodyLine: 6}},
		{name: "no mapping", text: "---\n- a\n---\n", want: skills.Manual{Body: []byte{}, BodyLine: 4},
			findings: []string{"frontmatter 2:1 the frontmatter must be a mapping, found a list | write name: and description: between the fences"}},
		{name: "nothing between the fences", text: "---\n---\nb", want: skills.Manual{Body: []byte("b"), BodyLine: 3},
			findings: []string{"manual_name 2:1 the frontmatter has no name | write name: and description: between the fences"}},
		{name: "no name", text: "---\ndescription: b\n---\n", want: skills.Manual{Description: "b", Body: []byte{}, BodyLine: 4},
			findings: []string{"manual_name 2:1 the frontmatter has no name | add name: to the frontmatter"}},
		{name: "empty name", text: "---\nname:\n---\n", want: skills.Manual{Body: []byte{}, BodyLine: 4}, findings: []string{"manual_name 2:6 name must not be empty"}},
		{name: "blank name", text: "---\nname: ' '\n---\n", want: skills.Manual{Body: []byte{}, BodyLine: 4}, findings: []string{"manual_name 2:7 name must not be empty"}},
		{name: "a list for a name", text: "---\nname: [a]\ndescription: [b]\n---\n", want: skills.Manual{Body: []byte{}, BodyLine: 5},
			findings: []string{"yaml_type 2:7 name must be a string, found a list"}},
		{name: "duplicate key", text: "---\nname: a\nname: b\nrunners: x\n---\nb", want: skills.Manual{Name: "a", Body: []byte("b"), BodyLine: 6}, findings: []string{
			`duplicate_key 3:1 the key "name" is given twice, on line 2 and line 3 | keep one of them`,
			`warning frontmatter_key 4:1 the key "runners" has no effect in SKILL.md: it belongs in X.yaml | move it to X.yaml`,
		}},
		{name: "keys without effect", text: "---\nname: a\nallowed_tools: x\nregistry_owner: y\nlicence: z\n---\n", want: skills.Manual{Name: "a", Body: []byte{}, BodyLine: 7}, findings: []string{
			`warning frontmatter_key 3:1 the key "allowed_tools" has no effect in SKILL.md: it belongs in X.yaml | move it to X.yaml`,
			`warning frontmatter_key 4:1 the key "registry_owner" is not part of the standard and has no effect | known: name, description, license, compatibility, metadata, allowed-tools`,
			`warning frontmatter_key 5:1 the key "licence" is not part of the standard and has no effect | did you mean "license"?`,
		}},
		{name: "cut comment", text: "---\nname: fix #12 now\n---\n", want: skills.Manual{Name: "fix", Body: []byte{}, BodyLine: 4}, findings: []string{
			`warning yaml_comment 2:11 the value ends before "#12": a # after a blank begins a comment | quote the value if the # belongs to it, or put a blank after the #`}},
		{name: "empty file", findings: []string{"frontmatter 1:1 the file is empty | begin the file with ---, name: …, description: …, ---"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, findings := ParseManual("SKILL.md", []byte(tt.text))
			if diff := cmp.Diff(tt.findings, lines(findings)); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("manual (-want +got):\n%s", diff)
			}
		})
	}
}

func TestCheckStandard(t *testing.T) {
	const rest = "\ndescription: d\n---\n"
	long := func(n int) string { return strings.Repeat("é", n) }
	tests := []struct {
		name, text, dir string
		want            []string
	}{
		{name: "good", text: "---\nname: a-1\ndescription: d\nlicense: MIT\ncompatibility: all\nallowed-tools: a b\nmetadata:\n  x: 1\n  y: no\n---\n", dir: "a-1"},
		{name: "letters of any script", text: "---\nname: заметки-३" + rest, dir: "заметки-३"},
		{name: "another Unicode form of the directory", text: "---\nname: caf\u00e9" + rest, dir: "cafe\u0301"},
		{name: "compatibility form", text: "---\nname: \uff41b" + rest, dir: "ab"},
		{name: "64 characters", text: "---\nname: " + long(64) + rest, dir: long(64)},
		{name: "65 characters", text: "---\nname: " + long(65) + rest, want: []string{"standard_name 2:7 name must have 1 to 64 characters, it has 65"}},
		{name: "another directory", text: "---\nname: a" + rest, dir: "b", want: []string{`standard_name 2:7 name is "a", but the directory is called "b" | rename the directory or the skill`}},
		{name: "every rule of names", text: "---\nname: -A_b--c-" + rest, want: []string{
			"standard_name 2:7 name must not contain '_' | use letters, digits and -",
			`standard_name 2:7 name must be in lower case | did you mean "-a_b--c-"?`,
			"standard_name 2:7 name must not begin or end with -", "standard_name 2:7 name must not contain --",
		}},
		{name: "no description", text: "---\nname: a\n---\n", want: []string{"standard_description 2:1 the frontmatter has no description | say what the skill does and when to use it"}},
		{name: "blank description", text: "---\nname: a\ndescription: ' '\n---\n", want: []string{"standard_description 3:14 description must not be blank | say what the skill does and when to use it"}},
		{name: "1024 characters", text: "---\nname: a\ndescription: " + long(1024) + "\n---\n"},
		{name: "1025 characters", text: "---\nname: a\ndescription: " + long(1025) + "\n---\n", want: []string{
			"standard_description 3:14 description must have at most 1024 characters, it has 1025 | move details into the body"}},
		{name: "500 characters", text: "---\nname: a\ncompatibility: " + long(500) + rest},
		{name: "501 characters", text: "---\nname: a\ncompatibility: " + long(501) + rest, want: []string{"standard_compatibility 3:16 compatibility must have 1 to 500 characters, it has 501"}},
		{name: "wrong types", text: "---\nname: a\ndescription: {}\nlicense:\ncompatibility: ''\nallowed-tools:\n  - a\nmetadata:\n  a: {b: c}\n---\n", want: []string{
			"standard_description 3:14 description must be a string, found a mapping",
			"warning standard_flow 3:14 the standard's checker refuses [ ] and { } in the frontmatter | write it in block form",
			"standard_license 4:9 license must be a string, found no value",
			"standard_compatibility 5:16 compatibility must have 1 to 500 characters, it has 0",
			"standard_allowed_tools 7:3 allowed-tools must be a string, found a list | write the entries as one string, separated by blanks",
			`standard_metadata 9:6 metadata "a" must be a string, found a mapping | write it as one string`,
			"warning standard_flow 9:6 the standard's checker refuses [ ] and { } in the frontmatter | write it in block form",
		}},
		{name: "metadata as a string", text: "---\nname: a\nmetadata: x" + rest, want: []string{`standard_metadata 3:11 metadata must be a mapping, found "x"`}},
		{name: "another key", text: "---\nname: a\nversion: 1" + rest, want: []string{
			`standard_key 3:1 the open standard has no key "version" | known: name, description, license, compatibility, metadata, allowed-tools`}},
		{name: "500 lines", text: "---\nname: a" + rest + strings.Repeat("\n", 499) + "end"},
		{name: "501 lines", text: "---\nname: a" + rest + strings.Repeat("\n", 501), want: []string{
			"warning manual_long 5:1 the body has 501 lines, the standard advises at most 500 | move details into files beside SKILL.md"}},
		{name: "left to ParseManual: no name", text: "---\ndescription: d\n---\n"},
		{name: "left to ParseManual: no frontmatter", text: "text"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, lines(CheckStandard("SKILL.md", []byte(tt.text), tt.dir))); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}
