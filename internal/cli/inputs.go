package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/runx-go/runx/internal/runtime"
	"github.com/runx-go/runx/internal/skills/codec"
)

// readInputs takes the inputs of a line: the complete object, or those that were given one by one.
func readInputs(c *console, p *place, opts skillOptions) (codec.Object, error) {
	if opts.inputs == "" {
		members := make([]codec.Member, len(opts.given))
		for i, g := range opts.given {
			members[i] = codec.Member{Name: g.name, Raw: g.raw}
		}
		return codec.JoinObject(members)
	}
	if len(opts.given) > 0 {
		return codec.Object{}, usage("inputs_exclusive",
			fmt.Sprintf("--inputs holds all inputs, so %q cannot be given beside it", opts.given[0].name),
			"put it into the object, or leave --inputs out")
	}
	if opts.inputs == "-" {
		return parseInputs("stdin", c.io.In)
	}
	path, err := insideWorkspace(c.host.Dir, p.workspace, opts.inputs)
	if err != nil {
		return codec.Object{}, err
	}
	file, err := os.Open(path)
	if err != nil {
		return codec.Object{}, unreadable(opts.inputs, err)
	}
	defer file.Close() //nolint:errcheck // opened for reading
	if info, err := file.Stat(); err != nil || info.IsDir() {
		return codec.Object{}, usage("inputs_unreadable", fmt.Sprintf("cannot read inputs from %s: it is a directory", opts.inputs), "name a file, or pipe it: --inputs -")
	}
	return parseInputs(opts.inputs, file)
}

func parseInputs(name string, from io.Reader) (codec.Object, error) {
	data, err := io.ReadAll(io.LimitReader(from, int64(codec.JSONBytes)+1))
	if isEnd(err) {
		return codec.Object{}, err
	}
	if err != nil {
		return codec.Object{}, unreadable(name, err)
	}
	if len(data) > codec.JSONBytes {
		return codec.Object{}, usage("input_json", fmt.Sprintf("cannot read inputs from %s: it has more than %d bytes (64 MiB)", name, codec.JSONBytes),
			"pass a path to a large file instead of its content")
	}
	return codec.ParseObject(name, data, codec.Limits{Bytes: codec.JSONBytes})
}

// insideWorkspace resolves a file and refuses one that lies elsewhere once links are followed.
func insideWorkspace(cwd, workspace, name string) (string, error) {
	path := name
	if !filepath.IsAbs(path) {
		path = filepath.Join(cwd, path)
	}
	resolved, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", unreadable(name, err)
	}
	rel, err := filepath.Rel(workspace, resolved)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return "", &runtime.Error{Class: runtime.ClassInvalid, Code: "inputs_outside",
			Message: fmt.Sprintf("cannot read inputs from %s: it lies outside the workspace %s", name, workspace),
			Hint:    "pipe it: --inputs - < " + quoteArg(name)}
	}
	return resolved, nil
}

func unreadable(name string, err error) error {
	cause := err
	if pathErr, ok := errors.AsType[*fs.PathError](err); ok {
		cause = pathErr.Err
	}
	return &runtime.Error{Class: runtime.ClassInvalid, Code: "inputs_unreadable",
		Message: fmt.Sprintf("cannot read inputs from %s: %v", name, cause),
		Hint:    "check the path and its permissions, or pipe the object: --inputs -", Err: err}
}
