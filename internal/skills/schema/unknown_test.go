package schema

import (
	"fmt"
	"strings"
	"testing"

	"github.com/runx-go/runx/internal/skills"
	"github.com/runx-go/runx/internal/skills/codec"
)

// A caller with a great many unknown names gets a list that can be read, and gets it soon: the
// nearest name is searched for those that are listed only.
func TestBindBoundsUnknownNames(t *testing.T) {
	contract, err := NewContract([]skills.Input{{Name: "text", Type: skills.TypeString}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{1, maxUnknown, maxUnknown + 1, 3 * maxUnknown} {
		var members []codec.Member
		for i := range n {
			members = append(members, codec.Member{Name: fmt.Sprintf("x%d", i), Raw: []byte("1")})
		}
		object, err := codec.JoinObject(members)
		if err != nil {
			t.Fatal(err)
		}
		_, err = contract.Bind(object)
		bind, ok := err.(*BindError)
		if !ok {
			t.Fatalf("%d unknown names: %v", n, err)
		}
		if want := min(n, maxUnknown+1); len(bind.Failures) != want {
			t.Errorf("%d unknown names: %d failures, want %d", n, len(bind.Failures), want)
		}
		last := bind.Failures[len(bind.Failures)-1]
		if want := fmt.Sprintf("%d more inputs", n-maxUnknown); n > maxUnknown && !strings.Contains(last.Message, want) {
			t.Errorf("%d unknown names: the last failure is %q, want %q", n, last.Message, want)
		}
		for _, f := range bind.Failures {
			if f.Code != "input_unknown" || f.Hint == "" || f.AcceptedSchema == nil {
				t.Fatalf("%+v", f)
			}
		}
	}
}
