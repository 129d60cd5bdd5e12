package delivery

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
)

// need is what skills 3.4 counts for a plan, from its result alone.
func need(plan *Plan) int {
	total := 4_096
	for _, text := range append(append(plan.Env.Entries(), plan.Args...), plan.Command) {
		total += len(text) + 1 + 8
	}
	return total
}

// TestMirrorsDropped lowers the limit from what everything needs: mirrors go one by one, the last
// name first, and RUNX_INPUTS_JSON, which is first in byte order, goes last.
func TestMirrorsDropped(t *testing.T) {
	req := request()
	give(&req, "c", text(100), "a", text(300), "b", text(200))
	req.Args = [][]Part{{{Literal: "arg"}}}
	full := mustPlan(t, req)
	limit := need(full)
	mirrors := []string{"RUNX_INPUT_C", "RUNX_INPUT_B", "RUNX_INPUT_A", "RUNX_INPUTS_JSON"}
	for i := range len(mirrors) + 1 {
		var want []string
		for _, name := range mirrors[:i] {
			want = append([]string{name}, want...)
		}
		req.Host.ArgEnvLimit = limit
		plan := mustPlan(t, req)
		if diff := cmp.Diff(want, plan.DroppedMirrors); diff != "" {
			t.Errorf("DroppedMirrors at %d (-want +got):\n%s", limit, diff)
		}
		if got := need(plan); got != limit {
			t.Errorf("the plan needs %d bytes, want exactly the limit %d", got, limit)
		}
		for _, name := range mirrors {
			_, present := plan.Env.Lookup(name)
			if dropped := strings.Contains(strings.Join(want, " "), name); present == dropped {
				t.Errorf("%s is there: %v, though dropped is %q", name, present, want)
			}
		}
		if diff := cmp.Diff(full.Files, plan.Files); diff != "" {
			t.Errorf("files changed (-want +got):\n%s", diff)
		}
		if i < len(mirrors) {
			value := mustLookup(t, plan, mirrors[i])
			limit -= len(mirrors[i]) + 1 + len(value) + 9
			continue
		}
		req.Host.ArgEnvLimit = limit - 1
		refusal := &Refusal{codeEnvTooLarge, fmt.Sprintf(
			"cannot pass arguments and environment: together they need %d bytes, and the system takes at most %d; the largest is the variable RUNX_INPUT_C_PATH with 48 bytes", limit, limit-1),
			"use shorter paths for the workspace and the state directory"}
		if diff := cmp.Diff(refusal, mustRefuse(t, req)); diff != "" {
			t.Errorf("Refusal (-want +got):\n%s", diff)
		}
	}
	req.Host.ArgEnvLimit = 0
	if plan := mustPlan(t, req); plan.DroppedMirrors != nil {
		t.Errorf("DroppedMirrors without a limit = %q, want none", plan.DroppedMirrors)
	}
}

// TestDroppedIsWithheld: a mirror that had no room leaves a host variable of its name withheld.
func TestDroppedIsWithheld(t *testing.T) {
	req := request()
	req.Host.Env = []string{"RUNX_INPUT_A=host", "RUNX_INPUTS_PATH=host"}
	give(&req, "a", text(300))
	req.Host.ArgEnvLimit = need(mustPlan(t, req)) - 1
	if diff := cmp.Diff([]string{"RUNX_INPUT_A"}, mustPlan(t, req).Withheld); diff != "" {
		t.Errorf("Withheld (-want +got):\n%s", diff)
	}
}

