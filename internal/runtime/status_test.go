package runtime

import "testing"

func TestStatusWords(t *testing.T) {
	tests := []struct {
		name        string
		status      Status
		outcome     string
		disposition string
		waiting     bool
	}{
		{"sealed", Sealed, "completed", "closed", false},
		{"failed", Failed, "failed", "failed", false},
		{"timed out", TimedOut, "failed", "timed_out", false},
		{"cancelled", Cancelled, "failed", "killed", false},
		{"denied", Denied, "blocked", "blocked", false},
		{"refused", Refused, "blocked", "blocked", false},
		{"needs credential", NeedsCredential, "deferred", "deferred", true},
		{"the zero value is no success", "", "failed", "failed", false},
		{"an unknown status is no success", "done", "failed", "failed", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.status.Outcome(); got != tt.outcome {
				t.Errorf("outcome: got %q, want %q", got, tt.outcome)
			}
			if got := tt.status.Disposition(); got != tt.disposition {
				t.Errorf("disposition: got %q, want %q", got, tt.disposition)
			}
			if got := tt.status.Waiting(); got != tt.waiting {
				t.Errorf("waiting: got %v, want %v", got, tt.waiting)
			}
		})
	}
}
