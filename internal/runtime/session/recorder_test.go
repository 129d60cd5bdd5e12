package session

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/runx-go/runx/internal/runtime"
	"github.com/runx-go/runx/internal/sandbox/fsroot"
)

func started() runtime.Event {
	return runtime.Event{Body: runtime.RunStarted{SkillName: "count-birds", Runner: "count", RunnerType: "cli-tool",
		Identity: "sha256:bb", PackageDigest: "sha256:cc"}}
}

func finished() runtime.Event {
	return runtime.Event{Body: runtime.RunFinished{Run: rawEnvelope(emptyDocument)}}
}

func chunk(text string) runtime.Event {
	return runtime.Event{Body: runtime.OutputChunk{Stream: "stdout", Bytes: []byte(text)}}
}

// seen keeps what is forwarded.
type seen struct {
	mu     sync.Mutex
	events []runtime.Event
}

func (s *seen) Emit(_ context.Context, e runtime.Event) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.events = append(s.events, e)
	return nil
}

func (s *seen) numbers() []int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []int64
	for _, e := range s.events {
		out = append(out, e.Seq)
	}
	return out
}

// ticking is a clock that advances by one second a look.
func ticking() func() time.Time {
	at := time.Date(2026, 1, 1, 1, 0, 0, 0, time.FixedZone("", 3600))
	return func() time.Time {
		at = at.Add(time.Second)
		return at
	}
}

