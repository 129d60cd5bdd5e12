package harness

import (
	"encoding/json"
	"slices"
)

// ProbeMode is the hidden first argument that makes the runx binary the probe of the built-in
// cases; cmd/runx has the program.
const ProbeMode = "__runx_probe"

// Lane is a kind of execution that a case runs in.
type Lane string

// The lanes of the gate: cli-tool, local tool, JavaScript module.
const (
	LaneCLITool    Lane = "C"
	LaneLocalTool  Lane = "T"
	LaneJavaScript Lane = "J"
)

// Lanes returns the lanes that this version can run.
func Lanes() []Lane { return []Lane{LaneCLITool} }

// known says whether the word is a lane of the gate, whether this version has it or not.
func (l Lane) known() bool {
	return l == LaneCLITool || l == LaneLocalTool || l == LaneJavaScript
}

func (l Lane) available() bool { return slices.Contains(Lanes(), l) }

// Case is one recorded case. Builtin and Load make them; the zero Case is none.
type Case struct {
	ID   string
	Lane Lane
	// Platforms are GOOS words or "unix"; empty means every platform.
	Platforms []string
	// Dir is the directory of cases.json as the caller named it, empty for a built-in case.
	Dir string
	// Expected is what must be observed. nil means that the expectation is missing, which fails;
	// a built-in case makes its own when it runs.
	Expected *Expected

	setup setup
	// lazy makes the expectation of a built-in case, so that large digests are only made when the
	// case runs.
	lazy func() *Expected
}

// setup is what is prepared for a case.
type setup struct {
	// command and args are the words of the source; a nil command is the probe of this binary.
	command []string
	args    []string
	// cwd "" is absent; inputMode "" is absent; timeout 0 is absent, in seconds.
	cwd       string
	inputMode string
	timeout   int64
	required  []string
	optional  []string
	// env changes the host's variables; nil unsets one.
	env map[string]*string
	// noEnv leaves all baseline variables of the real host out.
	noEnv bool
	// inputs makes the exact text of the input object; nil is {}.
	inputs func() ([]byte, error)
	// declared are names that are declared beside those of inputs.
	declared []string
	// outputs is the declaration of outputs as JSON, or empty.
	outputs json.RawMessage
	// files are put into the generated package.
	files []packageFile
	// fixture is the directory that is copied for the case, and pkg the package directory in it,
	// slash-separated, "." for itself. An empty fixture means a generated package.
	fixture string
	pkg     string
	// cancel interrupts the run when the probe has made its file probe-ready in the workspace.
	cancel bool
	// started, when not nil, is whether the probe's file probe-started must exist in the workspace.
	started *bool
}

// packageFile is a file of a generated package.
type packageFile struct {
	path       string
	text       string
	executable bool
}

// appliesTo says whether the case is for an operating system, in GOOS spelling.
func (c Case) appliesTo(os string) bool {
	if len(c.Platforms) == 0 {
		return true
	}
	for _, p := range c.Platforms {
		if p == os || p == platformUnix && os != "windows" {
			return true
		}
	}
	return false
}

const platformUnix = "unix"

func knownPlatform(word string) bool {
	switch word {
	case platformUnix, "linux", "darwin", "windows":
		return true
	}
	return false
}

func (c Case) expected() *Expected {
	if c.lazy != nil {
		return c.lazy()
	}
	return c.Expected
}
