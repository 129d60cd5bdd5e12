// Package runtime holds the words that cross the packages which execute and record: statuses,
// classes of errors, events and the sinks they go to, identifiers, and text that is safe to show.
// It starts nothing, reads no file and knows no command line. Every package below runtime, and
// cli and tui, may import it; it imports only the nouns of skills and sandbox.
package runtime
