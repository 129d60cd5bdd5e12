package codec

import (
	"strings"
	"testing"
)

func TestSetYAML(t *testing.T) {
	tests := []struct {
		name, in, want string
		path, values   []string
		list           bool
	}{
		{name: "a new file", path: []string{"receipts", "dir"}, values: []string{"/r"}, want: "receipts:\n  dir: /r\n"},
		{name: "comments stay", in: "# mine\nskills: # more\n  paths: [a]\n", path: []string{"receipts", "dir"}, values: []string{"/r"},
			want: "# mine\nskills: # more\n  paths: [a]\nreceipts:\n  dir: /r\n"},
		{name: "a value is replaced", in: "receipts:\n  dir: /a # old\n  other: 1\n", path: []string{"receipts", "dir"}, values: []string{"/b"},
			want: "receipts:\n  dir: /b\n  other: 1\n"},
		{name: "a list", path: []string{"skills", "paths"}, values: []string{"a", "no"}, list: true, want: "skills:\n  paths:\n    - a\n    - no\n"},
		{name: "a key without a value", in: "receipts:\n", path: []string{"receipts", "dir"}, values: []string{"1.0"}, want: "receipts:\n  dir: \"1.0\"\n"},
		{name: "only a comment", in: "# nothing yet\n", path: []string{"a"}, values: []string{"b"}, want: "# nothing yet\na: b\n"},
		{name: "line ends of Windows", in: "# mine\r\na: 1 # more\r\nt: |\r\n  x\r\n  y\r\n", path: []string{"b"}, values: []string{"x\r\ny"},
			want: "# mine\r\na: 1 # more\r\nt: |\r\n  x\r\n  y\r\nb: \"x\\r\\ny\"\r\n"},
		{name: "only a comment of Windows", in: "# nothing\r\n", path: []string{"a"}, values: []string{"b"}, want: "# nothing\r\na: b\r\n"},
		{name: "a byte-order mark", in: "\ufeffa: 1\n", path: []string{"b"}, values: []string{"2"}, want: "\ufeffa: 1\nb: \"2\"\n"},
		{name: "a mark alone", in: "\ufeff", path: []string{"a"}, values: []string{"b"}, want: "\ufeffa: b\n"},
		{name: "a mark before a comment", in: "\ufeff# c\r\n", path: []string{"a"}, values: []string{"b"}, want: "\ufeff# c\r\na: b\r\n"},
		{name: "an empty list", in: "a: [b]\n", path: []string{"a"}, list: true, want: "a: []\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := SetYAML("config.yaml", []byte(tt.in), tt.path, tt.values, tt.list)
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

func TestSetYAMLRefuses(t *testing.T) {
	for name, in := range map[string]string{"a duplicate key": "a: 1\na: 2\n", "an alias": "a: &x 1\nb: *x\n", "no YAML": "a: [\n", "too large": "a: " + strings.Repeat("x", YAMLBytes)} {
		if got, err := SetYAML("config.yaml", []byte(in), []string{"b"}, []string{"c"}, false); err == nil {
			t.Errorf("%s: wrote %q", name, got)
		}
	}
	if _, err := SetYAML("config.yaml", nil, nil, []string{"c"}, false); err == nil {
		t.Error("a value without a key was set")
	}
}

// FuzzSetYAML: what was set is read back by the strict reader.
func FuzzSetYAML(f *testing.F) {
	f.Add("a: 1\n", "v")
	f.Add("# c\n", "no")
	f.Add("x:\n  - y # z\n", " 1.0\n")
	f.Add("\ufeff# c\r\nx: 'a\r\n\r\n  b'\r\n", "v\r\nw")
	f.Fuzz(func(t *testing.T, in, value string) {
		out, err := SetYAML("c", []byte(in), []string{"k", "w"}, []string{value}, false)
		if err != nil {
			return
		}
		doc, err := ParseYAML("c", out, 1<<20, 0)
		if err != nil {
			return // a value that YAML cannot carry strictly, such as a control character
		}
		if got := doc.Root.Get("k").Get("w").Text; got != value {
			t.Fatalf("set %q, read %q from %q", value, got, out)
		}
	})
}
