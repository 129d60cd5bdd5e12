// Package proc supervises one process tree to a classified end: it finds the program, starts it
// with exactly the environment, arguments and directory it is given, reads both streams to their
// end, applies time limit and cancellation, and returns only when the tree is gone.
//
// It refuses to search the current directory, to add anything to an environment, and to decide what
// an end means: a time limit, a signal or an exit code is reported, not judged. It starts no shell
// and restricts nothing; [Boundary] says what the platform enforces.
//
// The runners of command-line tools, local tools, protocol servers and the JavaScript worker use
// it. It is the only package that starts processes: on Linux runx adopts orphans while a tree runs,
// and a child that other code starts meanwhile, in a process group of its own, is taken for one.
package proc