func eventsOf(t *testing.T, state *fsroot.Dir) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(state.Name(), "runs", testRunID, "events.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestRecorderKeepsAndForwards(t *testing.T) {
	state := newState(t)
	var next seen
	rec := newRecord(t, state).Recorder(RecorderOptions{Run: testRunID, Now: ticking(), Next: &next})
	step := runtime.Event{Stamp: runtime.Stamp{Seq: 99, Run: "run_other", Step: "first"}, Body: runtime.StepStarted{Attempt: 1}}
	events := []runtime.Event{
		started(), step, chunk("one\n"), chunk("two\n"),
		{Body: runtime.Warned{Warning: runtime.Warning{Code: "c", Message: "m"}}},
		{Body: runtime.StepFinished{Status: runtime.Sealed, Attempts: 1, Reason: "r"}},
		{Body: runtime.RunPaused{Requirements: []runtime.Requirement{{Name: "n"}}, Next: "runx …"}},
		{Body: runtime.RunPaused{}},
		finished(),
	}
	for _, e := range events {
		if err := rec.Emit(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	line := func(seq, time, kind, step, data string) string {
		return `{"schema_version":"1.0","seq":` + seq + `,"time":"2026-01-01T00:00:` + time + `.000Z","type":"` + kind +
			`","run_id":"` + testRunID + `","step":` + step + `,"data":` + data + "}\n"
	}
	want := line("1", "01", "run.started", "null", `{"skill_name":"count-birds","runner":"count","runner_type":"cli-tool","identity":"sha256:bb","package_digest":"sha256:cc"}`) +
		line("2", "02", "step.started", `"first"`, `{"attempt":1}`) +
		line("5", "05", "warning", "null", `{"code":"c","message":"m","location":null}`) +
		line("6", "06", "step.finished", "null", `{"status":"sealed","attempts":1,"reason":"r"}`) +
		line("7", "07", "run.paused", "null", `{"requirements":[{"name":"n","provider":"","modes":[],"variables":[],"setup":""}],"next":"runx …"}`) +
		line("8", "08", "run.paused", "null", `{"requirements":[],"next":""}`) +
		line("9", "09", "run.finished", "null", `{"run":null}`)
	if diff := cmp.Diff(want, eventsOf(t, state)); diff != "" {
		t.Errorf("events.jsonl (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]int64{1, 2, 3, 4, 5, 6, 7, 8, 9}, next.numbers()); diff != "" {
		t.Errorf("forwarded numbers (-want +got):\n%s", diff)
	}
	wantStamp := runtime.Stamp{Seq: 2, At: time.Date(2026, 1, 1, 0, 0, 2, 0, time.UTC), Run: testRunID, Step: "first"}
	if diff := cmp.Diff(wantStamp, next.events[1].Stamp); diff != "" {
		t.Errorf("stamp (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(events[2].Body, next.events[2].Body); diff != "" {
		t.Errorf("forwarded chunk (-want +got):\n%s", diff)
	}
}

func TestRecorderRefusesEventsAfterTheLast(t *testing.T) {
	state := newState(t)
	var next seen
	rec := newRecord(t, state).Recorder(RecorderOptions{Run: testRunID, Next: &next})
	if err := rec.Emit(t.Context(), finished()); err != nil {
		t.Fatal(err)
	}
	before := eventsOf(t, state)
	for _, e := range []runtime.Event{started(), chunk("late"), finished()} {
		if err := rec.Emit(t.Context(), e); !errors.Is(err, ErrFinished) {
			t.Errorf("%s: got %v, want ErrFinished", e.Body.Type(), err)
		}
	}
	if diff := cmp.Diff(before, eventsOf(t, state)); diff != "" {
		t.Errorf("something was written:\n%s", diff)
	}
	if got := next.numbers(); len(got) != 1 {
		t.Errorf("forwarded %v, want only the last event", got)
	}
}

func TestRecorderShowsNothingThatItCannotWrite(t *testing.T) {
	state := newState(t)
	record := newRecord(t, state)
	var next seen
	rec := record.Recorder(RecorderOptions{Run: testRunID, Next: &next})
	blocked := fsroot.RelPath("runs/" + testRunID + "/events.jsonl")
	if err := state.Mkdir(blocked); err != nil {
		t.Fatal(err)
	}
	err := rec.Emit(t.Context(), started())
	if want := "cannot record event run.started of " + testRunID; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Fatalf("got %v, want an error that begins with %q", err, want)
	}
	// A line may stand there in part: the next one must not be glued to it.
	if err := state.Remove(blocked); err != nil {
		t.Fatal(err)
	}
	for _, e := range []runtime.Event{started(), chunk("x"), finished()} {
		if again := rec.Emit(t.Context(), e); again == nil || again.Error() != err.Error() {
			t.Errorf("%s after a failed write: got %v, want %v", e.Body.Type(), again, err)
		}
	}
	if got := next.numbers(); len(got) != 0 {
		t.Errorf("forwarded %v", got)
	}
	if _, err := state.Stat(blocked); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("something was written: %v", err)
	}
}

func TestRecorderRefusesAnEventWithoutBody(t *testing.T) {
	state := newState(t)
	var next seen
	rec := newRecord(t, state).Recorder(RecorderOptions{Run: testRunID, Next: &next})
	if err := rec.Emit(t.Context(), runtime.Event{}); err == nil {
		t.Error("an event without body was recorded")
	}
	if err := rec.Emit(t.Context(), started()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]int64{1}, next.numbers()); diff != "" {
		t.Errorf("forwarded numbers (-want +got):\n%s", diff)
	}
}

func TestRecorderGoesOnAfterAnErrorOfTheNextSink(t *testing.T) {
	state := newState(t)
	var got []int64
	next := runtime.SinkFunc(func(_ context.Context, e runtime.Event) error {
		if got = append(got, e.Seq); e.Seq == 1 {
			return runtime.ErrReaderGone
		}
		return nil
	})
	rec := newRecord(t, state).Recorder(RecorderOptions{Run: testRunID, Next: next})
	if err := rec.Emit(t.Context(), started()); !errors.Is(err, runtime.ErrReaderGone) {
		t.Errorf("got %v, want the error of the next sink", err)
	}
	if err := rec.Emit(t.Context(), finished()); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff([]int64{1, 2}, got); diff != "" {
		t.Errorf("forwarded (-want +got):\n%s", diff)
	}
	if lines := strings.Count(eventsOf(t, state), "\n"); lines != 2 {
		t.Errorf("%d lines, want 2", lines)
	}
}

func TestRecorderRecordsUnderACancelledContext(t *testing.T) {
	state := newState(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(runtime.ErrInterrupted)
	var cause error
	next := runtime.SinkFunc(func(ctx context.Context, _ runtime.Event) error {
		cause = context.Cause(ctx)
		return nil
	})
	rec := newRecord(t, state).Recorder(RecorderOptions{Run: testRunID, Next: next})
	if err := rec.Emit(ctx, started()); err != nil {
		t.Fatal(err)
	}
	if !errors.Is(cause, runtime.ErrInterrupted) {
		t.Errorf("the next sink got cause %v", cause)
	}
}

func TestRecorderSurvivesAPanicOfTheNextSink(t *testing.T) {
	state := newState(t)
	calls := 0
	next := runtime.SinkFunc(func(context.Context, runtime.Event) error {
		if calls++; calls == 1 {
			panic("display")
		}
		return nil
	})
	rec := newRecord(t, state).Recorder(RecorderOptions{Run: testRunID, Next: next})
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic was hidden")
			}
		}()
		_ = rec.Emit(t.Context(), started())
	}()
	if err := rec.Emit(t.Context(), finished()); err != nil || calls != 2 {
		t.Errorf("after the panic: %v, %d calls", err, calls)
	}
}

