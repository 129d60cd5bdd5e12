package receipt

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/runx-go/runx/internal/skills"
	"github.com/runx-go/runx/internal/skills/codec"
)

// What a run knew goes into a receipt as digests, names and counts only. The predicate is filled
// as the engine fills it, from values that are searched for afterwards in every file and text.
func TestNothingOfARunIsInItsReceipt(t *testing.T) {
	canaries := map[string]string{
		"credential value": "kestrel-7d1f", "environment value": "osprey-52aa", "input value": "merlin-0c3e",
		"result value": "harrier-91b7", "stream text": "goshawk-44d0", "argument": "buzzard-e6f8", "absolute path": "/home/falcon-3b2c/birds",
	}
	json1 := func(v any) json.RawMessage {
		raw, err := codec.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return raw
	}
	digest := func(v any) skills.Digest {
		d, err := codec.DigestJSON(json1(v))
		if err != nil {
			t.Fatal(err)
		}
		return skills.Digest(d)
	}
	inputs := map[string]string{"place": canaries["input value"]}
	p := fullPredicate()
	p.Run.Identity = string(digest([]any{p.PackageDigest, inputs}))
	p.Inputs = Inputs{Digest: digest(inputs), RawDigest: skills.DigestBytes(json1(inputs)), Bytes: int64(len(json1(inputs))), Names: []string{"place"}}
	p.Process.ArgvDigest = digest([]string{canaries["absolute path"], canaries["argument"], canaries["credential value"]})
	p.Process.Command = filepath.Base(canaries["absolute path"])
	p.Streams.Stdout = Stream{Bytes: int64(len(canaries["stream text"])), SHA256: skills.DigestBytes([]byte(canaries["stream text"])).Hex()}
	p.Result.Digest = digest(canaries["result value"])
	p.Environment.Names = []string{"BIRD_TOKEN"} // of which the value is environment value

	dir, keyDir := newDir(t), newDir(t)
	s, err := NewSigner(SigningConfig{}, keyDir, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, secret := range secrets(s) {
		canaries[fmt.Sprintf("signing key, form %d", i)] = secret
	}
	r := sealed(t, p, s)
	if err := NewStore(dir).Put(r); err != nil {
		t.Fatal(err)
	}
	files, err := os.ReadDir(dir.Name())
	if err != nil || len(files) != 1 {
		t.Fatalf("files %v, %v", files, err)
	}
	text, err := os.ReadFile(filepath.Join(dir.Name(), files[0].Name()))
	if err != nil {
		t.Fatal(err)
	}
	verdict := json1(Verify(text, nil, Expect{ID: "sha256:0", PackageDigest: "x", InputsDigest: "y"}))
	all := strings.Join([]string{files[0].Name(), string(text), payloadOf(t, text), string(verdict), fmt.Sprintf("%+v", r.Predicate)}, "\n")
	for what, canary := range canaries {
		for _, form := range []string{canary, base64.StdEncoding.EncodeToString([]byte(canary)), fmt.Sprintf("%x", canary)} {
			if strings.Contains(all, form) {
				t.Errorf("%s: %q is in the receipt", what, form)
			}
		}
	}
	if !strings.Contains(all, p.Process.Command) {
		t.Error("the search finds nothing at all: the base name of the command should be there")
	}
}
