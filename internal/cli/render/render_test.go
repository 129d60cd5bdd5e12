package render

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/runx-go/runx/internal/runtime"
	"github.com/runx-go/runx/internal/runtime/session"
	"github.com/runx-go/runx/internal/skills"
)

// uncoloured takes the escape sequences of Style out.
func uncoloured(text string) string {
	for _, code := range []string{"31", "32", "33", "1", "0"} {
		text = strings.ReplaceAll(text, "\x1b["+code+"m", "")
	}
	return text
}

func TestError(t *testing.T) {
	tests := []struct {
		name    string
		fault   runtime.Fault
		reasons []skills.Finding
		want    string
	}{
		{name: "a sentence", fault: runtime.Fault{Code: "x", Message: "cannot do it: why"}, want: "error: cannot do it: why\n"},
		{name: "with one thing to try", fault: runtime.Fault{Message: "cannot do it", Hint: "runx help"}, want: "error: cannot do it\n  try: runx help\n"},
		{name: "reasons have lines of their own, and a hint that is said once", fault: runtime.Fault{Message: "two faults", Hint: "first"},
			reasons: []skills.Finding{{File: "X.yaml", Line: 2, Column: 3, Message: "bad", Hint: "first"}, {Message: "worse", Hint: "second"}},
			want:    "error: two faults\n  X.yaml:2:3: bad\n  worse\n    second\n  try: first\n"},
		{name: "nothing moves the cursor", fault: runtime.Fault{Message: "a\x1b[2Jb\r", Hint: "c\u202ed"}, reasons: []skills.Finding{{File: "e\x07", Message: "f\x00", Hint: "g\xff"}},
			want: "error: a␛[2Jb␍\n  e␇: f␀\n    g\\xff\n  try: c\\u{202E}d\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var plain, coloured bytes.Buffer
			Error(&plain, Style{}, tt.fault, tt.reasons)
			Error(&coloured, Style{Colour: true}, tt.fault, tt.reasons)
			if got := plain.String(); got != tt.want {
				t.Errorf("got\n%q\nwant\n%q", got, tt.want)
			}
			if got := coloured.String(); uncoloured(got) != tt.want || !strings.HasPrefix(got, "\x1b[31merror:\x1b[0m ") {
				t.Errorf("with colour\n%q\nwant the same words, and a coloured error:", got)
			}
		})
	}
}

func TestOutcome(t *testing.T) {
	warning := runtime.Warning{Code: "w", Message: "look\x1b"}
	placed := runtime.Warning{Code: "w", Message: "look", Location: &runtime.Location{File: "X.yaml", Line: 2, Column: 3}}
	file := runtime.Warning{Code: "w", Message: "look", Location: &runtime.Location{File: "SKILL.md"}}
	run := func(status runtime.Status, summary string, fault *runtime.Fault, warnings ...runtime.Warning) session.Run {
		return session.Run{Status: status, Closure: session.Closure{Summary: summary}, Error: fault, Warnings: warnings}
	}
	tests := []struct {
		name, want string
		run        session.Run
	}{
		{name: "sealed says nothing", run: run(runtime.Sealed, "process exited 0", nil)},
		{name: "sealed with warnings", run: run(runtime.Sealed, "process exited 0", nil, warning, placed, file),
			want: "warning: look␛\nwarning: X.yaml:2:3: look\nwarning: SKILL.md: look\n"},
		{name: "an exit is one line, its stderr was shown", run: run(runtime.Failed, "process exited 3", &runtime.Fault{Code: "process_exit", Message: "the command exited with code 3; stderr ends with: boom"}),
			want: "runx: failed: process exited 3\n"},
		{name: "a signal", run: run(runtime.Failed, "process was ended by SIGSEGV", &runtime.Fault{Code: "process_signal", Message: "long"}),
			want: "runx: failed: process was ended by SIGSEGV\n"},
		{name: "another fault says its message", run: run(runtime.TimedOut, "summary", &runtime.Fault{Code: "process_timed_out", Message: "too late\x07", Hint: "wait"}),
			want: "runx: timed_out: too late␇\n  try: wait\n"},
		{name: "without a fault", run: run(runtime.Cancelled, "the run was cancelled", nil), want: "runx: cancelled: the run was cancelled\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var plain, coloured bytes.Buffer
			Outcome(&plain, Style{}, tt.run)
			Outcome(&coloured, Style{Colour: true}, tt.run)
			if got := plain.String(); got != tt.want {
				t.Errorf("got\n%q\nwant\n%q", got, tt.want)
			}
			if got := coloured.String(); uncoloured(got) != tt.want || (tt.want != "") != strings.Contains(got, "\x1b[3") {
				t.Errorf("with colour\n%q\nwant the same words, the status coloured", got)
			}
		})
	}
}

func TestStyle(t *testing.T) {
	plain, coloured := Style{}, Style{Colour: true}
	for name, got := range map[string][2]string{
		"32": {plain.Good("x"), coloured.Good("x")}, "31": {plain.Bad("x"), coloured.Bad("x")},
		"33": {plain.Warn("x"), coloured.Warn("x")}, "1": {plain.Bold("x"), coloured.Bold("x")},
	} {
		if want := [2]string{"x", "\x1b[" + name + "mx\x1b[0m"}; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// writer counts its writes and can fail.
type writer struct {
	bytes.Buffer
	writes int
	err    error
}

func (w *writer) Write(p []byte) (int, error) {
	w.writes++
	if w.err != nil {
		return 0, w.err
	}
	return w.Buffer.Write(p)
}

// A document is one line in one write; the given text is not changed.
func TestDocument(t *testing.T) {
	raw := json.RawMessage(`{"a":1.0,"b":"<&>"}`)
	var w writer
	if err := Document(&w, raw[:len(raw):len(raw)]); err != nil || w.String() != string(raw)+"\n" || w.writes != 1 {
		t.Errorf("%q in %d writes (%v)", w.String(), w.writes, err)
	}
	shared := append(make([]byte, 0, 100), `{}x`...)
	if err := Document(&w, shared[:2]); err != nil || string(shared) != "{}x" {
		t.Errorf("the text behind the document became %q (%v)", shared, err)
	}
	broken := errors.New("broken")
	if err := Document(&writer{err: broken}, raw); !errors.Is(err, broken) {
		t.Errorf("error %v, want %v", err, broken)
	}
}

func TestJSON(t *testing.T) {
	var w writer
	fault := runtime.Fault{Code: "c", Message: "<m>", Hint: "h", Details: json.RawMessage(`{"n":1.0}`)}
	want := `{"error":{"code":"c","message":"<m>","hint":"h","details":{"n":1.0}}}` + "\n"
	if err := JSON(&w, ErrorDocument{Error: fault}); err != nil || w.String() != want {
		t.Errorf("%s (%v), want %s", w.String(), err, want)
	}
	w.Reset()
	if err := JSON(&w, func() {}); err == nil || w.Len() != 0 {
		t.Errorf("what is no JSON was written as %q (%v)", w.String(), err)
	}
}
