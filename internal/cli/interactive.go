package cli

import "github.com/runx-go/runx/internal/sandbox"

// interactive decides once whether runx may ask a person: keys come from a terminal, the question
// is shown on one, and neither CI, --no-input nor RUNX_NO_INPUT says no.
func interactive(host sandbox.Host, streams IO, noInput bool) bool {
	if !streams.InTerminal || !streams.ErrTerminal || noInput || inCI(host) {
		return false
	}
	value, set := host.Lookup("RUNX_NO_INPUT")
	return !set || value == "" || value == "false" || value == "0"
}

// inCI says whether CI is set, not empty and not "false".
func inCI(host sandbox.Host) bool {
	value, _ := host.Lookup("CI")
	return value != "" && value != "false"
}

// colour decides whether one stream shows colours: --color, then NO_COLOR (non-empty), then
// CLICOLOR_FORCE, then TERM=dumb, then whether that stream is a terminal.
func colour(host sandbox.Host, flag string, terminal bool) bool {
	switch flag {
	case "always":
		return true
	case "never":
		return false
	}
	if value, _ := host.Lookup("NO_COLOR"); value != "" {
		return false
	}
	if value, _ := host.Lookup("CLICOLOR_FORCE"); value != "" && value != "0" {
		return true
	}
	if value, _ := host.Lookup("TERM"); value == "dumb" {
		return false
	}
	return terminal
}
