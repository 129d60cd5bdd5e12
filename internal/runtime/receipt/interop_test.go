package receipt

import (
	"context"
	"crypto"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/secure-systems-lab/go-securesystemslib/dsse"
)

// publicKey is a verifier as another program would give it to the library.
type publicKey struct {
	kid string
	key ed25519.PublicKey
}

func (k publicKey) KeyID() (string, error)   { return k.kid, nil }
func (k publicKey) Public() crypto.PublicKey { return k.key }
func (k publicKey) Verify(_ context.Context, data, sig []byte) error {
	if !ed25519.Verify(k.key, data, sig) {
		return errors.New("it does not match")
	}
	return nil
}

// Other programs verify our receipts with the common library.
func TestTheLibraryVerifiesAReceipt(t *testing.T) {
	s := ciSigner(t)
	r := sealed(t, fullPredicate(), s)
	var e dsse.Envelope
	if err := json.Unmarshal(r.Envelope, &e); err != nil {
		t.Fatal(err)
	}
	verifier, err := dsse.NewEnvelopeVerifier(publicKey{s.issuer.KID, publicOf(s.key)})
	if err != nil {
		t.Fatal(err)
	}
	accepted, body, err := verifier.VerifyAndDecode(t.Context(), &e)
	if err != nil || len(accepted) != 1 || accepted[0].KeyID != "build-1" {
		t.Fatalf("accepted %v, %v", accepted, err)
	}
	if diff := cmp.Diff(payloadOf(t, r.Envelope), string(body)); diff != "" {
		t.Errorf("payload (-ours +theirs):\n%s", diff)
	}
}
