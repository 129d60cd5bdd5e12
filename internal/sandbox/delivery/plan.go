package delivery

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/runx-go/runx/internal/sandbox"
	"github.com/runx-go/runx/internal/sandbox/secret"
)

// Input is one present input: its name and raw JSON text.
type Input struct {
	Name string
	Raw  json.RawMessage
}

// Request is everything that a plan depends on. Texts in it are shared with the plan, not copied:
// they must not change while the plan is used.
type Request struct {
	Host       sandbox.Host
	Workspace  string // RUNX_CWD, absolute
	ReceiptDir string // RUNX_RECEIPT_DIR when not empty, absolute

	Inputs   json.RawMessage // the complete object; empty means {}
	Members  []Input         // its members, in order
	Declared []string        // every declared input name, present or not

	Required []string // environment.required
	Optional []string // environment.optional

	CredentialName string // the credential's variable, or "" for none
	Credential     secret.Value

	Args    [][]Part // templates, parsed by skills.ParseTemplate and mapped by the runner
	Cwd     string   // as in the manifest
	BaseDir string   // absolute: the directory of an absent cwd
	Command string   // as in the manifest
	Stdin   bool     // input_mode stdin

	FilesDir string // absolute, planned directory of the input files (unique a run; not made yet)
}

// Plan is a pure description of what a child receives. New makes no file.
type Plan struct {
	Env     Env
	Args    []string // resolved, without the command
	Dir     string   // absolute working directory; it may not exist
	Command string   // name to look up in the child's PATH, or an absolute path
	Stdin   []byte   // nil: end of file at once
	Files   []File   // to be written below FilesDir

	// Delivered are the names of skills 3.3 rules 1 to 3, MissingOptional the optional names that
	// are not set, Withheld the names that are set on the host and not in Env. All are sorted, for
	// the envelope, and never hold a value.
	Delivered, MissingOptional, Withheld []string
	// DroppedMirrors are inline variables that did not fit (warning mirror_dropped), sorted.
	DroppedMirrors []string

	filesDir string
}

// New plans a delivery. What a run is refused for is a *Refusal, the first one found: names, then
// missing variables, then arguments, then sizes. Any other error is a fault of the caller: a
// directory that is not absolute, or an input that is no JSON text.
func New(req Request) (*Plan, error) {
	if err := checkDirs(req); err != nil {
		return nil, err
	}
	environment := append(append(make([]string, 0, len(req.Required)+len(req.Optional)), req.Required...), req.Optional...)
	refusals := CheckNames(req.Host.OS, allNames(req.Declared, req.Members), environment, req.CredentialName)
	if len(refusals) > 0 {
		return nil, refusals[0]
	}
	host := takeHost(req)
	if refusal := host.refusal(); refusal != nil {
		return nil, refusal
	}
	values, err := renderAll(req.Members)
	if err != nil {
		return nil, err
	}
	args, refusal := resolveArgs(req.Host.OS, req.Args, values, host.declared)
	if refusal != nil {
		return nil, refusal
	}
	object := req.Inputs
	if len(object) == 0 {
		object = json.RawMessage("{}")
	}
	files, inputs := layInputs(req.Host.OS, req.FilesDir, object, values)
	vars := slices.Concat(host.vars, inputs)
	if req.CredentialName != "" {
		vars = append(vars, variable{name: req.CredentialName, value: req.Credential.Reveal()})
	}
	command := resolveCommand(req)
	program := argument{pieces: [][]byte{[]byte(command)}, size: len(command)}
	kept, dropped, refusal := fit(req.Host, program, args, vars)
	if refusal != nil {
		return nil, refusal
	}
	plan := &Plan{
		Env: Env{os: req.Host.OS}, Args: make([]string, 0, len(args)),
		Dir: resolveDir(req), Command: command, Files: files,
		Delivered: sortedNames(host.vars), MissingOptional: host.missingOptional,
		Withheld: withheld(req.Host, kept), DroppedMirrors: dropped, filesDir: req.FilesDir,
	}
	for _, v := range kept {
		plan.Env.entries = append(plan.Env.entries, v.entry())
	}
	for _, a := range args {
		plan.Args = append(plan.Args, a.join())
	}
	if req.Stdin {
		plan.Stdin = object
	}
	return plan, nil
}

func checkDirs(req Request) error {
	for _, dir := range []struct{ what, path string }{
		{"workspace", req.Workspace}, {"base directory", req.BaseDir}, {"directory of the input files", req.FilesDir},
	} {
		if !isAbs(req.Host.OS, dir.path) {
			return fmt.Errorf("cannot plan a delivery: the %s %q is not absolute", dir.what, dir.path)
		}
	}
	return nil
}
