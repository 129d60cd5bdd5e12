package cli

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/runx-go/runx/internal/runtime"
	"github.com/runx-go/runx/internal/skills/codec"
)

// needLinks skips where this user may make no symbolic link.
func needLinks(t testing.TB) {
	t.Helper()
	if err := os.Symlink("target", filepath.Join(t.TempDir(), "link")); err != nil {
		t.Skipf("symbolic links cannot be made here: %v", err)
	}
}

func TestInsideWorkspace(t *testing.T) {
	needLinks(t)
	w := newWorld(t)
	outside := filepath.Dir(w.workspace)
	inside := func(name string) string { return filepath.Join(w.workspace, name) }
	w.write(t, inside("in.json"), "{}")
	w.write(t, inside("sub/deep.json"), "{}")
	w.write(t, inside("..odd/in.json"), "{}")
	w.write(t, filepath.Join(outside, "out.json"), "{}")
	w.write(t, w.workspace+"-more/out.json", "{}")
	for link, target := range map[string]string{
		"to-file": "in.json", "to-out": filepath.Join(outside, "out.json"), "to-folder": outside, "to-nothing": "nothing", "loop": "loop", "sub/up": "..",
	} {
		if err := os.Symlink(target, inside(link)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(w.workspace, filepath.Join(outside, "same")); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, file string
		cwd        string // below the workspace
		want       string // below the workspace
		code       string
	}{
		{name: "a file", file: "in.json", want: "in.json"},
		{name: "from below", file: "../in.json", cwd: "sub", want: "in.json"},
		{name: "absolute", file: inside("sub/deep.json"), want: "sub/deep.json"},
		{name: "a way out and in again", file: "../work/in.json", want: "in.json"},
		{name: "a link to a file inside", file: "to-file", want: "in.json"},
		{name: "a link to a folder above, inside", file: "sub/up/in.json", want: "in.json"},
		{name: "a name that begins with two dots", file: "..odd/in.json", want: "..odd/in.json"},
		{name: "through a link outside that leads in", file: filepath.Join(outside, "same", "in.json"), want: "in.json"},
		{name: "above", file: "../out.json", code: "inputs_outside"},
		{name: "absolute outside", file: filepath.Join(outside, "out.json"), code: "inputs_outside"},
		{name: "a folder whose name begins like the workspace", file: w.workspace + "-more/out.json", code: "inputs_outside"},
		{name: "a link outside", file: "to-out", code: "inputs_outside"},
		{name: "through a link outside", file: "to-folder/out.json", code: "inputs_outside"},
		{name: "the folder above", file: "..", code: "inputs_outside"},
		{name: "missing", file: "missing.json", code: "inputs_unreadable"},
		{name: "missing outside", file: "../missing.json", code: "inputs_unreadable"},
		{name: "a link to nothing", file: "to-nothing", code: "inputs_unreadable"},
		{name: "a link to itself", file: "loop", code: "inputs_unreadable"},
		{name: "below a file", file: "in.json/x", code: "inputs_unreadable"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := insideWorkspace(filepath.Join(w.workspace, tt.cwd), w.workspace, tt.file)
			if tt.code != "" {
				if fault := wantFault(t, err, runtime.ClassInvalid, tt.code); fault.Hint == "" || !strings.Contains(fault.Message, tt.file) {
					t.Errorf("error %+v names no file or nothing to try", fault)
				}
				return
			}
			if err != nil || got != inside(tt.want) {
				t.Errorf("%s (%v), want %s", got, err, inside(tt.want))
			}
		})
	}
}

