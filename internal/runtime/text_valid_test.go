package runtime

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestValidText(t *testing.T) {
	tests := []struct {
		name, in, want string
		replaced       int
	}{
		{"valid", "a€", "a€", 0},
		{"empty", "", "", 0},
		{"two bytes that begin nothing", "\xff\xfe", "\uFFFD\uFFFD", 2},
		{"the beginning of a character is one part", "\xe2\x82x", "\uFFFDx", 1},
		{"at the end", "x\xf0\x9f\x98", "x\uFFFD", 1},
		{"an overlong form has no beginning", "\xc0\x80", "\uFFFD\uFFFD", 2},
		{"half a surrogate pair", "\xed\xa0\x80", "\uFFFD\uFFFD\uFFFD", 3},
		{"above the last character", "\xf4\x90\x80\x80", "\uFFFD\uFFFD\uFFFD\uFFFD", 4},
		{"a real U+FFFD is not counted", "\uFFFD", "\uFFFD", 0},
		{"a real U+FFFD beside a bad byte", "\uFFFD\xff", "\uFFFD\uFFFD", 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, replaced := ValidText([]byte(tt.in))
			if got != tt.want || replaced != tt.replaced {
				t.Errorf("got %q %d, want %q %d", got, replaced, tt.want, tt.replaced)
			}
		})
	}
}

// FuzzCutText: cut anywhere and joined again, a stream shows the same text as whole, and no piece
// of valid text is invalid.
func FuzzCutText(f *testing.F) {
	f.Add([]byte("a€😀b"), 3)
	f.Add([]byte("\xe2\x82"), 1)
	f.Add([]byte("\xf0\x9f\xff"), 2)
	f.Fuzz(func(t *testing.T, data []byte, at int) {
		if at < 0 || at > len(data) {
			return
		}
		var shown strings.Builder
		whole, rest := CutText(data[:at])
		if len(rest) > 3 || !bytes.Equal(append(bytes.Clone(whole), rest...), data[:at]) {
			t.Fatalf("cut %q at %d into %q and %q", data, at, whole, rest)
		}
		if utf8.Valid(data) && !utf8.Valid(whole) {
			t.Fatalf("%q is not valid, a part of %q", whole, data)
		}
		text, _ := ValidText(whole)
		shown.WriteString(text)
		text, _ = ValidText(append(bytes.Clone(rest), data[at:]...))
		shown.WriteString(text)
		if want, _ := ValidText(data); shown.String() != want {
			t.Fatalf("cut at %d: %q, whole: %q", at, shown.String(), want)
		}
	})
}
