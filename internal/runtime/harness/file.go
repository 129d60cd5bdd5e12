package harness

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/runx-go/runx/internal/runtime"
	"github.com/runx-go/runx/internal/sandbox/fsroot"
	"github.com/runx-go/runx/internal/skills/codec"
)

// FixturesSchema names the version of cases.json.
const FixturesSchema = "runx.author_fixtures.v1"

// fixturesName is the file that Load reads.
const fixturesName = "cases.json"

// fixtures is cases.json.
type fixtures struct {
	Schema         string        `json:"schema"`
	Probe          []string      `json:"probe"`
	SkillDirectory string        `json:"skill_directory"`
	Cases          []fixtureCase `json:"cases"`
}

// fixtureCase is one case of cases.json.
type fixtureCase struct {
	ID              string              `json:"id"`
	Lane            Lane                `json:"lane"`
	Mode            string              `json:"mode"`
	Platforms       []string            `json:"platforms"`
	Cwd             string              `json:"cwd"`
	InputMode       string              `json:"input_mode"`
	Environment     *fixtureEnvironment `json:"environment"`
	Env             map[string]*string  `json:"env"`
	Inputs          json.RawMessage     `json:"inputs"`
	InputsBase64    *string             `json:"inputs_base64"`
	LargeInputBytes *int64              `json:"large_input_bytes"`
	TimeoutSeconds  int64               `json:"timeout_seconds"`
	Expected        json.RawMessage     `json:"expected"`
}

type fixtureEnvironment struct {
	Required []string `json:"required"`
	Optional []string `json:"optional"`
}

// Load reads cases.json of a directory; name is how the caller spells the directory, and dir its
// absolute path. Every error is a *runtime.Error of class invalid with code fixtures_file. A case
// without expectation is read: it fails when it runs.
func Load(name, dir string) ([]Case, error) {
	data, err := readFixtures(dir)
	if err != nil {
		return nil, malformed(name, err)
	}
	cases, err := parseFixtures(name, dir, data)
	if err != nil {
		return nil, malformed(name, err)
	}
	return cases, nil
}

func malformed(name string, err error) error {
	return &runtime.Error{
		Class: runtime.ClassInvalid, Code: "fixtures_file",
		Message: fmt.Sprintf("cannot use the fixtures of %s: %v", name, err),
		Hint:    "correct " + filepath.ToSlash(filepath.Join(name, fixturesName)), Err: err,
	}
}

