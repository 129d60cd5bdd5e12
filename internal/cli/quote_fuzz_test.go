package cli

import (
	"strings"
	"testing"
)

// unquote reads words as a POSIX shell does, for a line that needs no expansion; ok is false when
// it would expand, run or end something.
func unquote(line string) (words []string, ok bool) {
	var word strings.Builder
	begun := false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; c {
		case '\'':
			end := strings.IndexByte(line[i+1:], '\'')
			if end < 0 {
				return nil, false
			}
			word.WriteString(line[i+1 : i+1+end])
			i, begun = i+1+end, true
		case '\\':
			if i++; i == len(line) {
				return nil, false
			}
			word.WriteByte(line[i])
			begun = true
		case ' ':
			if begun {
				words = append(words, word.String())
				word.Reset()
				begun = false
			}
		case '\t', '\n', '|', '&', ';', '<', '>', '(', ')', '$', '`', '"', '*', '?', '[', ']', '#', '~', '{', '}', '!', '^':
			return nil, false
		default:
			word.WriteByte(c)
			begun = true
		}
	}
	if begun {
		words = append(words, word.String())
	}
	return words, true
}

// FuzzQuoteArg: quoted words are read back as they were, each as one word, and nothing in them is
// expanded.
func FuzzQuoteArg(f *testing.F) {
	for _, seed := range [][2]string{{"./x", "text=one two"}, {"it's", ""}, {"a$b`c`", "'"}, {"--flag=*", "\n;rm -rf ~"}, {`\`, `"`}, {"~", "#x"}, {"é", "\x80"}, {"''", "!!"}} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		line := quoteArgs([]string{a, b})
		words, ok := unquote(line)
		if !ok || len(words) != 2 || words[0] != a || words[1] != b {
			t.Errorf("%q and %q are written %s, which is read as %q (%v)", a, b, line, words, ok)
		}
	})
}
