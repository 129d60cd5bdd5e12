package codec

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v3"
)

// SetYAML sets one value in a YAML text and keeps everything else of it: comments, a byte-order
// mark, and line ends of the kind that the first line has; only its indentation may change. path is
// the chain of keys; values are written as a list when list is true, else as the one text that they
// hold. An empty text becomes a new document. The text is parsed strictly first: one that runx would
// not read is not edited, and neither is one over YAMLBytes. A value that a key of the path already
// has, and that is no mapping, is replaced.
func SetYAML(file string, data []byte, path, values []string, list bool) (out []byte, err error) {
	if len(path) == 0 || (!list && len(values) != 1) {
		return nil, errors.New("cannot set a value without a key, or a text that is not one")
	}
	text, marked := bytes.CutPrefix(data, []byte(bom))
	if len(bytes.TrimSpace(text)) > 0 {
		if _, err := ParseYAML(file, data, YAMLBytes, 0); err != nil {
			return nil, err
		}
	}
	firstEnd := bytes.IndexByte(text, '\n')
	windows := firstEnd > 0 && text[firstEnd-1] == '\r'
	text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	if text, err = setYAML(file, text, path, yamlValue(values, list)); err != nil {
		return nil, err
	}
	if windows {
		text = bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n"))
	}
	if marked {
		text = slices.Concat([]byte(bom), text)
	}
	return text, nil
}

// setYAML is SetYAML for a text that was checked, without a mark and with line ends of Unix.
func setYAML(file string, data []byte, path []string, value yaml.Node) ([]byte, error) {
	root := &yaml.Node{Kind: yaml.DocumentNode}
	if len(bytes.TrimSpace(data)) > 0 {
		if err := yaml.Unmarshal(data, root); err != nil {
			return nil, fmt.Errorf("cannot read %s: %w", file, err)
		}
	}
	var before []byte
	if len(root.Content) == 0 {
		// Nothing but comments, which the library does not keep.
		root = &yaml.Node{Kind: yaml.DocumentNode, Content: []*yaml.Node{{Kind: yaml.MappingNode}}}
		before = data
	}
	node := root.Content[0]
	for _, key := range path {
		if node.Kind != yaml.MappingNode {
			*node = yaml.Node{Kind: yaml.MappingNode, HeadComment: node.HeadComment}
		}
		node = yamlChild(node, key)
	}
	*node = value
	var text bytes.Buffer
	encoder := yaml.NewEncoder(&text)
	encoder.SetIndent(2)
	if err := encoder.Encode(root); err != nil {
		return nil, fmt.Errorf("cannot write %s: %w", file, err)
	}
	if err := encoder.Close(); err != nil {
		return nil, fmt.Errorf("cannot write %s: %w", file, err)
	}
	if len(before) > 0 && !bytes.HasSuffix(before, []byte("\n")) {
		before = append(bytes.Clone(before), '\n')
	}
	return slices.Concat(before, text.Bytes()), nil
}

// yamlChild returns the value of a key, which is added when it is not there.
func yamlChild(node *yaml.Node, key string) *yaml.Node {
	for i := 0; i+1 < len(node.Content); i += 2 {
		if node.Content[i].Value == key {
			return node.Content[i+1]
		}
	}
	value := &yaml.Node{}
	node.Content = append(node.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: key}, value)
	return value
}

func yamlValue(values []string, list bool) yaml.Node {
	scalar := func(text string) yaml.Node {
		node := yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: text}
		if strings.ContainsFunc(text, unicode.IsControl) {
			node.Style = yaml.DoubleQuotedStyle // a block would join its blank lines to those behind it
		}
		return node
	}
	if !list {
		return scalar(values[0])
	}
	node := yaml.Node{Kind: yaml.SequenceNode}
	for _, text := range values {
		item := scalar(text)
		node.Content = append(node.Content, &item)
	}
	return node
}
