package cli

import (
	"context"
	"io"
)

// interruptible reads stdin until the context ends: a person who interrupts runx does not wait for
// a pipe that nobody writes to. What is left behind is one goroutine in a read that the end of the
// process ends.
type interruptible struct {
	from  io.Reader
	done  <-chan struct{}
	cause func() error
	buf   []byte
}

func newInterruptible(ctx context.Context, from io.Reader) *interruptible {
	return &interruptible{from: from, done: ctx.Done(), cause: func() error { return context.Cause(ctx) }}
}

// Read implements io.Reader; its error is the cause of the context when that ends first. It is not
// to be called again then.
func (r *interruptible) Read(p []byte) (int, error) {
	if len(r.buf) < len(p) {
		r.buf = make([]byte, len(p))
	}
	buf := r.buf[:len(p)]
	type result struct {
		n   int
		err error
	}
	read := make(chan result, 1)
	go func() {
		n, err := r.from.Read(buf)
		read <- result{n, err}
	}()
	select {
	case got := <-read:
		return copy(p, buf[:got.n]), got.err
	case <-r.done:
		return 0, r.cause()
	}
}
