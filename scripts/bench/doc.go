// Command bench measures runx against floors of the same run and prints each beside its recorded
// budget. Ratios count, not milliseconds: whole processes are started, alternating with their floor,
// and medians are compared. The exit code is 1 when a budget is exceeded.
//
//	go run ./scripts/bench               everything, about ten minutes
//	go run ./scripts/bench -only drain   what matches a pattern: version, skill, drain, timeout, go
//	go run ./scripts/bench -quick        few runs, to see that it works; judges nothing
//
// The floors are the small programs below testdata. Run it on an idle machine.
package main
