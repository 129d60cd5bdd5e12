package secret_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/runx-go/runx/internal/sandbox/secret"
)

// streamed is what a stream makes of a text that comes byte by byte.
func streamed(r *secret.Redactor, text string) string {
	var out strings.Builder
	s := r.Stream()
	for i := range len(text) {
		out.Write(s.Write([]byte{text[i]}))
	}
	out.Write(s.Flush())
	return out.String()
}

// nested is a value JSON-escaped a number of times.
func nested(value string, times int) string {
	for range times {
		text, _ := json.Marshal(value)
		value = string(text[1 : len(text)-1])
	}
	return value
}

func TestRedactSpellings(t *testing.T) {
	const long = "AKIAzz9+/qwertyuiop"
	tests := []struct {
		name  string
		value string
		text  string
		want  string // M is the mark
	}{
		{"percent, a slash kept", "abc+def/ghi=", "q=abc%2Bdef/ghi%3D&", "q=M&"},
		{"percent, either case in one value", "a+b/c=d", "a%2Bb%2fc%3dd", "M"},
		{"percent, all of it", "hunter22", "%68%75%6e%74%65%72%32%32", "M"},
		{"percent, some letters", "hunter22", "h%75nter2%32", "M"},
		{"percent, its own sign raw and encoded", "a%41b%", "a%41b% a%2541b%25 a%41b%25", "M M M"},
		{"percent, blanks in three ways", "a b c d", "a+b%20c d", "M"},
		{"percent, not the byte", "hunter22", "h%74nter22 h%7 h%zznter22", "h%74nter22 h%7 h%zznter22"},
		{"percent, runes", "pässwörd", "p%C3%a4sswörd", "M"},
		{"JSON three deep", `ab"cd\ef`, "x " + nested(`ab"cd\ef`, 3) + " y", "x M y"},
		{"JSON six deep", `ab"c`, nested(`ab"c`, 6), "M"},
		{"JSON, slashes", "a/b/c/d", `a\/b/c\\/d`, "M"},
		{"JSON, spelled out", "s3cret", `\u0073\u0033cre\u0074`, "M"},
		{"JSON, spelled out three deep", "s3cret", `\\\\u0073\\\\u0033\u0063ret`, "M"},
		{"JSON, surrogates", "ab😀cd", `ab\uD83d\\uDe00c\u0064`, "M"},
		{"JSON, half a pair", "ab😀cd", `ab\ud83dcd ab\ud83d\ud83dcd`, `ab\ud83dcd ab\ud83d\ud83dcd`},
		{"JSON, control characters", "ab\ncd\t", `ab\\ncd\u0009`, "M"},
		{"JSON, invalid bytes as Python has them", "ab\xffcdef", `ab\udcffcdef ab\\udcFFcdef`, "M M"},
		{"JSON, invalid bytes replaced", "ab\xffcdef", `ab\ufffdcdef ab%EF%BF%BDcdef`, "M M"},
		{"JSON, percent-encoded", `ab"cd/\e`, `ab%5C%22cd%5c/%5C%5Ce ab%5Cu0022cd/%5C%5C%5C%5Ce`, "M M"},
		{"JSON, not the character", "s3cret", `\u0074\u0033cret \x73`, `\u0074\u0033cret \x73`},
		{"mixture", `a"b/ü😀`, `\u0061\\\"%62\/%c3` + "\xbc" + `\ud83d\ude00`, "M"},
		{"mixture with the letters of escapes", `u0073\n`, `\u0075\u0030073\\\n`, "M"},
		{"backslashes", `\\\\`, strings.Repeat(`\`, 32), "M"},
		{"backslash before a letter", "nightly", `C:\nightly`, `C:\M`},
		{"backslashes before the value", "hunter22", `C:\\hunter22`, `C:\\M`},
		{"backslash at the end of the value", `abcd\`, "abcd" + strings.Repeat(`\`, 32), "M"},
		{"many backslashes in the value", strings.Repeat(`\`, 40) + "x", nested(strings.Repeat(`\`, 40)+"x", 3), "M"},
		{"own backslashes in front and most others", `\bcd`, strings.Repeat(`\`, 130) + "bcd", `\M`},
		{"too many backslashes of both kinds", `"bcd`, strings.Repeat(`\`, 60) + strings.Repeat("%5C", 15) + `"bcd`, strings.Repeat(`\`, 56) + "M"},
		{"most backslashes", "ab\"cd", `ab` + strings.Repeat(`\`, 64) + `"cd`, "M"},
		{"too many backslashes", "ab\"cd", `ab` + strings.Repeat(`\`, 65) + `"cd`, `ab` + strings.Repeat(`\`, 65) + `"cd`},
		{"most backslashes in front", "\"bcd", strings.Repeat(`\`, 65) + `"bcd`, `\M`},
		{"most backslashes, percent-encoded", "ab\"cd", `ab` + strings.Repeat(`%5C`, 16) + `"cd`, "M"},
		{"too many backslashes, percent-encoded", "ab\"cd", `ab` + strings.Repeat(`%5C`, 17) + `"cd`, `ab` + strings.Repeat(`%5C`, 17) + `"cd`},
		{"own backslashes and most others", `ab\"cd`, `ab` + strings.Repeat(`\`, 128) + `"cd`, "M"},
		{"too many backslashes, then few", "s3cret", strings.Repeat(`\`, 1000) + `u00733cret`, strings.Repeat(`\`, 936) + "M"},
		{"base64, HTTP Basic", long, "Basic " + base64.StdEncoding.EncodeToString([]byte("user:"+long)), "Basic dXNlcjpM"},
		{"base64, wrapped anywhere", "hunter22", "aHVu\ndG\r\nVyMj\\r\\nI\\\\n=", "M"},
		{"base64, break of a URL", "hunter22", "aHVu%0AdGVy%0d%0aMjI%3D", "M"},
		{"base64, break as JSON in a URL", "hunter22", `aHVu%5CndGVyMjI=`, "M"},
		{"base64, two breaks", "hunter", "aHVu\n\ndGVy", "aHVu\n\ndGVy"},
		{"base64, plus as .NET has it", "~~~~>>>>", `fn5\u002Bfj4\u002bPj4=`, "M"},
		{"base64, short inside other", "abcd", base64.StdEncoding.EncodeToString([]byte("xxxabcdxxx")), "eHh4YWJjZHh4eA=="},
		{"base64, short alone", "abcd", "YWJjZA== YWJjZA YWJjZAo=", "M M M"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := redactor(t, tt.value)
			if got, want := r.String(tt.text), mark(tt.want); got != want {
				t.Errorf("String(%q) = %q, want %q", tt.text, got, want)
			}
			if got, want := streamed(r, tt.text), mark(tt.want); got != want {
				t.Errorf("Stream of %q = %q, want %q", tt.text, got, want)
			}
		})
	}
}

// TestRedactBase64Inside: wherever a value stands in a text, at most one character of its base64 is
// left at either end.
func TestRedactBase64Inside(t *testing.T) {
	for _, value := range []string{"7 bytes", "sk-CANARY~~~???", strings.Repeat("~?>long ", 30), "raw\xff\xfe\xfdbytes"} {
		r := redactor(t, value)
		for before := range 7 {
			for after := range 7 {
				for _, encoding := range []*base64.Encoding{base64.StdEncoding, base64.RawURLEncoding} {
					line := encoding.EncodeToString([]byte("user:x"[:min(before, 6)] + value + "\n, more"[:after]))
					for _, width := range []int{64, 76, len(line)} {
						text := wrapped(line, width)
						got := r.String(text)
						left := len(strings.Replace(strings.ReplaceAll(got, "\n", ""), secret.Mark, "", 1))
						if limit := (min(before, 6)*8+5)/6 + (after*8+5)/6 + 3; !strings.Contains(got, secret.Mark) || left > limit {
							t.Errorf("%d before, %d after: String(%q) = %q", before, after, text, got)
						}
						if s := streamed(r, text); s != got {
							t.Errorf("stream %q, whole %q", s, got)
						}
					}
				}
			}
		}
	}
}

func wrapped(line string, width int) string {
	var b strings.Builder
	for len(line) > width {
		b.WriteString(line[:width] + "\n")
		line = line[width:]
	}
	return b.String() + line
}

func TestRedactNegativeSpellings(t *testing.T) {
	r := redactor(t, `sk-"ant/test CANARY9`, "12345678", "password")
	text := `sk-learn %73k-learn \u0073k-learn sk-\"ant\/test sk-%22ant%2ftest+CANARY 1234567 passwor\u0064s?` +
		" passw0rd 3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 " +
		"123e4567-e89b-12d3-a456-426614174000 47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU= c2stbGVhcm4=" +
		` \\\\ %5C%5C %25 \u \ud83d \n \\n \"`
	text = strings.Replace(text, `passwor\u0064s`, `passwor\u0065s`, 1)
	if got := r.String(text); got != text {
		t.Errorf("String() = %q, want it untouched", got)
	}
	if got := streamed(r, text); got != text {
		t.Errorf("Stream = %q, want it untouched", got)
	}
}

func TestStreamHoldsBackSpellings(t *testing.T) {
	tests := []struct {
		name  string
		value string
		text  string
		want  string // what has left after text
	}{
		{"escape", "s3cret", `x \u007`, "x "},
		{"another escape", "s3cret", `x \u008`, `x \u008`},
		{"percent", "s3cret", "x %7", "x "},
		{"another percent", "s3cret", "x %8", "x %8"},
		{"backslashes", "s3cret", `x \\\`, "x "},
		{"most backslashes", "s3cret", "x " + strings.Repeat(`\`, 1000), "x " + strings.Repeat(`\`, 936)},
		{"base64", "s3cret-s3cret", "x czNjcmV0\n", "x "},
		{"no base64", "s3cret-s3cret", "x czNjcmV0\n\n", "x czNjcmV0\n\n"},
		{"longer base64 possible", "hunter22", "x aHVudGVyMjI", "x "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := redactor(t, tt.value).Stream()
			if got := string(s.Write([]byte(tt.text))); got != tt.want {
				t.Errorf("Write(%q) = %q, want %q", tt.text, got, tt.want)
			}
			if got, want := string(s.Flush()), strings.TrimPrefix(tt.text, tt.want); tt.name != "longer base64 possible" && got != want {
				t.Errorf("Flush() = %q, want %q", got, want)
			}
		})
	}
}

func TestStrings(t *testing.T) {
	list := []string{"a hunter22", "b"}
	var none *secret.Redactor
	got := [][]string{redactor(t, "hunter22").Strings(list), redactor(t, "hunter22").Strings(nil), none.Strings(list)}
	if diff := cmp.Diff([][]string{{mark("a M"), "b"}, nil, {"a hunter22", "b"}}, got); diff != "" {
		t.Error(diff)
	}
	if list[0] != "a hunter22" {
		t.Errorf("Strings changed its argument to %q", list)
	}
}

// spell writes each character or byte of a value in a way that choices say.
func spell(value string, choices []byte) string {
	var b strings.Builder
	choose := func(n int) int {
		if len(choices) == 0 {
			return 0
		}
		c := choices[0]
		choices = choices[1:]
		return int(c) % n
	}
	slashes := func() string { return strings.Repeat([]string{`\`, "%5C"}[choose(2)], choose(4)+1) }
	for i, r := range value {
		width := len(string(r))
		if r == '\ufffd' && !strings.HasPrefix(value[i:], string(r)) {
			width = 1
		}
		whole := value[i : i+width]
		switch way := choose(5); {
		case way == 1 && width == 1 && r == '\ufffd':
			fmt.Fprintf(&b, `%su%04x`, slashes(), 0xdc00|int(value[i]))
		case way == 1 && r > 0xffff:
			high, low := 0xd800+(r-0x10000)>>10, 0xdc00+(r-0x10000)&0x3ff
			fmt.Fprintf(&b, `%su%04X%su%04x`, slashes(), high, slashes(), low)
		case way == 1:
			fmt.Fprintf(&b, `%su%04x`, slashes(), r)
		case way == 2 && (r == '"' || r == '\\' || r == '/'):
			b.WriteString(slashes() + whole)
		case way == 2 && strings.ContainsRune("\b\f\n\r\t", r):
			b.WriteString(slashes() + strings.Trim(fmt.Sprintf("%q", r), `'\`))
		case way == 3 && r == ' ':
			b.WriteByte('+')
		default:
			for j := range width {
				fmt.Fprintf(&b, []string{"%s", "%%%02x", "%%%02X"}[way%3], whole[j:j+1])
			}
		}
	}
	return b.String()
}

// FuzzSpelling: a value is found in any mixture of spellings, and nothing more than that.
func FuzzSpelling(f *testing.F) {
	f.Add("abc+def/ghi=", []byte{0, 1, 2, 3, 4})
	f.Add(`ab"cd\ef`, []byte{1, 1, 3, 2, 0, 0, 1, 2, 2, 1, 3})
	f.Add("pä/😀x y", []byte{4, 1, 0, 1, 2, 3, 1, 0, 0, 0, 0, 4, 3})
	f.Add("raw\xff\xfe\n", []byte{0, 0, 0, 1, 1, 1, 1, 0, 0, 2, 0, 1})
	f.Add(`\\\u005c%25`, []byte{2, 1, 3, 2, 0, 0, 1, 0, 1, 3, 3, 3, 4})
	f.Fuzz(func(t *testing.T, value string, choices []byte) {
		if len(value) < secret.MinValueBytes || strings.ContainsAny(value, "<>") {
			return
		}
		r := redactor(t, value)
		text := "<<" + spell(value, choices) + ">>"
		if got, want := r.String(text), mark("<<M>>"); got != want {
			t.Errorf("String(%q) = %q, want %q", text, got, want)
		}
		if got, want := streamed(r, text), mark("<<M>>"); got != want {
			t.Errorf("Stream of %q = %q, want %q", text, got, want)
		}
	})
}
