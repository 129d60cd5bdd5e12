package fsroot_test

import (
	"strings"
	"testing"

	"github.com/runx-go/runx/internal/sandbox/fsroot"
)

func TestParseRelPath(t *testing.T) {
	long := strings.Repeat("a", 256)
	tests := []struct {
		name     string
		text     string
		parse    string // the error; "" when accepted
		portable string // the error of Portable
	}{
		{"file", "a.txt", "", ""},
		{"deep", "a/b c/.d/ä", "", ""},
		{"dots in a name", "a..b/...c", "", ""},
		{"at the limit", long[:255] + "/" + long[:255], "", ""},
		{"empty", "", `cannot use path "": it is empty`, ""},
		{"absolute", "/a", `cannot use path "/a": it is not relative`, ""},
		{"empty part", "a//b", `cannot use path "a//b": it has an empty part`, ""},
		{"slash at the end", "a/", `cannot use path "a/": it has an empty part`, ""},
		{"dot", ".", `cannot use path ".": it has a "." part`, ""},
		{"dot inside", "a/./b", `cannot use path "a/./b": it has a "." part`, ""},
		{"parent", "a/..", `cannot use path "a/..": it has a ".." part`, ""},
		{"backslash", `a\b`, `cannot use path "a\\b": it has a backslash`, ""},
		{"NUL", "a\x00", `cannot use path "a\x00": it has a control character`, ""},
		{"newline", "a\nb", `cannot use path "a\nb": it has a control character`, ""},
		{"DEL", "a\x7f", `cannot use path "a\x7f": it has a control character`, ""},
		{"C1", "a\u0085", `cannot use path "a\u0085": it has a control character`, ""},
		{"not UTF-8", "a\xff", `cannot use path "a\xff": it is not valid UTF-8`, ""},
		{"colon", "sha256:ab", "", `cannot store path "sha256:ab" on every platform: it has the character ":"`},
		{"star", "a/*", "", `cannot store path "a/*" on every platform: it has the character "*"`},
		{"less", "<", "", `cannot store path "<" on every platform: it has the character "<"`},
		{"more", ">", "", `cannot store path ">" on every platform: it has the character ">"`},
		{"quote", `"`, "", `cannot store path "\"" on every platform: it has the character "\""`},
		{"bar", "|", "", `cannot store path "|" on every platform: it has the character "|"`},
		{"question", "?", "", `cannot store path "?" on every platform: it has the character "?"`},
		{"dot at the end", "a./b", "", `cannot store path "a./b" on every platform: a part ends in a dot or a blank`},
		{"blank at the end", "a ", "", `cannot store path "a " on every platform: a part ends in a dot or a blank`},
		{"over the limit", long, "", `cannot store path "` + long + `" on every platform: a part has 256 bytes, over the limit of 255`},
		{"aux", "b/aux", "", `cannot store path "b/aux" on every platform: "aux" is the name of a device on Windows`},
		{"device with extension", "Nul .tar.gz", "", `cannot store path "Nul .tar.gz" on every platform: "Nul .tar.gz" is the name of a device on Windows`},
		{"com1", "COM1", "", `cannot store path "COM1" on every platform: "COM1" is the name of a device on Windows`},
		{"lpt superscript", "lpt².x", "", `cannot store path "lpt².x" on every platform: "lpt².x" is the name of a device on Windows`},
		{"conin", "CONIN$", "", `cannot store path "CONIN$" on every platform: "CONIN$" is the name of a device on Windows`},
		{"no device", "com10/lpt/console/auxx/com", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, err := fsroot.ParseRelPath(tt.text)
			if got := message(err); got != tt.parse {
				t.Fatalf("ParseRelPath(%q) = %s, want %s", tt.text, got, tt.parse)
			}
			if err != nil {
				if p != "" || fsroot.RelPath(tt.text).Portable() == nil {
					t.Error("a refused path is usable")
				}
				return
			}
			if string(p) != tt.text {
				t.Errorf("ParseRelPath(%q) = %q", tt.text, p)
			}
			if got := message(p.Portable()); got != tt.portable {
				t.Errorf("Portable() = %s, want %s", got, tt.portable)
			}
		})
	}
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestJoin(t *testing.T) {
	tests := []struct {
		name       string
		a, b, want fsroot.RelPath
	}{
		{"two", "a/b", "c", "a/b/c"},
		{"self first", fsroot.Self, "c", "c"},
		{"zero first", "", "c", "c"},
		{"self last", "a", fsroot.Self, "a"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.a.Join(tt.b); got != tt.want {
				t.Errorf("Join() = %q, want %q", got, tt.want)
			}
		})
	}
	if got := fsroot.RelPath("a/b").Base(); got != "b" {
		t.Errorf("Base() = %q", got)
	}
}
