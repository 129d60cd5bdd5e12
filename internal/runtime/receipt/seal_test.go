package receipt

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const fullPayload = `{"_type":"https://in-toto.io/Statement/v1","predicate":{` +
	`"boundary":{"claims":[{"enforced":true,"name":"process_group"},{"enforced":false,"name":"job_object","reason":"this platform has none"}],"kind":"trusted_host_process"},` +
	`"closure":{"disposition":"closed","reason_code":"process_closed","state":"sealed","status":"sealed","summary":"process exited 0"},` +
	`"closure_digests":["sha256:4444444444444444444444444444444444444444444444444444444444444444"],` +
	`"credential":{"mode":"token","name":"atlas","profile":"default","provider":"atlas"},"decisions":[],` +
	`"environment":{"absent":["LANG"],"names":["RUNX_CWD"]},` +
	`"inputs":{"bytes":42,"digest":"sha256:5555555555555555555555555555555555555555555555555555555555555555","names":["place","größe"],` +
	`"raw_digest":"sha256:6666666666666666666666666666666666666666666666666666666666666666"},` +
	`"issuer":{"kid":"build-1","public_key_sha256":"FINGERPRINT","type":"ci"},"limits":["stderr_retained"],` +
	`"manual_digest":"sha256:3333333333333333333333333333333333333333333333333333333333333333",` +
	`"package_digest":"sha256:2222222222222222222222222222222222222222222222222222222222222222","pages":null,` +
	`"process":{"argv_digest":"sha256:7777777777777777777777777777777777777777777777777777777777777777","command":"birds","cwd_relation":"skill",` +
	`"descendant_held_pipe":true,"exit_code":0,"signal":"SIGTERM","timed_out":true},` +
	`"result":{"digest":"sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",` +
	`"outputs_digest":"sha256:bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb","packets":{"acme.count.v1":"verified","acme.other.v1":"unresolved"}},` +
	`"run":{"finished_at":"2026-01-01T00:00:01.204Z","id":"run_01J9Z3M6Q8V5T2X4C7B1N0K8HD","identity":"sha256:1111111111111111111111111111111111111111111111111111111111111111",` +
	`"parent":"run_01J9Z3M6Q8V5T2X4C7B1N0K8HE","resumed":true,"started_at":"2026-01-01T00:00:01.100Z"},` +
	`"runner":"count","runner_type":"cli-tool","runx":"1.2.3","skill":"count-birds","steps":[],` +
	`"streams":{"stderr":{"bytes":4,"sha256":"9999999999999999999999999999999999999999999999999999999999999999","truncated":true},` +
	`"stdout":{"bytes":3,"sha256":"8888888888888888888888888888888888888888888888888888888888888888","truncated":false}},"version":"0.4.0"},` +
	`"predicateType":"https://github.com/runx-go/runx/receipt/v1","subject":[` +
	`{"digest":{"sha256":"2222222222222222222222222222222222222222222222222222222222222222"},"name":"package"},` +
	`{"digest":{"sha256":"5555555555555555555555555555555555555555555555555555555555555555"},"name":"inputs"},` +
	`{"digest":{"sha256":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"},"name":"result"}]}`

const smallPayload = `{"_type":"https://in-toto.io/Statement/v1","predicate":{"boundary":{"claims":[],"kind":"trusted_host_process"},` +
	`"closure":{"disposition":"blocked","reason_code":"preflight_refused","state":"sealed","status":"refused","summary":"preflight refused: environment_missing"},` +
	`"closure_digests":[],"credential":null,"decisions":[],"environment":{"absent":[],"names":[]},` +
	`"inputs":{"bytes":0,"digest":"sha256:5555555555555555555555555555555555555555555555555555555555555555","names":[],` +
	`"raw_digest":"sha256:6666666666666666666666666666666666666666666666666666666666666666"},` +
	`"issuer":{"kid":"build-1","public_key_sha256":"FINGERPRINT","type":"ci"},"limits":[],` +
	`"manual_digest":"sha256:3333333333333333333333333333333333333333333333333333333333333333",` +
	`"package_digest":"sha256:2222222222222222222222222222222222222222222222222222222222222222","pages":null,"process":null,"result":null,` +
	`"run":{"finished_at":"2026-01-01T00:00:01.204Z","id":"run_01J9Z3M6Q8V5T2X4C7B1N0K8HD","identity":"sha256:1111111111111111111111111111111111111111111111111111111111111111",` +
	`"parent":null,"resumed":false,"started_at":"2026-01-01T00:00:01.100Z"},` +
	`"runner":"count","runner_type":"cli-tool","runx":"1.2.3","skill":"count-birds","steps":[],"streams":null,"version":""},` +
	`"predicateType":"https://github.com/runx-go/runx/receipt/v1","subject":[` +
	`{"digest":{"sha256":"2222222222222222222222222222222222222222222222222222222222222222"},"name":"package"},` +
	`{"digest":{"sha256":"5555555555555555555555555555555555555555555555555555555555555555"},"name":"inputs"}]}`

