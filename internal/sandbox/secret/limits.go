package secret

import "time"

const (
	// MinValueBytes is the length of the shortest value that can be redacted, in bytes; source:
	// skills 12.
	MinValueBytes = 4

	maxNested     = 32              // JSON inside strings inside strings, in levels; source: our choice
	maxStoreBytes = 4 << 20         // credentials.json, in bytes; source: our choice
	maxAudience   = 2048            // an audience, in bytes; source: our choice
	maxName       = 64              // a provider, profile or mode, in bytes; source: our choice
	lockWait      = 5 * time.Second // wait for another credential command; source: our choice
)
