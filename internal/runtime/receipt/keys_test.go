package receipt

import (
	"bytes"
	"context"
	"crypto/ecdh"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	goruntime "runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	"github.com/runx-go/runx/internal/sandbox/fsroot"
)

// needModes skips where files have no permission bits.
func needModes(t *testing.T) {
	t.Helper()
	if goruntime.GOOS == "windows" {
		t.Skip("files have no permission bits on Windows")
	}
}

func TestConfiguredSigner(t *testing.T) {
	for _, kind := range []string{"ci", "hosted"} {
		s, err := NewSigner(config(7, kind, "build-1"), nil, iotest.ErrReader(errors.New("not needed")))
		if err != nil {
			t.Fatal(err)
		}
		public := ed25519.NewKeyFromSeed(seed(7)).Public().(ed25519.PublicKey)
		if want := (Issuer{Type: kind, KID: "build-1", PublicKeySHA256: fingerprint(public)}); s.Issuer() != want {
			t.Errorf("got %+v, want %+v", s.Issuer(), want)
		}
	}
}

func TestSigningConfigErrors(t *testing.T) {
	good := config(7, "ci", "build-1")
	secret := *good.SeedBase64
	with := func(change func(*SigningConfig)) SigningConfig {
		c := good
		change(&c)
		return c
	}
	const badSeed = "cannot use RUNX_RECEIPT_SIGN_ED25519_SEED_BASE64: it is not the base64 of exactly 32 bytes"
	const badKID = "cannot use RUNX_RECEIPT_SIGN_KID: it is empty, longer than 256 bytes or has characters that cannot be shown"
	tests := []struct {
		name string
		cfg  SigningConfig
		want string
	}{
		{"key id alone", SigningConfig{KID: good.KID}, "cannot sign receipts: RUNX_RECEIPT_SIGN_ED25519_SEED_BASE64 and RUNX_RECEIPT_SIGN_ISSUER_TYPE are not set, but another of their group is"},
		{"seed alone", SigningConfig{SeedBase64: good.SeedBase64}, "cannot sign receipts: RUNX_RECEIPT_SIGN_KID and RUNX_RECEIPT_SIGN_ISSUER_TYPE are not set, but another of their group is"},
		{"no issuer", with(func(c *SigningConfig) { c.IssuerType = nil }), "cannot sign receipts: RUNX_RECEIPT_SIGN_ISSUER_TYPE is not set, but others of its group are"},
		{"no seed", with(func(c *SigningConfig) { c.SeedBase64 = nil }), "cannot sign receipts: RUNX_RECEIPT_SIGN_ED25519_SEED_BASE64 is not set, but others of its group are"},
		{"no key id", with(func(c *SigningConfig) { c.KID = nil }), "cannot sign receipts: RUNX_RECEIPT_SIGN_KID is not set, but others of its group are"},
		{"empty key id", with(func(c *SigningConfig) { c.KID = ptr("") }), badKID},
		{"long key id", with(func(c *SigningConfig) { c.KID = ptr(strings.Repeat("k", maxKIDBytes+1)) }), badKID},
		{"key id of two lines", with(func(c *SigningConfig) { c.KID = ptr("a\nb") }), badKID},
		{"key id with an escape", with(func(c *SigningConfig) { c.KID = ptr("a\x1b[2J") }), badKID},
		{"empty seed", with(func(c *SigningConfig) { c.SeedBase64 = ptr("") }), badSeed},
		{"seed with a newline", with(func(c *SigningConfig) { c.SeedBase64 = ptr(secret + "\n") }), badSeed},
		{"seed without padding", with(func(c *SigningConfig) { c.SeedBase64 = ptr(strings.TrimRight(secret, "=")) }), badSeed},
		{"seed of 31 bytes", with(func(c *SigningConfig) { c.SeedBase64 = ptr(base64.StdEncoding.EncodeToString(seed(7)[1:])) }), badSeed},
		{"seed of 33 bytes", with(func(c *SigningConfig) {
			c.SeedBase64 = ptr(base64.StdEncoding.EncodeToString(append(seed(7), 1)))
		}), badSeed},
		{"seed as digits", with(func(c *SigningConfig) { c.SeedBase64 = ptr(hex.EncodeToString(seed(7))) }), badSeed},
		{"seed in the other alphabet", with(func(c *SigningConfig) { c.SeedBase64 = ptr(base64.URLEncoding.EncodeToString(seed(0xff))) }), badSeed},
		{"local is no configured issuer", with(func(c *SigningConfig) { c.IssuerType = ptr("local") }), `cannot use RUNX_RECEIPT_SIGN_ISSUER_TYPE="local": it is neither hosted nor ci`},
		{"empty issuer", with(func(c *SigningConfig) { c.IssuerType = ptr("") }), `cannot use RUNX_RECEIPT_SIGN_ISSUER_TYPE="": it is neither hosted nor ci`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := newDir(t)
			_, err := NewSigner(tt.cfg, dir, nil)
			_, keysErr := NewKeys(VerifyConfig{}, tt.cfg, dir)
			for _, err := range []error{err, keysErr} {
				cfg, ok := errors.AsType[*ConfigError](err)
				if !ok || cfg.Msg != tt.want || cfg.Hint == "" || cfg.Error() != cfg.Msg {
					t.Errorf("got %T %v, want *ConfigError %s", err, err, tt.want)
				}
				if tt.cfg.SeedBase64 != nil && len(*tt.cfg.SeedBase64) > 0 && strings.Contains(fmt.Sprintf("%+v", err), (*tt.cfg.SeedBase64)[:8]) {
					t.Errorf("the error holds the seed: %+v", err)
				}
			}
			if files, _ := dir.ReadDir(fsroot.Self); len(files) != 0 {
				t.Errorf("something was written: %v", files)
			}
		})
	}
}