// A receipt is checked here with the standard library alone, as another program would.
func TestSeal(t *testing.T) {
	public := ed25519.NewKeyFromSeed(seed(7)).Public().(ed25519.PublicKey)
	sum := sha256.Sum256(public)
	fingerprint := hex.EncodeToString(sum[:])
	tests := []struct {
		name      string
		predicate Predicate
		payload   string
	}{
		{"every member", fullPredicate(), fullPayload},
		{"nothing that need not be: lists are not null, no result is no subject", smallPredicate(), smallPayload},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := sealed(t, tt.predicate, ciSigner(t))
			want := strings.Replace(tt.payload, "FINGERPRINT", fingerprint, 1)
			var got struct {
				Payload, PayloadType string
				Signatures           []struct{ KeyID, Sig string }
			}
			if err := json.Unmarshal(r.Envelope, &got); err != nil {
				t.Fatal(err)
			}
			payload, err := base64.StdEncoding.DecodeString(got.Payload)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, string(payload)); diff != "" {
				t.Errorf("payload (-want +got):\n%s", diff)
			}
			const kind = "application/vnd.in-toto+json"
			signature := ed25519.Sign(ed25519.NewKeyFromSeed(seed(7)), fmt.Appendf(nil, "DSSEv1 28 %s %d %s", kind, len(want), want))
			text := `{"payload":"` + base64.StdEncoding.EncodeToString([]byte(want)) + `","payloadType":"` + kind +
				`","signatures":[{"keyid":"build-1","sig":"` + base64.StdEncoding.EncodeToString(signature) + `"}]}` + "\n"
			if diff := cmp.Diff(text, string(r.Envelope)); diff != "" {
				t.Errorf("envelope (-want +got):\n%s", diff)
			}
			digest := sha256.Sum256([]byte(want))
			if id := "sha256:" + hex.EncodeToString(digest[:]); r.ID != id {
				t.Errorf("id: got %s, want %s", r.ID, id)
			}
			if want := (Issuer{Type: "ci", KID: "build-1", PublicKeySHA256: fingerprint}); r.Predicate.Issuer != want {
				t.Errorf("issuer: got %+v, want %+v", r.Predicate.Issuer, want)
			}
		})
	}
}

func TestOpenIsTheInverseOfSeal(t *testing.T) {
	for _, p := range []Predicate{fullPredicate(), smallPredicate()} {
		want := sealed(t, p, ciSigner(t))
		got, err := Open(want.Envelope)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("receipt (-sealed +opened):\n%s", diff)
		}
	}
}

func TestOpenDoesNotAskWhoSigned(t *testing.T) {
	r := sealed(t, fullPredicate(), ciSigner(t))
	e, fault := readEnvelope(r.Envelope)
	if fault != nil {
		t.Fatal(fault.Message)
	}
	e.sig[0] ^= 1
	text, err := e.text()
	if err != nil {
		t.Fatal(err)
	}
	if got, err := Open(text); err != nil || got.ID != r.ID {
		t.Errorf("got %s, %v", got.ID, err)
	}
}

func TestOpenRefuses(t *testing.T) {
	s := ciSigner(t)
	good := payloadOf(t, sealed(t, fullPredicate(), s).Envelope)
	tests := []struct {
		name string
		text []byte
		want string
	}{
		{"no envelope", []byte("{}\n"), "cannot read the receipt: the envelope has 0 signatures, not exactly one"},
		{"another payload type", sign(t, s, "text/plain", []byte(good)),
			`cannot read the receipt: the payload's type is "text/plain", not application/vnd.in-toto+json`},
		{"another predicate", sign(t, s, payloadType, []byte(strings.Replace(good, "receipt/v1", "agent-receipt/v1", 1))),
			`cannot read the receipt: predicateType: the predicate's type is "https://github.com/runx-go/runx/agent-receipt/v1", which this version does not know`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := Open(tt.text); err == nil || err.Error() != tt.want {
				t.Errorf("got %v, want %s", err, tt.want)
			}
		})
	}
}

// Seal makes no receipt that Verify would not accept.
func TestSealRefusesAPredicateThatDoesNotHold(t *testing.T) {
	for _, tt := range brokenPredicates() {
		t.Run(tt.name, func(t *testing.T) {
			p := fullPredicate()
			tt.change(&p)
			r, err := Seal(p, ciSigner(t))
			want := "cannot seal a receipt: " + tt.path + ": " + tt.message
			if err == nil || !strings.HasPrefix(err.Error(), want) {
				t.Errorf("got %s, %v, want an error that begins with %s", r.ID, err, want)
			}
		})
	}
}

// The limit counts the text, base64 and all: three bytes of payload are four of it.
func TestSealSize(t *testing.T) {
	build := func(kid string, n int) (Receipt, error) {
		s, err := NewSigner(config(7, "ci", kid), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		p := fullPredicate()
		p.Inputs.Names = []string{strings.Repeat("n", n)}
		return Seal(p, s)
	}
	// A key id of the right length makes what stands around the payload divisible by four.
	kid, around, body := "", 1, 0
	for around%4 != 0 {
		kid += "k"
		r, err := build(kid, 0)
		if err != nil {
			t.Fatal(err)
		}
		body = len(payloadOf(t, r.Envelope))
		around = len(r.Envelope) - base64.StdEncoding.EncodedLen(body)
	}
	n := (int(MaxBytes)-around)/4*3 - body
	r, err := build(kid, n)
	if err != nil || int64(len(r.Envelope)) != MaxBytes {
		t.Fatalf("at the limit: %d bytes, %v", len(r.Envelope), err)
	}
	if _, err := Open(r.Envelope); err != nil {
		t.Errorf("at the limit it cannot be read: %v", err)
	}
	want := fmt.Sprintf("cannot seal a receipt: it has %d bytes, more than %d", MaxBytes+4, MaxBytes)
	if _, err := build(kid, n+1); err == nil || err.Error() != want {
		t.Errorf("over the limit: got %v, want %s", err, want)
	}
}
