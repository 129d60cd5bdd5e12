package manifest

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/runx-go/runx/internal/skills"
	"github.com/runx-go/runx/internal/skills/codec"
	"golang.org/x/text/unicode/norm"
)

// CheckStandard applies the open Agent Skills standard to SKILL.md (validate only). dirName is the
// name of the directory in any Unicode form; "" skips the comparison. What ParseManual reports as an
// error, such as a missing name, is not reported again; a file without a readable frontmatter gives
// no finding here.
func CheckStandard(file string, data []byte, dirName string) []skills.Finding {
	r := &reader{file: file}
	front, ok := r.frontmatter(data)
	if !ok || front.doc.Root.Kind != codec.Mapping {
		return nil
	}
	r.faults = findings{} // of the YAML: ParseManual has them
	root := front.doc.Root
	for _, pair := range root.Pairs {
		if key := pair.Key.Text; !slices.Contains(standardKeys(), key) {
			r.fault(pair.Key, "standard_key", nearHint(key, standardKeys()), "the open standard has no key %q", shorten(key))
		}
	}
	if n := root.Get("name"); n != nil && n.Kind == codec.Scalar && strings.TrimSpace(n.Text) != "" {
		r.standardName(n, dirName)
	}
	r.standardDescription(root)
	if n := root.Get("license"); n != nil {
		r.standardText(n, "license", "standard_license")
	}
	if n := root.Get("compatibility"); n != nil && r.standardText(n, "compatibility", "standard_compatibility") {
		if count := utf8.RuneCountInString(n.Text); count < 1 || count > compatibilityChars {
			r.fault(n, "standard_compatibility", "", "compatibility must have 1 to %d characters, it has %d", compatibilityChars, count)
		}
	}
	if n := root.Get("metadata"); n != nil {
		r.standardMetadata(n)
	}
	if n := root.Get("allowed-tools"); n != nil && (n.Kind != codec.Scalar || n.Empty) {
		r.fault(n, "standard_allowed_tools", "write the entries as one string, separated by blanks",
			"allowed-tools must be a string, found %s", found(n))
	}
	r.standardStyle(root, front)
	return r.done()
}

// standardText checks that a field is a string.
func (r *reader) standardText(n *codec.Node, field, code string) bool {
	if n.Kind != codec.Scalar || n.Empty {
		r.fault(n, code, "", "%s must be a string, found %s", field, found(n))
		return false
	}
	return true
}

func (r *reader) standardName(n *codec.Node, dirName string) {
	const code = "standard_name"
	name := norm.NFKC.String(strings.TrimSpace(n.Text))
	if count := utf8.RuneCountInString(name); count > nameChars {
		r.fault(n, code, "", "name must have 1 to %d characters, it has %d", nameChars, count)
	}
	for _, c := range name {
		if c != '-' && !unicode.IsLetter(c) && !unicode.IsDigit(c) {
			r.fault(n, code, "use letters, digits and -", "name must not contain %q", c)
			break
		}
	}
	if lower := strings.ToLower(name); lower != name {
		r.fault(n, code, didYouMean(shorten(lower)), "name must be in lower case")
	}
	if strings.HasPrefix(name, "-") || strings.HasSuffix(name, "-") {
		r.fault(n, code, "", "name must not begin or end with -")
	}
	if strings.Contains(name, "--") {
		r.fault(n, code, "", "name must not contain --")
	}
	if dir := norm.NFKC.String(dirName); dir != "" && dir != name {
		r.fault(n, code, "rename the directory or the skill", "name is %q, but the directory is called %q", shorten(name), shorten(dir))
	}
}

func (r *reader) standardDescription(root *codec.Node) {
	const code = "standard_description"
	n := root.Get("description")
	if n == nil {
		r.fault(root, code, "say what the skill does and when to use it", "the frontmatter has no description")
		return
	}
	if !r.standardText(n, "description", code) {
		return
	}
	if strings.TrimSpace(n.Text) == "" {
		r.fault(n, code, "say what the skill does and when to use it", "description must not be blank")
	}
	if count := utf8.RuneCountInString(n.Text); count > descriptionChars {
		r.fault(n, code, "move details into the body", "description must have at most %d characters, it has %d", descriptionChars, count)
	}
}

func (r *reader) standardMetadata(n *codec.Node) {
	const code = "standard_metadata"
	if n.Kind != codec.Mapping {
		r.fault(n, code, "", "metadata must be a mapping, found %s", found(n))
		return
	}
	for _, pair := range n.Pairs {
		if pair.Value.Kind != codec.Scalar {
			r.fault(pair.Value, code, "write it as one string", "metadata %q must be a string, found %s", shorten(pair.Key.Text), found(pair.Value))
		}
	}
}

// standardStyle adds the two warnings about style.
func (r *reader) standardStyle(root *codec.Node, front front) {
	var walk func(n *codec.Node)
	walk = func(n *codec.Node) {
		if n.Flow {
			r.warn(n, "standard_flow", "write it in block form", "the standard's checker refuses [ ] and { } in the frontmatter")
			return
		}
		for _, item := range n.Items {
			walk(item)
		}
		for _, pair := range n.Pairs {
			walk(pair.Value)
		}
	}
	walk(root)
	lines := bytes.Count(front.body, []byte{'\n'})
	if len(front.body) > 0 && front.body[len(front.body)-1] != '\n' {
		lines++
	}
	if lines > manualLines {
		r.warn(&codec.Node{Line: front.bodyLine, Col: 1}, "manual_long", "move details into files beside SKILL.md",
			"the body has %d lines, the standard advises at most %d", lines, manualLines)
	}
}
