package secret

import (
	"fmt"
	"io"
	"log/slog"
)

// Mark replaces a credential wherever it would appear.
const Mark = "[redacted-credential]"

const quotedMark = `"` + Mark + `"`

// Value holds a credential. It prints, logs and marshals as Mark, whatever the verb and also
// inside other values; it cannot be compared or used as a map key. The zero Value is no
// credential. It cannot be unmarshalled: use New.
type Value struct {
	_     [0]func()
	bytes *string
}

var (
	_ fmt.Formatter  = Value{}
	_ fmt.Stringer   = Value{}
	_ fmt.GoStringer = Value{}
	_ slog.LogValuer = Value{}
)

// New wraps a value. An empty text is a value as well, although no Redactor takes it.
func New(text string) Value { return Value{bytes: &text} }

// Reveal returns the text, "" for the zero Value. It is only for the place that delivers the
// credential; the text must not enter an error, a log or a record.
func (v Value) Reveal() string {
	if v.bytes == nil {
		return ""
	}
	return *v.bytes
}

// IsZero says that there is no value. A value that is an empty text is one.
func (v Value) IsZero() bool { return v.bytes == nil }

// Format prints Mark for every verb.
func (Value) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, Mark) }

// String is Mark.
func (Value) String() string { return Mark }

// GoString is Mark.
func (Value) GoString() string { return Mark }

// LogValue is Mark.
func (Value) LogValue() slog.Value { return slog.StringValue(Mark) }

// MarshalJSON is Mark as a JSON string.
func (Value) MarshalJSON() ([]byte, error) { return []byte(quotedMark), nil }

// MarshalText is Mark.
func (Value) MarshalText() ([]byte, error) { return []byte(Mark), nil }
