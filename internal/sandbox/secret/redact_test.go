package secret_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"github.com/runx-go/runx/internal/sandbox/secret"
)

func redactor(t testing.TB, values ...string) *secret.Redactor {
	t.Helper()
	var all []secret.Value
	for _, v := range values {
		all = append(all, secret.New(v))
	}
	r, err := secret.NewRedactor(all...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// mark writes M for the mark.
func mark(text string) string { return strings.ReplaceAll(text, "M", secret.Mark) }

func TestRedactText(t *testing.T) {
	tests := []struct {
		name   string
		values []string
		text   string
		want   string // M is the mark
	}{
		{"nothing", []string{"hunter22"}, "hunter2 sk-learn", "hunter2 sk-learn"},
		{"literal", []string{"hunter22"}, "a hunter22 b hunter22", "a M b M"},
		{"adjacent", []string{"abcd"}, "abcdabcd", "MM"},
		{"longest first", []string{"abcd", "abcdef"}, "abcdefg abcde", "Mg Me"},
		{"leftmost first", []string{"wxyz", "abcd"}, "abcd wxyz", "M M"},
		{"overlap is one mark", []string{"key=", "=supersecret"}, "key=supersecret!", "M!"},
		{"overlap with itself", []string{"abcXabc"}, "abcXabcXabc.", "M."},
		{"at the end", []string{"abcd"}, "xabc abcd", "xabc M"},
		{"cut off", []string{"abcdef"}, "abcde", "abcde"},
		{"runes", []string{"pässwörd"}, "ä pässwörd ö", "ä M ö"},
		{"empty text", []string{"abcd"}, "", ""},
		{"exactly four bytes", []string{"abcd"}, "abcd", "M"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := redactor(t, tt.values...)
			if got, want := r.String(tt.text), mark(tt.want); got != want {
				t.Errorf("String(%q) = %q, want %q", tt.text, got, want)
			}
			if got, want := string(r.Bytes([]byte(tt.text))), mark(tt.want); got != want {
				t.Errorf("Bytes(%q) = %q, want %q", tt.text, got, want)
			}
		})
	}
}

// spellings are the ways in which encoders of this and other languages write a value.
func spellings(value string) map[string]string {
	goJSON, _ := json.Marshal(value)
	var plain bytes.Buffer
	e := json.NewEncoder(&plain)
	e.SetEscapeHTML(false)
	_ = e.Encode(value)
	inner := strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(plain.String()), `"`), `"`)
	twice, _ := json.Marshal(string(goJSON))
	lines := base64.StdEncoding.EncodeToString([]byte(value + "\n"))
	for i := 76; i < len(lines); i += 77 {
		lines = lines[:i] + "\n" + lines[i:]
	}
	return map[string]string{
		"literal":           value,
		"json":              string(goJSON[1 : len(goJSON)-1]),
		"json plain":        inner,
		"json slash":        strings.ReplaceAll(inner, "/", `\/`),
		"json twice":        string(twice[3 : len(twice)-3]),
		"json three deep":   nested(value, 3),
		"json spelled out":  spelledOut(value),
		"quote":             strings.NewReplacer("%2F", "/", "+", "%20").Replace(url.QueryEscape(value)),
		"query":             url.QueryEscape(value),
		"path segment":      url.PathEscape(value),
		"path":              (&url.URL{Path: value}).EscapedPath(),
		"user":              url.User(value).String(),
		"lower percent":     lowerPercent(url.QueryEscape(value)),
		"base64":            base64.StdEncoding.EncodeToString([]byte(value)),
		"base64 raw":        base64.RawStdEncoding.EncodeToString([]byte(value)),
		"base64 url":        base64.URLEncoding.EncodeToString([]byte(value)),
		"base64 raw url":    base64.RawURLEncoding.EncodeToString([]byte(value)),
		"base64 of echo":    lines,
		"base64 in a query": url.QueryEscape(base64.StdEncoding.EncodeToString([]byte(value))),
	}
}

// spelledOut is a value with each character as \uXXXX.
func spelledOut(value string) string {
	var b strings.Builder
	for _, unit := range utf16.Encode([]rune(value)) {
		fmt.Fprintf(&b, `\u%04x`, unit)
	}
	return b.String()
}

func lowerPercent(text string) string {
	b := []byte(text)
	for i := range b {
		if b[i] == '%' {
			copy(b[i:], bytes.ToLower(b[i:i+3]))
		}
	}
	return string(b)
}

func TestRedactForms(t *testing.T) {
	values := []string{
		"hunter22", `qu"o\te`, "a/b+c=d&e<f>g h", "new\nline\ttab\x01end", "pässwörd 😀\u2028", "~~~???>>>!!!'()*:@$,;#[]",
		"raw\xff\xfebytes", strings.Repeat("long value ", 40),
	}
	for _, value := range values {
		r := redactor(t, value)
		for name, form := range spellings(value) {
			t.Run(fmt.Sprintf("%.8q %s", value, name), func(t *testing.T) {
				if got, want := r.String("<<"+form+">>"), mark("<<M>>"); got != want {
					t.Errorf("String(%q) = %q, want %q", form, got, want)
				}
			})
		}
	}
}

