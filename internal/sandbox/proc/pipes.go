package proc

import (
	"errors"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// pipes are the three standard files of a tree: our ends, and until the start the child's.
type pipes struct {
	in, out, err *os.File
	child        [3]*os.File
}

func openPipes() (p *pipes, err error) {
	p = &pipes{}
	defer func() {
		if err != nil {
			p.closeChild()
			p.close()
		}
	}()
	if p.child[0], p.in, err = os.Pipe(); err != nil {
		return nil, err
	}
	if p.out, p.child[1], err = os.Pipe(); err != nil {
		return nil, err
	}
	if p.err, p.child[2], err = os.Pipe(); err != nil {
		return nil, err
	}
	widen(p.out)
	widen(p.err)
	return p, nil
}

func (p *pipes) closeChild() { closeFiles(p.child[:]...) }

func (p *pipes) close() { closeFiles(p.in, p.out, p.err) }

// closeFiles ignores errors: nothing that was written to a pipe can be lost by closing it twice.
func closeFiles(files ...*os.File) {
	for _, f := range files {
		if f != nil {
			_ = f.Close()
		}
	}
}

// streams read both outputs and write the input of a tree.
type streams struct {
	pipes    *pipes
	output   func(StreamName, []byte) error
	out, err *capture
	closed   chan struct{} // both outputs were read to their end
	wrote    chan struct{} // nothing is written any more
	failed   chan error    // the first error of output
	stop     atomic.Bool   // output is not called any more
	gone     atomic.Bool   // the tree is gone: what is left in the pipes is all there will be
}

func startStreams(p *pipes, stdin []byte, output func(StreamName, []byte) error) *streams {
	s := &streams{
		pipes: p, output: output,
		out: newCapture(prefixLimit), err: newCapture(prefixLimit),
		closed: make(chan struct{}), wrote: make(chan struct{}), failed: make(chan error, 2),
	}
	var readers sync.WaitGroup
	readers.Go(func() { s.read(Stdout, p.out, s.out) })
	readers.Go(func() { s.read(Stderr, p.err, s.err) })
	go func() {
		defer close(s.closed)
		readers.Wait()
	}()
	s.feed(stdin)
	return s
}

// feed writes the input and closes it. That a child does not read, or ends early, is no error.
func (s *streams) feed(stdin []byte) {
	if len(stdin) == 0 {
		closeFiles(s.pipes.in)
		close(s.wrote)
		return
	}
	go func() {
		defer close(s.wrote)
		_, _ = s.pipes.in.Write(stdin)
		closeFiles(s.pipes.in)
	}()
}

func (s *streams) read(name StreamName, file *os.File, c *capture) {
	defer c.seal()
	defer closeFiles(file)
	size := firstRead
	var rest int64
	for {
		last := s.gone.Load()
		if last {
			_ = file.SetReadDeadline(time.Now().Add(lastRead))
		}
		b := c.buffer(size)
		n, err := file.Read(b.data)
		if n > 0 {
			if n == len(b.data) {
				size = readSize
			}
			if !s.take(name, c, b, n) {
				return
			}
			if last {
				if rest += int64(n); rest > leftInPipe {
					return
				}
			}
		} else {
			c.putBack(b)
		}
		// A passed deadline counts only when the tree was gone before the read and the pipe is held
		// all the same; else the end of the stream is there, and the next read gets to it.
		late := errors.Is(err, os.ErrDeadlineExceeded)
		if err != nil && !late || late && last && held(file) {
			return
		}
	}
}

// take records a chunk and shows it to the receiver of output. It is false when the run has been
// given up.
func (s *streams) take(name StreamName, c *capture, b *buffer, n int) bool {
	if !c.add(b, n) {
		return false
	}
	defer c.release(b)
	if s.output == nil || s.stop.Load() {
		return true
	}
	if err := s.output(name, b.data[:n:n]); err != nil && !s.stop.Swap(true) {
		s.failed <- err
	}
	return true
}

// finish tells the readers that the tree is gone, so that a process outside of it cannot hold them.
func (s *streams) finish() {
	s.gone.Store(true)
	deadline := time.Now().Add(lastRead)
	_ = s.pipes.out.SetReadDeadline(deadline)
	_ = s.pipes.err.SetReadDeadline(deadline)
	closeFiles(s.pipes.in)
}

// abandon gives up: nothing more is recorded or shown. A blocked receiver keeps its goroutine until
// it returns.
func (s *streams) abandon() {
	s.stop.Store(true)
	s.out.seal()
	s.err.seal()
	s.pipes.close()
}
