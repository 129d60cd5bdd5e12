package receipt

import (
	"crypto/ed25519"
	"fmt"

	"github.com/runx-go/runx/internal/skills"
)

// Seal builds the in-toto statement (subjects package, inputs and, when sealed, result) and signs
// it. p.Issuer is filled from the signer. A predicate that Verify would not accept is an error, and
// so is a receipt over the limit of its size.
func Seal(p Predicate, s *Signer) (Receipt, error) {
	p = p.complete()
	p.Issuer = s.Issuer()
	if findings := check(p); len(findings) > 0 {
		return Receipt{}, fmt.Errorf("cannot seal a receipt: %s: %s (%d faults)", findings[0].Path, findings[0].Message, len(findings))
	}
	body, err := payload(p)
	if err != nil {
		return Receipt{}, fmt.Errorf("cannot seal a receipt: %w", err)
	}
	e := envelope{payloadType: payloadType, payload: body, keyID: p.Issuer.KID}
	e.sig = ed25519.Sign(s.key, e.signed())
	text, err := e.text()
	if err != nil {
		return Receipt{}, fmt.Errorf("cannot seal a receipt: %w", err)
	}
	if int64(len(text)) > MaxBytes {
		return Receipt{}, fmt.Errorf("cannot seal a receipt: it has %d bytes, more than %d", len(text), MaxBytes)
	}
	return Receipt{ID: string(skills.DigestBytes(body)), Envelope: text, Predicate: p}, nil
}

// Open decodes a receipt without verifying its signature (receipt show prints both). The error
// names the first thing that does not hold.
func Open(raw []byte) (Receipt, error) {
	e, fault := readEnvelope(raw)
	if fault != nil {
		return Receipt{}, fmt.Errorf("cannot read the receipt: %s", fault.Message)
	}
	if e.payloadType != payloadType {
		return Receipt{}, fmt.Errorf("cannot read the receipt: the payload's type is %q, not %s", e.payloadType, payloadType)
	}
	p, findings := readStatement(e.payload)
	if len(findings) > 0 {
		return Receipt{}, fmt.Errorf("cannot read the receipt: %s: %s", findings[0].Path, findings[0].Message)
	}
	return Receipt{ID: string(skills.DigestBytes(e.payload)), Envelope: raw, Predicate: *p}, nil
}
