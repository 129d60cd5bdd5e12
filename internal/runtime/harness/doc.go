// Package harness is the author gate of runx: it runs recorded cases through the same call that
// runs a skill for a user, and compares what an author can see. It has no executor and no evaluator
// of its own, reads nothing but the public envelope and what the case's program printed, and never
// compares ids, temporary paths, times, user or host names.
//
// A case is either built in (the matrix, run with the probe inside the runx binary) or read from
// cases.json of a directory (runx.author_fixtures.v1). Only cli, and tests, use this package; they
// give it the run as a RunFunc.
package harness
