package proc

import "time"

// Limits of supervision. Numbers of the specification stand in skills 3.6, 3.7 and 13; the others
// were measured or follow from them.
const (
	// termGrace is the time between SIGTERM and SIGKILL (skills 3.6).
	termGrace time.Duration = 500 * time.Millisecond
	// lookPause is how often the group is looked at during the grace: the end of a tree that does as
	// it was asked is seen at most so much later.
	lookPause time.Duration = 10 * time.Millisecond
	// drainTime is how long streams are read after the leader ended by itself (skills 3.6).
	drainTime time.Duration = 500 * time.Millisecond
	// sweepLimit is how long a sweep hunts for processes that do not die (skills 3.6: runx returns
	// at most 1 s after the grace).
	sweepLimit time.Duration = 900 * time.Millisecond
	// sweepPause is the first wait between two passes of a sweep; it doubles up to sweepPauseMax.
	sweepPause    time.Duration = 100 * time.Microsecond
	sweepPauseMax time.Duration = 5 * time.Millisecond
	// sweepPasses is how many passes a sweep makes whatever sweepLimit says: on a starved machine
	// processes need longer to die, and so do passes.
	sweepPasses int = 20
	// chaseRounds is how often one pass looks for processes that are younger than its list;
	// chaseWidth is how many of the last pids it looks at.
	chaseRounds int = 100
	chaseWidth  int = 8
	// abandonAfter is how long a run that was stopped waits, once its tree is gone, for a receiver
	// that does not take the rest (skills 2.5: runx exits at most 2 s after an interrupt; 3.6: it
	// returns at most 1 s after the grace).
	abandonAfter time.Duration = 400 * time.Millisecond
	// lastRead is how long one read waits for the rest of a pipe once the tree is gone; longer means
	// that a process outside the tree holds the pipe.
	lastRead time.Duration = 100 * time.Millisecond
	// busyLimit is how long a start is tried again while the file is busy: another thread that starts
	// a process holds a just written file open for an instant.
	busyLimit time.Duration = 200 * time.Millisecond

	// prefixLimit is the retained prefix of a stream in bytes (skills 3.7).
	prefixLimit int = 8 << 20
	// pipeSize is the capacity of an output pipe in bytes, where the system allows it (measured).
	pipeSize int = 1 << 20
	// readSize is the length of a read buffer in bytes (measured); firstRead is that of the first
	// one, because most commands print little.
	readSize  int = 256 << 10
	firstRead int = 16 << 10
	// streamBuffers is how many read buffers a stream has: reading goes on while others are hashed.
	streamBuffers int = 4
	// leftInPipe is how many bytes are still read from a pipe once the tree is gone: more than any
	// pipe holds, so that only a process outside the tree can reach it.
	leftInPipe int64 = 16 << 20
	// headSize is how much of a file is read to explain why it cannot be started, in bytes: the
	// first line that Linux looks at.
	headSize int = 256
)
