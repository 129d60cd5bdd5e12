package schema

const (
	// maxNumberText is how many bytes a number may have where a schema is checked: its exact value
	// is computed then, which takes more than linear time.
	maxNumberText int = 1024
	// maxExponent is the largest power of ten of a number where a schema is checked, both ways.
	maxExponent int = 1024
	// maxUnknown is how many names that are not declared are listed; one more says how many there
	// were. The nearest name is looked up for those that are listed only.
	maxUnknown int = 50
	// maxViolations is how many violations of one value are kept; one more says how many there were.
	maxViolations int = 100
	// shownText is how many bytes of a value are shown in a message.
	shownText int = 80
)
