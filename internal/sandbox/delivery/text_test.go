package delivery

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

func TestRender(t *testing.T) {
	tests := []struct{ name, raw, want string }{
		{"string", `"a b"`, "a b"},
		{"empty string", `""`, ""},
		{"null", `null`, ""},
		{"the text null", `"null"`, "null"},
		{"number keeps its characters", `9007199254740993`, "9007199254740993"},
		{"number keeps its form", `-0`, "-0"},
		{"boolean", `true`, "true"},
		{"object keeps its blanks", `{ "b" : 1, "a":"\u0041" }`, `{ "b" : 1, "a":"\u0041" }`},
		{"blanks around", " \t\r\n[1, 2]\n", "[1, 2]"},
		{"simple escapes", `"\"\\\/\b\f\n\r\t"`, "\"\\/\b\f\n\r\t"},
		{"unicode escapes", `"\u00e9\u20AC"`, "é€"},
		{"surrogate pair", `"x\ud83d\ude00y"`, "x😀y"},
		{"NUL", `"a\u0000b"`, "a\x00b"},
		{"escape at the end", `"a\\"`, `a\`},
		{"text outside ASCII", `"héllo 😀"`, "héllo 😀"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := render(json.RawMessage(tt.raw))
			if string(got) != tt.want || err != nil || got == nil {
				t.Errorf("render(%s) = %q, %v, want %q", tt.raw, got, err, tt.want)
			}
		})
	}
}

func TestRenderRefuses(t *testing.T) {
	for _, raw := range []string{
		``, ` `, `"`, `"a`, `"\"`, `"\x"`, `"\u12"`, `"\u12g4"`, `"\u+123"`, `"\ud83d"`, `"\ud83dx"`, `"\ud83d\u0041"`, `"\ude00"`, `"\ud83d\u1"`,
	} {
		if got, err := render(json.RawMessage(raw)); !errors.Is(err, textError{}) {
			t.Errorf("render(%s) = %q, %v, want an error", raw, got, err)
		}
	}
}

// TestRenderSharesMemory: an input of 64 MiB must not exist twice.
func TestRenderSharesMemory(t *testing.T) {
	for _, raw := range []json.RawMessage{
		json.RawMessage(`"` + strings.Repeat("a", 1<<20) + `"`),
		json.RawMessage(`[` + strings.Repeat("1,", 1<<20) + `1]`),
	} {
		if n := testing.AllocsPerRun(5, func() {
			if _, err := render(raw); err != nil {
				t.Fatal(err)
			}
		}); n != 0 {
			t.Errorf("render of %d bytes allocates %v times, want 0", len(raw), n)
		}
	}
	escaped := json.RawMessage(`"\n` + strings.Repeat("a", 1<<20) + `"`)
	if n := testing.AllocsPerRun(5, func() { _, _ = render(escaped) }); n > 1 {
		t.Errorf("render of an escaped string allocates %v times, want 1", n)
	}
}
