package proc

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"sync"
	"sync/atomic"
	"unicode/utf8"
)

// capture measures one stream: it counts and hashes all of it and keeps a prefix. Hashing has its
// own goroutine, so that the next read does not wait for it.
type capture struct {
	queue  chan *buffer
	free   chan *buffer
	hashed chan struct{} // closed when sum is set
	sum    [sha256.Size]byte
	made   int

	mu     sync.Mutex
	sealed bool
	limit  int
	prefix []byte
	bytes  int64
}

// buffer is one read. Two goroutines look at it: it is free again when both are done.
type buffer struct {
	data  []byte
	n     int
	users atomic.Int32
}

// newCapture starts the hashing goroutine; it ends with seal.
func newCapture(limit int) *capture {
	c := &capture{
		queue:  make(chan *buffer, streamBuffers),
		free:   make(chan *buffer, streamBuffers),
		hashed: make(chan struct{}), limit: limit,
	}
	go c.hash()
	return c
}

func (c *capture) hash() {
	defer close(c.hashed)
	h := sha256.New()
	for b := range c.queue {
		h.Write(b.data[:b.n])
		c.release(b)
	}
	h.Sum(c.sum[:0])
}

// buffer returns a free buffer of at least size bytes. Only the reader of the stream calls it.
func (c *capture) buffer(size int) *buffer {
	var b *buffer
	if c.made < streamBuffers {
		select {
		case b = <-c.free:
		default:
			c.made++
			b = &buffer{}
		}
	} else {
		b = <-c.free
	}
	if len(b.data) < size {
		b.data = make([]byte, size)
	}
	return b
}

// add takes the first n bytes of b, which stays with the caller until release. It is false when
// the capture was sealed.
func (c *capture) add(b *buffer, n int) bool {
	b.n = n
	b.users.Store(2)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.sealed {
		return false
	}
	c.bytes += int64(n)
	c.keep(b.data[:n])
	c.queue <- b
	return true
}

// keep fills the prefix. Its memory grows with what arrives, to the limit at most.
func (c *capture) keep(chunk []byte) {
	room := min(c.limit-len(c.prefix), len(chunk))
	if room <= 0 {
		return
	}
	if need := len(c.prefix) + room; need > cap(c.prefix) {
		size := min(max(need, 2*cap(c.prefix)), c.limit)
		c.prefix = slices.Grow(c.prefix, size-len(c.prefix))
	}
	c.prefix = append(c.prefix, chunk[:room]...)
}

// putBack returns a buffer that nothing was read into.
func (c *capture) putBack(b *buffer) { c.free <- b }

// release gives a buffer back that both users are done with.
func (c *capture) release(b *buffer) {
	if b.users.Add(-1) == 0 {
		c.free <- b
	}
}

// seal ends the stream: later chunks are refused. It may be called again, from any goroutine.
func (c *capture) seal() {
	c.mu.Lock()
	if !c.sealed {
		c.sealed = true
		close(c.queue)
	}
	c.mu.Unlock()
	<-c.hashed
}

// stream seals the capture and describes it.
func (c *capture) stream() Stream {
	c.seal()
	s := Stream{Prefix: c.prefix, Bytes: c.bytes, SHA256: hex.EncodeToString(c.sum[:])}
	if s.Bytes > int64(len(s.Prefix)) {
		s.Truncated = true
		s.Prefix = trimPartialRune(s.Prefix)
	}
	return s
}

// trimPartialRune drops the beginning of a character at the end of a cut text, at most 3 bytes.
// Bytes that are no beginning of a character stay.
func trimPartialRune(p []byte) []byte {
	for i := 1; i < utf8.UTFMax && i <= len(p); i++ {
		tail := p[len(p)-i:]
		if !utf8.RuneStart(tail[0]) {
			continue
		}
		if !utf8.FullRune(tail) {
			return p[:len(p)-i]
		}
		return p
	}
	return p
}
