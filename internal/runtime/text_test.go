package runtime

import "testing"

func TestVisible(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"empty", "", ""},
		{"plain text is unchanged", "tidy notes: 2 of 3, naïve €, 日本, 🎉", "tidy notes: 2 of 3, naïve €, 日本, 🎉"},
		{"newline and tab stay", "a\n\tb\n", "a\n\tb\n"},
		{"colour sequence", "a\x1b[31mred\x1b[0m", "a␛[31mred␛[0m"},
		{"window title", "\x1b]0;title\x07", "␛]0;title␇"},
		{"carriage return", "password: ok\rhidden", "password: ok␍hidden"},
		{"backspace and NUL", "ab\b\x00c", "ab␈␀c"},
		{"last C0 control and DEL", "\x1f\x7f", "␟␡"},
		{"blank and tilde, the ends of ASCII, stay", " ~", " ~"},
		{"first and last C1 control", "\u0080\u009f", `\u{0080}\u{009F}`},
		{"C1 introducer", "\u009b31m", `\u{009B}31m`},
		{"no-break blank, just after C1, stays", "a\u00a0b", "a\u00a0b"},
		{"override", "rm \u202Egpj.exe", `rm \u{202E}gpj.exe`},
		{"isolates and marks", "\u2066a\u2069\u200E\u200F\u061C", `\u{2066}a\u{2069}\u{200E}\u{200F}\u{061C}`},
		{"zero width", "a\u200Bb\u200Cc\u200Dd\u2060e\uFEFFf", `a\u{200B}b\u{200C}c\u{200D}d\u{2060}e\u{FEFF}f`},
		{"line and paragraph separator", "a\u2028b\u2029c", `a\u{2028}b\u{2029}c`},
		{"soft hyphen and blank fillers", "a\u00ADb\u3164c\u115F", `a\u{00AD}b\u{3164}c\u{115F}`},
		{"tags", "a\U000E0041b", `a\u{E0041}b`},
		{"variation selector that smuggles", "a\U000E0100b\U000E01EFc", `a\u{E0100}b\u{E01EF}c`},
		{"variation selector of an emoji stays", "\u2764\uFE0F", "\u2764\uFE0F"},
		{"Arabic number sign is seen", "\u0600\u0661", "\u0600\u0661"},
		{"invalid bytes", "a\xff\xfeb", `a\xff\xfeb`},
		{"half of a surrogate pair", "c\xed\xa0\xbdd", `c\xed\xa0\xbdd`},
		{"cut character", "€"[:2], `\xe2\x82`},
		{"a real replacement character stays", "a\uFFFDb", "a\uFFFDb"},
		{"a picture typed by the author stays", "␛", "␛"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Visible(tt.text); got != tt.want {
				t.Errorf("Visible(%q):\n got %q\nwant %q", tt.text, got, tt.want)
			}
		})
	}
}

func TestVisibleAllocatesNothingForPlainText(t *testing.T) {
	text := "a line of ordinary text, naïve and €\n"
	if n := testing.AllocsPerRun(100, func() { _ = Visible(text) }); n != 0 {
		t.Errorf("Visible of plain text: %v allocations, want 0", n)
	}
}
