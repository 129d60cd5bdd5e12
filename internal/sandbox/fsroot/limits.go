package fsroot

import "time"

const (
	// maxNameBytes is the longest part of a path in bytes; source: field failure C6, the limit of
	// the common file systems.
	maxNameBytes = 255
	// lockPoll is how often Lock looks whether a lock is free again; source: our choice, well
	// below what a person notices.
	lockPoll = 20 * time.Millisecond
	// tempAttempts is how many names are tried for a temporary file before giving up; source: our
	// choice, one is enough unless somebody guesses 64 random bits.
	tempAttempts = 16

	// writeBufferBytes is how much of a file is gathered before it is written; source: our choice.
	writeBufferBytes = 64 << 10

	fileMode = 0o600 // bits of every file; source: agents 19.8
	dirMode  = 0o700 // bits of every directory; source: agents 19.8
)