func TestTooLarge(t *testing.T) {
	const (
		useBlob    = "use RUNX_INPUT_BLOB_PATH instead: it names a file with the complete value"
		useAny     = "pass the text as an input and read the file that RUNX_INPUT_<NAME>_PATH names"
		lineFormat = "cannot pass the arguments: Windows takes a command line of at most 32767 UTF-16 units; the largest is %s bytes"
	)
	input := func(n int) func(*Request) {
		return func(r *Request) {
			give(r, "small", `"s"`, "blob", text(n))
			r.Args = [][]Part{{{Literal: "first"}}, {{Input: "small"}, {Input: "blob"}}}
		}
	}
	literal := func(n int) func(*Request) {
		return func(r *Request) { r.Args = [][]Part{{{Literal: strings.Repeat("l", n)}}} }
	}
	host := func(n int, text string) func(*Request) {
		return func(r *Request) { r.Host.Env, r.Optional = []string{"BIG=" + strings.Repeat(text, n)}, []string{"BIG"} }
	}
	tests := []struct {
		name   string
		base   func() Request
		change func(*Request, int)
		fits   int // the largest number that fits
		want   *Refusal
	}{
		{"linux argument", request, func(r *Request, n int) { input(n)(r) }, 131_070, &Refusal{codeArgTooLarge,
			`cannot pass argument 2 with input "blob": it has 131072 bytes, and Linux takes at most 131071 in one text`, useBlob}},
		{"linux literal", request, func(r *Request, n int) { literal(n)(r) }, 131_071, &Refusal{codeArgTooLarge,
			`cannot pass argument 1: it has 131072 bytes, and Linux takes at most 131071 in one text`, useAny}},
		{"linux variable", request, func(r *Request, n int) { host(n, "v")(r) }, 131_067, &Refusal{codeEnvTooLarge,
			"cannot pass the variable BIG: it has 131072 bytes with its name, and Linux takes at most 131071 in one text", "make the value of BIG shorter"}},
		{"linux command", request, func(r *Request, n int) { r.Command = "/" + strings.Repeat("c", n) }, 131_070, &Refusal{codeArgTooLarge,
			"cannot pass the command: it has 131072 bytes, and Linux takes at most 131071 in one text", useAny}},
		{"windows argument", windowsRequest, func(r *Request, n int) { input(n)(r) }, 32_767 - 1 - len("tool first s"), &Refusal{codeArgTooLarge,
			fmt.Sprintf(lineFormat, `argument 2 with input "blob" with 32756`), useBlob}},
		{"windows argument in quotes", windowsRequest, func(r *Request, n int) {
			literal(n)(r)
			r.Args[0] = append(r.Args[0], Part{Literal: " \\"})
		}, 32_767 - 1 - len(`tool "" \\`), &Refusal{codeArgTooLarge, fmt.Sprintf(lineFormat, "argument 1 with 32759"), useAny}},
		{"windows variable", windowsRequest, func(r *Request, n int) { host(n, "v")(r) }, 32_763, &Refusal{codeEnvTooLarge,
			"cannot pass the variable BIG: it has 32768 UTF-16 units with its name, and Windows takes at most 32767", "make the value of BIG shorter"}},
		{"windows variable counts units", windowsRequest, func(r *Request, n int) { host(n, "😀")(r) }, 16_381, &Refusal{codeEnvTooLarge,
			"cannot pass the variable BIG: it has 32768 UTF-16 units with its name, and Windows takes at most 32767", "make the value of BIG shorter"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			req := tt.base()
			tt.change(&req, tt.fits)
			mustPlan(t, req)
			req = tt.base()
			tt.change(&req, tt.fits+1)
			if diff := cmp.Diff(tt.want, mustRefuse(t, req)); diff != "" {
				t.Errorf("Refusal (-want +got):\n%s", diff)
			}
		})
	}
}

// TestTooLargeTogether: which of two sides is named when no single text is too long.
func TestTooLargeTogether(t *testing.T) {
	args := func(r *Request, count, size int) {
		give(r, "blob", text(size))
		for range count {
			r.Args = append(r.Args, []Part{{Input: "blob"}})
		}
	}
	tests := []struct {
		name       string
		base       func() Request
		change     func(*Request)
		code, says string
	}{
		{"arguments alone do not fit, though a variable is larger", request, func(r *Request) {
			r.Host.ArgEnvLimit, r.Host.Env = 131_072, []string{"HOME=" + strings.Repeat("h", 20_000)}
			args(r, 20, 10_000)
		}, codeArgTooLarge, `the largest is argument 1 with input "blob" with 10000 bytes`},
		{"the largest is an argument", request, func(r *Request) {
			r.Host.ArgEnvLimit, r.Host.Env = 131_072, []string{"HOME=" + strings.Repeat("h", 60_000)}
			args(r, 1, 70_000)
		}, codeArgTooLarge, `the largest is argument 1 with input "blob" with 70000 bytes`},
		{"the largest is a variable", request, func(r *Request) {
			r.Host.ArgEnvLimit, r.Host.Env = 131_072, []string{"HOME=" + strings.Repeat("h", 70_000)}
			args(r, 1, 60_000)
		}, codeEnvTooLarge, "the largest is the variable HOME with 70005 bytes"},
		{"mac has no limit for one text", func() Request { r := request(); r.Host.OS, r.Host.ArgEnvLimit = "darwin", 1<<20; return r },
			func(r *Request) { args(r, 2, 600_000) }, codeArgTooLarge, `the largest is argument 1 with input "blob" with 600000 bytes`},
		{"linux names the largest of two that are too long", request, func(r *Request) {
			r.Host.Env = []string{"HOME=" + strings.Repeat("h", 150_000)}
			args(r, 1, 140_000)
		}, codeEnvTooLarge, "cannot pass the variable HOME: it has 150005 bytes"},
		{"windows counts the line", windowsRequest, func(r *Request) {
			r.Host.Env = []string{"HOME=" + strings.Repeat("h", 30_000)}
			args(r, 4, 8_192)
		}, codeArgTooLarge, `the largest is argument 1 with input "blob" with 8192 bytes`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			req := tt.base()
			tt.change(&req)
			if got := mustRefuse(t, req); got.Code != tt.code || !strings.Contains(got.Msg, tt.says) {
				t.Errorf("Refusal = %s: %s, want %s: …%s", got.Code, got.Msg, tt.code, tt.says)
			}
		})
	}
	req := request()
	req.Host.OS, req.Host.ArgEnvLimit = "darwin", 1<<20
	args(&req, 1, 600_000)
	mustPlan(t, req)
}

