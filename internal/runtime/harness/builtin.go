package harness

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/runx-go/runx/internal/skills/codec"
)

// Builtin returns the matrix of skills 10.2 for the lanes that this version has, sorted by id. The
// source of each case is the probe in the runx binary. An id is that of the table; where one row of
// the table holds several situations, the first, or the one in which all is well, has the id of the
// table and each other has it as a prefix, as in out-contract and out-contract-missing. os is that
// of the host: what is expected of a case may depend on it.
func Builtin(os string) []Case {
	return sorted(slices.Concat(
		inputCases(), stdinCases(), argumentCases(), environmentCases(os), refusalCases(),
		startCases(), treeCases(), outputCases(), contractCases(),
	))
}

// cwdToken is the workspace as a working directory (skills 3.2). Cases in which the probe leaves a
// mark run there, so that it needs nothing of its environment to find the place.
const cwdToken = "{{env.RUNX_CWD}}"

// Sizes of the contract, which the cases meet exactly and pass by one. They are written out here
// and not taken from the code under test.
const (
	objectMirrorBytes = 49_152
	valueMirrorBytes  = 8_192
	retainedBytes     = 8_388_608
)

// facts is what the probe writes to stderr in its report modes.
type facts struct {
	Cwd      string             `json:"cwd"`
	RunxCwd  string             `json:"runx_cwd"`
	Object   fact               `json:"object"`
	Values   map[string]fact    `json:"values"`
	Env      map[string]*string `json:"env"`
	Canaries []string           `json:"canaries"`
}

// fact describes a text that was delivered.
type fact struct {
	Bytes  int    `json:"bytes"`
	SHA256 string `json:"sha256"`
	Text   string `json:"text"`
	Mirror string `json:"mirror"`
}

// value is one present input: NAME of its variables and its rendered value.
type value struct{ name, text string }

// factOf describes a text whose inline variable exists up to a limit. The probe repeats texts of at
// most 1024 bytes.
func factOf(text string, limit int) fact {
	out := fact{Bytes: len(text), SHA256: digest([]byte(text)), Mirror: "absent"}
	if len(text) <= 1024 {
		out.Text = text
	}
	if len(text) <= limit {
		out.Mirror = "equal"
	}
	return out
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// factsOf is what the probe must find of a delivered object in the package directory.
func factsOf(object string, values ...value) facts {
	out := facts{
		Cwd: "skill", RunxCwd: "workspace", Object: factOf(object, objectMirrorBytes),
		Values: map[string]fact{}, Env: map[string]*string{}, Canaries: []string{},
	}
	for _, v := range values {
		out.Values[v.name] = factOf(v.text, valueMirrorBytes)
	}
	return out
}

// stream is the facts as an expectation. They always encode: they hold nothing but texts.
func (f facts) stream() *StreamWant {
	raw, err := codec.Marshal(f)
	if err != nil {
		return &StreamWant{JSON: json.RawMessage("false")}
	}
	return &StreamWant{JSON: raw}
}

// sealed is the expectation of a probe that ran, reported and ended well.
func sealed(f facts) *Expected {
	return &Expected{
		Status: "sealed", ErrorCode: new(""), ExitCode: new(0), Signal: new(""), Cwd: new("skill"),
		InputsSource: new("path"), Stderr: f.stream(),
	}
}

func failed(code string) *Expected { return &Expected{Status: "failed", ErrorCode: &code} }

func refused(code string, contains ...string) *Expected {
	return &Expected{Status: "refused", ErrorCode: &code, MessageContains: contains}
}

// withVariables adds names that must be there and names that must not.
func (e *Expected) withVariables(present, absent []string) *Expected {
	e.Variables = &VariablesWant{Present: present, Absent: absent}
	return e
}

// within adds a time that runx promises, and some more for a machine that has other work.
func (e *Expected) within(promised time.Duration) *Expected {
	ms := (promised + slack).Milliseconds()
	e.MaxDurationMS = &ms
	return e
}

// builtinCase is a case of the probe: its mode and the words after it.
func builtinCase(id string, want func() *Expected, mode string, words ...string) Case {
	return Case{ID: id, Lane: LaneCLITool, lazy: want, setup: setup{args: append([]string{mode}, words...)}}
}

// with changes the set-up of a case.
func (c Case) with(change func(*setup)) Case {
	change(&c.setup)
	return c
}

// on limits a case to platforms.
func (c Case) on(platforms ...string) Case {
	c.Platforms = platforms
	return c
}

// inputs sets the exact text of the input object.
func (c Case) inputs(object string) Case {
	return c.with(func(s *setup) { s.inputs = func() ([]byte, error) { return []byte(object), nil } })
}

// generated is an object with one input whose value is as many x as the object needs to have the
// given size in bytes.
func generated(name string, size int) string {
	frame := `{"` + name + `":""}`
	return frame[:len(frame)-2] + strings.Repeat("x", size-len(frame)) + frame[len(frame)-2:]
}

// largeValue is an object with one input "big" of exactly so many x.
func largeValue(size int) string { return `{"big":"` + strings.Repeat("x", size) + `"}` }

// printing is the mode in which the probe prints exactly these bytes.
func printing(text string) string { return "print:" + base64.StdEncoding.EncodeToString([]byte(text)) }