func readFixtures(dir string) ([]byte, error) {
	root, err := fsroot.Open(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	path, err := fsroot.ParseRelPath(fixturesName)
	if err != nil {
		return nil, err
	}
	return root.ReadLimited(path, maxFixtureFileBytes)
}

func parseFixtures(name, dir string, data []byte) ([]Case, error) {
	var file fixtures
	if err := codec.DecodeStrict(fixturesName, data, codec.Limits{Bytes: maxFixtureFileBytes}, &file); err != nil {
		return nil, err
	}
	if file.Schema != FixturesSchema {
		return nil, fmt.Errorf("schema must be %q, not %q", FixturesSchema, file.Schema)
	}
	if len(file.Probe) == 0 || file.Probe[0] == "" {
		return nil, errors.New("probe must be the words of a command")
	}
	if file.SkillDirectory != "." {
		if _, err := fsroot.ParseRelPath(file.SkillDirectory); err != nil {
			return nil, fmt.Errorf("skill_directory must be a directory below this one, or \".\": %w", err)
		}
	}
	cases := make([]Case, 0, len(file.Cases))
	seen := map[string]bool{}
	for i, raw := range file.Cases {
		c, err := raw.toCase(file)
		if err != nil {
			return nil, fmt.Errorf("case %d (%q): %w", i+1, raw.ID, err)
		}
		if seen[c.ID] {
			return nil, fmt.Errorf("case %d: the id %q stands twice", i+1, c.ID)
		}
		seen[c.ID] = true
		c.Dir, c.setup.fixture = name, dir
		cases = append(cases, c)
	}
	return cases, nil
}

func (f fixtureCase) toCase(file fixtures) (Case, error) {
	if err := f.check(); err != nil {
		return Case{}, err
	}
	c := Case{ID: f.ID, Lane: f.Lane, Platforms: f.Platforms}
	c.setup = setup{
		command: file.Probe[:1], args: slices.Concat(file.Probe[1:], []string{f.Mode}), pkg: file.SkillDirectory,
		cwd: f.Cwd, inputMode: f.InputMode, timeout: f.TimeoutSeconds, env: f.Env,
	}
	if f.Environment != nil {
		c.setup.required, c.setup.optional = f.Environment.Required, f.Environment.Optional
	}
	text, err := f.inputs()
	if err != nil {
		return Case{}, err
	}
	c.setup.inputs = text
	c.Expected, err = parseExpected(f.Expected)
	return c, err
}

func (f fixtureCase) check() error {
	switch {
	case f.ID == "" || len(f.ID) > maxIDBytes || strings.ContainsFunc(f.ID, notOfID):
		return fmt.Errorf("an id is 1 to %d letters, digits and . _ -", maxIDBytes)
	case !f.Lane.known():
		return fmt.Errorf("lane must be C, T or J, not %q", f.Lane)
	case f.Mode == "":
		return errors.New("mode is missing")
	case !slices.Contains([]string{"", "args", "stdin", "none"}, f.InputMode):
		return fmt.Errorf("input_mode must be args, stdin or none, not %q", f.InputMode)
	case f.TimeoutSeconds < 1 || f.TimeoutSeconds > maxTimeoutSeconds:
		return fmt.Errorf("timeout_seconds must be 1 to %d", maxTimeoutSeconds)
	}
	for _, p := range f.Platforms {
		if !knownPlatform(p) {
			return fmt.Errorf("platforms must be unix, linux, darwin or windows, not %q", p)
		}
	}
	for name := range f.Env {
		switch {
		case name == "" || strings.ContainsAny(name, "=\x00"):
			return fmt.Errorf("env has the name %q, which no system can store", name)
		case placeVariable(name):
			return fmt.Errorf("env must not have %s: the gate gives each case directories of its own", name)
		}
	}
	return nil
}

// placeVariable names what would lead a case out of its own directories.
func placeVariable(name string) bool {
	switch strings.ToUpper(name) {
	case "RUNX_CWD", "INIT_CWD", "RUNX_STATE_DIR", "RUNX_RECEIPT_DIR":
		return true
	}
	return false
}

func notOfID(r rune) bool {
	return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("._-", r)
}

// inputs returns the maker of the object's exact text.
func (f fixtureCase) inputs() (func() ([]byte, error), error) {
	size := int64(-1)
	if f.LargeInputBytes != nil {
		if size = *f.LargeInputBytes; size < 0 || size > maxLargeInputBytes {
			return nil, fmt.Errorf("large_input_bytes must be 0 to %d", maxLargeInputBytes)
		}
	}
	if f.InputsBase64 != nil {
		if f.Inputs != nil || size >= 0 {
			return nil, errors.New("inputs_base64 excludes inputs and large_input_bytes")
		}
		text, err := base64.StdEncoding.DecodeString(*f.InputsBase64)
		if err != nil {
			return nil, fmt.Errorf("cannot decode inputs_base64: %w", err)
		}
		return func() ([]byte, error) { return text, nil }, nil
	}
	var given codec.Object
	if f.Inputs != nil {
		object, err := codec.ParseObject("inputs", f.Inputs, codec.Limits{})
		if err != nil {
			return nil, err
		}
		given = object
	}
	if _, taken := given.Lookup("large"); taken && size >= 0 {
		return nil, errors.New("large_input_bytes adds an input large, which inputs has too")
	}
	if size < 0 {
		return func() ([]byte, error) { return given.Raw(), nil }, nil
	}
	return func() ([]byte, error) {
		object, err := codec.JoinObject(append(slices.Clone(given.Members()), largeMember(int(size))))
		return object.Raw(), err
	}, nil
}

func largeMember(size int) codec.Member {
	return codec.Member{Name: "large", Raw: json.RawMessage(`"` + strings.Repeat("x", size) + `"`)}
}

// parseExpected reads an expectation; nil, null and {} are a missing one.
func parseExpected(raw json.RawMessage) (*Expected, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return nil, nil
	}
	object, err := codec.ParseObject("expected", raw, codec.Limits{})
	if err != nil {
		return nil, err
	}
	if len(object.Members()) == 0 {
		return nil, nil
	}
	for _, m := range object.Members() {
		if string(m.Raw) == "null" && m.Name != "result" {
			return nil, fmt.Errorf("expected.%s is null, which expects nothing: remove it", m.Name)
		}
	}
	var e Expected
	if err := codec.DecodeStrict("expected", raw, codec.Limits{}, &e); err != nil {
		return nil, err
	}
	if result, ok := object.Lookup("result"); ok {
		e.Result = result
	}
	return &e, e.check()
}
