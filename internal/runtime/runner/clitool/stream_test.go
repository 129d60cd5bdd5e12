package clitool

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	rt "github.com/runx-go/runx/internal/runtime"
	"github.com/runx-go/runx/internal/sandbox/proc"
	"github.com/runx-go/runx/internal/sandbox/secret"
)

func TestLiveEvents(t *testing.T) {
	type write struct {
		stream proc.StreamName
		text   string
	}
	chunk := func(stream string, offset int64, text string, end bool) rt.OutputChunk {
		return rt.OutputChunk{Stream: stream, Offset: offset, Bytes: []byte(text), End: end}
	}
	outEnd, errEnd := chunk("stdout", 0, "", true), chunk("stderr", 0, "", true)
	tests := []struct {
		name   string
		secret string // "": none
		writes []write
		want   []rt.OutputChunk
	}{
		{name: "nothing", want: []rt.OutputChunk{outEnd, errEnd}},
		{name: "bytes are not touched", writes: []write{{proc.Stdout, "a\xff"}, {proc.Stderr, "e"}, {proc.Stdout, "\x00b"}},
			want: []rt.OutputChunk{chunk("stdout", 0, "a\xff", false), chunk("stderr", 0, "e", false), chunk("stdout", 2, "\x00b", false),
				chunk("stdout", 4, "", true), chunk("stderr", 1, "", true)}},
		{name: "no credential, no hold", writes: []write{{proc.Stdout, "hunter"}},
			want: []rt.OutputChunk{chunk("stdout", 0, "hunter", false), chunk("stdout", 6, "", true), errEnd}},
		{name: "across chunks", secret: testSecret, writes: []write{{proc.Stdout, "a hunter"}, {proc.Stdout, "22-sword"}, {proc.Stdout, "fish b"}},
			want: []rt.OutputChunk{chunk("stdout", 0, "a ", false), chunk("stdout", 2, secret.Mark+" b", false), chunk("stdout", 25, "", true), errEnd}},
		{name: "the streams do not mix", secret: testSecret, writes: []write{{proc.Stdout, "hunter22-"}, {proc.Stderr, "swordfish."}},
			want: []rt.OutputChunk{chunk("stderr", 0, "swordfish.", false), chunk("stdout", 0, "hunter22-", true), chunk("stderr", 10, "", true)}},
		{name: "what was held comes at the end", secret: testSecret, writes: []write{{proc.Stderr, "x hunter22"}},
			want: []rt.OutputChunk{chunk("stderr", 0, "x ", false), chunk("stdout", 0, "", true), chunk("stderr", 2, "hunter22", true)}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var r *secret.Redactor
			if tt.secret != "" {
				r = redactor(t, tt.secret)
			}
			taken := &sink{}
			l := newLive(t.Context(), taken, r)
			for _, w := range tt.writes {
				if err := l.write(w.stream, []byte(w.text)); err != nil {
					t.Fatal(err)
				}
			}
			if err := l.end(t.Context(), proc.Result{Cause: proc.Exited}); err != nil {
				t.Fatal(err)
			}
			text := func(c rt.OutputChunk) struct {
				Stream string
				Offset int64
				Text   string
				End    bool
			} {
				return struct {
					Stream string
					Offset int64
					Text   string
					End    bool
				}{c.Stream, c.Offset, string(c.Bytes), c.End}
			}
			if diff := cmp.Diff(tt.want, taken.chunks, cmp.Transformer("text", text)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// The tail is the last 2 KiB of what was written, however it was cut into chunks.
func TestTail(t *testing.T) {
	var all strings.Builder
	for i := range 3 * tailBytes {
		all.WriteByte("0123456789abcdefghijklmnopqrstuvw"[i%33])
	}
	tests := []struct {
		name string
		size int // of a chunk
		text string
	}{
		{"short", 7, all.String()[:100]},
		{"exactly the limit", tailBytes, all.String()[:tailBytes]},
		{"one over, at once", tailBytes + 1, all.String()[:tailBytes+1]},
		{"one over, byte by byte", 1, all.String()[:tailBytes+1]},
		{"odd chunks", 1000, all.String()},
		{"one long chunk", 3 * tailBytes, all.String()},
		{"a short chunk behind a long one", 2*tailBytes + 5, all.String()},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := newLive(t.Context(), rt.Discard{}, nil)
			for rest := tt.text; rest != ""; {
				n := min(len(rest), tt.size)
				if err := l.write(proc.Stderr, []byte(rest[:n])); err != nil {
					t.Fatal(err)
				}
				rest = rest[n:]
			}
			want := tt.text[max(0, len(tt.text)-tailBytes):]
			if got := string(l.stderr.tail); got != want {
				t.Errorf("tail has %d bytes and ends %.20q, want %d and %.20q", len(got), got[max(0, len(got)-20):], len(want), want[len(want)-20:])
			}
			if len(l.stdout.tail) != 0 {
				t.Errorf("stdout has the tail %q", l.stdout.tail)
			}
		})
	}
}

// A tail whose beginning would fall into a credential shows no part of it.
func TestTailCutsNoCredential(t *testing.T) {
	for behind := tailBytes - 2*len(secret.Mark); behind <= tailBytes; behind++ {
		for _, size := range []int{1 << 20, 5} {
			taken := &sink{}
			l := newLive(t.Context(), taken, redactor(t, testSecret))
			for rest := "x " + testSecret + strings.Repeat("y", behind); rest != ""; {
				n := min(len(rest), size)
				if err := l.write(proc.Stderr, []byte(rest[:n])); err != nil {
					t.Fatal(err)
				}
				rest = rest[n:]
			}
			if err := l.end(t.Context(), proc.Result{Cause: proc.Exited}); err != nil {
				t.Fatal(err)
			}
			got := withTail("m", ending{stderrTail: l.stderr.tail})
			if strings.Contains(got, "fish") || strings.Contains(got, "hunter") {
				t.Fatalf("with %d bytes behind it the message begins %.60q", behind, got)
			}
		}
	}
}

// The end of the streams of a run that was stopped is sent with a context that has ended, so that
// nobody waits for the display; that of any other with the one of the run.
func TestLiveEnd(t *testing.T) {
	for _, tt := range []struct {
		cause proc.Cause
		ended bool
	}{{proc.Exited, false}, {proc.TimedOut, true}, {proc.Cancelled, true}} {
		t.Run(tt.cause.String(), func(t *testing.T) {
			calls := 0
			sink := rt.SinkFunc(func(ctx context.Context, _ rt.Event) error {
				if calls++; (ctx.Err() != nil) != tt.ended {
					t.Errorf("the context has ended: %v, want %v", ctx.Err(), tt.ended)
				}
				return nil
			})
			if err := newLive(t.Context(), sink, nil).end(t.Context(), proc.Result{Cause: tt.cause}); err != nil || calls != 2 {
				t.Errorf("%d calls, %v", calls, err)
			}
		})
	}
}

// The first error of the sink is the answer; nothing is sent to it any more.
func TestLiveSinkFails(t *testing.T) {
	gone := errors.New("gone")
	taken := &sink{fail: func(rt.OutputChunk) error { return gone }}
	l := newLive(t.Context(), taken, nil)
	if err := l.write(proc.Stdout, []byte("a")); !errors.Is(err, gone) {
		t.Errorf("write: %v, want %v", err, gone)
	}
	if err := l.end(t.Context(), proc.Result{Cause: proc.Exited}); !errors.Is(err, gone) || len(taken.chunks) != 1 {
		t.Errorf("end: %v after %d chunks, want %v after 1", err, len(taken.chunks), gone)
	}
}
