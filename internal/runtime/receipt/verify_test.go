package receipt

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestVerify(t *testing.T) {
	r := sealed(t, fullPredicate(), ciSigner(t))
	verdict := func(mode, kid, status string, findings ...Finding) Verdict {
		return Verdict{Schema: "runx.receipt_verify.v1", ReceiptID: r.ID, Valid: len(findings) == 0,
			Signature: SignatureInfo{Mode: mode, KID: kid, Status: status}, Children: []Verdict{}, Findings: append([]Finding{}, findings...)}
	}
	keys := func(verify VerifyConfig, signing SigningConfig) *Keys {
		k, err := NewKeys(verify, signing, nil)
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	public := ptr(base64.StdEncoding.EncodeToString(publicOf(ciSigner(t).key)))
	const sigPath, keyPath = "signatures[0].sig", "signatures[0].keyid"
	tests := []struct {
		name   string
		keys   *Keys
		expect Expect
		want   Verdict
	}{
		{"valid with the signing key", ciKeys(t), Expect{}, verdict("ci", "build-1", "valid")},
		{"valid with the public key alone: the receipt says who issued it", keys(VerifyConfig{KID: ptr("build-1"), PublicKeyBase64: public}, SigningConfig{}),
			Expect{}, verdict("ci", "build-1", "valid")},
		{"the public key goes before the signing key", keys(VerifyConfig{KID: ptr("build-2"), PublicKeyBase64: public}, config(7, "ci", "build-1")),
			Expect{}, verdict("unknown", "build-1", "key_unknown", Finding{"key_unknown", keyPath, `the key "build-1" is not the one that is configured, "build-2"`})},
		{"everything expected holds", ciKeys(t), Expect{ID: r.ID, PackageDigest: digestOf("2"), InputsDigest: digestOf("5")}, verdict("ci", "build-1", "valid")},
		{"no key", &Keys{}, Expect{}, verdict("unknown", "build-1", "key_unknown",
			Finding{"key_unknown", keyPath, `the key "build-1" is not known: there is neither a configured nor a local key`})},
		{"nil keys are no key", nil, Expect{}, verdict("unknown", "build-1", "key_unknown",
			Finding{"key_unknown", keyPath, `the key "build-1" is not known: there is neither a configured nor a local key`})},
		{"another key of another name", keys(VerifyConfig{}, config(8, "ci", "build-2")), Expect{}, verdict("unknown", "build-1", "key_unknown",
			Finding{"key_unknown", keyPath, `the key "build-1" is not the one that is configured, "build-2"`})},
		{"another key of the same name", keys(VerifyConfig{}, config(8, "ci", "build-1")), Expect{}, verdict("ci", "build-1", "invalid",
			Finding{"signature_invalid", sigPath, `the signature does not match the payload and key "build-1"`})},
		{"our key, but another kind of issuer", keys(VerifyConfig{}, config(7, "hosted", "build-1")), Expect{}, verdict("hosted", "build-1", "valid",
			Finding{"predicate_invalid", "predicate.issuer.type", `the receipt names issuer "ci", the key is hosted`})},
		{"another id", ciKeys(t), Expect{ID: "sha256:00"}, verdict("ci", "build-1", "valid",
			Finding{"id_mismatch", "payload", "the payload has the id " + r.ID + ", expected was sha256:00"})},
		{"another package and other inputs", ciKeys(t), Expect{PackageDigest: digestOf("0"), InputsDigest: digestOf("0")}, verdict("ci", "build-1", "valid",
			Finding{"package_mismatch", "predicate.package_digest", "the receipt is of package " + string(digestOf("2")) + ", not " + string(digestOf("0"))},
			Finding{"inputs_mismatch", "predicate.inputs.digest", "the receipt is of inputs " + string(digestOf("5")) + ", not " + string(digestOf("0"))})},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, Verify(r.Envelope, tt.keys, tt.expect)); diff != "" {
				t.Errorf("verdict (-want +got):\n%s", diff)
			}
		})
	}
}