func TestKeyIDAtTheLimit(t *testing.T) {
	s, err := NewSigner(config(7, "ci", strings.Repeat("k", maxKIDBytes)), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	sealed(t, fullPredicate(), s)
}

func TestVerifyConfigErrors(t *testing.T) {
	good := base64.StdEncoding.EncodeToString(publicOf(ciSigner(t).key))
	tests := []struct {
		name string
		cfg  VerifyConfig
		want string
	}{
		{"key id alone", VerifyConfig{KID: ptr("k")}, "cannot verify receipts: RUNX_RECEIPT_VERIFY_ED25519_PUBLIC_KEY_BASE64 is not set, but others of its group are"},
		{"key alone", VerifyConfig{PublicKeyBase64: &good}, "cannot verify receipts: RUNX_RECEIPT_VERIFY_KID is not set, but others of its group are"},
		{"empty key id", VerifyConfig{KID: ptr(""), PublicKeyBase64: &good}, "cannot use RUNX_RECEIPT_VERIFY_KID: it is empty, longer than 256 bytes or has characters that cannot be shown"},
		{"short key", VerifyConfig{KID: ptr("k"), PublicKeyBase64: ptr(good[4:])}, "cannot use RUNX_RECEIPT_VERIFY_ED25519_PUBLIC_KEY_BASE64: it is not the base64 of exactly 32 bytes"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			// A good signing key does not help: nothing is verified with another key than asked for.
			_, err := NewKeys(tt.cfg, config(7, "ci", "build-1"), newDir(t))
			if cfg, ok := errors.AsType[*ConfigError](err); !ok || cfg.Msg != tt.want {
				t.Errorf("got %T %v, want *ConfigError %s", err, err, tt.want)
			}
		})
	}
}

