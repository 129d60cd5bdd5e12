package session

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/runx-go/runx/internal/runtime"
)

// What is read as an envelope is written as one line, which reads as the same envelope again.
func FuzzParseRun(f *testing.F) {
	f.Add([]byte(fullDocument))
	f.Add([]byte(emptyDocument))
	f.Add([]byte(`{"schema":"runx.skill_run.v1"}`))
	f.Add([]byte(`{"schema":"runx.skill_run.v1","result":[ 1.0e400 , "\u2028" ],"requests":[null]}`))
	f.Add([]byte(fullDocument[:len(fullDocument)/2]))
	f.Fuzz(func(t *testing.T, data []byte) {
		run, err := parseRun("run.json", data)
		if err != nil {
			return
		}
		first, err := run.Document()
		if err != nil {
			t.Fatalf("what was read cannot be written: %v", err)
		}
		if bytes.ContainsAny(first, "\n\r") {
			t.Fatalf("more than one line: %s", first)
		}
		again, err := parseRun("run.json", first)
		if err != nil {
			t.Fatalf("what was written cannot be read: %v\n%s", err, first)
		}
		second, err := again.Document()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(first), string(second)); diff != "" {
			t.Fatalf("the second reading differs:\n%s", diff)
		}
	})
}

// Every text gives one line of JSON that holds that text.
func FuzzEventLine(f *testing.F) {
	f.Add("stdout", "plain\n", "")
	f.Add("stderr", "\x1b[31m\x00\xff€\u2028", "step-1")
	f.Fuzz(func(t *testing.T, stream, text, step string) {
		event := runtime.Event{Body: runtime.OutputChunk{Stream: stream, Bytes: []byte("not shown")}}
		event.Seq, event.At, event.Run, event.Step = 7, time.Unix(0, 0), testRunID, step
		line, err := EventLine(event, text)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.ContainsAny(line, "\n\r") || !utf8.Valid(line) {
			t.Fatalf("no line of text: %q", line)
		}
		var got struct {
			Step *string
			Data struct{ Stream, Text string }
		}
		if err := json.Unmarshal(line, &got); err != nil {
			t.Fatalf("%v: %q", err, line)
		}
		// As encoding/json has it, each byte that is no UTF-8 is one replacement character.
		if want := asRunes(text); got.Data.Text != want {
			t.Fatalf("text %q, want %q", got.Data.Text, want)
		}
		if (got.Step == nil) != (step == "") {
			t.Fatalf("step %q became %v", step, got.Step)
		}
	})
}

func asRunes(text string) string {
	var b strings.Builder
	for _, r := range text {
		b.WriteRune(r)
	}
	return b.String()
}
