package receipt

import (
	"context"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"

	"github.com/runx-go/runx/internal/sandbox/fsroot"
)

const (
	// LocalKeyFile, in the user's configuration, holds the local key: PKCS#8 in PEM, 0600.
	LocalKeyFile fsroot.RelPath = "receipt_key.pem"

	// keyLockFile is locked while the local key is made; it stays, empty.
	keyLockFile fsroot.RelPath = "receipt_key.lock"

	pemType = "PRIVATE KEY"
)

// errKeyLock is why the wait for keyLockFile ends.
var errKeyLock = errors.New("another runx makes the key and does not end")

// localKey reads the local key, making it when there is none. Of two processes that make one at
// once the second takes the key of the first: it waits for its lock, at most until ctx ends.
func localKey(ctx context.Context, dir *fsroot.Dir, random io.Reader) (key ed25519.PrivateKey, err error) {
	key, err = readLocalKey(dir)
	if !errors.Is(err, fs.ErrNotExist) {
		return key, err
	}
	unlock, err := dir.Lock(ctx, keyLockFile)
	if err != nil {
		return nil, fmt.Errorf("cannot make the local signing key: %w", err)
	}
	defer func() { err = errors.Join(err, unlock()) }()
	key, err = readLocalKey(dir)
	if !errors.Is(err, fs.ErrNotExist) {
		return key, err
	}
	seed := make([]byte, ed25519.SeedSize)
	if _, err := io.ReadFull(random, seed); err != nil {
		return nil, fmt.Errorf("cannot make the local signing key: %w", err)
	}
	key = ed25519.NewKeyFromSeed(seed)
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, fmt.Errorf("cannot encode the local signing key: %w", err)
	}
	if err := dir.WriteAtomic(LocalKeyFile, pem.EncodeToMemory(&pem.Block{Type: pemType, Bytes: der})); err != nil {
		return nil, fmt.Errorf("cannot keep the local signing key: %w", err)
	}
	return key, nil
}

// readLocalKey reads the key file; fs.ErrNotExist when there is none or an empty one, which a crash
// may leave and which holds nothing to lose; *fsroot.PermissionError when others can reach it. Any
// other file that holds no key is a *ConfigError: it is never replaced.
func readLocalKey(dir *fsroot.Dir) (ed25519.PrivateKey, error) {
	data, err := dir.ReadPrivate(LocalKeyFile, maxKeyFileBytes)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(dir.Name(), string(LocalKeyFile))
	if len(data) == 0 {
		return nil, fmt.Errorf("cannot use the local signing key %s: it is empty: %w", path, fs.ErrNotExist)
	}
	if key, ok := parseKey(data); ok {
		return key, nil
	}
	return nil, &ConfigError{
		Msg:  fmt.Sprintf("cannot use the local signing key %s: it is no Ed25519 key as PKCS#8 in PEM", path),
		Hint: "restore it from a backup, or move it away and a new one is made",
	}
}

// parseKey takes one PEM block with an Ed25519 key and nothing behind it.
func parseKey(data []byte) (ed25519.PrivateKey, bool) {
	block, rest := pem.Decode(data)
	if block == nil || block.Type != pemType || len(rest) > 0 {
		return nil, false
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, false
	}
	key, ok := parsed.(ed25519.PrivateKey)
	return key, ok
}
