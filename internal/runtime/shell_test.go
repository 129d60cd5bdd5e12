package runtime

import "testing"

func TestShellQuote(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"harmless", "./my-skill", "./my-skill"},
		{"empty", "", "''"},
		{"a blank", "one two", "'one two'"},
		{"a quote", "it's", `'it'\''s'`},
		{"a command", "acme; touch x #", "'acme; touch x #'"},
		{"a variable", "$HOME", "'$HOME'"},
		{"a tilde", "~", "'~'"},
		{"a newline", "a\nb", "'a\nb'"},
		{"not ASCII", "ü", "'ü'"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := ShellQuote(tt.in); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestVisibleLine(t *testing.T) {
	if got, want := VisibleLine("a\nvalid\t\x1b[2J"), "a␊valid␉␛[2J"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
