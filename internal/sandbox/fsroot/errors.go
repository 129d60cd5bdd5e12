package fsroot

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// ErrLocked says that somebody else holds the lock. Test for it with errors.Is.
var ErrLocked = errors.New("it is locked by another process")

// errNotRegular is the cause when a directory, pipe, socket or device stands where a file should.
var errNotRegular = errors.New("it is not a regular file")

// errSelf is the cause when an operation on a file names the directory itself.
var errSelf = errors.New("it names the directory itself")

// PermissionError is a file or directory of ours that others can reach.
type PermissionError struct {
	Path   string // absolute
	Repair string // the command that repairs it, for a POSIX shell
	Reason string // what is wrong, as the end of a sentence
}

func (e *PermissionError) Error() string {
	reason := e.Reason
	if reason == "" {
		reason = "others can reach it"
	}
	return fmt.Sprintf("cannot trust %s: %s", e.Path, reason)
}

// TooLargeError is a read over its ceiling.
type TooLargeError struct {
	Path  string // absolute
	Limit int64  // bytes
}

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("cannot read %s: it has more than %d bytes", e.Path, e.Limit)
}

// both is one error of two that keeps both causes on one line; either may be nil.
func both(first, second error) error {
	switch {
	case second == nil:
		return first
	case first == nil:
		return second
	}
	return fmt.Errorf("%w; %w", first, second)
}

// fault names the action and the whole path once, and keeps the cause; nil stays nil.
func fault(action, path string, err error) error {
	if err == nil {
		return nil
	}
	cause := err
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		cause = e.Err
	} else if e, ok := errors.AsType[*os.LinkError](err); ok {
		cause = e.Err
	}
	return fmt.Errorf("cannot %s %s: %w", action, path, cause)
}

// quote makes one word of a path for a POSIX shell.
func quote(path string) string {
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}
