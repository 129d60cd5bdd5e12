package secret_test

import (
	"bytes"
	"strings"
	"testing"
)

const benchBytes = 8 << 20

func benchText() []byte {
	line := `{"level":"info","msg":"request 42 done","path":"/api/v1/items?q=a%20b","ms":17.25,"note":"a \"b\" c"},` + "\n"
	return bytes.Repeat([]byte(line), benchBytes/len(line))
}

const benchValue = "sk-ant-api03-" + "Zm9v/YmFy+cXV4==\"quoted\" and more text"

// BenchmarkStream: budget 50 MB/s in chunks of 32 KiB.
func BenchmarkStream(b *testing.B) {
	text, r := benchText(), redactor(b, benchValue)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		s := r.Stream()
		for rest := text; len(rest) > 0; {
			n := min(len(rest), 32<<10)
			s.Write(rest[:n])
			rest = rest[n:]
		}
		s.Flush()
	}
}

// BenchmarkBytes: budget 50 MB/s.
func BenchmarkBytes(b *testing.B) {
	text, r := benchText(), redactor(b, benchValue)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		r.Bytes(text)
	}
}

// BenchmarkJSON: budget 50 MB/s with escapes in every second string and 1,000 values.
func BenchmarkJSON(b *testing.B) {
	r := redactor(b, benchValue)
	text := "[" + strings.TrimSuffix(string(bytes.TrimSpace(benchText())), ",") + "]"
	escaped := strings.ReplaceAll(benchValue, `"`, `\"`)
	raw := []byte(strings.Replace(text, `a \"b\" c`, escaped, 1000))
	b.SetBytes(int64(len(raw)))
	for b.Loop() {
		r.JSON(raw)
	}
}

// BenchmarkBytesAlike: budget 0.2 MB/s in texts that are nothing but beginnings of a value; the first
// two of them for a value that repeats itself, where each byte costs the length of the value.
func BenchmarkBytesAlike(b *testing.B) {
	repeats := strings.Repeat("a", 100) + "b"
	tests := []struct{ name, value, text string }{
		{"raw", repeats, "a"},
		{"percent", repeats, "%61"},
		{"beginnings", benchValue, benchValue[:len(benchValue)-1]},
		{"backslashes", benchValue, `\`},
		{"backslashes in the value", `\\secret\`, `\`},
		{"percent-encoded backslashes", benchValue, "%5C"},
		{"unicode", benchValue, `\u0073\u006b`},
		{"base64", benchValue, "c2stYW50LWFwaTAz"},
	}
	for _, tt := range tests {
		text, r := bytes.Repeat([]byte(tt.text), benchBytes/8/len(tt.text)), redactor(b, tt.value)
		b.Run(tt.name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				r.Bytes(text)
			}
		})
	}
}

// BenchmarkNewRedactor: budget 1 ms.
func BenchmarkNewRedactor(b *testing.B) {
	for b.Loop() {
		redactor(b, benchValue)
	}
}
