package secret

import "time"

const (
	// MinValueBytes is the length of the shortest value that can be redacted, in bytes; source:
	// skills 12.
	MinValueBytes = 4

	// maxBackslashes is how many backslashes may stand before an escaped character, as JSON in JSON
	// in JSON has them, for each backslash in a row that the value itself has and one more: with
	// 64 a string is JSON-escaped up to six times. It bounds what a Stream holds back. Source: our
	// choice.
	maxBackslashes = 64
	// maxPercentBackslashes is the same for those that are percent-encoded; source: our choice.
	maxPercentBackslashes = 16
	// minCore is how many characters of base64 are found inside other base64, in characters of 6
	// bits; source: our choice.
	minCore = 8

	maxNested     = 32              // JSON inside strings inside strings, in levels; source: our choice
	maxStoreBytes = 4 << 20         // credentials.json, in bytes; source: our choice
	maxAudience   = 2048            // an audience, in bytes; source: our choice
	maxName       = 64              // a provider, profile or mode, in bytes; source: our choice
	lockWait      = 5 * time.Second // wait for another credential command; source: our choice
)
