package delivery

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzRender: whatever is valid JSON without a lone surrogate renders as the standard library reads
// it, and what render accepts as a string is what the standard library accepts with the same text.
func FuzzRender(f *testing.F) {
	for _, seed := range []string{`"a\u00e9\n"`, `"\ud83d\ude00"`, `"\ud83d"`, `"\\"`, `"\"`, `null`, ` [1]`, `"`, `{"a":"\u0041"}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		got, err := render(json.RawMessage(raw))
		if !json.Valid([]byte(raw)) || !utf8.ValidString(raw) {
			return // only what was read strictly comes here; that it does not panic is enough
		}
		var want string
		trimmed := strings.Trim(raw, " \t\r\n")
		switch {
		case trimmed == "null":
		case !strings.HasPrefix(trimmed, `"`):
			want = trimmed
		default:
			if jsonErr := json.Unmarshal([]byte(raw), &want); jsonErr != nil {
				t.Fatalf("json.Unmarshal(%q): %v", raw, jsonErr)
			}
			if err != nil && strings.ContainsRune(want, utf8.RuneError) {
				return // a lone surrogate
			}
		}
		if err != nil || string(got) != want {
			t.Errorf("render(%q) = %q, %v, want %q", raw, got, err, want)
		}
	})
}
