package cli

import (
	"errors"
	"fmt"
	"slices"

	"github.com/runx-go/runx/internal/runtime"
	"github.com/runx-go/runx/internal/skills/codec"
)

// configReader turns the nodes of a file into values of known keys.
type configReader struct {
	source configSource
	file   configFile
}

// fault notes a fault of a key, up to maxConfigFaults.
func (r *configReader) fault(at *codec.Node, key, code, message, hint string) {
	if len(r.file.faults) < maxConfigFaults {
		r.file.faults = append(r.file.faults,
			&codec.SyntaxError{Code: code, File: r.source.path, Line: at.Line, Col: at.Col, Msg: message, Key: key, Hint: hint})
	}
}

func (r *configReader) unknown(at *codec.Node, key string) {
	err := configKeyError(key)
	hint := ""
	if e, ok := errors.AsType[*runtime.Error](err); ok {
		hint = e.Hint
	}
	r.fault(at, key, "config_key", err.Error(), hint)
}

func (r *configReader) document(root *codec.Node) {
	if root.Kind != codec.Mapping {
		r.fault(root, "", "config_type", "configuration must be a mapping of keys", "")
		return
	}
	for _, pair := range root.Pairs {
		name := pair.Key.Text
		switch k, dotted := findKey(name); {
		case dotted:
			words := k.segments()
			r.fault(pair.Key, name, "config_key", fmt.Sprintf("unknown configuration key %q: a dot does not nest here", name),
				fmt.Sprintf("write the key %q below %q", words[1], words[0]))
		case !isGroup(name):
			r.unknown(pair.Key, name)
		case pair.Value.Kind != codec.Mapping:
			r.fault(pair.Value, name, "config_type", fmt.Sprintf("key %q needs a mapping of keys", name), "remove it, or write its keys below it")
		default:
			r.group(name, pair.Value)
		}
	}
}

func (r *configReader) group(group string, node *codec.Node) {
	for _, pair := range node.Pairs {
		k, known := findSegments(group, pair.Key.Text)
		if !known {
			r.unknown(pair.Key, group+"."+pair.Key.Text)
			continue
		}
		texts, at, message := configTexts(k, pair.Value)
		switch {
		case !r.source.allows(k):
			r.misplaced(pair.Key, k, texts, message == "")
		case message != "":
			r.fault(at, k.name, "config_type", message, r.typeHint(k))
		default:
			r.file.values = append(r.file.values, configValue{key: k, texts: texts})
		}
	}
}

// misplaced is the fault of a key that belongs into the other file. Nobody is told to trust what a
// project names.
func (r *configReader) misplaced(at *codec.Node, k configKey, texts []string, valid bool) {
	whose, hint := "the user's", "remove it here"
	if r.source.project {
		whose = "a project's"
	}
	if valid && k.name != keyTrustWorkspaces {
		hint += ", then: " + setLine(k, texts, false)
	}
	r.fault(at, k.name, "config_place", fmt.Sprintf("key %q cannot stand in %s configuration", k.name, whose), hint)
}

func (r *configReader) typeHint(k configKey) string {
	switch {
	case k.absolute:
		return "write the whole path"
	case k.list:
		return "write one text a line: - text"
	}
	return "write one text behind the key"
}

// configTexts reads the value of a key; message says what is wrong with it, and at where.
func configTexts(k configKey, node *codec.Node) (texts []string, at *codec.Node, message string) {
	if !k.list {
		if node.Kind != codec.Scalar || node.Empty {
			return nil, node, fmt.Sprintf("key %q takes a text", k.name)
		}
		return []string{node.Text}, node, k.wrong(node.Text)
	}
	if node.Kind != codec.Sequence {
		return nil, node, fmt.Sprintf("key %q takes a list", k.name)
	}
	texts = []string{}
	for _, item := range node.Items {
		if item.Kind != codec.Scalar || item.Empty {
			return nil, item, fmt.Sprintf("key %q takes a list of texts", k.name)
		}
		if message := k.wrong(item.Text); message != "" {
			return nil, item, message
		}
		texts = append(texts, item.Text)
	}
	return texts, node, ""
}

// valueOf finds the texts of a key.
func (f configFile) valueOf(k configKey) ([]string, bool) {
	i := slices.IndexFunc(f.values, func(v configValue) bool { return v.key.name == k.name })
	if i < 0 {
		return nil, false
	}
	return f.values[i].texts, true
}
