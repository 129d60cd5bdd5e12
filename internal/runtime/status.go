package runtime

// Status is how a run ended, or what it waits for.
type Status string

// The statuses of a skill run.
const (
	Sealed          Status = "sealed"
	Failed          Status = "failed"
	TimedOut        Status = "timed_out"
	Cancelled       Status = "cancelled"
	Denied          Status = "denied"
	Refused         Status = "refused"
	NeedsCredential Status = "needs_credential"
)

// Outcome is the coarse form of a status in the envelope.
func (s Status) Outcome() string {
	switch s {
	case Sealed:
		return "completed"
	case Denied, Refused:
		return "blocked"
	case NeedsCredential:
		return "deferred"
	case Failed, TimedOut, Cancelled:
		return "failed"
	}
	return "failed"
}

// Disposition is the closure's word for a status.
func (s Status) Disposition() string {
	switch s {
	case Sealed:
		return "closed"
	case TimedOut:
		return "timed_out"
	case Cancelled:
		return "killed"
	case Denied, Refused:
		return "blocked"
	case NeedsCredential:
		return "deferred"
	case Failed:
		return "failed"
	}
	return "failed"
}

// Waiting says that the run has not ended: it has no receipt yet.
func (s Status) Waiting() bool { return s == NeedsCredential }
