package codec

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// convert turns the library's tree into ours and reports the features that are refused.
func (y *yamlReader) convert(tree *yaml.Node) *Node {
	if tree == nil || len(tree.Content) == 0 {
		return &Node{Kind: Scalar, Plain: true, Empty: true, Line: 1 + y.lineOffset, Col: 1}
	}
	return y.node(tree.Content[0], 0)
}

// node converts one node; depth counts the collections around it.
func (y *yamlReader) node(in *yaml.Node, depth int) *Node {
	y.refuseProperties(in)
	out := &Node{Line: in.Line + y.lineOffset, Col: in.Column, Flow: in.Style&yaml.FlowStyle != 0}
	if in.Kind == yaml.ScalarNode || in.Kind == yaml.AliasNode {
		out.Kind, out.Text = Scalar, in.Value
		const quoted = yaml.DoubleQuotedStyle | yaml.SingleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle
		out.Plain = in.Style&quoted == 0
		out.Empty = out.Plain && in.Value == ""
		return out
	}
	if depth == yamlDepth {
		y.lost = true
		y.nodeFault("yaml_limit", in, "", fmt.Sprintf("the nesting is deeper than %d", yamlDepth), "")
		return out
	}
	if out.Flow {
		y.refuseFlowKeys(y.offsetOf(in.Line, in.Column))
	}
	if in.Kind == yaml.SequenceNode {
		out.Kind = Sequence
		for _, item := range in.Content {
			child := y.node(item, depth+1)
			y.warnComment(item, child)
			out.Items = append(out.Items, child)
		}
		return out
	}
	out.Kind = Mapping
	y.pairs(in, out, depth)
	return out
}

// pairs converts the entries of a mapping and refuses duplicate, merge, explicit and odd keys.
func (y *yamlReader) pairs(in *yaml.Node, out *Node, depth int) {
	seen := make(map[string]int, len(in.Content)/2)
	// A property before a block mapping moves its column; the mapping is refused anyway.
	aligned := !out.Flow && in.Anchor == "" && in.Style&yaml.TaggedStyle == 0 && y.property(in) == 0
	for i := 0; i+1 < len(in.Content); i += 2 {
		rawKey := in.Content[i]
		if !y.acceptKey(rawKey, aligned && rawKey.Column != in.Column) {
			y.lost = true
			continue
		}
		key := y.node(rawKey, depth+1)
		value := y.node(in.Content[i+1], depth+1)
		y.warnComment(in.Content[i+1], value)
		if first, twice := seen[key.Text]; twice {
			y.nodeFault("duplicate_key", rawKey, key.Text,
				fmt.Sprintf("the key %q is given twice, on line %d and line %d", key.Text, first, key.Line), "keep one of them")
			continue
		}
		seen[key.Text] = key.Line
		out.Pairs = append(out.Pairs, Pair{Key: key, Value: value})
	}
}

// acceptKey refuses the keys that only YAML has. A key that does not stand in the column of its block
// mapping is displaced by a `? `.
func (y *yamlReader) acceptKey(key *yaml.Node, displaced bool) bool {
	const block = yaml.LiteralStyle | yaml.FoldedStyle
	const marked = yaml.DoubleQuotedStyle | yaml.SingleQuotedStyle | block | yaml.TaggedStyle
	bare := key.Kind == yaml.ScalarNode && key.Style&marked == 0
	switch {
	case displaced, key.Kind == yaml.ScalarNode && key.Style&block != 0:
		y.nodeFault("yaml_feature", key, key.Value, "an explicit key (? ) is not allowed", "write key: value")
		return false
	case key.Kind == yaml.MappingNode || key.Kind == yaml.SequenceNode:
		y.nodeFault("yaml_feature", key, "", "a key that is a mapping or a list is not allowed", "quote a key that begins with [ or {")
		return false
	case bare && key.Value == "<<":
		y.nodeFault("yaml_feature", key, "<<", "a merge key (<<) is not allowed", "write the keys out")
		return false
	}
	return true
}

// property is the mark &, * or ! with which the text of a node begins, or 0. No plain scalar can
// begin with one, so this also finds the tag `!` that the library drops.
func (y *yamlReader) property(in *yaml.Node) byte {
	if at := y.offsetOf(in.Line, in.Column); at < len(y.text) {
		if c := y.text[at]; c == '&' || c == '*' || c == '!' {
			return c
		}
	}
	return 0
}

// refuseProperties reports an anchor, an alias or a tag. Nothing is expanded.
func (y *yamlReader) refuseProperties(in *yaml.Node) {
	var noun, hint string
	switch mark := y.property(in); {
	case in.Kind == yaml.AliasNode || mark == '*':
		y.lost = true
		noun, hint = "an alias", "write the value out, or quote a value that begins with *"
	case in.Anchor != "" || mark == '&':
		noun, hint = "an anchor", "remove it, or quote a value that begins with &"
	case in.Style&yaml.TaggedStyle != 0 || mark == '!':
		noun, hint = "a tag", "remove it, or quote a value that begins with !"
	default:
		return
	}
	// A block mapping begins where its first key does: one anchor, one fault.
	offset := y.offsetOf(in.Line, in.Column)
	if n := len(y.faults); n > 0 && y.faults[n-1].Offset == y.base+offset && y.faults[n-1].Code == "yaml_feature" {
		return
	}
	word := firstWord(y.text[offset:])
	y.nodeFault("yaml_feature", in, "", noun+" ("+strings.TrimRight(word, "\r,]}")+") is not allowed", hint)
}

func shorten(text string) string {
	const shown = 60
	if len(text) > shown {
		return strings.ToValidUTF8(text[:shown], "") + "…"
	}
	return text
}

// warnComment is rule 6: a plain scalar, or a value left out, cut by ` #` with no blank after the #.
func (y *yamlReader) warnComment(in *yaml.Node, out *Node) {
	if out.Kind != Scalar || !out.Plain || in.Kind != yaml.ScalarNode {
		return
	}
	end := plainEnd(y.text, y.offsetOf(in.Line, in.Column), out.Text)
	at := end
	for at < len(y.text) && (y.text[at] == ' ' || y.text[at] == '\t') {
		at++
	}
	if at == end || at+1 >= len(y.text) || y.text[at] != '#' || isBlank(y.text[at+1]) {
		return
	}
	line := y.lineOf(at)
	y.warnings = append(y.warnings, &SyntaxError{
		Code: "yaml_comment", File: y.file, Line: line + y.lineOffset,
		Col: 1 + utf8.RuneCount(y.text[y.lines[line-1]:at]), Offset: y.base + at,
		Msg:  fmt.Sprintf("the value ends before %q: a # after a blank begins a comment", firstWord(y.text[at:])),
		Hint: "quote the value if the # belongs to it, or put a blank after the #",
	})
}
