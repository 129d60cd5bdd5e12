package receipt

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"path/filepath"
	"strings"
	"testing"

	"github.com/runx-go/runx/internal/sandbox"
	"github.com/runx-go/runx/internal/sandbox/fsroot"
	"github.com/runx-go/runx/internal/skills"
)

const testRunID = "run_01J9Z3M6Q8V5T2X4C7B1N0K8HD"

// digestOf is a digest made of one hex digit.
func digestOf(digit string) skills.Digest {
	return skills.Digest("sha256:" + strings.Repeat(digit, 64))
}

func ptr[T any](v T) *T { return &v }

// fullPredicate has every member set.
func fullPredicate() Predicate {
	return Predicate{
		Runx: "1.2.3",
		Run: RunInfo{ID: testRunID, Identity: string(digestOf("1")), Parent: ptr("run_01J9Z3M6Q8V5T2X4C7B1N0K8HE"),
			Resumed: true, StartedAt: "2026-01-01T00:00:01.100Z", FinishedAt: "2026-01-01T00:00:01.204Z"},
		Skill: "count-birds", Runner: "count", RunnerType: "cli-tool", Version: "0.4.0",
		PackageDigest: digestOf("2"), ManualDigest: digestOf("3"), ClosureDigests: []skills.Digest{digestOf("4")},
		Inputs:      Inputs{Digest: digestOf("5"), RawDigest: digestOf("6"), Bytes: 42, Names: []string{"place", "größe"}},
		Environment: Environment{Names: []string{"RUNX_CWD"}, Absent: []string{"LANG"}},
		Credential:  &Credential{Name: "atlas", Provider: "atlas", Mode: "token", Profile: "default"},
		Boundary: sandbox.Boundary{Kind: sandbox.TrustedHostProcess, Claims: []sandbox.Claim{
			{Name: "process_group", Enforced: true}, {Name: "job_object", Reason: "this platform has none"}}},
		Process: &Process{ArgvDigest: digestOf("7"), Command: "birds", CwdRelation: "skill", ExitCode: ptr(0),
			Signal: ptr("SIGTERM"), TimedOut: true, DescendantHeldPipe: true},
		Streams: &Streams{Stdout: Stream{Bytes: 3, SHA256: digestOf("8").Hex()},
			Stderr: Stream{Bytes: 4, SHA256: digestOf("9").Hex(), Truncated: true}},
		Result: &Result{Digest: digestOf("a"), OutputsDigest: string(digestOf("b")),
			Packets: map[string]string{"acme.count.v1": "verified", "acme.other.v1": "unresolved"}},
		Closure: Closure{Status: "sealed", Disposition: "closed", ReasonCode: "process_closed", Summary: "process exited 0", State: "sealed"},
		Limits:  []string{"stderr_retained"},
	}
}

// smallPredicate is a run that was refused: nothing is set that need not be.
func smallPredicate() Predicate {
	return Predicate{
		Runx: "1.2.3", Run: RunInfo{ID: testRunID, Identity: string(digestOf("1")),
			StartedAt: "2026-01-01T00:00:01.100Z", FinishedAt: "2026-01-01T00:00:01.204Z"},
		Skill: "count-birds", Runner: "count", RunnerType: "cli-tool", PackageDigest: digestOf("2"), ManualDigest: digestOf("3"),
		Inputs:   Inputs{Digest: digestOf("5"), RawDigest: digestOf("6")},
		Boundary: sandbox.Boundary{Kind: sandbox.TrustedHostProcess},
		Closure: Closure{Status: "refused", Disposition: "blocked", ReasonCode: "preflight_refused",
			Summary: "preflight refused: environment_missing", State: "sealed"},
	}
}

// seed is a signing seed made of one byte.
func seed(b byte) []byte { return bytes.Repeat([]byte{b}, ed25519.SeedSize) }

func config(b byte, kind, kid string) SigningConfig {
	return SigningConfig{KID: &kid, SeedBase64: ptr(base64.StdEncoding.EncodeToString(seed(b))), IssuerType: &kind}
}

func ciSigner(t testing.TB) *Signer {
	t.Helper()
	s, err := NewSigner(config(7, "ci", "build-1"), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func ciKeys(t testing.TB) *Keys {
	t.Helper()
	keys, err := NewKeys(VerifyConfig{}, config(7, "ci", "build-1"), nil)
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

func sealed(t testing.TB, p Predicate, s *Signer) Receipt {
	t.Helper()
	r, err := Seal(p, s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func newDir(t testing.TB) *fsroot.Dir {
	t.Helper()
	dir, err := fsroot.Create(filepath.Join(t.TempDir(), "folder"), true)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { dir.Close() })
	return dir
}

// sign makes the text of any payload with any header, as a forger with the key could.
func sign(t testing.TB, s *Signer, kind string, body []byte) []byte {
	t.Helper()
	e := envelope{payloadType: kind, payload: body, keyID: s.issuer.KID}
	e.sig = ed25519.Sign(s.key, e.signed())
	text, err := e.text()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// payloadOf is the payload of a receipt's text.
func payloadOf(t testing.TB, text []byte) string {
	t.Helper()
	e, fault := readEnvelope(text)
	if fault != nil {
		t.Fatal(fault.Message)
	}
	return string(e.payload)
}
