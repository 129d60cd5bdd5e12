package secret

// Stream redacts a stream across chunk borders: it holds back only what may be the beginning of a
// value, at most as long as its longest spelling (see maxBackslashes). Write returns what may leave
// now; Flush the rest. The outputs one after the other are what Bytes makes of the whole. It is not
// safe for concurrent use.
type Stream struct {
	m    *matcher // nil: everything passes
	held []byte   // what may be the beginning of a form
	skip int      // how many bytes of held a mark stands for that has left
	out  []byte   // reused
}

// Stream starts one; nil receiver passes everything through.
func (r *Redactor) Stream() *Stream {
	if r.Empty() {
		return &Stream{}
	}
	return &Stream{m: r.m}
}

// Write takes a chunk and returns what may leave now (valid until the next call). The chunk is not
// kept, except that an empty Redactor's stream returns the chunk itself.
func (s *Stream) Write(chunk []byte) []byte {
	if s.m == nil {
		return chunk
	}
	s.held = append(s.held, chunk...)
	return s.advance(true)
}

// Flush returns what was held back. The stream may then be used for another text.
func (s *Stream) Flush() []byte {
	if s.m == nil {
		return nil
	}
	return s.advance(false)
}

func (s *Stream) advance(open bool) []byte {
	var done int
	s.out, done, s.skip = s.m.replace(s.out[:0], s.held, s.skip, open)
	s.held = s.held[:copy(s.held, s.held[done:])]
	return s.out
}
