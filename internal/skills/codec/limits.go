package codec

const (
	// YAMLBytes is the size of a YAML file (skills 1.2 rule 7).
	YAMLBytes int = 1 << 20
	// yamlDepth is how many collections of a YAML text may contain one another (skills 1.2 rule 7).
	yamlDepth int = 64
	// frontmatterBytes is the size of the YAML text between the fences (skills 1.2 rule 7).
	frontmatterBytes int = 64 << 10
	// JSONBytes is the size of an input object, and of a JSON text when Limits.Bytes is zero
	// (skills 2.2).
	JSONBytes int = 64 << 20
	// defaultDepth is the nesting of a JSON text when Limits.Depth is zero (skills 2.2, 13).
	defaultDepth int = 1000
	// innerDepth is the nesting of texts that runx made itself, such as an envelope around a value
	// that already has the nesting of defaultDepth.
	innerDepth int = 4000
	// maxFaults is how many faults of one YAML text are kept; one more says how many there were.
	maxFaults int = 100
	// searchBytes is the size up to which the line of a YAML syntax error is found by reading
	// prefixes of the text; above it the line that the library names is taken.
	searchBytes int = 256 << 10
	// smallObject is the number of members up to which names are compared one by one.
	smallObject int = 8
	// maxWord is how many characters of a word Nearest looks at.
	maxWord int = 64
)
