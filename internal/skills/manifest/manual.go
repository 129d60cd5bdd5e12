package manifest

import (
	"slices"
	"strings"

	"github.com/runx-go/runx/internal/skills"
	"github.com/runx-go/runx/internal/skills/codec"
)

// ParseManual decodes SKILL.md (skills 1.3). findings has every fault and warning in source order:
// those of severity error stop a run. m holds what could be read, also beside faults. A description
// that is no string is left empty: only CheckStandard reports it.
func ParseManual(file string, data []byte) (m skills.Manual, findings []skills.Finding) {
	r := &reader{file: file}
	front, ok := r.frontmatter(data)
	if !ok {
		return m, r.done()
	}
	m.Body, m.BodyLine = front.body, front.bodyLine
	r.syntaxWarnings(front.doc.Warnings)
	root := front.doc.Root
	if root.Empty {
		r.fault(root, "manual_name", "write name: and description: between the fences", "the frontmatter has no name")
		return m, r.done()
	}
	if root.Kind != codec.Mapping {
		r.fault(root, "frontmatter", "write name: and description: between the fences",
			"the frontmatter must be a mapping, found %s", found(root))
		return m, r.done()
	}
	m.Name = r.manualName(root)
	if n := root.Get("description"); n != nil && n.Kind == codec.Scalar {
		m.Description = n.Text
	}
	for _, pair := range root.Pairs {
		key := pair.Key.Text
		switch {
		case slices.Contains(profileKeys(), key):
			r.warn(pair.Key, "frontmatter_key", "move it to X.yaml", "the key %q has no effect in SKILL.md: it belongs in X.yaml", key)
		case !slices.Contains(standardKeys(), key):
			r.warn(pair.Key, "frontmatter_key", nearHint(key, standardKeys()), "the key %q is not part of the standard and has no effect", shorten(key))
		}
	}
	return m, r.done()
}

// front is a SKILL.md cut into its two parts.
type front struct {
	doc      *codec.Document
	body     []byte
	bodyLine int
}

func (r *reader) frontmatter(data []byte) (front, bool) {
	text, line, body, bodyLine, err := codec.Frontmatter(r.file, data)
	if err != nil {
		r.syntaxFaults(err)
		return front{}, false
	}
	doc, err := codec.ParseYAML(r.file, text, len(text), line-1)
	if err != nil {
		r.syntaxFaults(err)
	}
	return front{doc, body, bodyLine}, doc != nil
}

func (r *reader) manualName(root *codec.Node) string {
	n := root.Get("name")
	switch {
	case n == nil:
		r.fault(root, "manual_name", "add name: to the frontmatter", "the frontmatter has no name")
	case n.Kind != codec.Scalar:
		r.wrongType(n, "name", "a string", "")
	case strings.TrimSpace(n.Text) == "":
		r.fault(n, "manual_name", "", "name must not be empty")
	default:
		return n.Text
	}
	return ""
}

// standardKeys are the keys of the open standard.
func standardKeys() []string {
	return []string{"name", "description", "license", "compatibility", "metadata", "allowed-tools"}
}

// profileKeys are the keys that authors expect to work in SKILL.md and that never do.
func profileKeys() []string {
	return []string{
		"source", "inputs", "outputs", "runners", "credentials", "allowed_tools", "harness", "retry", "risk", "artifacts",
	}
}