func TestLocalKey(t *testing.T) {
	dir := newDir(t)
	keys, err := NewKeys(VerifyConfig{}, SigningConfig{}, dir)
	if err != nil {
		t.Fatal(err)
	}
	if files, _ := dir.ReadDir(fsroot.Self); len(files) != 0 {
		t.Errorf("NewKeys wrote %v", files)
	}
	if _, ok := keys.find(""); ok {
		t.Error("there is a key with an empty id before there is a key")
	}
	first, err := NewSigner(SigningConfig{}, dir, bytes.NewReader(seed(5)))
	if err != nil {
		t.Fatal(err)
	}
	public := ed25519.NewKeyFromSeed(seed(5)).Public().(ed25519.PublicKey)
	if want := (Issuer{Type: "local", KID: "local-" + fingerprint(public)[:16], PublicKeySHA256: fingerprint(public)}); first.Issuer() != want {
		t.Errorf("got %+v, want %+v", first.Issuer(), want)
	}
	again, err := NewSigner(SigningConfig{}, dir, iotest.ErrReader(errors.New("not needed")))
	if err != nil {
		t.Fatal(err)
	}
	if again.Issuer() != first.Issuer() {
		t.Errorf("the second time %+v, the first %+v", again.Issuer(), first.Issuer())
	}
	if keys, err = NewKeys(VerifyConfig{}, SigningConfig{}, dir); err != nil {
		t.Fatal(err)
	}
	v := Verify(sealed(t, fullPredicate(), first).Envelope, keys, Expect{})
	if want := (SignatureInfo{Mode: "local", KID: first.Issuer().KID, Status: "valid"}); !v.Valid || v.Signature != want {
		t.Errorf("got valid %v, %+v, want %+v", v.Valid, v.Signature, want)
	}
	text, err := os.ReadFile(filepath.Join(dir.Name(), "receipt_key.pem"))
	if err != nil {
		t.Fatal(err)
	}
	block, rest := pem.Decode(text)
	if block == nil || block.Type != "PRIVATE KEY" || len(rest) != 0 {
		t.Fatalf("the file is no PEM: %v, %d bytes more", block, len(rest))
	}
	if key, err := x509.ParsePKCS8PrivateKey(block.Bytes); err != nil || !bytes.Equal(key.(ed25519.PrivateKey).Seed(), seed(5)) {
		t.Errorf("the file holds another key: %v", err)
	}
	needModes(t)
	if info, err := dir.Stat("receipt_key.pem"); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v, want 0600", info.Mode(), err)
	}
}

func TestLocalKeyIsRandom(t *testing.T) {
	var kids []string
	for range 2 {
		s, err := NewSigner(SigningConfig{}, newDir(t), nil)
		if err != nil {
			t.Fatal(err)
		}
		kids = append(kids, s.Issuer().KID)
	}
	if kids[0] == kids[1] {
		t.Errorf("twice the same key %s", kids[0])
	}
}

// Many that make a key at once agree on one.
func TestLocalKeyMadeAtOnce(t *testing.T) {
	dir := newDir(t)
	kids := make([]string, 16)
	var group sync.WaitGroup
	for i := range kids {
		group.Go(func() {
			s, err := NewSigner(SigningConfig{}, dir, bytes.NewReader(seed(byte(i))))
			if err != nil {
				t.Error(err)
				return
			}
			kids[i] = s.Issuer().KID
		})
	}
	group.Wait()
	slices.Sort(kids)
	if got := slices.Compact(kids); len(got) != 1 {
		t.Errorf("keys %v, want one", got)
	}
}

// What a crash left without hard links is no key: it is replaced, and nothing can be verified by it.
func TestLocalKeyFileIsEmpty(t *testing.T) {
	dir := newDir(t)
	if err := dir.CreateNew(LocalKeyFile, nil); err != nil {
		t.Fatal(err)
	}
	keys, err := NewKeys(VerifyConfig{}, SigningConfig{}, dir)
	if err != nil || keys.public != nil {
		t.Errorf("got %v, %v, want no key", keys, err)
	}
	var issuers []Issuer
	for _, random := range []io.Reader{bytes.NewReader(seed(5)), iotest.ErrReader(errors.New("not needed"))} {
		s, err := NewSigner(SigningConfig{}, dir, random)
		if err != nil {
			t.Fatal(err)
		}
		issuers = append(issuers, s.Issuer())
	}
	if want := localSigner(ed25519.NewKeyFromSeed(seed(5))).Issuer(); issuers[0] != want || issuers[1] != want {
		t.Errorf("got %+v, want twice %+v", issuers, want)
	}
	if names, err := dir.ReadDir(fsroot.Self); err != nil || len(names) != 2 {
		t.Errorf("the folder holds %v, %v, want the key and its lock", names, err)
	}
}

