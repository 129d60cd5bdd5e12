package secret

import "testing"

// FuzzStore: a document that is accepted is written so that it reads back the same, in order and
// with every rule of Set kept; one that is refused gives a reason and nothing else.
func FuzzStore(f *testing.F) {
	f.Add(`{"version":1,"credentials":[{"provider":"p","profile":"d","mode":"m","audience":"a","value":"abcd"}]}`)
	f.Add(`{"version":1,"credentials":[{"provider":"p","profile":"b","value":"\u0061\n\"\\ä<&>"},{"provider":"p","profile":"a","value":"abcd"}]}`)
	f.Add(`{"version":1,"credentials":[{"provider":"p","profile":"b","value":"\ud800abc"}]}`)
	f.Add(`{"version":2,"credentials":null}`)
	f.Add(`{"credentials":[],"version":1}]`)
	f.Add(`[`)
	f.Fuzz(func(t *testing.T, text string) {
		records, reason := decodeStore([]byte(text))
		if reason != "" {
			if records != nil {
				t.Errorf("refused (%s) with %d records", reason, len(records))
			}
			return
		}
		for i, r := range records {
			if err := check(r.entry, r.value); err != nil {
				t.Errorf("record %d: %v", i, err)
			}
			if at, found := search(records, r.entry.Provider, r.entry.Profile); !found || at != i {
				t.Errorf("record %d is found at %d, %v", i, at, found)
			}
		}
		data, err := encodeStore(records)
		if err != nil {
			t.Fatal(err)
		}
		again, reason := decodeStore(data)
		if reason != "" || len(again) != len(records) {
			t.Fatalf("%s reads back as %d records, %s", data, len(again), reason)
		}
		for i, r := range records {
			if again[i].entry != r.entry || again[i].value.Reveal() != r.value.Reveal() {
				t.Errorf("record %d reads back as %v", i, again[i].entry)
			}
		}
	})
}
