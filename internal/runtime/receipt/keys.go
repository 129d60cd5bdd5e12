package receipt

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"

	"github.com/runx-go/runx/internal/sandbox/fsroot"
)

// The kinds of issuer.
const (
	issuerLocal  = "local"
	issuerHosted = "hosted"
	issuerCI     = "ci"
)

// The variables that the texts of errors name.
const (
	varSignKID    = "RUNX_RECEIPT_SIGN_KID"
	varSignSeed   = "RUNX_RECEIPT_SIGN_ED25519_SEED_BASE64"
	varSignIssuer = "RUNX_RECEIPT_SIGN_ISSUER_TYPE"
)

// SigningConfig are the values of RUNX_RECEIPT_SIGN_*; nil pointers are unset variables.
type SigningConfig struct{ KID, SeedBase64, IssuerType *string }

// ConfigError is a half-set or unusable signing configuration, or a local key that cannot be used
// as it is. It never holds a part of a key.
type ConfigError struct{ Msg, Hint string }

func (e *ConfigError) Error() string { return e.Msg }

// Signer signs receipts; its key never prints.
type Signer struct {
	key    ed25519.PrivateKey
	issuer Issuer
}

// NewSigner uses cfg when all three are set; some but not all, or a bad seed or type, is a
// *ConfigError (code signing_config). When none is set it uses the local key of userConfig,
// making it once (0600, under a lock that is waited for 10 s at most, so that two processes at once
// agree on one); an empty key file counts as none; without a folder it is a *ConfigError too. Other
// errors are those of the file system, among them *fsroot.PermissionError for a key that
// others can read, or of random; random nil is crypto/rand.
func NewSigner(cfg SigningConfig, userConfig *fsroot.Dir, random io.Reader) (*Signer, error) {
	if signer, err := configured(cfg); signer != nil || err != nil {
		return signer, err
	}
	if userConfig == nil {
		return nil, &ConfigError{
			Msg:  "cannot find a place for the local signing key: there is no user configuration folder",
			Hint: "set HOME or XDG_CONFIG_HOME, or all of " + varSignKID + ", " + varSignSeed + " and " + varSignIssuer,
		}
	}
	if random == nil {
		random = rand.Reader
	}
	ctx, cancel := context.WithTimeoutCause(context.Background(), keyLockWait, errKeyLock)
	defer cancel()
	key, err := localKey(ctx, userConfig, random)
	if err != nil {
		return nil, err
	}
	return localSigner(key), nil
}

// Issuer describes the signing key.
func (s *Signer) Issuer() Issuer { return s.issuer }

// Format prints the key's id whatever the verb.
func (s *Signer) Format(f fmt.State, _ rune) { fmt.Fprintf(f, "signer %s", s.issuer.KID) }

// configured makes the signer of the variables; nil when none is set.
func configured(cfg SigningConfig) (*Signer, error) {
	given := []struct {
		name  string
		value *string
	}{{varSignKID, cfg.KID}, {varSignSeed, cfg.SeedBase64}, {varSignIssuer, cfg.IssuerType}}
	var missing []string
	for _, g := range given {
		if g.value == nil {
			missing = append(missing, g.name)
		}
	}
	if len(missing) == len(given) {
		return nil, nil
	}
	if len(missing) > 0 {
		return nil, halfSet("sign receipts", missing)
	}
	if !isKID(*cfg.KID) {
		return nil, badKID(varSignKID)
	}
	seed, ok := decode32(*cfg.SeedBase64)
	if !ok {
		return nil, badKey(varSignSeed)
	}
	switch *cfg.IssuerType {
	case issuerHosted, issuerCI:
	default:
		return nil, &ConfigError{
			Msg:  fmt.Sprintf("cannot use %s=%q: it is neither hosted nor ci", varSignIssuer, *cfg.IssuerType),
			Hint: "set it to hosted or ci",
		}
	}
	return newSigner(ed25519.NewKeyFromSeed(seed), *cfg.IssuerType, *cfg.KID), nil
}

func newSigner(key ed25519.PrivateKey, kind, kid string) *Signer {
	return &Signer{key: key, issuer: Issuer{Type: kind, KID: kid, PublicKeySHA256: fingerprint(publicOf(key))}}
}

func localSigner(key ed25519.PrivateKey) *Signer {
	return newSigner(key, issuerLocal, "local-"+fingerprint(publicOf(key))[:16])
}

// publicOf is the second half of a private key.
func publicOf(key ed25519.PrivateKey) ed25519.PublicKey {
	return ed25519.PublicKey(key[ed25519.PrivateKeySize-ed25519.PublicKeySize:])
}

func fingerprint(key ed25519.PublicKey) string {
	sum := sha256.Sum256(key)
	return hex.EncodeToString(sum[:])
}

func halfSet(what string, missing []string) *ConfigError {
	msg := fmt.Sprintf("cannot %s: %s is not set, but others of its group are", what, missing[0])
	if len(missing) == 2 {
		msg = fmt.Sprintf("cannot %s: %s and %s are not set, but another of their group is", what, missing[0], missing[1])
	}
	return &ConfigError{Msg: msg, Hint: "set all of them, or none for the local key"}
}

func badKID(name string) *ConfigError {
	return &ConfigError{
		Msg:  fmt.Sprintf("cannot use %s: it is empty, longer than %d bytes or has characters that cannot be shown", name, maxKIDBytes),
		Hint: "set it to the name of the key",
	}
}

func badKey(name string) *ConfigError {
	return &ConfigError{
		Msg:  fmt.Sprintf("cannot use %s: it is not the base64 of exactly 32 bytes", name),
		Hint: "set it to 44 characters of standard base64 with padding and nothing around them",
	}
}

// decode32 takes the one base64 text of 32 bytes.
func decode32(text string) ([]byte, bool) {
	data, err := base64.StdEncoding.Strict().DecodeString(text)
	if err != nil || len(data) != ed25519.SeedSize || base64.StdEncoding.EncodeToString(data) != text {
		return nil, false
	}
	return data, true
}
