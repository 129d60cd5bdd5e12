package render

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/runx-go/runx/internal/runtime"
)

func event(seq int64, body runtime.Body) runtime.Event {
	at := time.Date(2026, 1, 2, 3, 4, 5, 678_900_000, time.UTC)
	return runtime.Event{Stamp: runtime.Stamp{Seq: seq, At: at, Run: "run_X"}, Body: body}
}

// Every event is one line of the public form.
func TestEventLines(t *testing.T) {
	var w writer
	s := &Events{Out: &w}
	for i, body := range []runtime.Body{
		runtime.RunStarted{SkillName: "pack", Runner: "main", RunnerType: "cli-tool", Identity: "sha256:1", PackageDigest: "sha256:2"},
		runtime.StepStarted{Attempt: 1},
		runtime.OutputChunk{Stream: "stdout", Bytes: []byte("a\nb")},
		runtime.StepFinished{Status: runtime.Sealed, Attempts: 1, Reason: "process_closed"},
		runtime.Warned{Warning: runtime.Warning{Code: "c", Message: "m"}},
		runtime.RunFinished{Run: rawEnvelope(`{"result":1.0}`)},
	} {
		if err := s.Emit(context.Background(), event(int64(i+1), body)); err != nil {
			t.Fatal(err)
		}
	}
	head := func(seq int, kind string) string {
		return fmt.Sprintf(`{"schema_version":"1.0","seq":%d,"time":"2026-01-02T03:04:05.678Z","type":"%s","run_id":"run_X","step":null,"data":`, seq, kind)
	}
	want := []string{
		head(1, "run.started") + `{"skill_name":"pack","runner":"main","runner_type":"cli-tool","identity":"sha256:1","package_digest":"sha256:2"}}`,
		head(2, "step.started") + `{"attempt":1}}`,
		head(3, "stream") + `{"stream":"stdout","text":"a\nb"}}`,
		head(4, "step.finished") + `{"status":"sealed","attempts":1,"reason":"process_closed"}}`,
		head(5, "warning") + `{"code":"c","message":"m","location":null}}`,
		head(6, "run.finished") + `{"run":{"result":1.0}}}`, "",
	}
	if diff := cmp.Diff(want, strings.Split(w.String(), "\n")); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if w.writes != 6 {
		t.Errorf("%d writes, want one a line", w.writes)
	}
}

