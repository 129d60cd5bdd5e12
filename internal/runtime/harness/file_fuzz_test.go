package harness

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/runx-go/runx/internal/skills/codec"
)

// FuzzRewrite: a text that is accepted keeps everything but the expectations that are rewritten,
// and the rewritten text is accepted and has exactly these.
func FuzzRewrite(f *testing.F) {
	f.Add([]byte(fmt.Sprintf(oneCase, `{"id":"a","lane":"C","mode":"m","timeout_seconds":10,"expected":{"status":"failed"}},{"id":"b","lane":"T","mode":"m","timeout_seconds":10}`)))
	f.Add([]byte("\xef\xbb\xbf{\"schema\":\"runx.author_fixtures.v1\",\r\n \"probe\":[\"p\"],\"skill_directory\":\".\",\"cases\":[\r\n  {\"expected\" : null , \"id\":\"a\",\"lane\":\"C\",\"mode\":\"m\"}\r\n]}\r\n"))
	f.Add([]byte(fmt.Sprintf(oneCase, ``)))
	f.Fuzz(func(t *testing.T, data []byte) {
		cases, err := parseFixtures("dir", "/dir", data)
		if err != nil {
			return
		}
		wanted := map[string]*Expected{}
		for i, c := range cases {
			if i%2 == 0 {
				wanted[c.ID] = &Expected{Status: "timed_out", Stdout: &StreamWant{JSON: json.RawMessage(`{"a":[1.0]}`)}}
			}
		}
		out, _, err := rewrite(data, wanted)
		if err != nil {
			t.Fatalf("cannot rewrite what was accepted: %v", err)
		}
		again, err := parseFixtures("dir", "/dir", out)
		if err != nil {
			t.Fatalf("the rewritten text is refused: %v\n%s", err, out)
		}
		if len(again) != len(cases) {
			t.Fatalf("%d cases became %d", len(cases), len(again))
		}
		for i, c := range again {
			want := cases[i].Expected
			if e, ok := wanted[c.ID]; ok {
				want = e
			}
			got, errGot := codec.Marshal(c.Expected)
			wanted, errWant := codec.Marshal(want)
			if equal, err := codec.Equal(got, wanted); errors.Join(errGot, errWant, err) != nil || !equal || c.ID != cases[i].ID {
				t.Fatalf("case %q is %s, want %s", c.ID, got, wanted)
			}
		}
		same, changed, err := rewrite(out, wanted)
		if err != nil || len(changed) > 0 || string(same) != string(out) {
			t.Fatalf("a second rewrite changes %v (%v)", changed, err)
		}
	})
}
