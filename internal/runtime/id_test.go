package runtime

import (
	"bytes"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

func TestNewID(t *testing.T) {
	ones := bytes.Repeat([]byte{0xff}, 10)
	tests := []struct {
		name   string
		prefix string
		ms     int64
		random []byte
		want   string
	}{
		{"zero", "run_", 0, make([]byte, 10), "run_00000000000000000000000000"},
		{"one millisecond", "run_", 1, make([]byte, 10), "run_00000000010000000000000000"},
		{"last time and randomness", "s_", 1<<48 - 1, ones, "s_7ZZZZZZZZZZZZZZZZZZZZZZZZZ"},
		{"published example time", "", 1469918176385, make([]byte, 10), "01ARYZ6S410000000000000000"},
		{"bits are taken from the left", "", 0, []byte{0x08, 0x42, 0x10, 0x84, 0x21, 0x08, 0x42, 0x10, 0x84, 0x22}, "00000000001111111111111112"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := NewID(tt.prefix, time.UnixMilli(tt.ms), bytes.NewReader(tt.random))
			if err != nil {
				t.Fatal(err)
			}
			if got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
			if !IsID(tt.prefix, got) {
				t.Errorf("IsID(%q, %q) is false", tt.prefix, got)
			}
		})
	}
}

func TestNewIDNeedsRandomness(t *testing.T) {
	for _, r := range []*bytes.Reader{bytes.NewReader(nil), bytes.NewReader(make([]byte, 9))} {
		if id, err := NewID("run_", time.UnixMilli(1), r); err == nil {
			t.Errorf("%d bytes of randomness gave %s", r.Size(), id)
		}
	}
	if _, err := NewID("run_", time.UnixMilli(1), iotest.ErrReader(iotest.ErrTimeout)); err != iotest.ErrTimeout {
		t.Errorf("got %v, want the reader's error", err)
	}
}

func TestIsID(t *testing.T) {
	const good = "run_01J9Z3M6Q8V5T2X4C7B1N0K8HD"
	tests := []struct {
		name string
		id   string
		want bool
	}{
		{"good", good, true},
		{"another prefix", "art_" + good[4:], false},
		{"no prefix", good[4:], false},
		{"empty", "", false},
		{"prefix alone", "run_", false},
		{"short", good[:len(good)-1], false},
		{"long", good + "0", false},
		{"lower case", "run_" + strings.ToLower(good[4:]), false},
		{"letter outside the alphabet", good[:len(good)-1] + "U", false},
		{"slash", good[:10] + "/" + good[11:], false},
		{"dots", "run_../../../../../../../../xx", false},
		{"NUL", good[:len(good)-1] + "\x00", false},
		{"time over 48 bits", "run_8" + good[5:], false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := IsID("run_", tt.id); got != tt.want {
				t.Errorf("IsID(%q) = %v, want %v", tt.id, got, tt.want)
			}
		})
	}
}