func TestReadInputs(t *testing.T) {
	w := newWorld(t)
	w.write(t, filepath.Join(w.workspace, "in.json"), "\ufeff{\"a\": 1.0}\n")
	w.write(t, filepath.Join(w.workspace, "twice.json"), `{"a":{"b":1,"b":2}}`)
	w.write(t, filepath.Join(w.workspace, "list.json"), `[]`)
	w.write(t, filepath.Join(w.workspace, "two.json"), `{}{}`)
	w.write(t, filepath.Join(w.workspace, "empty.json"), ``)
	given := []givenInput{{"b", []byte(`"x"`)}, {"a", []byte(`1.0`)}}
	tests := []struct {
		name  string
		opts  skillOptions
		stdin string
		want  string
		code  string
	}{
		{name: "nothing", want: `{}`},
		{name: "one by one, in order", opts: skillOptions{given: given}, want: `{"b":"x","a":1.0}`},
		{name: "a file with a byte-order mark", opts: skillOptions{inputs: "in.json"}, want: `{"a": 1.0}`},
		{name: "stdin", opts: skillOptions{inputs: "-"}, stdin: " {\"a\":\t1}\n", want: "{\"a\":\t1}"},
		{name: "the object and more", opts: skillOptions{inputs: "in.json", given: given}, code: "inputs_exclusive"},
		{name: "a key twice, in depth", opts: skillOptions{inputs: "twice.json"}, code: "input_json"},
		{name: "no object", opts: skillOptions{inputs: "list.json"}, code: "input_json"},
		{name: "two objects", opts: skillOptions{inputs: "two.json"}, code: "input_json"},
		{name: "an empty file", opts: skillOptions{inputs: "empty.json"}, code: "input_json"},
		{name: "an empty stdin", opts: skillOptions{inputs: "-"}, code: "input_json"},
		{name: "a directory", opts: skillOptions{inputs: "."}, code: "inputs_unreadable"},
		{name: "missing", opts: skillOptions{inputs: "missing.json"}, code: "inputs_unreadable"},
		{name: "outside", opts: skillOptions{inputs: "../config"}, code: "inputs_unreadable"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w.streams.In = strings.NewReader(tt.stdin)
			c := w.console()
			p, err := c.place()
			if err != nil {
				t.Fatal(err)
			}
			got, err := readInputs(c, p, tt.opts)
			if tt.code != "" {
				wantFault(t, err, runtime.ClassInvalid, tt.code)
				return
			}
			if err != nil || string(got.Raw()) != tt.want {
				t.Errorf("%s (%v), want %s", got.Raw(), err, tt.want)
			}
		})
	}
}

// padded is a reader of one object with exactly so many bytes; it counts what was read of it.
type padded struct {
	left, read int
	head, tail string
}

func newPadded(size int) *padded {
	return &padded{left: size, head: `{"a":"`, tail: `"}`}
}

func (p *padded) Read(b []byte) (int, error) {
	if p.left == 0 {
		return 0, io.EOF
	}
	n := min(len(b), p.left)
	for i := range n {
		switch {
		case p.read < len(p.head):
			b[i] = p.head[p.read]
		case p.left <= len(p.tail):
			b[i] = p.tail[len(p.tail)-p.left]
		default:
			b[i] = 'x'
		}
		p.read++
		p.left--
	}
	return n, nil
}

// 64 MiB are read; a byte more is refused, and of a stream without end no more is read than that.
func TestInputsLimit(t *testing.T) {
	object, err := parseInputs("stdin", newPadded(codec.JSONBytes))
	if err != nil || len(object.Raw()) != codec.JSONBytes {
		t.Errorf("exactly the limit: %d bytes (%v)", len(object.Raw()), err)
	}
	for _, size := range []int{codec.JSONBytes + 1, 4 * codec.JSONBytes} {
		from := newPadded(size)
		_, err = parseInputs("stdin", from)
		fault := wantFault(t, err, runtime.ClassInvalid, "input_json")
		if want := "cannot read inputs from stdin: it has more than 67108864 bytes (64 MiB)"; fault.Message != want || from.read > codec.JSONBytes+1 {
			t.Errorf("message %q after %d bytes, want %q after %d", fault.Message, from.read, want, codec.JSONBytes+1)
		}
	}
}

func TestInputsUnreadable(t *testing.T) {
	_, err := parseInputs("stdin", iotest.ErrReader(errBroken))
	if fault := wantFault(t, err, runtime.ClassInvalid, "inputs_unreadable"); !errors.Is(err, errBroken) || fault.Message != "cannot read inputs from stdin: broken" {
		t.Errorf("error %+v", fault)
	}
	// What came before the fault is not taken for the whole.
	if _, err := parseInputs("stdin", io.MultiReader(strings.NewReader(`{"a":1}`), iotest.ErrReader(errBroken))); err == nil {
		t.Error("a part of the object was taken for the whole")
	}
	if _, err := parseInputs("stdin", iotest.ErrReader(runtime.ErrInterrupted)); !errors.Is(err, runtime.ErrInterrupted) || exitCode(asError(t.Context(), err)) != 130 {
		t.Errorf("interrupted: %v", err)
	}
}