// Texts of streams are cut between characters, each stream for itself.
func TestEventText(t *testing.T) {
	chunk := func(stream, text string, end bool) runtime.OutputChunk {
		return runtime.OutputChunk{Stream: stream, Bytes: []byte(text), End: end}
	}
	tests := []struct {
		name   string
		chunks []runtime.OutputChunk
		want   []string // stream:text
	}{
		{name: "whole", chunks: []runtime.OutputChunk{chunk("stdout", "a€", false), chunk("stdout", "", true)}, want: []string{"stdout:a€", "stdout:"}},
		{name: "a character in two", chunks: []runtime.OutputChunk{chunk("stdout", "a\xe2", false), chunk("stdout", "\x82\xacb", false), chunk("stdout", "", true)},
			want: []string{"stdout:a", "stdout:€b", "stdout:"}},
		{name: "a character byte by byte", chunks: []runtime.OutputChunk{chunk("stdout", "\xf0", false), chunk("stdout", "\x9f", false), chunk("stdout", "\x90", false), chunk("stdout", "\xa6", false)},
			want: []string{"stdout:", "stdout:", "stdout:", "stdout:🐦"}},
		{name: "the streams are held apart", chunks: []runtime.OutputChunk{chunk("stdout", "\xe2", false), chunk("stderr", "\xc3", false), chunk("stdout", "\x82\xac", false), chunk("stderr", "\xa4", false)},
			want: []string{"stdout:", "stderr:", "stdout:€", "stderr:ä"}},
		{name: "the end lets go of what was held", chunks: []runtime.OutputChunk{chunk("stdout", "\xe2\x82", false), chunk("stdout", "", true)}, want: []string{"stdout:", "stdout:\ufffd"}},
		{name: "the end of one lets the other wait", chunks: []runtime.OutputChunk{chunk("stderr", "\xe2\x82", false), chunk("stdout", "", true), chunk("stderr", "\xac", true)},
			want: []string{"stderr:", "stdout:", "stderr:€"}},
		{name: "no text", chunks: []runtime.OutputChunk{chunk("stdout", "\xff\xffa", false)}, want: []string{"stdout:\ufffd\ufffda"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var w writer
			s := &Events{Out: &w}
			for i, c := range tt.chunks {
				if err := s.Emit(context.Background(), event(int64(i+1), c)); err != nil {
					t.Fatal(err)
				}
				clear(c.Bytes) // they belong to the sender
			}
			var got []string
			for line := range strings.Lines(w.String()) {
				var e struct {
					Seq  int
					Data struct{ Stream, Text string }
				}
				if err := json.Unmarshal([]byte(line), &e); err != nil {
					t.Fatal(err)
				}
				got = append(got, e.Data.Stream+":"+e.Data.Text)
				if e.Seq != len(got) {
					t.Errorf("number %d, want %d", e.Seq, len(got))
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestEventsFail(t *testing.T) {
	broken := errors.New("broken")
	s := &Events{Out: &writer{err: broken}}
	if err := s.Emit(context.Background(), event(1, runtime.StepStarted{Attempt: 1})); !errors.Is(err, broken) {
		t.Errorf("error %v, want %v", err, broken)
	}
	var w writer
	s = &Events{Out: &w}
	if err := s.Emit(context.Background(), event(1, runtime.RunFinished{Run: rawEnvelope(`{`)})); err == nil || w.Len() != 0 {
		t.Errorf("what is no JSON was written as %q (%v)", w.String(), err)
	}
}

// Lines of two streams at once do not mix.
func TestEventsAtOnce(t *testing.T) {
	var w writer
	s := &Events{Out: &w}
	var all sync.WaitGroup
	for _, stream := range []string{"stdout", "stderr"} {
		all.Go(func() {
			for range 100 {
				if err := s.Emit(context.Background(), event(1, runtime.OutputChunk{Stream: stream, Bytes: []byte("€")})); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	lines := 0
	for line := range strings.Lines(w.String()) {
		if lines++; !json.Valid([]byte(line)) {
			t.Fatalf("line %q", line)
		}
	}
	if lines != 200 {
		t.Errorf("%d lines, want 200", lines)
	}
}

func TestPassthrough(t *testing.T) {
	var out, err writer
	p := &Passthrough{Out: &out, Err: &err}
	emit := func(body runtime.Body) error { return p.Emit(context.Background(), event(1, body)) }
	for _, body := range []runtime.Body{
		runtime.RunStarted{}, runtime.OutputChunk{Stream: "stdout", Bytes: []byte("a\xff\x00\x1b[2J")}, runtime.OutputChunk{Stream: "stderr", Bytes: []byte("e\r\n")},
		runtime.OutputChunk{Stream: "stdout", Bytes: []byte("b"), End: true}, runtime.OutputChunk{Stream: "stdout", End: true}, runtime.Warned{},
	} {
		if got := emit(body); got != nil {
			t.Fatal(got)
		}
	}
	if out.String() != "a\xff\x00\x1b[2Jb" || err.String() != "e\r\n" || out.writes != 2 || err.writes != 1 {
		t.Errorf("stdout %q, stderr %q, in %d and %d writes", out.String(), err.String(), out.writes, err.writes)
	}
	broken := errors.New("broken")
	out.err, err.err = broken, broken
	if got := emit(runtime.OutputChunk{Stream: "stderr", Bytes: []byte("x")}); got != nil {
		t.Errorf("stderr that is gone: %v, want no error", got)
	}
	if got := emit(runtime.OutputChunk{Stream: "stdout", Bytes: []byte("x")}); !errors.Is(got, broken) {
		t.Errorf("stdout that is gone: %v, want %v", got, broken)
	}
	if got := emit(runtime.OutputChunk{Stream: "stdout", End: true}); got != nil {
		t.Errorf("the mark of the end was written: %v", got)
	}
}

// What runx says begins on a line of its own: Unfinished knows what the terminal shows.
func TestPassthroughUnfinished(t *testing.T) {
	tests := []struct {
		name     string
		out, err string
		alone    bool // stderr is the terminal
		both     bool // stdout is too
	}{
		{name: "nothing was written"},
		{name: "whole lines", out: "a\n", err: "b\n"},
		{name: "stderr ends inside a line", out: "a\n", err: "b", alone: true, both: true},
		{name: "stdout ends inside a line", out: "a", err: "b\n", both: true},
		{name: "an empty line", err: "\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := Passthrough{Out: &writer{}, Err: &writer{}}
			for stream, text := range map[string]string{"stdout": tt.out, "stderr": tt.err} {
				if err := p.Emit(context.Background(), event(1, runtime.OutputChunk{Stream: stream, Bytes: []byte(text), End: true})); err != nil {
					t.Fatal(err)
				}
			}
			if alone, both := p.Unfinished(false), p.Unfinished(true); alone != tt.alone || both != tt.both {
				t.Errorf("unfinished %v, with stdout %v, want %v, %v", alone, both, tt.alone, tt.both)
			}
		})
	}
}

// rawEnvelope is a document that is there already.
type rawEnvelope string

func (r rawEnvelope) Document() (json.RawMessage, error) { return json.RawMessage(r), nil }
