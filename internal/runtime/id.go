package runtime

import (
	"io"
	"time"
)

const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

// NewID returns prefix and a ULID: 10 characters of Unix milliseconds, 16 of randomness, so that
// ids sort by time. random must give 10 bytes.
func NewID(prefix string, now time.Time, random io.Reader) (string, error) {
	var entropy [10]byte
	if _, err := io.ReadFull(random, entropy[:]); err != nil {
		return "", err
	}
	out := make([]byte, len(prefix)+26)
	copy(out, prefix)
	text := out[len(prefix):]
	ms := uint64(now.UnixMilli())
	for i := 9; i >= 0; i-- {
		text[i] = crockford[ms&31]
		ms >>= 5
	}
	var acc uint32
	bits, n := 0, 10
	for _, b := range entropy {
		acc = acc<<8 | uint32(b)
		for bits += 8; bits >= 5; {
			bits -= 5
			text[n] = crockford[acc>>bits&31]
			n++
		}
	}
	return string(out), nil
}

// IsID says whether text is prefix and a ULID; ids from outside are matched before they become
// part of a path.
func IsID(prefix, text string) bool {
	if len(text) != len(prefix)+26 || text[:len(prefix)] != prefix {
		return false
	}
	for _, c := range []byte(text[len(prefix):]) {
		if c >= 'a' || !isCrockford(c) {
			return false
		}
	}
	return text[len(prefix)] <= '7'
}

func isCrockford(c byte) bool {
	for i := range len(crockford) {
		if crockford[i] == c {
			return true
		}
	}
	return false
}
