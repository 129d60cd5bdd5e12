package receipt

import (
	"crypto/ed25519"
	"errors"
	"fmt"
	"io/fs"

	"github.com/runx-go/runx/internal/sandbox/fsroot"
)

const (
	varVerifyKID = "RUNX_RECEIPT_VERIFY_KID"
	varVerifyKey = "RUNX_RECEIPT_VERIFY_ED25519_PUBLIC_KEY_BASE64"
)

// VerifyConfig are RUNX_RECEIPT_VERIFY_KID and …_ED25519_PUBLIC_KEY_BASE64; nil is unset.
type VerifyConfig struct{ KID, PublicKeyBase64 *string }

// Keys finds the public key for Verify: one, or none.
type Keys struct {
	kid    string
	public ed25519.PublicKey // nil when there is no key
	mode   string            // "" when only the receipt can say it
}

// NewKeys takes RUNX_RECEIPT_VERIFY_* when set, else the signing key of cfg, else the local key
// (never made here; without one every key is unknown). userConfig may be nil. A half-set or
// unusable configuration is a *ConfigError; other errors are those of the file system.
func NewKeys(verify VerifyConfig, signing SigningConfig, userConfig *fsroot.Dir) (*Keys, error) {
	switch {
	case verify.KID != nil && verify.PublicKeyBase64 != nil:
		if !isKID(*verify.KID) {
			return nil, badKID(varVerifyKID)
		}
		public, ok := decode32(*verify.PublicKeyBase64)
		if !ok {
			return nil, badKey(varVerifyKey)
		}
		return &Keys{kid: *verify.KID, public: public}, nil
	case verify.KID != nil:
		return nil, halfSet("verify receipts", []string{varVerifyKey})
	case verify.PublicKeyBase64 != nil:
		return nil, halfSet("verify receipts", []string{varVerifyKID})
	}
	signer, err := configured(signing)
	if err != nil {
		return nil, err
	}
	if signer == nil {
		if userConfig == nil {
			return &Keys{}, nil
		}
		key, err := readLocalKey(userConfig)
		if errors.Is(err, fs.ErrNotExist) {
			return &Keys{}, nil
		}
		if err != nil {
			return nil, err
		}
		signer = localSigner(key)
	}
	return &Keys{kid: signer.issuer.KID, public: publicOf(signer.key), mode: signer.issuer.Type}, nil
}

// find returns the key of that id.
func (k *Keys) find(kid string) (*Keys, bool) {
	if k == nil || k.public == nil || k.kid != kid {
		return nil, false
	}
	return k, true
}

// describe names the key that there is, for a person whose receipt was signed by another.
func (k *Keys) describe() string {
	if k == nil || k.public == nil {
		return "known: there is neither a configured nor a local key"
	}
	return fmt.Sprintf("the one that is configured, %q", k.kid)
}
