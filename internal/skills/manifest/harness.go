package manifest

import "github.com/runx-go/runx/internal/skills/codec"

// harness checks the outer level of the harness; its cases are not read by this version.
func (r *reader) harness(pair codec.Pair) {
	if !r.mapping(pair.Value, "harness") {
		return
	}
	r.closed(pair.Value, "harness", []string{"files", "cases"}, func(pair codec.Pair) bool {
		switch pair.Key.Text {
		case "files":
			r.texts(pair.Value, "harness.files", "a file of harness.files", r.filled)
		case "cases":
			r.harnessCases(pair.Value)
		default:
			return false
		}
		return true
	})
	r.warn(pair.Key, "field_ignored", "", "this version of runx does not run the harness of a package")
}

func (r *reader) harnessCases(n *codec.Node) {
	if !r.list(n, "harness.cases") {
		return
	}
	for _, item := range n.Items {
		if !r.mapping(item, "a case of harness.cases") {
			continue
		}
		name := item.Get("name")
		if name == nil {
			r.fault(item, "field_missing", "add name:", "a case of harness.cases has no name")
			continue
		}
		r.filled(name, "the name of a case")
	}
}
