package secret

import "fmt"

// ShortError says that a value has fewer than MinValueBytes bytes: replacing it would touch other
// text. Its code is credential_short.
type ShortError struct{}

func (*ShortError) Error() string {
	return fmt.Sprintf("cannot use the credential: its value has fewer than %d bytes", MinValueBytes)
}

// Redactor replaces its values by Mark, however they are written: each byte as it is, as %XX, or
// (a character) as \" or \uXXXX after up to 64 backslashes, in any mixture; and in base64, also
// with line breaks and inside the base64 of a longer text, where a character at either end that
// depends on other bytes as well stays. The leftmost goes first, of those the longest, and what
// overlaps becomes one mark. Other text is not touched, except that backslashes before an escaped
// character at the start of a value go with it; valid UTF-8 stays valid unless a value is not. It
// is safe for concurrent use; a nil Redactor redacts nothing.
type Redactor struct{ m *matcher }

// NewRedactor makes one; without values it is empty. The zero Value is left out; a value under
// MinValueBytes bytes is a *ShortError.
func NewRedactor(values ...Value) (*Redactor, error) {
	var all forms
	for _, v := range values {
		if v.IsZero() {
			continue
		}
		if len(v.Reveal()) < MinValueBytes {
			return nil, &ShortError{}
		}
		all.add(v.Reveal())
	}
	if len(all.starts) == 0 {
		return &Redactor{}, nil
	}
	return &Redactor{m: newMatcher(&all)}, nil
}

// Empty says that nothing is redacted; a nil Redactor is empty.
func (r *Redactor) Empty() bool { return r == nil || r.m == nil }

// Bytes redacts a whole text. It returns text itself when there is nothing to replace, and never
// changes it.
func (r *Redactor) Bytes(text []byte) []byte {
	if r.Empty() {
		return text
	}
	if pos, _, _ := r.m.next(text, 0, false); pos == len(text) {
		return text
	}
	out, _, _ := r.m.replace(make([]byte, 0, len(text)+len(Mark)), text, 0, false)
	return out
}

// String redacts a whole text.
func (r *Redactor) String(text string) string {
	if r.Empty() {
		return text
	}
	return string(r.Bytes([]byte(text)))
}

// Strings returns redacted copies of texts; a nil or empty Redactor returns list itself.
func (r *Redactor) Strings(list []string) []string {
	if r.Empty() || list == nil {
		return list
	}
	out := make([]string, len(list))
	for i, text := range list {
		out[i] = r.String(text)
	}
	return out
}