func TestVerdictAsJSON(t *testing.T) {
	got, err := json.Marshal(Verify([]byte("x"), nil, Expect{ID: "sha256:00"}))
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"schema":"runx.receipt_verify.v1","receipt_id":"sha256:00","valid":false,"signature":{"mode":"unknown","kid":"","status":"invalid"},` +
		`"children":[],"findings":[{"code":"malformed","path":"","message":`
	if !strings.HasPrefix(string(got), want) {
		t.Errorf("got %s\nwant it to begin %s", got, want)
	}
}

// Another text of the same envelope is malformed, whatever it says.
func TestVerifyRefusesOtherTexts(t *testing.T) {
	text := string(sealed(t, fullPredicate(), ciSigner(t)).Envelope)
	body := strings.TrimSuffix(text, "\n")
	cut := func(from, to string) string { // what stands between two marks
		_, rest, _ := strings.Cut(body, from)
		inside, _, _ := strings.Cut(rest, to)
		return inside
	}
	payload, sig := cut(`"payload":"`, `"`), cut(`"sig":"`, `"`)
	one := `{"keyid":"build-1","sig":"` + sig + `"}`
	const noText = "the file is not the canonical JSON of its envelope and one newline"
	const noEnvelope = "the file is no envelope: "
	tests := []struct{ name, text, path, message string }{
		{"empty", "", "", noEnvelope},
		{"no newline", body, "", noText},
		{"two newlines", text + "\n", "", noText},
		{"CRLF", body + "\r\n", "", noText},
		{"blank before", " " + text, "", noText},
		{"blank inside", strings.Replace(text, `":"`, `": "`, 1), "", noText},
		{"byte order mark", "\uFEFF" + text, "", noText},
		{"bytes behind", text + "{}", "", noEnvelope},
		{"NUL behind", text + "\x00", "", noEnvelope},
		{"another order of keys", `{"payloadType":"application/vnd.in-toto+json","payload":"` + payload + `","signatures":[` + one + "]}\n", "", noText},
		{"another order in the signature", strings.Replace(text, one, `{"sig":"`+sig+`","keyid":"build-1"}`, 1), "", noText},
		{"an escaped letter", strings.Replace(text, `"build-1"`, `"\u0062uild-1"`, 1), "", noText},
		{"another case of a key", strings.Replace(text, `"payload":`, `"Payload":`, 1), "", noEnvelope},
		{"an unknown key", strings.Replace(text, `{"payload":`, `{"extra":1,"payload":`, 1), "", noEnvelope},
		{"a key twice", strings.Replace(text, `{"payload":`, `{"payload":"","payload":`, 1), "", noEnvelope},
		{"second signature", strings.Replace(text, one, one+","+one, 1), "signatures", "the envelope has 2 signatures, not exactly one"},
		{"no signature", strings.Replace(text, one, "", 1), "signatures", "the envelope has 0 signatures, not exactly one"},
		{"signatures null", strings.Replace(text, "["+one+"]", "null", 1), "signatures", "the envelope has 0 signatures, not exactly one"},
		{"payload without padding", strings.Replace(text, payload, strings.TrimRight(padded(t, payload), "="), 1), "payload", "the payload is no base64 with padding"},
		{"payload over two lines", strings.Replace(text, payload, payload[:8]+`\n`+payload[8:], 1), "", noText},
		{"signature without padding", strings.Replace(text, sig, strings.TrimRight(sig, "="), 1), "signatures[0].sig", "the signature is no base64 with padding"},
		{"signature in the other alphabet", strings.Replace(text, sig, "_-"+sig[2:], 1), "signatures[0].sig", "the signature is no base64 with padding"},
		{"loose bits at the end of the signature", strings.Replace(text, sig, looseBits(sig), 1), "signatures[0].sig", "the signature is no base64 with padding"},
		{"an array", "[" + body + "]\n", "", noEnvelope},
		{"invalid UTF-8", strings.Replace(text, "build-1", "build-\xff", 1), "", noEnvelope},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.text == text {
				t.Fatal("the test changes nothing")
			}
			v := Verify([]byte(tt.text), ciKeys(t), Expect{})
			if v.Valid || len(v.Findings) != 1 || v.Findings[0].Code != "malformed" || v.Findings[0].Path != tt.path ||
				!strings.HasPrefix(v.Findings[0].Message, tt.message) {
				t.Errorf("got valid %v, %+v\nwant malformed at %q: %s", v.Valid, v.Findings, tt.path, tt.message)
			}
		})
	}
}

// padded is base64 that ends in padding: one byte is added until it does.
func padded(t *testing.T, text string) string {
	t.Helper()
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	for len(data)%3 == 0 {
		data = append(data, ' ')
	}
	return base64.StdEncoding.EncodeToString(data)
}

// looseBits sets bits that base64 with padding does not use.
func looseBits(sig string) string {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	last := len(strings.TrimRight(sig, "=")) - 1
	return sig[:last] + string(alphabet[strings.IndexByte(alphabet, sig[last])|1]) + sig[last+1:]
}

// Whoever has the key can sign anything; what is signed must still be a receipt.
func TestVerifyRefusesOtherPayloads(t *testing.T) {
	s := ciSigner(t)
	good := payloadOf(t, sealed(t, fullPredicate(), s).Envelope)
	replace := func(old, text string) string {
		if !strings.Contains(good, old) {
			t.Fatalf("no %s in the payload", old)
		}
		return strings.Replace(good, old, text, 1)
	}
	two := digestOf("2").Hex()
	const noText = "the payload is not the canonical text of what it says, or members are missing"
	tests := []struct{ name, payload, path, message string }{
		{"no JSON", "hello", "payload", "the payload is no in-toto statement: "},
		{"statement type", replace("Statement/v1", "Statement/v2"), "_type", `the statement's type is "https://in-toto.io/Statement/v2"`},
		{"predicate type", replace("receipt/v1", "receipt/v2"), "predicateType", `the predicate's type is "https://github.com/runx-go/runx/receipt/v2"`},
		{"unknown member", replace(`"runx":`, `"extra":1,"runx":`), "predicate", "the predicate cannot be read: "},
		{"unknown member of the statement", replace(`{"_type"`, `{"Extra":1,"_type"`), "payload", "the payload is no in-toto statement: "},
		{"another case", replace(`"runx":`, `"Runx":`), "predicate", "the predicate cannot be read: "},
		{"member twice", replace(`"runx":`, `"runx":"","runx":`), "payload", "the payload is no in-toto statement: "},
		{"missing member", replace(`"pages":null,`, ""), "payload", noText},
		{"list that is null", replace(`"steps":[]`, `"steps":null`), "payload", noText},
		{"blank", replace(`"pages":null`, `"pages": null`), "payload", noText},
		{"order of members", swapKind(good), "payload", noText},
		{"another spelling of a number", replace(`"bytes":42`, `"bytes":4.2e1`), "predicate", "the predicate cannot be read: "},
		{"subject's name", replace(`"name":"package"`, `"name":"parcel"`), "subject[0].name", `the subject is "parcel", not package`},
		{"subject's digest", replace(`{"sha256":"`+two, `{"sha256":"`+digestOf("0").Hex()), "subject[0].digest.sha256", "the digest of subject package differs"},
		{"predicate's digest", replace(`"package_digest":"sha256:`+two, `"package_digest":"sha256:`+digestOf("0").Hex()), "subject[0].digest.sha256", "the digest of subject package differs"},
		{"inputs' digest", replace(`"inputs":{"bytes":42,"digest":"sha256:5`, `"inputs":{"bytes":42,"digest":"sha256:0`), "subject[1].digest.sha256", "the digest of subject inputs differs"},
		{"result's digest", replace(`"result":{"digest":"sha256:a`, `"result":{"digest":"sha256:0`), "subject[2].digest.sha256", "the digest of subject result differs"},
		{"a subject less", replace(`,{"digest":{"sha256":"`+digestOf("a").Hex()+`"},"name":"result"}`, ""), "subject", "the statement has 2 subjects, not 3"},
		{"another key id", replace(`"kid":"build-1"`, `"kid":"build-2"`), "predicate.issuer.kid", `the receipt names key "build-2", it is signed by "build-1"`},
		{"another public key", replace(`"public_key_sha256":"`+s.issuer.PublicKeySHA256, `"public_key_sha256":"`+digestOf("0").Hex()), "predicate.issuer.public_key_sha256", "it is not the digest of the key that signed"},
		{"another issuer", replace(`"type":"ci"`, `"type":"local"`), "predicate.issuer.type", `the receipt names issuer "local", the key is ci`},
		{"unknown issuer", replace(`"type":"ci"`, `"type":"me"`), "predicate.issuer.type", `the receipt names issuer "me", the key is ci`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.payload == good {
				t.Fatal("the test changes nothing")
			}
			v := Verify(sign(t, s, payloadType, []byte(tt.payload)), ciKeys(t), Expect{})
			if v.Valid || v.Signature.Status != "valid" {
				t.Errorf("valid %v, signature %s", v.Valid, v.Signature.Status)
			}
			want := []Finding{{"predicate_invalid", tt.path, tt.message}}
			prefix := cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == ".Message" },
				cmp.Comparer(func(a, b string) bool { return strings.HasPrefix(a, b) || strings.HasPrefix(b, a) }))
			if diff := cmp.Diff(want, v.Findings[:1], prefix); diff != "" {
				t.Errorf("first finding (-want +got):\n%s", diff)
			}
		})
	}
}

// swapKind moves the last member of the boundary to its front.
func swapKind(payload string) string {
	const kind = `,"kind":"trusted_host_process"}`
	return strings.Replace(strings.Replace(payload, kind, "}", 1), `"boundary":{`, `"boundary":{"kind":"trusted_host_process",`, 1)
}

// With the public key alone only the receipt says who issued it: what it says is still checked.
func TestVerifyRefusesAnUnknownIssuer(t *testing.T) {
	s := ciSigner(t)
	good := payloadOf(t, sealed(t, fullPredicate(), s).Envelope)
	keys, err := NewKeys(VerifyConfig{KID: ptr("build-1"), PublicKeyBase64: ptr(base64.StdEncoding.EncodeToString(publicOf(s.key)))}, SigningConfig{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	v := Verify(sign(t, s, payloadType, []byte(strings.Replace(good, `"type":"ci"`, `"type":"me"`, 1))), keys, Expect{})
	want := []Finding{{"predicate_invalid", "predicate.issuer.type", `"me" is no known issuer`}}
	if diff := cmp.Diff(want, v.Findings); diff != "" || v.Valid || v.Signature.Mode != "unknown" {
		t.Errorf("valid %v, mode %s, findings (-want +got):\n%s", v.Valid, v.Signature.Mode, diff)
	}
}

func TestVerifyPayloadType(t *testing.T) {
	s := ciSigner(t)
	good := payloadOf(t, sealed(t, fullPredicate(), s).Envelope)
	v := Verify(sign(t, s, "application/json", []byte(good)), ciKeys(t), Expect{})
	want := []Finding{{"payload_type", "payloadType", `the payload's type is "application/json", not application/vnd.in-toto+json`}}
	if diff := cmp.Diff(want, v.Findings); diff != "" || v.Valid || v.Signature.Status != "valid" {
		t.Errorf("valid %v, signature %s, findings (-want +got):\n%s", v.Valid, v.Signature.Status, diff)
	}
}

func TestVerifySize(t *testing.T) {
	for _, tt := range []struct {
		name string
		size int64
		code string
	}{{"at the limit", MaxBytes, "malformed"}, {"one over", MaxBytes + 1, "limit"}} {
		t.Run(tt.name, func(t *testing.T) {
			v := Verify(bytes.Repeat([]byte{'x'}, int(tt.size)), ciKeys(t), Expect{})
			if v.Valid || len(v.Findings) != 1 || v.Findings[0].Code != tt.code {
				t.Errorf("got %+v, want %s", v.Findings, tt.code)
			}
		})
	}
}

// Every byte of a receipt counts: changed, removed, doubled or cut there, it is never valid.
func TestEveryChangedByteIsSeen(t *testing.T) {
	text := sealed(t, smallPredicate(), ciSigner(t)).Envelope
	keys := ciKeys(t)
	if v := Verify(text, keys, Expect{}); !v.Valid {
		t.Fatalf("the receipt itself is not valid: %+v", v.Findings)
	}
	check := func(what string, at int, changed []byte) {
		if v := Verify(changed, keys, Expect{}); v.Valid || len(v.Findings) == 0 {
			t.Errorf("byte %d %s: valid %v, %d findings", at, what, v.Valid, len(v.Findings))
		}
	}
	for i := range text {
		for _, bits := range []byte{0x01, 0x20, 0x80} {
			changed := bytes.Clone(text)
			changed[i] ^= bits
			check("changed", i, changed)
		}
		check("removed", i, append(bytes.Clone(text[:i]), text[i+1:]...))
		check("doubled", i, append(bytes.Clone(text[:i+1]), text[i:]...))
		check("cut", i, text[:i])
	}
}
