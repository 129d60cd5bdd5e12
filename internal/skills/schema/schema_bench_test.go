package schema

import (
	"testing"

	"github.com/runx-go/runx/internal/skills/codec"
)

// BenchmarkNewContract has a budget of 20 microseconds: no schema is declared.
func BenchmarkNewContract(b *testing.B) {
	inputs := testInputs()[:3]
	for b.Loop() {
		if _, err := NewContract(inputs, nil); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCompile has a budget of 5 milliseconds.
func BenchmarkCompile(b *testing.B) {
	for b.Loop() {
		if _, err := Compile(raw(`{"properties":{"a":{"type":"string"}}}`)); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkBind has a budget of 20 microseconds for a small object.
func BenchmarkBind(b *testing.B) {
	c, err := NewContract(testInputs()[:3], nil)
	if err != nil {
		b.Fatal(err)
	}
	object, err := codec.ParseObject("", []byte(`{"message":"a"}`), codec.Limits{})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := c.Bind(object); err != nil {
			b.Fatal(err)
		}
	}
}
