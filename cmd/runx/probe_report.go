package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// probePlace is a file that the gate puts into the directories that a case knows; it holds the
// name of its directory, so that a path can be reported as a relation.
const probePlace = "gate-place"

// probeTextBytes is up to how long a text is repeated in the facts, beside its digest.
const probeTextBytes = 1024

// probeReport is what the gate reads of stdout: names of variables, never their values.
type probeReport struct {
	InputsSource string   `json:"inputs_source"`
	Variables    []string `json:"variables"`
	PIDs         []int    `json:"pids"`
}

// probeFacts is what the probe found: the same for every host, directory and user.
type probeFacts struct {
	Cwd     string               `json:"cwd"`      // relation of the current directory
	RunxCwd string               `json:"runx_cwd"` // relation of RUNX_CWD
	Object  probeText            `json:"object"`   // the complete inputs, from the source asked for
	Values  map[string]probeText `json:"values"`   // by NAME of RUNX_INPUT_<NAME>_PATH
	// Env has the variables that were asked for; null is one that is not there.
	Env map[string]*string `json:"env"`
	// Canaries are the variables whose value holds the gate's mark for what must not be delivered.
	Canaries []string `json:"canaries"`
}

// probeText describes a text and how its inline variable compares: equal, absent or differs.
type probeText struct {
	Bytes  int    `json:"bytes"`
	SHA256 string `json:"sha256"`
	Text   string `json:"text"` // empty over 1024 bytes
	Mirror string `json:"mirror"`
}

func (p probe) report(source string) error {
	env := map[string]string{}
	for _, entry := range p.environ {
		if name, value, ok := strings.Cut(entry, "="); ok && name != "" {
			env[name] = value
		}
	}
	if source == "" {
		source = "path"
	}
	object, err := p.inputs(source, env)
	if err != nil {
		return err
	}
	facts := probeFacts{
		Cwd: probeRelation("."), RunxCwd: probeRelation(env["RUNX_CWD"]), Object: describe(object, env, "RUNX_INPUTS_JSON"),
		Values: map[string]probeText{}, Env: map[string]*string{}, Canaries: []string{},
	}
	report := probeReport{InputsSource: source, Variables: []string{}, PIDs: []int{}}
	for name, value := range env {
		report.Variables = append(report.Variables, name)
		if strings.Contains(value, "runx-canary") {
			facts.Canaries = append(facts.Canaries, name)
		}
		input, isInput := inputOf(name)
		if !isInput {
			continue
		}
		text, err := os.ReadFile(value)
		if err != nil {
			return err
		}
		facts.Values[input] = describe(text, env, "RUNX_INPUT_"+input)
	}
	slices.Sort(report.Variables)
	slices.Sort(facts.Canaries)
	if source != "argument" {
		for _, name := range p.args {
			if value, ok := env[name]; ok {
				facts.Env[name] = &value
			} else {
				facts.Env[name] = nil
			}
		}
	}
	return errors.Join(writeJSON(p.stdout, report), writeJSON(p.stderr, facts))
}

// inputs reads the complete object from the source that was asked for.
func (p probe) inputs(source string, env map[string]string) ([]byte, error) {
	switch source {
	case "path":
		return os.ReadFile(env["RUNX_INPUTS_PATH"])
	case "json":
		text, ok := env["RUNX_INPUTS_JSON"]
		if !ok {
			return nil, errors.New("RUNX_INPUTS_JSON is not set")
		}
		return []byte(text), nil
	case "stdin":
		return io.ReadAll(io.LimitReader(p.stdin, probeStdinBytes))
	case "argument":
		return []byte(strings.Join(p.args, " ")), nil
	}
	return nil, fmt.Errorf("%w: %q is no source of inputs", errProbeMode, source)
}

// inputOf takes NAME out of RUNX_INPUT_<NAME>_PATH.
func inputOf(variable string) (string, bool) {
	name, ok := strings.CutPrefix(variable, "RUNX_INPUT_")
	if !ok {
		return "", false
	}
	return strings.CutSuffix(name, "_PATH")
}

func describe(text []byte, env map[string]string, mirror string) probeText {
	sum := sha256.Sum256(text)
	out := probeText{Bytes: len(text), SHA256: hex.EncodeToString(sum[:]), Mirror: "absent"}
	if len(text) <= probeTextBytes {
		out.Text = string(text)
	}
	if value, ok := env[mirror]; ok {
		out.Mirror = "differs"
		if value == string(text) {
			out.Mirror = "equal"
		}
	}
	return out
}

// probeRelation reads which directory of the case this is; other when the gate did not mark it.
func probeRelation(dir string) string {
	if dir == "" {
		return "none"
	}
	text, err := os.ReadFile(filepath.Join(dir, probePlace))
	if err != nil {
		return "other"
	}
	return string(text)
}

func writeJSON(w io.Writer, value any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(value)
}
