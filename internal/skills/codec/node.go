package codec

// Kind of a YAML node. The zero Kind is no node.
type Kind int

// The kinds of a YAML node.
const (
	Scalar Kind = iota + 1
	Mapping
	Sequence
)

// String is the kind as an author would say it.
func (k Kind) String() string {
	switch k {
	case Scalar:
		return "a scalar"
	case Mapping:
		return "a mapping"
	case Sequence:
		return "a list"
	default:
		return "nothing"
	}
}

// Node is one YAML value with its place. Positions and the author's characters are kept.
type Node struct {
	Kind  Kind
	Text  string // scalar: the author's characters after unquoting
	Plain bool   // scalar: written without quotes and not as a block scalar
	Empty bool   // scalar: no value was written (`key:`)
	Flow  bool   // mapping or sequence written as { } or [ ]
	Line  int
	Col   int
	Pairs []Pair  // mapping, in document order
	Items []*Node // sequence
}

// Pair is one entry of a mapping; keys are always scalars.
type Pair struct{ Key, Value *Node }

// Get returns the value of a key, or nil. It is nil too for a nil node and for one that is no
// mapping.
func (n *Node) Get(key string) *Node {
	if n == nil {
		return nil
	}
	for _, pair := range n.Pairs {
		if pair.Key.Text == key {
			return pair.Value
		}
	}
	return nil
}

// Document is a parsed YAML file. Root is never nil: an empty file is an Empty scalar.
type Document struct {
	File     string
	Root     *Node
	Warnings []*SyntaxError // yaml_comment, in source order; they stop nothing
}
