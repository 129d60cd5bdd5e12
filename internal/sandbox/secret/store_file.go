package secret

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"unicode/utf8"
)

// storeVersion is the version of the document that this program reads and writes.
const storeVersion = 1

// FormatError says that the file of credentials is no document of ours. It is never repaired by
// itself. Reason holds nothing of the file's content.
type FormatError struct {
	Path   string // absolute
	Reason string
}

func (e *FormatError) Error() string { return fmt.Sprintf("cannot read %s: %s", e.Path, e.Reason) }

// fileEntry is a credential in the document, the one place where a value is marshalled.
type fileEntry struct {
	Entry
	Value string `json:"value"`
}

func encodeStore(records []record) ([]byte, error) {
	doc := struct {
		Version     int         `json:"version"`
		Credentials []fileEntry `json:"credentials"`
	}{storeVersion, make([]fileEntry, 0, len(records))}
	for _, r := range records {
		doc.Credentials = append(doc.Credentials, fileEntry{r.entry, r.value.Reveal()})
	}
	data, err := json.MarshalIndent(doc, "", "  ")
	if err != nil {
		return nil, errors.New("cannot encode the credentials")
	}
	if data = append(data, '\n'); len(data) > maxStoreBytes {
		return nil, fmt.Errorf("cannot store the credential: all together have %d bytes, over the limit of %d", len(data), maxStoreBytes)
	}
	return data, nil
}

// reader reads the closed document token by token: encoding/json alone takes keys in any case and
// twice, and its errors quote what it read.
type reader struct {
	decoder *json.Decoder
	reason  string // why reading ended
}

// decodeStore reads the document. A reason tells why it cannot and where, and quotes nothing.
func decodeStore(data []byte) (records []record, reason string) {
	if !utf8.Valid(data) {
		return nil, "it is not valid UTF-8"
	}
	if !json.Valid(data) {
		return nil, "it is not one whole JSON text"
	}
	d := &reader{decoder: json.NewDecoder(bytes.NewReader(data))}
	d.decoder.UseNumber()
	version := false
	keys := d.object("the document", func(key string) bool {
		switch key {
		case "version":
			number, ok := d.next().(json.Number)
			version = ok && number.String() == "1"
			return d.unless(!version, fmt.Sprintf("its version is not %d", storeVersion))
		case "credentials":
			records = d.credentials()
			return d.reason == ""
		}
		return d.fail("it has a key other than version and credentials")
	})
	switch _, err := d.decoder.Token(); {
	case d.reason != "":
	case keys != 2:
		d.fail("it needs the keys version and credentials")
	case !errors.Is(err, io.EOF):
		d.fail(fmt.Sprintf("something follows the document at byte %d", d.decoder.InputOffset()))
	}
	if d.reason != "" {
		return nil, d.reason
	}
	slices.SortFunc(records, func(a, b record) int { return order(a.entry, b.entry) })
	for i := range len(records) - 1 {
		if order(records[i].entry, records[i+1].entry) == 0 {
			return nil, "two credentials have the same provider and profile"
		}
	}
	return records, ""
}

func (d *reader) credentials() []record {
	if d.next() != json.Delim('[') {
		d.fail("credentials is not an array")
		return nil
	}
	var records []record
	for d.reason == "" && d.decoder.More() {
		place := fmt.Sprintf("credential %d", len(records)+1)
		var r record
		d.object(place, func(key string) bool {
			text, ok := d.next().(string)
			if d.unless(!ok, place+" has a value that is not a string") {
				d.set(&r, key, text, place)
			}
			return d.reason == ""
		})
		if d.reason == "" {
			if reason := faulty(r.entry, r.value); reason != "" {
				d.fail(place + ": " + reason)
			} else if len(r.value.Reveal()) < MinValueBytes {
				d.fail(fmt.Sprintf("%s has a value of fewer than %d bytes", place, MinValueBytes))
			}
		}
		records = append(records, r)
	}
	if d.reason == "" {
		d.next()
	}
	return records
}

func (d *reader) set(r *record, key, text, place string) {
	switch key {
	case "provider":
		r.entry.Provider = text
	case "profile":
		r.entry.Profile = text
	case "mode":
		r.entry.Mode = text
	case "audience":
		r.entry.Audience = text
	case "value":
		r.value = New(text)
	default:
		d.fail(place + " has a key other than provider, profile, mode, audience and value")
	}
}

// object reads an object, giving each key to member, which reads its value and says whether to go
// on. It returns how many different keys there were.
func (d *reader) object(place string, member func(key string) bool) int {
	if d.next() != json.Delim('{') {
		d.fail(place + " is not an object")
		return 0
	}
	seen := make(map[string]bool)
	for d.reason == "" && d.decoder.More() {
		key, ok := d.next().(string)
		switch {
		case !ok:
			d.fail(place + " has a key that is not a string")
		case seen[key]:
			d.fail(place + " has a key twice")
		default:
			seen[key] = true
			if !member(key) {
				return len(seen)
			}
		}
	}
	if d.reason == "" {
		d.next()
	}
	return len(seen)
}

// next is the next token; nil, which no token that is asked for equals, when there is none.
func (d *reader) next() json.Token {
	token, err := d.decoder.Token()
	if err != nil {
		d.fail(fmt.Sprintf("it is not valid JSON at byte %d", d.decoder.InputOffset()))
		return nil
	}
	return token
}

// fail notes the first reason and returns false.
func (d *reader) fail(reason string) bool {
	if d.reason == "" {
		d.reason = reason
	}
	return false
}

// unless fails when bad is true, and returns whether reading may go on.
func (d *reader) unless(bad bool, reason string) bool {
	if bad {
		d.fail(reason)
	}
	return d.reason == ""
}