func TestRedactASCIIJSON(t *testing.T) {
	// As Python and PHP write them.
	r := redactor(t, "pä/😀x")
	for _, form := range []string{
		`p\u00e4/\ud83d\ude00x`, `p\u00E4/\uD83D\uDE00x`, `p\u00e4\/\ud83d\ude00x`,
		`p\\u00e4/\\ud83d\\ude00x`, `p\\u00e4\\/\\ud83d\\ude00x`,
	} {
		if got := r.String(form); got != secret.Mark {
			t.Errorf("String(%q) = %q, want the mark", form, got)
		}
	}
}

func TestNegatives(t *testing.T) {
	r := redactor(t, "sk-ant-test-CANARY9", "postgres://u:CANARY8@h/db")
	text := "sk-learn sk-ant-test 3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 " +
		"123e4567-e89b-12d3-a456-426614174000 \x1b[0m \xff\xfe \u202e postgres://u@h/db"
	if got := r.String(text); got != text {
		t.Errorf("String() = %q, want it untouched", got)
	}
	raw := []byte(text)
	if got := r.Bytes(raw); &got[0] != &raw[0] {
		t.Error("Bytes() copied a text without values")
	}
}

func TestNewRedactor(t *testing.T) {
	tests := []struct {
		name   string
		values []secret.Value
		empty  bool
		short  bool
	}{
		{"none", nil, true, false},
		{"zero value", []secret.Value{{}}, true, false},
		{"empty text", []secret.Value{secret.New("")}, false, true},
		{"three bytes", []secret.Value{secret.New("abcd"), secret.New("abc")}, false, true},
		{"four bytes", []secret.Value{secret.New("abcd")}, false, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, err := secret.NewRedactor(tt.values...)
			short, ok := errors.AsType[*secret.ShortError](err)
			if ok != tt.short {
				t.Fatalf("NewRedactor() = %v, want short %v", err, tt.short)
			}
			if ok {
				if got, want := short.Error(), "cannot use the credential: its value has fewer than 4 bytes"; got != want {
					t.Errorf("error %q, want %q", got, want)
				}
				return
			}
			if r.Empty() != tt.empty {
				t.Errorf("Empty() = %v, want %v", r.Empty(), tt.empty)
			}
		})
	}
}

func TestNilRedactor(t *testing.T) {
	var r *secret.Redactor
	s := r.Stream()
	got := []string{
		fmt.Sprint(r.Empty()), r.String("abcd"), string(r.Bytes([]byte("abcd"))), string(r.JSON([]byte(`{"a":1}`))),
		string(s.Write([]byte("abcd"))), string(s.Flush()),
	}
	if diff := cmp.Diff([]string{"true", "abcd", "abcd", `{"a":1}`, "abcd", ""}, got); diff != "" {
		t.Error(diff)
	}
}

func TestStreamHoldsBackOnlyBeginnings(t *testing.T) {
	type step struct{ In, Out string }
	tests := []struct {
		name   string
		values []string
		steps  []step // In "" is Flush; M is the mark
	}{
		{"nothing like it", []string{"abcdef"}, []step{{"hello\n", "hello\n"}, {"", ""}}},
		{"beginning, then not", []string{"abcdef"}, []step{{"x abc", "x "}, {"x", "abcx"}, {"", ""}}},
		{"beginning, then end", []string{"abcdef"}, []step{{"x abcde", "x "}, {"", "abcde"}}},
		{"byte by byte", []string{"abcd"}, []step{{"a", ""}, {"b", ""}, {"c", ""}, {"d", "M"}, {"e", "e"}, {"", ""}}},
		{"beginning of a beginning", []string{"ababX"}, []step{{"abab", ""}, {"abX", "abM"}, {"", ""}}},
		{"longer one possible", []string{"abcd", "abcdef"}, []step{{"abcd", ""}, {"e", ""}, {"g", "Meg"}, {"", ""}}},
		{"overlap across chunks", []string{"key=", "=secret"}, []step{{"key=", "M"}, {"sec", ""}, {"ret!", "!"}, {"", ""}}},
		{"overlap that was none", []string{"key=", "=secret"}, []step{{"key=", "M"}, {"sec", ""}, {"urity", "security"}, {"", ""}}},
		{"flush and go on", []string{"abcd"}, []step{{"ab", ""}, {"", "ab"}, {"cd", "cd"}, {"abcd", "M"}, {"", ""}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := redactor(t, tt.values...).Stream()
			for i, step := range tt.steps {
				got := s.Flush
				if step.In != "" {
					got = func() []byte { return s.Write([]byte(step.In)) }
				}
				if got, want := string(got()), mark(step.Out); got != want {
					t.Errorf("step %d (%q) = %q, want %q", i, step.In, got, want)
				}
			}
		})
	}
}
