package harness

import "time"

// Limits of the gate.
const (
	// maxFixtureFileBytes is the size of cases.json, in bytes.
	maxFixtureFileBytes = 16 << 20
	// maxFixtureFiles and maxFixtureBytes limit the directory that is copied for each case of
	// cases.json; they are the limits of a package (skills 1.1).
	maxFixtureFiles = 2000
	maxFixtureBytes = 64 << 20
	// maxLargeInputBytes is the size of a generated input (skills 2.2: input JSON), in bytes.
	maxLargeInputBytes = 64<<20 - 1<<16
	// maxTimeoutSeconds bounds a case, so that the gate ends; a runner itself has no maximum.
	maxTimeoutSeconds = 3600
	// maxIDBytes is the length of a case id.
	maxIDBytes = 128
	// maxJobs and defaultJobs are how many cases run at once.
	maxJobs     = 64
	defaultJobs = 4
	// maxDiffLines and maxDiffText bound what is shown of one case: lines, and bytes of one value.
	maxDiffLines = 20
	maxDiffText  = 160
	// maxGoldenText is how long a stream may be that an update writes as text, in bytes; a longer one
	// is measured.
	maxGoldenText = 64 << 10
)

// Times of the gate.
const (
	// survivorWait is how long descendants may take to be gone after the return (skills 10.2).
	survivorWait = time.Second
	// readyWait is how long a case that is cancelled may take to say that it is ready.
	readyWait = 20 * time.Second
	// pollInterval is the pause between two looks at a file or a process.
	pollInterval = 5 * time.Millisecond
	// slack is added to times that runx promises, for a machine that does other work meanwhile.
	slack = time.Second
)
