package proc

import (
	"bytes"
	"testing"
	"unicode/utf8"
)

// captureAll feeds data in chunks whose lengths come from sizes.
func captureAll(data, sizes []byte, limit int) Stream {
	c := newCapture(limit)
	for i := 0; len(data) > 0; i++ {
		n := 1
		if len(sizes) > 0 {
			n = 1 + int(sizes[i%len(sizes)])
		}
		b := c.buffer(256)
		n = min(n, len(data), len(b.data))
		copy(b.data, data[:n])
		c.add(b, n)
		c.release(b)
		data = data[n:]
	}
	return c.stream()
}

func FuzzStreamPrefix(f *testing.F) {
	f.Add([]byte("plain"), []byte{3}, 5)
	f.Add([]byte("aa\xe2\x82\xac\xe2\x82\xac"), []byte{0}, 4)
	f.Add([]byte("\xf0\x9f\x98\x80\xf0\x9f\x98\x80"), []byte{1, 2}, 7)
	f.Add([]byte("\xff\xfe\x80\x80\x80\x80\x80"), []byte{2}, 6)
	f.Add([]byte("ab\xe2\xe2\xe2\xe2"), []byte{9}, 4)
	f.Add([]byte(""), []byte{}, 0)
	f.Fuzz(func(t *testing.T, data, sizes []byte, limit int) {
		if limit < 0 || limit > 1<<16 || len(data) > 1<<16 {
			return
		}
		s := captureAll(data, sizes, limit)
		if s.Bytes != int64(len(data)) || s.SHA256 != hashOf(data) {
			t.Fatalf("bytes %d hash %s, want those of all %d", s.Bytes, s.SHA256, len(data))
		}
		if !bytes.HasPrefix(data, s.Prefix) || len(s.Prefix) > limit {
			t.Fatalf("%q is no prefix of at most %d bytes", s.Prefix, limit)
		}
		if s.Truncated != (len(data) > limit) {
			t.Fatalf("truncated = %v for %d bytes, limit %d", s.Truncated, len(data), limit)
		}
		if !s.Truncated {
			if len(s.Prefix) != len(data) {
				t.Fatalf("kept %d of %d bytes", len(s.Prefix), len(data))
			}
			return
		}
		lost := data[len(s.Prefix):limit]
		if len(lost) >= utf8.UTFMax || len(lost) > 0 && utf8.FullRune(lost) {
			t.Fatalf("cut %q, which is not the beginning of a character", lost)
		}
		if utf8.Valid(data) && !utf8.Valid(s.Prefix) {
			t.Fatalf("cut inside a character: %q", s.Prefix)
		}
	})
}
