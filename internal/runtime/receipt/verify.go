package receipt

import (
	"crypto/ed25519"
	"fmt"

	"github.com/runx-go/runx/internal/skills"
)

// VerifySchema names the answer's version.
const VerifySchema = "runx.receipt_verify.v1"

// The codes of findings that this version can give.
const (
	codeMalformed  = "malformed"
	codePayload    = "payload_type"
	codeSignature  = "signature_invalid"
	codeKeyUnknown = "key_unknown"
	codeID         = "id_mismatch"
	codePredicate  = "predicate_invalid"
	codeLimit      = "limit"
	codePackage    = "package_mismatch"
	codeInputs     = "inputs_mismatch"
)

// The values of SignatureInfo.Status, and the mode of a signature whose key is not known.
const (
	statusValid      = "valid"
	statusInvalid    = "invalid"
	statusKeyUnknown = "key_unknown"
	modeUnknown      = "unknown"
)

// Verdict is the answer of verify for one receipt. Valid is true only when the signature is valid
// and there is no finding.
type Verdict struct {
	Schema    string        `json:"schema"`
	ReceiptID string        `json:"receipt_id"` // of the payload; what was expected when there is none
	Valid     bool          `json:"valid"`
	Signature SignatureInfo `json:"signature"`
	Children  []Verdict     `json:"children"`
	Findings  []Finding     `json:"findings"`
}

// SignatureInfo says which kind of key signed and whether it did. A local key proves this machine,
// nobody else.
type SignatureInfo struct {
	Mode   string `json:"mode"` // local, hosted, ci, unknown
	KID    string `json:"kid"`  // as the envelope names it; "" when there is no envelope
	Status string `json:"status"`
}

// Finding says what does not match; Code is malformed, payload_type, signature_invalid,
// key_unknown, id_mismatch, predicate_invalid, child_missing, child_mismatch, child_cycle, limit,
// and with Expect: package_mismatch, inputs_mismatch. Path is a place in the envelope or statement.
type Finding struct {
	Code    string `json:"code"`
	Path    string `json:"path"`
	Message string `json:"message"`
}

// Expect are digests that the receipt must name; empty fields are not compared.
type Expect struct {
	ID            string // sha256:…
	PackageDigest skills.Digest
	InputsDigest  skills.Digest
}

// Verify judges one file text. It reports everything that does not hold, except that nothing is
// looked at behind a malformed envelope. Nothing in a receipt that is not valid may be believed.
func Verify(raw []byte, keys *Keys, expect Expect) Verdict {
	v := Verdict{Schema: VerifySchema, ReceiptID: expect.ID, Children: []Verdict{}, Findings: []Finding{},
		Signature: SignatureInfo{Mode: modeUnknown, Status: statusInvalid}}
	e, fault := readEnvelope(raw)
	if fault != nil {
		v.Findings = append(v.Findings, *fault)
		return v
	}
	v.ReceiptID = string(skills.DigestBytes(e.payload))
	if expect.ID != "" && expect.ID != v.ReceiptID {
		v.add(codeID, "payload", "the payload has the id %s, expected was %s", v.ReceiptID, expect.ID)
	}
	if e.payloadType != payloadType {
		v.add(codePayload, "payloadType", "the payload's type is %q, not %s", e.payloadType, payloadType)
	}
	p, findings := readStatement(e.payload)
	v.signature(e, keys, p)
	v.Findings = append(v.Findings, findings...)
	if p != nil {
		v.expected(*p, expect)
	}
	v.Valid = len(v.Findings) == 0 && v.Signature.Status == statusValid
	return v
}

func (v *Verdict) add(code, path, format string, args ...any) {
	v.Findings = append(v.Findings, Finding{code, path, fmt.Sprintf(format, args...)})
}

// signature checks the one signature against the one key, and that the issuer is that key's.
func (v *Verdict) signature(e envelope, keys *Keys, p *Predicate) {
	v.Signature.KID = e.keyID
	key, ok := keys.find(e.keyID)
	if !ok {
		v.Signature.Status = statusKeyUnknown
		v.add(codeKeyUnknown, "signatures[0].keyid", "the key %q is not %s", e.keyID, keys.describe())
		return
	}
	if key.mode != "" {
		v.Signature.Mode = key.mode
	}
	if !ed25519.Verify(key.public, e.signed(), e.sig) {
		v.add(codeSignature, "signatures[0].sig", "the signature does not match the payload and key %q", e.keyID)
		return
	}
	v.Signature.Status = statusValid
	if p == nil {
		return
	}
	if key.mode == "" && knownIssuer(p.Issuer.Type) {
		v.Signature.Mode = p.Issuer.Type
	}
	if key.mode != "" && p.Issuer.Type != key.mode {
		v.add(codePredicate, "predicate.issuer.type", "the receipt names issuer %q, the key is %s", p.Issuer.Type, key.mode)
	}
	if p.Issuer.KID != e.keyID {
		v.add(codePredicate, "predicate.issuer.kid", "the receipt names key %q, it is signed by %q", p.Issuer.KID, e.keyID)
	}
	if p.Issuer.PublicKeySHA256 != fingerprint(key.public) {
		v.add(codePredicate, "predicate.issuer.public_key_sha256", "it is not the digest of the key that signed")
	}
}

func (v *Verdict) expected(p Predicate, expect Expect) {
	if d := expect.PackageDigest; d != "" && d != p.PackageDigest {
		v.add(codePackage, "predicate.package_digest", "the receipt is of package %s, not %s", p.PackageDigest, d)
	}
	if d := expect.InputsDigest; d != "" && d != p.Inputs.Digest {
		v.add(codeInputs, "predicate.inputs.digest", "the receipt is of inputs %s, not %s", p.Inputs.Digest, d)
	}
}
