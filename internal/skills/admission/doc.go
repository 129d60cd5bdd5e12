// Package admission accepts the directory of a skill package whole, or refuses it with every reason
// in file order. It finds packages by path and name, digests their files, and compiles the contracts
// of the runner that is chosen. What it accepts is a *Package, the only thing that executors take.
//
// It refuses links that leave a package, templates and credentials that name nothing, and defaults,
// examples and schemas that do not hold. It executes nothing and leaves no file open. Runners, the
// engine and the command line import it.
package admission
