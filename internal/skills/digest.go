package skills

import (
	"crypto/sha256"
	"encoding/hex"
)

// Digest is "sha256:" and 64 lower-case hex digits.
type Digest string

// DigestBytes digests bytes as they are. Digests of JSON values are made by skills/codec.
func DigestBytes(data []byte) Digest {
	sum := sha256.Sum256(data)
	return Digest("sha256:" + hex.EncodeToString(sum[:]))
}

// Hex returns the 64 digits alone, or "" for a text that is no digest.
func (d Digest) Hex() string {
	const prefix = "sha256:"
	if len(d) != len(prefix)+64 || d[:len(prefix)] != prefix {
		return ""
	}
	return string(d[len(prefix):])
}
