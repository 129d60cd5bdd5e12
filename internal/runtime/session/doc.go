// Package session keeps runs on disk. A run is a folder runs/<run id>/ of the state directory with
// events.jsonl, one line an event as it happened, and run.json, the envelope of skills 2.5, from
// which every answer about a run is printed. The Recorder stands in front of every display: what
// cannot be written is not shown. The package refuses ids that are not its own before they become
// part of a path, reads no environment and no clock but the one it is given. runtime/engine makes
// records; cli and runtime/harness may read them.
package session
