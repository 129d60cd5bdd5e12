package codec

import (
	"strings"
	"testing"
)

// sample is 8 MiB of small objects.
func sample() []byte {
	return []byte("[" + strings.TrimSuffix(strings.Repeat(`{"id":9007199254740993,"name":"some text that is a little longer","tags":["a","b"],"ok":true},`, 84000), ",") + "]")
}

// BenchmarkParseValue has a budget of 200 MB/s.
func BenchmarkParseValue(b *testing.B) {
	data := sample()
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, err := ParseValue("", data, Limits{}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkParseObjectString has a budget of 1 GB/s: one large string.
func BenchmarkParseObjectString(b *testing.B) {
	data := []byte(`{"a":"` + strings.Repeat("some text ", 800000) + `"}`)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, err := ParseObject("", data, Limits{}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCanonical has a budget of 30 MB/s.
func BenchmarkCanonical(b *testing.B) {
	data := sample()
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, err := Canonical(data); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkParseYAML has a budget of 2 MB/s.
func BenchmarkParseYAML(b *testing.B) {
	data := []byte(strings.Repeat("- name: some text\n  list: [a, b]\n", 3000))
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, err := ParseYAML("", data, 1<<20, 0); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkParseYAMLLongLine has a budget of 2 seconds for 1 MiB of small lists on one line.
func BenchmarkParseYAMLLongLine(b *testing.B) {
	data := []byte("[" + strings.Repeat("[é],", 1<<20/5-1) + "]")
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, err := ParseYAML("", data, 1<<20, 0); err != nil {
			b.Fatal(err)
		}
	}
}
