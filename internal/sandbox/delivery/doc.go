// Package delivery plans what a child process receives: its environment, the files and variables
// of its inputs, its arguments, its working directory and its standard input (skills 3.1 to 3.5).
//
// The environment is made from nothing: what no rule names is not in it. New is pure; it sees the
// host only through sandbox.Host and refuses, before anything is made, names that collide, names
// that are missing and texts that the system would not take. Only Plan.Write touches a disk.
//
// It knows no skill: a runner maps its source to a Request. sandbox/proc and the workers take the
// Env, which only this package makes; the executors of runtime and cli may import it.
package delivery
