package proc

import "testing"

// noSurvivors checks nothing: the environment of a process cannot be read here.
func noSurvivors(*testing.T, string) {}
