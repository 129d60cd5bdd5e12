package secret_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/runx-go/runx/internal/sandbox/secret"
)

// FuzzRedact: any split of a stream gives what the whole text gives; between two marks no spelling
// of a value is left; text without a value is untouched; valid UTF-8 stays valid.
func FuzzRedact(f *testing.F) {
	f.Add("hunter22", "swordfish", "a hunter22 hunter2hunter22 b", uint8(3))
	f.Add("abcXabc", "Xabcd", "abcXabcXabcdXabc", uint8(1))
	f.Add("key=", "=supersecret", "key=supersecret", uint8(2))
	f.Add("q\"u\\o\n", "a/b c", `{"a":"q\"u\\o\n","b":"a%2Fb+c"}`, uint8(5))
	f.Add("pässwörd", "wörd😀", "pässwörd😀", uint8(1))
	f.Add("aaaa", "aaab", "aaaaaaabaaa", uint8(1))
	f.Fuzz(func(t *testing.T, a, b, text string, size uint8) {
		r, err := secret.NewRedactor(secret.New(a), secret.New(b))
		if err != nil {
			if len(a) >= secret.MinValueBytes && len(b) >= secret.MinValueBytes {
				t.Fatalf("NewRedactor(%q, %q): %v", a, b, err)
			}
			return
		}
		whole := r.String(text)
		var out strings.Builder
		s := r.Stream()
		for rest := text; rest != ""; {
			n := min(len(rest), int(size%17)+1)
			out.Write(s.Write([]byte(rest[:n])))
			rest = rest[n:]
			size = size*31 + 7
		}
		out.Write(s.Flush())
		if out.String() != whole {
			t.Errorf("stream %q, whole %q", out.String(), whole)
		}
		for part := range strings.SplitSeq(whole, secret.Mark) {
			for _, value := range []string{a, b} {
				for name, form := range spellings(value) {
					if utf8.ValidString(value) && strings.Contains(part, form) {
						t.Errorf("%s form %q of %q is left in %q", name, form, value, whole)
					}
				}
			}
		}
		if whole == text && strings.Contains(text, a) && !strings.Contains(secret.Mark, a) {
			t.Errorf("%q is not replaced in %q", a, text)
		}
		if utf8.ValidString(a+"\n"+b+"\n"+text) && !utf8.ValidString(whole) {
			t.Errorf("%q is not valid UTF-8", whole)
		}
	})
}

// FuzzRedactJSON: JSON stays JSON; no key, string or number means a value any more; a document that
// holds none is untouched byte for byte; keys do not become equal.
func FuzzRedactJSON(f *testing.F) {
	f.Add("hunter22", `{"a":"hunter22","hunter22":1,"\u0068unter22":[1.50]}`)
	f.Add("hunter22", `["{\"k\":\"\\u0068unter22\"}", "a\/b", "\ud800"]`)
	f.Add("12345", `[12345, 0.123450, "[12345]"]`)
	f.Add(`1,"b":2`, `{"x":[{"a":1,"b":2},3]}`)
	f.Add("1],[2", "[9,[[1],[2],[3]]]")
	f.Add("true", `{"true":true}`)
	f.Add("]  \n", "[1]  \n")
	f.Fuzz(func(t *testing.T, value, text string) {
		if len(value) < secret.MinValueBytes || strings.Contains(secret.Mark+" 23456789", value) {
			return
		}
		r := redactor(t, value)
		raw := []byte(text)
		got := r.JSON(raw)
		if text != string(raw) {
			t.Fatalf("JSON changed its argument")
		}
		if !json.Valid(raw) {
			if want := r.Bytes(raw); !bytes.Equal(got, want) {
				t.Errorf("JSON(%q) = %q, want that of Bytes: %q", raw, got, want)
			}
			return
		}
		if !json.Valid(got) {
			t.Fatalf("JSON(%s) with value %q = %s is not JSON", raw, value, got)
		}
		if utf8.ValidString(text) && utf8.ValidString(value) {
			held := search(t, raw, value)
			if !held && !strings.Contains(text, value) && r.String(text) == text && !strings.Contains(text, `\`) && text != string(got) {
				t.Errorf("JSON(%s) with value %q = %s, want it untouched", raw, value, got)
			}
			if search(t, got, value) {
				t.Errorf("JSON(%s) with value %q = %s still means it", raw, value, got)
			}
		}
	})
}

// search says whether a key, string or number of a document holds the value. It fails for an object
// with a key twice that holds a mark.
func search(t *testing.T, raw []byte, value string) bool {
	t.Helper()
	found := false
	var open []map[string]bool // keys of each open object; nil for an array
	key := false
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	for {
		token, err := d.Token()
		if err != nil {
			return found
		}
		switch token := token.(type) {
		case json.Delim:
			switch token {
			case '{':
				open = append(open, map[string]bool{})
			case '[':
				open = append(open, nil)
			default:
				open = open[:len(open)-1]
			}
			key = len(open) > 0 && open[len(open)-1] != nil
			continue
		case string:
			for part := range strings.SplitSeq(token, secret.Mark) {
				found = found || strings.Contains(part, value)
			}
			if key {
				keys := open[len(open)-1]
				if strings.Contains(token, secret.Mark) && keys[token] {
					t.Errorf("key %q stands twice in %s", token, raw)
				}
				keys[token] = true
				key = false
				continue
			}
		default:
			found = found || strings.Contains(fmt.Sprint(token), value)
		}
		key = len(open) > 0 && open[len(open)-1] != nil
	}
}
