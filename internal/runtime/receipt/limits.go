package receipt

import "time"

const (
	// MaxBytes is the size of a receipt's text, written and read. Names of 256 inputs, the
	// records of 256 steps and their decisions (skills 13) stay far below it.
	MaxBytes int64 = 4 << 20
	// maxDepth is the nesting of a receipt's documents; the predicate itself has 6 levels.
	maxDepth int = 64
	// maxKeyFileBytes is the size of the local key file, which has about 120.
	maxKeyFileBytes int64 = 4 << 10
	// keyLockWait is how long the making of the local key by another process is waited for; source:
	// our choice, far above what one small write takes.
	keyLockWait = 10 * time.Second
	// maxKIDBytes is the length of a configured key id.
	maxKIDBytes int = 256
	// maxSummaryBytes is the length of the closure's summary, a fixed text with codes and numbers.
	maxSummaryBytes int = 200
	// minPrefixDigits is how many digits of an id find a receipt.
	minPrefixDigits int = 8
)