// readFunc is a source of randomness.
type readFunc func([]byte) (int, error)

func (f readFunc) Read(p []byte) (int, error) { return f(p) }

func TestLocalKeyIsMadeUnderALock(t *testing.T) {
	dir := newDir(t)
	if err := dir.CreateNew(LocalKeyFile, nil); err != nil {
		t.Fatal(err)
	}
	unlock, err := dir.TryLock("receipt_key.lock")
	if err != nil {
		t.Fatal(err)
	}
	cause := errors.New("no more time")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(cause)
	if key, err := localKey(ctx, dir, bytes.NewReader(seed(1))); !errors.Is(err, fsroot.ErrLocked) || !errors.Is(err, cause) {
		t.Errorf("while another process makes it: %d bytes, %v, want ErrLocked and the cause", len(key), err)
	}
	if err := unlock(); err != nil {
		t.Fatal(err)
	}
	first, err := localKey(t.Context(), dir, readFunc(func(p []byte) (int, error) {
		if _, err := dir.TryLock("receipt_key.lock"); !errors.Is(err, fsroot.ErrLocked) {
			t.Errorf("the key is made without the lock: %v", err)
		}
		return copy(p, seed(2)), nil
	}))
	if err != nil {
		t.Fatal(err)
	}
	unlock, err = dir.TryLock("receipt_key.lock")
	if err != nil {
		t.Fatalf("the lock stays taken: %v", err)
	}
	defer unlock()
	// A key that is there needs no lock.
	again, err := localKey(ctx, dir, iotest.ErrReader(errors.New("not needed")))
	if err != nil || !again.Equal(first) {
		t.Errorf("the second time another key, %v", err)
	}
}

func TestLocalKeyErrors(t *testing.T) {
	if _, err := NewSigner(SigningConfig{}, nil, nil); err == nil || !strings.HasPrefix(err.Error(), "cannot find a place for the local signing key") {
		t.Errorf("without a folder: %v", err)
	}
	keys, err := NewKeys(VerifyConfig{}, SigningConfig{}, nil)
	if err != nil || keys.public != nil {
		t.Errorf("without a folder: %v, %v, want no key", keys, err)
	}
	if _, err := NewSigner(SigningConfig{}, newDir(t), bytes.NewReader(seed(1)[1:])); err == nil {
		t.Error("31 bytes of randomness made a key")
	}
	other, err := x509.MarshalPKCS8PrivateKey(x25519(t))
	if err != nil {
		t.Fatal(err)
	}
	good, err := x509.MarshalPKCS8PrivateKey(ed25519.NewKeyFromSeed(seed(9)))
	if err != nil {
		t.Fatal(err)
	}
	text := func(kind string, der []byte) string {
		return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
	}
	canary := base64.StdEncoding.EncodeToString(good)[20:40]
	for _, tt := range []struct{ name, text string }{
		{"a newline", "\n"},
		{"no PEM", "hello"},
		{"another kind of block", text("ED25519 PRIVATE KEY", good)},
		{"another kind of key", text("PRIVATE KEY", other)},
		{"cut", text("PRIVATE KEY", good[:len(good)-1])},
		{"torn", text("PRIVATE KEY", good)[:60]},
		{"two keys", text("PRIVATE KEY", good) + text("PRIVATE KEY", good)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := newDir(t)
			if err := dir.CreateNew(LocalKeyFile, []byte(tt.text)); err != nil {
				t.Fatal(err)
			}
			want := "cannot use the local signing key " + filepath.Join(dir.Name(), "receipt_key.pem") + ": it is no Ed25519 key as PKCS#8 in PEM"
			_, signErr := NewSigner(SigningConfig{}, dir, nil)
			_, keysErr := NewKeys(VerifyConfig{}, SigningConfig{}, dir)
			for _, err := range []error{signErr, keysErr} {
				if cfg, ok := errors.AsType[*ConfigError](err); !ok || cfg.Msg != want {
					t.Errorf("got %T %v, want *ConfigError %s", err, err, want)
				}
				if strings.Contains(fmt.Sprintf("%+v", err), canary) {
					t.Errorf("the error holds a part of the key: %+v", err)
				}
			}
			if got, _ := dir.ReadLimited(LocalKeyFile, maxKeyFileBytes); string(got) != tt.text {
				t.Errorf("the file was replaced by %q", got)
			}
		})
	}
}

