package harness

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strconv"
	"strings"
	"time"
)

// measureOf is a stream that was kept whole.
func measureOf(data []byte) *StreamWant {
	return &StreamWant{Measure: &Measure{
		Bytes: new(int64(len(data))), RetainedBytes: new(int64(len(data))), SHA256: new(digest(data)),
		Truncated: new(false), Replaced: new(0),
	}}
}

// patternOf is the measure of n bytes of the probe's pattern, abc…z over and over.
func patternOf(n int64) *StreamWant {
	block := []byte(strings.Repeat("abcdefghijklmnopqrstuvwxyz", 4096))
	hash := sha256.New()
	for left := n; left > 0; left -= int64(len(block)) {
		hash.Write(block[:min(left, int64(len(block)))])
	}
	return &StreamWant{Measure: &Measure{
		Bytes: &n, RetainedBytes: new(min(n, int64(retainedBytes))), SHA256: new(hex.EncodeToString(hash.Sum(nil))),
		Truncated: new(n > retainedBytes), Replaced: new(0),
	}}
}

// outputCases are about captured streams (skills 3.7).
func outputCases() []Case {
	flood := func(id, stream string, n int64, want func() *Expected) Case {
		return builtinCase(id, want, "flood:"+stream+":"+strconv.FormatInt(n, 10))
	}
	kept := func(n int64) func() *Expected {
		return func() *Expected {
			return &Expected{Status: "sealed", ErrorCode: new(""), ExitCode: new(0), Stdout: patternOf(n)}
		}
	}
	return []Case{
		flood("out-2m", "stdout", 2_097_152, kept(2_097_152)),
		flood("out-8m", "stdout", retainedBytes, kept(retainedBytes)),
		flood("out-8m-1", "stdout", retainedBytes+1, func() *Expected {
			want := failed("output_truncated")
			want.ExitCode, want.Stdout = new(0), patternOf(retainedBytes+1)
			return want
		}),
		builtinCase("out-utf8-cut", func() *Expected {
			all := strings.Repeat("a", retainedBytes-1) + strings.Repeat("€", 10)
			want := failed("output_truncated")
			want.Stdout = &StreamWant{Measure: &Measure{
				Bytes: new(int64(len(all))), RetainedBytes: new(int64(retainedBytes - 1)), SHA256: new(digest([]byte(all))),
				Truncated: new(true), Replaced: new(0),
			}}
			return want
		}, "utf8-cut"),
		flood("err-over", "stderr", retainedBytes+1, func() *Expected {
			return &Expected{
				Status: "sealed", ErrorCode: new(""), ExitCode: new(0), Stdout: &StreamWant{Text: new("")},
				Stderr: patternOf(retainedBytes + 1), Warnings: []string{"stderr_truncated"},
			}
		}),
		flood("both-64m", "both", 64<<20, func() *Expected {
			want, both := failed("output_truncated"), patternOf(64<<20)
			want.ExitCode, want.Stdout, want.Stderr = new(0), both, both
			return want.within(30 * time.Second)
		}),
		builtinCase("out-invalid-utf8", func() *Expected {
			want := measureOf([]byte{0xFF, 0xFE})
			want.Measure.Replaced = new(2)
			return &Expected{
				Status: "sealed", ErrorCode: new(""), ExitCode: new(0), Stdout: want, Warnings: []string{"stream_encoding"},
			}
		}, printing("\xff\xfe")),
	}
}

// contractCases are about the value of a run (skills 3.8, 6.1).
func contractCases() []Case {
	printed := func(id, text, result string) Case {
		return builtinCase(id, func() *Expected {
			return &Expected{
				Status: "sealed", ErrorCode: new(""), ExitCode: new(0),
				Stdout: &StreamWant{Text: &text}, Result: json.RawMessage(result),
			}
		}, printing(text))
	}
	declared := func(s *setup) { s.outputs = json.RawMessage(`{"summary": {"type": "string"}, "count": "integer"}`) }
	broken := func(id, text, path string) Case {
		return builtinCase(id, func() *Expected {
			want := failed("output_contract")
			want.ExitCode, want.MessageContains = new(0), []string{path}
			want.Stdout = &StreamWant{Text: &text}
			return want
		}, printing(text)).with(declared)
	}
	const met = `{"summary":"two notes","count":2}`
	return []Case{
		printed("out-json", " {\"b\":[1,2.50],\"a\":null}\n", `{"a":null,"b":[1,2.50]}`),
		printed("out-json-two", "{\"a\":1}\n{\"b\":2}\n", `"{\"a\":1}\n{\"b\":2}\n"`),
		printed("out-text", "hello\n", `"hello\n"`),
		printed("out-contract", met, met).with(declared),
		broken("out-contract-missing", `{"summary":"s"}`, "count"),
		broken("out-contract-extra", `{"summary":"s","count":2,"more":1}`, "more"),
		broken("out-contract-type", `{"summary":"s","count":"2"}`, "count"),
	}
}
