package secret

import (
	"cmp"
	"encoding/base64"
	"slices"
	"strings"
	"unicode/utf8"
)

// forms are the spellings of a value that a Redactor looks for, longest first and each once: the
// literal, JSON-escaped once and twice, URL-encoded, and base64 (of the value, and of the value
// with the newline that a shell's echo adds).
func forms(value string) []string {
	var all []string
	all = append(all, value)
	all = append(all, jsonForms(value)...)
	all = append(all, urlForms(value)...)
	all = append(all, base64Forms(value)...)
	all = slices.DeleteFunc(all, func(form string) bool { return len(form) < MinValueBytes })
	slices.SortFunc(all, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b))
	})
	return slices.Compact(all)
}

// escaping is the habit of a JSON encoder.
type escaping struct {
	html  bool // < > & U+2028 U+2029 as \u....
	slash bool // / as \/
	ascii bool // everything outside ASCII as \u....
	upper bool // hexadecimal digits in capitals
	long  bool // \u000a instead of \n
}

func jsonForms(value string) []string {
	var all []string
	for bits := range 1 << 5 {
		e := escaping{html: bits&1 != 0, slash: bits&2 != 0, ascii: bits&4 != 0, upper: bits&8 != 0, long: bits&16 != 0}
		once := e.escape(value)
		all = append(all, once, e.escape(once), escaping{}.escape(once))
	}
	if !utf8.ValidString(value) && len(strings.ToValidUTF8(value, "")) >= MinValueBytes {
		// Encoders replace what is not UTF-8.
		replaced := string([]rune(value))
		all = append(all, replaced)
		all = append(all, jsonForms(replaced)...)
	}
	return all
}

const (
	lowerHex = "0123456789abcdef"
	upperHex = "0123456789ABCDEF"
)

func (e escaping) escape(text string) string {
	var b strings.Builder
	for i, r := range text {
		short := shortEscape(r)
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(text[i:], string(r)):
			b.WriteByte(text[i]) // not UTF-8: kept
		case r == '"' || r == '\\' || r == '/' && e.slash:
			b.WriteByte('\\')
			b.WriteRune(r)
		case short != 0 && !e.long:
			b.WriteByte('\\')
			b.WriteByte(short)
		case r < ' ', e.ascii && r >= 0x7f, e.html && isHTML(r):
			e.hex(&b, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

func (e escaping) hex(b *strings.Builder, r rune) {
	if r > 0xffff {
		r -= 0x10000
		e.hex(b, 0xd800+r>>10)
		e.hex(b, 0xdc00+r&0x3ff)
		return
	}
	digits := lowerHex
	if e.upper {
		digits = upperHex
	}
	b.WriteString(`\u`)
	for shift := 12; shift >= 0; shift -= 4 {
		b.WriteByte(digits[r>>shift&0xf])
	}
}

func shortEscape(r rune) byte {
	switch r {
	case '\b':
		return 'b'
	case '\f':
		return 'f'
	case '\n':
		return 'n'
	case '\r':
		return 'r'
	case '\t':
		return 't'
	}
	return 0
}

func isHTML(r rune) bool {
	return r == '<' || r == '>' || r == '&' || r == '\u2028' || r == '\u2029'
}

// urlForms are the value percent-encoded as the parts of a URL have it: what each leaves beside
// letters and digits.
func urlForms(value string) []string {
	var all []string
	for _, safe := range [...]string{
		"-_.~",                 // RFC 3986, query escapes
		"-_.!~*'()",            // encodeURIComponent
		"*-._",                 // HTML forms
		"-_.~$&+:=@",           // a path segment of net/url
		"-_.~$&+,/:;=@",        // a path of net/url
		"-_.~$&+,;=",           // user information of net/url
		"-_.~!$&'()*+,;=:@",    // a path segment of RFC 3986
		"-_.~!$&'()*+,;=:@/?",  // a query or fragment of RFC 3986
		"-_.!~*'();/?:@&=+$,#", // encodeURI
	} {
		for _, digits := range [...]string{lowerHex, upperHex} {
			all = append(all, percent(value, safe, digits, false), percent(value, safe, digits, true))
		}
	}
	return all
}

func percent(text, safe, digits string, plus bool) string {
	var b strings.Builder
	for i := range len(text) {
		c := text[i]
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.IndexByte(safe, c) >= 0:
			b.WriteByte(c)
		case c == ' ' && plus:
			b.WriteByte('+')
		default:
			b.WriteByte('%')
			b.WriteByte(digits[c>>4])
			b.WriteByte(digits[c&0xf])
		}
	}
	return b.String()
}

// base64Forms are the alphabets with and without padding, on one line and on the lines that
// base64 (76) and openssl (64) print, and those on one line as JSON and URLs have them.
func base64Forms(value string) []string {
	var all []string
	for _, text := range [...]string{value, value + "\n"} {
		for _, encoding := range [...]*base64.Encoding{
			base64.StdEncoding, base64.RawStdEncoding, base64.URLEncoding, base64.RawURLEncoding,
		} {
			line := encoding.EncodeToString([]byte(text))
			all = append(all, line, strings.ReplaceAll(line, "/", `\/`),
				percent(line, "-_", lowerHex, false), percent(line, "-_", upperHex, false))
			for _, width := range [...]int{64, 76} {
				all = append(all, wrap(line, width, "\n"), wrap(line, width, "\r\n"),
					wrap(line, width, `\n`), wrap(line, width, `\r\n`))
			}
		}
	}
	return all
}

func wrap(line string, width int, newline string) string {
	var b strings.Builder
	for len(line) > width {
		b.WriteString(line[:width])
		b.WriteString(newline)
		line = line[width:]
	}
	b.WriteString(line)
	return b.String()
}
