package session

import "time"

const (
	// displayPatience is how long a display that does not come back from an event is waited for once
	// the run was stopped (skills 2.5: runx exits at most 2 s after an interrupt; 3.6: it returns at
	// most 1 s after the grace).
	displayPatience time.Duration = 400 * time.Millisecond
	// pieceBytes is how much of a stream is encoded at once.
	pieceBytes int = 64 << 10
	// maxIgnoreBytes is the size of a .gitignore of ours that is read; a longer one is replaced.
	maxIgnoreBytes int64 = 64 << 10
	// maxRunBytes is the size of a run.json that is read back. Two retained streams of 8 MiB, each
	// byte at most six characters as JSON, and a result and pages of the same origin fit (skills 13).
	maxRunBytes int64 = 256 << 20
	// maxRunDepth is the nesting of a run.json: a result may have the 1000 of skills 13, and lies
	// at most 4 levels inside the envelope.
	maxRunDepth int = 1004
)
