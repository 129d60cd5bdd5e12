package cli

import (
	"testing"
	"time"

	"github.com/runx-go/runx/internal/runtime"
	"github.com/runx-go/runx/internal/runtime/receipt"
)

func TestParseTime(t *testing.T) {
	now := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	tests := []struct {
		name, text string
		want       time.Time
		bad        bool
	}{
		{name: "absent"},
		{name: "a date", text: "2026-01-31", want: time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC)},
		{name: "a time", text: "2026-01-31T10:00:00Z", want: time.Date(2026, 1, 31, 10, 0, 0, 0, time.UTC)},
		{name: "a time of another zone", text: "2026-01-31T10:00:00+02:00", want: time.Date(2026, 1, 31, 8, 0, 0, 0, time.UTC)},
		{name: "parts of a second", text: "2026-01-31T10:00:00.5Z", want: time.Date(2026, 1, 31, 10, 0, 0, 500_000_000, time.UTC)},
		{name: "ago", text: "24h", want: now.Add(-24 * time.Hour)},
		{name: "now", text: "0s", want: now},
		{name: "in the future", text: "-1h", bad: true},
		{name: "no day", text: "2026-02-30", bad: true},
		{name: "no zone", text: "2026-01-31T10:00:00", bad: true},
		{name: "days", text: "1d", bad: true},
		{name: "a number", text: "24", bad: true},
		{name: "a word", text: "yesterday", bad: true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := parseTime("--since", tt.text, now)
			if tt.bad {
				if fault := wantFault(t, err, runtime.ClassInvalid, "flag_value"); fault.Hint != "--since 2026-01-31, or --since 24h" {
					t.Errorf("hint %q", fault.Hint)
				}
				return
			}
			if err != nil || !got.Equal(tt.want) {
				t.Errorf("%s (%v), want %s", got, err, tt.want)
			}
		})
	}
}

// since counts its own moment, until does not.
func TestKeepReceipt(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	entry := receipt.Entry{Skill: "pack", Status: "failed", Finished: at}
	tests := []struct {
		name         string
		entry        receipt.Entry
		opts         receiptListOptions
		since, until time.Time
		want         bool
	}{
		{name: "no filter", entry: entry, want: true},
		{name: "its skill and status", entry: entry, opts: receiptListOptions{skill: "pack", status: "failed"}, want: true},
		{name: "another skill", entry: entry, opts: receiptListOptions{skill: "pac"}},
		{name: "another status", entry: entry, opts: receiptListOptions{status: "sealed"}},
		{name: "since that moment", entry: entry, since: at, want: true},
		{name: "since the next", entry: entry, since: at.Add(1)},
		{name: "until that moment", entry: entry, until: at},
		{name: "until the next", entry: entry, until: at.Add(1), want: true},
		{name: "broken, no filter", entry: receipt.Entry{Problem: "x"}, since: at, want: true},
		{name: "broken, a filter", entry: receipt.Entry{Problem: "x"}, opts: receiptListOptions{status: "failed"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := keepReceipt(tt.entry, tt.opts, tt.since, tt.until); got != tt.want {
				t.Errorf("kept %v, want %v", got, tt.want)
			}
		})
	}
}