// While the display is busy with one event the next is recorded, and shown after it.
func TestRecorderKeepsTheOrderOfABusyDisplay(t *testing.T) {
	state := newState(t)
	record := newRecord(t, state)
	synctest.Test(t, func(t *testing.T) {
		var shown seen
		release := make(chan struct{})
		next := runtime.SinkFunc(func(ctx context.Context, e runtime.Event) error {
			if e.Seq == 1 {
				<-release
			}
			return shown.Emit(ctx, e)
		})
		rec := record.Recorder(RecorderOptions{Run: testRunID, Next: next})
		var group sync.WaitGroup
		emit := func(e runtime.Event) {
			group.Go(func() {
				if err := rec.Emit(t.Context(), e); err != nil {
					t.Error(err)
				}
			})
			synctest.Wait()
		}
		emit(started())
		emit(chunk("x"))
		emit(finished())
		if got := shown.numbers(); len(got) != 0 {
			t.Errorf("shown before the first: %v", got)
		}
		if lines := strings.Count(eventsOf(t, state), "\n"); lines != 2 {
			t.Errorf("%d lines are recorded meanwhile, want 2", lines)
		}
		close(release)
		group.Wait()
		if diff := cmp.Diff([]int64{1, 2, 3}, shown.numbers()); diff != "" {
			t.Errorf("shown (-want +got):\n%s", diff)
		}
	})
}

// Many at once: numbers are forwarded in order without a gap, and every line of the file is whole.
func TestRecorderIsSafeForConcurrentUse(t *testing.T) {
	const senders, each = 8, 25
	state := newState(t)
	var next seen
	rec := newRecord(t, state).Recorder(RecorderOptions{Run: testRunID, Next: &next})
	var group sync.WaitGroup
	for range senders {
		group.Go(func() {
			for i := range each {
				e := chunk("x")
				if i%2 == 0 {
					e = runtime.Event{Body: runtime.StepStarted{Attempt: i}}
				}
				if err := rec.Emit(t.Context(), e); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	var want []int64
	for i := range senders * each {
		want = append(want, int64(i+1))
	}
	if diff := cmp.Diff(want, next.numbers()); diff != "" {
		t.Errorf("forwarded numbers (-want +got):\n%s", diff)
	}
	last, lines := int64(0), 0
	for line := range strings.Lines(eventsOf(t, state)) {
		var got struct{ Seq int64 }
		if err := json.Unmarshal([]byte(line), &got); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		if got.Seq <= last {
			t.Fatalf("number %d after %d", got.Seq, last)
		}
		last, lines = got.Seq, lines+1
	}
	if want := senders * (each/2 + each%2); lines != want {
		t.Errorf("%d lines, want %d", lines, want)
	}
}

// rawEnvelope is a document that is there already.
type rawEnvelope string

func (r rawEnvelope) Document() (json.RawMessage, error) { return json.RawMessage(r), nil }
