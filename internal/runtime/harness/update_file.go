package harness

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/runx-go/runx/internal/skills/codec"
)

// span is a part of cases.json: the value of expected of one case, or the empty place where it is
// missing.
type span struct {
	id       string
	from, to int
	missing  bool
}

// rewrite puts expectations, by case id, into the text of cases.json. Nothing else changes. changed
// has the ids in the order of the file, without those whose expectation was the same already.
func rewrite(data []byte, wanted map[string]*Expected) (out []byte, changed []string, err error) {
	spans, err := locate(data)
	if err != nil {
		return nil, nil, err
	}
	crlf := bytes.Contains(data, []byte("\r\n"))
	at := 0
	for _, s := range spans {
		expected, ok := wanted[s.id]
		if !ok {
			continue
		}
		text, err := encodeExpected(expected, indentAt(data, s.from), crlf)
		if err != nil {
			return nil, nil, fmt.Errorf("cannot write the expectation of %q: %w", s.id, err)
		}
		if s.missing {
			text = append([]byte(`, "expected": `), text...)
		} else if same, err := codec.Equal(data[s.from:s.to], text); err == nil && same {
			continue
		}
		out = append(append(out, data[at:s.from]...), text...)
		at = s.to
		changed = append(changed, s.id)
	}
	return append(out, data[at:]...), changed, nil
}

// indentAt is the blanks at the start of the line of an offset.
func indentAt(data []byte, offset int) string {
	line := data[bytes.LastIndexByte(data[:offset], '\n')+1 : offset]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

var errShape = errors.New("cases.json has not the form that was read")

// locate finds the expectations in a text that was read strictly before.
func locate(data []byte) ([]span, error) {
	bom := 0
	if bytes.HasPrefix(data, []byte("\xef\xbb\xbf")) {
		bom = 3
	}
	l := locator{dec: json.NewDecoder(bytes.NewReader(data[bom:])), bom: bom}
	err := l.object(func(key string) error {
		if key != "cases" {
			return l.skip()
		}
		return l.array(l.oneCase)
	})
	return l.spans, err
}

// locator walks cases.json and keeps byte offsets.
type locator struct {
	dec   *json.Decoder
	bom   int
	spans []span
}

func (l *locator) offset() int { return int(l.dec.InputOffset()) + l.bom }

func (l *locator) oneCase() error {
	found := span{missing: true}
	end := 0
	err := l.object(func(key string) error {
		var raw json.RawMessage
		if err := l.dec.Decode(&raw); err != nil {
			return err
		}
		end = l.offset()
		switch key {
		case "id":
			return json.Unmarshal(raw, &found.id)
		case "expected":
			found.from, found.to, found.missing = end-len(raw), end, false
		}
		return nil
	})
	if found.missing {
		found.from, found.to = end, end
	}
	l.spans = append(l.spans, found)
	return err
}

func (l *locator) skip() error {
	var raw json.RawMessage
	return l.dec.Decode(&raw)
}

func (l *locator) delim(want json.Delim) error {
	token, err := l.dec.Token()
	if err != nil {
		return err
	}
	if token != want {
		return errShape
	}
	return nil
}

// object calls member for each key of the object that comes next.
func (l *locator) object(member func(key string) error) error {
	if err := l.delim('{'); err != nil {
		return err
	}
	for l.dec.More() {
		token, err := l.dec.Token()
		if err != nil {
			return err
		}
		key, ok := token.(string)
		if !ok {
			return errShape
		}
		if err := member(key); err != nil {
			return err
		}
	}
	return l.delim('}')
}

func (l *locator) array(element func() error) error {
	if err := l.delim('['); err != nil {
		return err
	}
	for l.dec.More() {
		if err := element(); err != nil {
			return err
		}
	}
	return l.delim(']')
}
