package manifest

import "math"

const (
	// maxRunners is how many runners a profile may have (skills 1.4).
	maxRunners int = 64
	// maxInputs is how many inputs a runner may declare, and how many definitions may be shared
	// (skills 2.1).
	maxInputs int = 256
	// runnerNameChars is the length of a runner's name (skills 1.4).
	runnerNameChars int = 64
	// inputNameBytes is the length of the name of an input or output (skills 2.1).
	inputNameBytes int = 128
	// maxAttempts is the highest max_attempts of a retry (skills 1.5).
	maxAttempts int64 = 10
	// maxBackoffMS is the highest backoff_ms of a retry, in milliseconds (skills 1.5).
	maxBackoffMS int64 = 60_000
	// defaultTimeoutSeconds is the time limit of a cli-tool that names none (skills 1.5).
	defaultTimeoutSeconds int64 = 60
	// javascriptTimeoutSeconds is the highest time limit of a javascript runner (skills 1.5).
	javascriptTimeoutSeconds int64 = 30
	// foreverSeconds stands for every longer time limit of a cli-tool: 292 years, the longest
	// duration that the program can count.
	foreverSeconds = math.MaxInt64 / int64(1e9)
	// maxFindings is how many faults, and how many warnings, of one file are kept; one more says how
	// many there were.
	maxFindings int = 100

	// credentialNameBytes is the length of a provider or mode (that of credential set).
	credentialNameBytes int = 64
	// nameChars, descriptionChars and compatibilityChars are limits of the open standard, in
	// characters (skills 1.3).
	nameChars, descriptionChars, compatibilityChars int = 64, 1024, 500
	// manualLines is how long a body may be before validate warns (skills 1.3).
	manualLines int = 500
)