// TestWindowsMirror: the object may have more units than a variable may, and is a mirror then.
func TestWindowsMirror(t *testing.T) {
	padding := len(`RUNX_INPUTS_JSON={"blob":""}`)
	tests := []struct {
		name  string
		value string
		want  []string
	}{
		{"at the limit", strings.Repeat("a", 32_767-padding), nil},
		{"one over", strings.Repeat("a", 32_768-padding), []string{"RUNX_INPUTS_JSON"}},
		{"more bytes, fewer units", strings.Repeat("é", 24_000), nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			req := windowsRequest()
			give(&req, "blob", `"`+tt.value+`"`)
			plan := mustPlan(t, req)
			if diff := cmp.Diff(tt.want, plan.DroppedMirrors); diff != "" {
				t.Errorf("DroppedMirrors (-want +got):\n%s", diff)
			}
			if _, present := plan.Env.Lookup("RUNX_INPUTS_JSON"); present != (tt.want == nil) {
				t.Errorf("RUNX_INPUTS_JSON is there: %v", present)
			}
			mustLookup(t, plan, "RUNX_INPUTS_PATH")
		})
	}
}

// TestHugeArgumentsAreNotJoined: what cannot fit is judged by its size, not built first.
func TestHugeArgumentsAreNotJoined(t *testing.T) {
	for _, base := range []func() Request{request, windowsRequest} {
		req := base()
		give(&req, "blob", text(4<<20))
		for range 20_000 { // 80 GiB when joined
			req.Args = append(req.Args, []Part{{Input: "blob"}})
		}
		if got := mustRefuse(t, req); got.Code != codeArgTooLarge {
			t.Errorf("Refusal = %s, want %s", got.Code, codeArgTooLarge)
		}
	}
}

// quoted is one word of a Windows command line, written the slow way: an independent reading of
// the rule that lineUnits counts by.
func quoted(word string) string {
	if word != "" && !strings.ContainsAny(word, " \t\"") {
		return word
	}
	var b strings.Builder
	slashes := 0
	for _, c := range word {
		if c == '\\' {
			slashes++
			continue
		}
		if c == '"' {
			slashes = 2*slashes + 1
		}
		b.WriteString(strings.Repeat(`\`, slashes) + string(c))
		slashes = 0
	}
	if strings.ContainsAny(word, " \t") || word == "" {
		return `"` + b.String() + strings.Repeat(`\`, 2*slashes) + `"`
	}
	return b.String() + strings.Repeat(`\`, slashes)
}

func TestLineUnits(t *testing.T) {
	tests := []struct {
		word string
		want int
	}{
		{``, 2}, {`a`, 1}, {`a b`, 5}, {"a\tb", 5}, {`a\b`, 3}, {`a\`, 2}, {`a \`, 6}, {`a \\`, 8}, {`"`, 2}, {`\"`, 4},
		{`\\"x`, 7}, {`a "b" c`, 11}, {`é😀`, 3}, {"a\nb", 3}, {`a\\ b"\`, 11},
	}
	for _, tt := range tests {
		t.Run(tt.word, func(t *testing.T) {
			if slow := len(utf16.Encode([]rune(quoted(tt.word)))); slow != tt.want {
				t.Fatalf("the row is wrong: %s has %d units", quoted(tt.word), slow)
			}
			for cut := range len(tt.word) + 1 { // pieces join seamlessly, where no character is cut
				pieces := [][]byte{[]byte(tt.word[:cut]), nil, []byte(tt.word[cut:])}
				if got := lineUnits(pieces, windowsUnits); got != tt.want && !cutsRune(tt.word, cut) {
					t.Errorf("lineUnits(%q) = %d, want %d", pieces, got, tt.want)
				}
			}
		})
	}
	if got := lineUnits([][]byte{make([]byte, 1<<20)}, 10); got != 11 {
		t.Errorf("lineUnits goes on to %d after the limit 10", got)
	}
}

func cutsRune(text string, at int) bool {
	return at > 0 && at < len(text) && text[at]&0xC0 == 0x80
}
