package runtime

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestClassOf(t *testing.T) {
	denied := &Error{Class: ClassDenied, Code: "scope_denied", Message: "the scope says no"}
	tests := []struct {
		name string
		err  error
		want Class
	}{
		{"its own", denied, ClassDenied},
		{"wrapped", fmt.Errorf("cannot run: %w", denied), ClassDenied},
		{"the outer class wins", &Error{Class: ClassInvalid, Err: denied}, ClassInvalid},
		{"joined", errors.Join(fs.ErrExist, denied), ClassDenied},
		{"without a class it is a bug", fs.ErrNotExist, ClassInternal},
		{"nil", nil, ClassInternal},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := ClassOf(tt.err); got != tt.want {
				t.Errorf("got %d, want %d", got, tt.want)
			}
		})
	}
}

func TestErrorUnwraps(t *testing.T) {
	err := &Error{Class: ClassFailed, Message: "cannot write the record: disk full", Err: fs.ErrPermission}
	if !errors.Is(err, fs.ErrPermission) {
		t.Error("the cause is not found")
	}
	if got, want := err.Error(), "cannot write the record: disk full"; got != want {
		t.Errorf("text: got %q, want %q", got, want)
	}
}

func TestFault(t *testing.T) {
	tests := []struct {
		name string
		err  Error
		want string
	}{
		{"no details are an empty object", Error{Code: "a", Message: "b", Hint: "c"},
			`{"code":"a","message":"b","hint":"c","details":{}}`},
		{"details are kept", Error{Code: "a", Details: json.RawMessage(`{"n":1.0}`)},
			`{"code":"a","message":"","hint":"","details":{"n":1.0}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := json.Marshal(tt.err.Fault())
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, string(got)); diff != "" {
				t.Errorf("fault (-want +got):\n%s", diff)
			}
		})
	}
}
