package receipt

import (
	"bytes"
	"crypto/ed25519"
	"testing"
)

// One changed byte never verifies.
func FuzzVerifyOneChangedByte(f *testing.F) {
	text := sealed(f, fullPredicate(), ciSigner(f)).Envelope
	keys := ciKeys(f)
	for _, at := range []int{0, 1, 12, len(text) / 2, len(text) - 20, len(text) - 2, len(text) - 1} {
		f.Add(at, byte(' '))
		f.Add(at, byte('A'))
	}
	f.Fuzz(func(t *testing.T, at int, to byte) {
		if at < 0 || at >= len(text) || text[at] == to {
			return
		}
		changed := bytes.Clone(text)
		changed[at] = to
		if v := Verify(changed, keys, Expect{}); v.Valid || len(v.Findings) == 0 {
			t.Fatalf("byte %d changed from %q to %q: %+v", at, text[at], to, v)
		}
	})
}

// Whatever is signed as a payload: what verifies is the one text of a predicate that holds.
func FuzzVerifySignedPayload(f *testing.F) {
	s, keys := ciSigner(f), ciKeys(f)
	for _, p := range []Predicate{fullPredicate(), smallPredicate()} {
		body := payloadOf(f, sealed(f, p, s).Envelope)
		f.Add([]byte(body))
		f.Add([]byte(body[:len(body)/2]))
	}
	f.Add([]byte(`{"_type":"https://in-toto.io/Statement/v1","subject":[],"predicateType":"https://github.com/runx-go/runx/receipt/v1","predicate":null}`))
	f.Add([]byte("[]"))
	f.Fuzz(func(t *testing.T, body []byte) {
		text := sign(t, s, payloadType, body)
		v := Verify(text, keys, Expect{})
		if v.Signature.Status != statusValid || v.Valid != (len(v.Findings) == 0) {
			t.Fatalf("verdict %+v", v)
		}
		if !v.Valid {
			return
		}
		r, err := Open(text)
		if err != nil {
			t.Fatalf("valid, but cannot be opened: %v", err)
		}
		again, err := Seal(r.Predicate, s)
		if err != nil || !bytes.Equal(again.Envelope, text) || again.ID != v.ReceiptID {
			t.Fatalf("sealed again it differs: %v\n%s\n%s", err, again.Envelope, text)
		}
	})
}

// Any text: an envelope that is read is written as the same text, and only the right key's
// signature is valid.
func FuzzReadEnvelope(f *testing.F) {
	text := sealed(f, smallPredicate(), ciSigner(f)).Envelope
	f.Add(text)
	f.Add(bytes.TrimSuffix(text, []byte("\n")))
	f.Add([]byte(`{"payload":"","payloadType":"","signatures":[{"keyid":"","sig":""}]}` + "\n"))
	f.Add([]byte(`{"payload":"AB==","payloadType":"\u2028","signatures":[{"keyid":"é","sig":"AA=="}]}` + "\n"))
	keys := ciKeys(f)
	f.Fuzz(func(t *testing.T, raw []byte) {
		v := Verify(raw, keys, Expect{})
		e, fault := readEnvelope(raw)
		if fault != nil {
			if v.Valid {
				t.Fatalf("valid, but %s", fault.Message)
			}
			return
		}
		again, err := e.text()
		if err != nil || !bytes.Equal(again, raw) {
			t.Fatalf("written again it differs: %v\n%q\n%q", err, again, raw)
		}
		if v.Valid && !ed25519.Verify(keys.public, e.signed(), e.sig) {
			t.Fatal("valid without a signature")
		}
	})
}

// A key file gives a usable key or none.
func FuzzParseKey(f *testing.F) {
	dir := newDir(f)
	if _, err := NewSigner(SigningConfig{}, dir, bytes.NewReader(seed(3))); err != nil {
		f.Fatal(err)
	}
	good, err := dir.ReadLimited(LocalKeyFile, maxKeyFileBytes)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add(good[:len(good)/2])
	f.Add(append(bytes.Clone(good), good...))
	f.Add([]byte("-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		key, ok := parseKey(data)
		if !ok {
			return
		}
		s := localSigner(key)
		keys := &Keys{kid: s.issuer.KID, public: publicOf(key), mode: issuerLocal}
		if v := Verify(sealed(t, smallPredicate(), s).Envelope, keys, Expect{}); !v.Valid {
			t.Fatalf("the key signs what it does not verify: %+v", v.Findings)
		}
	})
}
