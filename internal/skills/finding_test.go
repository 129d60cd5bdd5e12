package skills

import "testing"

func TestFindingString(t *testing.T) {
	for want, f := range map[string]Finding{
		"m":              {Message: "m", Line: 3},
		"X.yaml: m":      {File: "X.yaml", Message: "m", Column: 4},
		"X.yaml:3: m":    {File: "X.yaml", Message: "m", Line: 3},
		"X.yaml:3:4: m":  {File: "X.yaml", Message: "m", Line: 3, Column: 4, Hint: "h", Code: "c"},
		"a/b.json:1:1: ": {File: "a/b.json", Line: 1, Column: 1},
	} {
		if got := f.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestDigest(t *testing.T) {
	const empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
	if got := DigestBytes(nil); got != "sha256:"+empty || got.Hex() != empty {
		t.Errorf("got %s, want the digest of nothing", got)
	}
	for _, text := range []Digest{"", empty, "sha256:", "sha512:" + empty, "sha256:" + empty + "0"} {
		if got := text.Hex(); got != "" {
			t.Errorf("%q is no digest, got %q", text, got)
		}
	}
}