func x25519(t *testing.T) *ecdh.PrivateKey {
	t.Helper()
	key, err := ecdh.X25519().NewPrivateKey(seed(9))
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func TestLocalKeyFileSize(t *testing.T) {
	for _, tt := range []struct {
		name string
		size int64
		ok   bool
	}{{"at the limit", maxKeyFileBytes, true}, {"one over", maxKeyFileBytes + 1, false}} {
		t.Run(tt.name, func(t *testing.T) {
			der, err := x509.MarshalPKCS8PrivateKey(ed25519.NewKeyFromSeed(seed(9)))
			if err != nil {
				t.Fatal(err)
			}
			text := pem.EncodeToMemory(&pem.Block{Type: pemType, Bytes: der})
			note := append(bytes.Repeat([]byte{'#'}, int(tt.size)-len(text)-1), '\n')
			dir := newDir(t)
			if err := dir.CreateNew(LocalKeyFile, append(note, text...)); err != nil {
				t.Fatal(err)
			}
			_, err = NewSigner(SigningConfig{}, dir, nil)
			if _, large := errors.AsType[*fsroot.TooLargeError](err); (err == nil) != tt.ok || large == tt.ok {
				t.Errorf("%d bytes: %v", tt.size, err)
			}
		})
	}
}

func TestLocalKeyThatOthersCanRead(t *testing.T) {
	needModes(t)
	for _, mode := range []fs.FileMode{0o640, 0o604, 0o620, 0o602} {
		dir := newDir(t)
		if _, err := NewSigner(SigningConfig{}, dir, nil); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir.Name(), "receipt_key.pem")
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		_, signErr := NewSigner(SigningConfig{}, dir, nil)
		_, keysErr := NewKeys(VerifyConfig{}, SigningConfig{}, dir)
		for _, err := range []error{signErr, keysErr} {
			perm, ok := errors.AsType[*fsroot.PermissionError](err)
			if !ok || perm.Path != path || !strings.HasPrefix(perm.Repair, "chmod 600 ") {
				t.Errorf("mode %04o: got %v, want a *fsroot.PermissionError with chmod", mode, err)
			}
		}
	}
}

func TestLocalKeyThatIsNoFile(t *testing.T) {
	dir := newDir(t)
	if err := dir.Mkdir(LocalKeyFile); err != nil {
		t.Fatal(err)
	}
	if s, err := NewSigner(SigningConfig{}, dir, nil); err == nil {
		t.Errorf("a directory became %v", s)
	}
}

func TestSignerDoesNotPrintItsKey(t *testing.T) {
	s := ciSigner(t)
	var log bytes.Buffer
	slog.New(slog.NewTextHandler(&log, nil)).Info("text", "signer", s)
	slog.New(slog.NewJSONHandler(&log, nil)).Info("json", "signer", s)
	printed := log.String()
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
		text := fmt.Sprintf(verb, s)
		if text != "signer build-1" {
			t.Errorf("%s prints %s", verb, text)
		}
		printed += text
	}
	for _, secret := range secrets(s) {
		if strings.Contains(printed, secret) {
			t.Errorf("%q was printed", secret)
		}
	}
}

// secrets are the forms in which a key could leave.
func secrets(s *Signer) []string {
	private := s.key.Seed()
	return []string{string(private), hex.EncodeToString(private), base64.StdEncoding.EncodeToString(private)[:40],
		base64.RawURLEncoding.EncodeToString(private)[:40], strings.Trim(fmt.Sprint(private), "[]"), fmt.Sprintf("%#v", private)}
}
