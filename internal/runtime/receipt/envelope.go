package receipt

import (
	"bytes"
	"encoding/base64"
	"fmt"

	"github.com/secure-systems-lab/go-securesystemslib/dsse"

	"github.com/runx-go/runx/internal/skills/codec"
)

// payloadType is the type of every payload (skills 11).
const payloadType = "application/vnd.in-toto+json"

// envelope is what the text of a file says; it has exactly one text.
type envelope struct {
	payloadType string
	payload     []byte
	keyID       string
	sig         []byte
}

// signed are the bytes that the signature covers.
func (e envelope) signed() []byte { return dsse.PAE(e.payloadType, e.payload) }

// text is the canonical JSON of the envelope and one newline.
func (e envelope) text() ([]byte, error) {
	raw, err := codec.Marshal(&dsse.Envelope{
		PayloadType: e.payloadType,
		Payload:     base64.StdEncoding.EncodeToString(e.payload),
		Signatures:  []dsse.Signature{{KeyID: e.keyID, Sig: base64.StdEncoding.EncodeToString(e.sig)}},
	})
	if err != nil {
		return nil, fmt.Errorf("cannot encode the envelope: %w", err)
	}
	canonical, err := codec.Canonical(raw)
	if err != nil {
		return nil, fmt.Errorf("cannot write the envelope canonically: %w", err)
	}
	return append(canonical, '\n'), nil
}

// readEnvelope accepts exactly what text writes. The library's decoder also takes other alphabets
// and blanks and its verifier more than one signature, so neither is used.
func readEnvelope(raw []byte) (envelope, *Finding) {
	refuse := func(path, format string, args ...any) (envelope, *Finding) {
		return envelope{}, &Finding{codeMalformed, path, fmt.Sprintf(format, args...)}
	}
	if int64(len(raw)) > MaxBytes {
		return envelope{}, &Finding{codeLimit, "", fmt.Sprintf("the file has more than %d bytes", MaxBytes)}
	}
	var doc dsse.Envelope
	limits := codec.Limits{Bytes: int(MaxBytes), Depth: maxDepth}
	if err := codec.DecodeStrict("receipt", raw, limits, &doc); err != nil {
		return refuse("", "the file is no envelope: %s", visible(err))
	}
	if n := len(doc.Signatures); n != 1 {
		return refuse("signatures", "the envelope has %d signatures, not exactly one", n)
	}
	payload, err := base64.StdEncoding.Strict().DecodeString(doc.Payload)
	if err != nil {
		return refuse("payload", "the payload is no base64 with padding")
	}
	sig, err := base64.StdEncoding.Strict().DecodeString(doc.Signatures[0].Sig)
	if err != nil {
		return refuse("signatures[0].sig", "the signature is no base64 with padding")
	}
	e := envelope{payloadType: doc.PayloadType, payload: payload, keyID: doc.Signatures[0].KeyID, sig: sig}
	if exact, err := e.text(); err != nil || !bytes.Equal(exact, raw) {
		return refuse("", "the file is not the canonical JSON of its envelope and one newline")
	}
	return e, nil
}
