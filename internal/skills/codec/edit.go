package codec

import (
	"bytes"
	"fmt"

	"go.yaml.in/yaml/v3"
)

// SetYAML sets one value in a YAML text and keeps everything else of it, comments included; only
// its indentation may change. path is the chain of keys; values are written as a list when list is
// true, else as the one text that they hold. An empty text becomes a new document. The text is
// parsed strictly first: one that runx would not read is not edited.
func SetYAML(file string, data []byte, path, values []string, list bool) ([]byte, error) {
	var doc yaml.Node
	if len(bytes.TrimSpace(data)) > 0 {
		if _, err := ParseYAML(file, data, len(data), 0); err != nil {
			return nil, err
		}
		if err := yaml.Unmarshal(data, &doc); err != nil {
			return nil, fmt.Errorf("cannot read %s: %w", file, err)
		}
	}
	if len(doc.Content) == 0 || doc.Content[0].Kind != yaml.MappingNode {
		doc = yaml.Node{Kind: yaml.DocumentNode, HeadComment: doc.HeadComment, Content: []*yaml.Node{{Kind: yaml.MappingNode}}}
	}
	node := doc.Content[0]
	for _, key := range path[:len(path)-1] {
		child := yamlChild(node, key)
		if child.Kind != yaml.MappingNode {
			*child = yaml.Node{Kind: yaml.MappingNode}
		}
		node = child
	}
	*yamlChild(node, path[len(path)-1]) = yamlValue(values, list)
	var out bytes.Buffer
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	if err := encoder.Encode(&doc); err != nil {
		return nil, fmt.Errorf("cannot write %s: %w", file, err)
	}
	return out.Bytes(), encoder.Close()
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
		return yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: text}
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
