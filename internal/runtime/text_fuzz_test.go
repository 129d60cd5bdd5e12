package runtime

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// What a terminal gets is UTF-8 without a control or an invisible character; nothing is lost, and
// a second pass changes nothing.
func FuzzVisible(f *testing.F) {
	for _, seed := range []string{
		"", "plain\n\ttext", "\x1b[31mred\x1b[0m\x1b]0;t\x07\r\n", "a\x00b\xff\xfec\xed\xa0\xbdd",
		"\u202Egpj.exe\u2066\u2069", "\u200b\u2028\u2029\ufeff\u00ad", "\U000E0041\U000E0100", "€"[:2], "\u0600\ufffd",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := Visible(text)
		if !utf8.ValidString(got) {
			t.Fatalf("Visible(%q) = %q is not UTF-8", text, got)
		}
		for _, r := range got {
			if r == '\n' || r == '\t' {
				continue
			}
			if unicode.IsControl(r) || unicode.In(r, unicode.Zl, unicode.Zp, unicode.Bidi_Control) {
				t.Fatalf("Visible(%q) = %q has %U", text, got, r)
			}
		}
		if again := Visible(got); again != got {
			t.Fatalf("a second pass changes %q to %q", got, again)
		}
		if utf8.RuneCountInString(got) < utf8.RuneCountInString(text) {
			t.Fatalf("Visible(%q) = %q is shorter", text, got)
		}
		for _, kept := range []string{"\n", "\t"} {
			if strings.Count(got, kept) != strings.Count(text, kept) {
				t.Fatalf("Visible(%q) = %q changed the number of %q", text, got, kept)
			}
		}
		if rest, ok := subsequence(text, got); !ok {
			t.Fatalf("Visible(%q) = %q lost %q", text, got, rest)
		}
	})
}

// subsequence says whether the characters of text that are kept stand in got, in order.
func subsequence(text, got string) (rest string, ok bool) {
	for i, r := range text {
		if r == utf8.RuneError || !unicode.IsGraphic(r) || unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) {
			continue
		}
		j := strings.IndexRune(got, r)
		if j < 0 {
			return text[i:], false
		}
		got = got[j+utf8.RuneLen(r):]
	}
	return "", true
}
