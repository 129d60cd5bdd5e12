// Command check runs everything that a change must pass, prints each step with its duration, goes on
// after a failure and ends with a summary; the exit code is 1 when a step failed.
//
//	go run ./scripts/check              everything
//	go run ./scripts/check -fast        what concerns the packages changed since the last commit
//	go run ./scripts/check -run 'lint'  the steps whose name matches
//
// It needs Go, and for the race detector a C compiler. The linter is built at its pinned version into
// the user's cache when it is not there; everything else works offline.
package main
