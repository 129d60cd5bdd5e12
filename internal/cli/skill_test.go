package cli

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/runx-go/runx/internal/runtime"
	"github.com/runx-go/runx/internal/skills"
	"github.com/spf13/pflag"
)

func TestInputFlags(t *testing.T) {
	inputs := []skills.Input{
		{Name: "message", Type: skills.TypeString}, {Name: "max_items", Type: skills.TypeInteger},
		{Name: "loud", Type: skills.TypeBoolean}, {Name: "thread.title", Type: skills.TypeString},
		{Name: "json", Type: skills.TypeJSON}, {Name: "list", Type: skills.TypeArray},
	}
	type given struct{ Name, Raw string }
	tests := []struct {
		name string
		line []string
		want []given
		code string
	}{
		{name: "a flag", line: []string{"--message", "hi there"}, want: []given{{"message", `"hi there"`}}},
		{name: "with =", line: []string{"--message=a=b"}, want: []given{{"message", `"a=b"`}}},
		{name: "- and _ are the same", line: []string{"--max-items", "3", "-i", "loud=true"}, want: []given{{"max_items", "3"}, {"loud", "true"}}},
		{name: "with _", line: []string{"--max_items", "1e3"}, want: []given{{"max_items", "1e3"}}},
		{name: "-i with -", line: []string{"-i", "max-items=3"}, want: []given{{"max_items", "3"}}},
		{name: "a boolean alone", line: []string{"--loud"}, want: []given{{"loud", "true"}}},
		{name: "a boolean denied", line: []string{"--no-loud"}, want: []given{{"loud", "false"}}},
		{name: "a denial with a value", line: []string{"--no-loud=false"}, code: "flag_value"},
		{name: "a name with a dot", line: []string{"--thread.title", "x"}, want: []given{{"thread.title", `"x"`}}},
		{name: "order of the line", line: []string{"--loud", "--message", "b"}, want: []given{{"loud", "true"}, {"message", `"b"`}}},
		{name: "a name that runx has is reached by -i", line: []string{"-i", "json={\"a\": 1.0}"}, want: []given{{"json", `{"a": 1.0}`}}},
		{name: "JSON keeps its text", line: []string{"--input-json", "list=[1.0, -0]"}, want: []given{{"list", "[1.0, -0]"}}},
		{name: "an empty text", line: []string{"-i", "message="}, want: []given{{"message", `""`}}},
		{name: "twice", line: []string{"--message", "a", "-i", "message=b"}, code: "input_duplicate"},
		{name: "unknown input", line: []string{"-i", "mesage=b"}, code: "input_unknown"},
		{name: "no assignment", line: []string{"-i", "message"}, code: "flag_value"},
		{name: "wrong type", line: []string{"--max-items", "three"}, code: "input_type"},
		{name: "unknown flag", line: []string{"--mesage", "x"}, code: "flag_unknown"},
		{name: "no value", line: []string{"--message"}, code: "flag_value"},
		{name: "bad JSON", line: []string{"--input-json", "list=[1,]"}, code: "input_json"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			opts := skillOptions{}
			flags := skillFlags(&console{}, &opts)
			addInputFlags(flags, inputs, &opts.given)
			err := flags.Parse(tt.line)
			if err != nil {
				err = asError(t.Context(), flagError(flags, err))
			}
			var got []given
			for _, g := range opts.given {
				got = append(got, given{g.name, string(g.raw)})
			}
			if tt.code != "" {
				got, _ := err.(*runtime.Error)
				if got == nil || got.Code != tt.code || got.Class != runtime.ClassInvalid {
					t.Fatalf("error %#v, want code %s of class invalid", err, tt.code)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// An unknown flag never swallows the next word.
func TestUnknownFlagKeepsNextWord(t *testing.T) {
	opts := skillOptions{}
	flags := skillFlags(&console{}, &opts)
	addInputFlags(flags, nil, &opts.given)
	err := flags.Parse([]string{"--nope", "--json"})
	if _, ok := err.(*pflag.NotExistError); !ok {
		t.Fatalf("error %T %v, want *pflag.NotExistError", err, err)
	}
}

func TestQuoteArgs(t *testing.T) {
	got := quoteArgs([]string{"./x", "-i", "text=one two", "it's", "", "a$b"})
	want := `./x -i 'text=one two' 'it'\''s' '' 'a$b'`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestStandardName(t *testing.T) {
	for name, want := range map[string]bool{
		"my-skill": true, "a": true, "a1": true, "": false, "-a": false, "a-": false, "a--b": false,
		"A": false, "a_b": false, "a b": false, "ü": false,
	} {
		if got := standardName(name); got != want {
			t.Errorf("standardName(%q) = %v, want %v", name, got, want)
		}
	}
}
