package cli

import (
	"testing"

	"github.com/runx-go/runx/internal/sandbox"
)

func TestInteractive(t *testing.T) {
	terminal := IO{InTerminal: true, ErrTerminal: true}
	tests := []struct {
		name    string
		env     []string
		streams IO
		noInput bool
		want    bool
	}{
		{name: "a person at a terminal", streams: terminal, want: true},
		{name: "stdout may be a pipe", streams: IO{InTerminal: true, ErrTerminal: true, OutTerminal: false}, want: true},
		{name: "keys come from a pipe", streams: IO{ErrTerminal: true}},
		{name: "the question would not be seen", streams: IO{InTerminal: true}},
		{name: "CI", env: []string{"CI=true"}, streams: terminal},
		{name: "CI set to 1", env: []string{"CI=1"}, streams: terminal},
		{name: "CI empty", env: []string{"CI="}, streams: terminal, want: true},
		{name: "CI false", env: []string{"CI=false"}, streams: terminal, want: true},
		{name: "the flag", streams: terminal, noInput: true},
		{name: "the variable", env: []string{"RUNX_NO_INPUT=1"}, streams: terminal},
		{name: "the variable empty", env: []string{"RUNX_NO_INPUT="}, streams: terminal, want: true},
		{name: "the variable false", env: []string{"RUNX_NO_INPUT=false"}, streams: terminal, want: true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := interactive(sandbox.Host{Env: tt.env}, tt.streams, tt.noInput); got != tt.want {
				t.Errorf("interactive = %v, want %v", got, tt.want)
			}
		})
	}
}

func TestColour(t *testing.T) {
	tests := []struct {
		name     string
		env      []string
		flag     string
		terminal bool
		want     bool
	}{
		{name: "a pipe", want: false},
		{name: "a terminal", terminal: true, want: true},
		{name: "the flag says never", flag: "never", terminal: true, env: []string{"CLICOLOR_FORCE=1"}},
		{name: "the flag says always", flag: "always", env: []string{"NO_COLOR=1", "TERM=dumb"}, want: true},
		{name: "auto is no answer", flag: "auto", terminal: true, want: true},
		{name: "NO_COLOR", terminal: true, env: []string{"NO_COLOR=1", "CLICOLOR_FORCE=1"}},
		{name: "NO_COLOR empty", terminal: true, env: []string{"NO_COLOR="}, want: true},
		{name: "CLICOLOR_FORCE", env: []string{"CLICOLOR_FORCE=1", "TERM=dumb"}, want: true},
		{name: "CLICOLOR_FORCE=0", env: []string{"CLICOLOR_FORCE=0"}},
		{name: "a dumb terminal", terminal: true, env: []string{"TERM=dumb"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := colour(sandbox.Host{Env: tt.env}, tt.flag, tt.terminal); got != tt.want {
				t.Errorf("colour = %v, want %v", got, tt.want)
			}
		})
	}
}
