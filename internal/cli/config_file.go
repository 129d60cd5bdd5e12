package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/runx-go/runx/internal/runtime"
	"github.com/runx-go/runx/internal/sandbox"
	"github.com/runx-go/runx/internal/sandbox/fsroot"
	"github.com/runx-go/runx/internal/skills/codec"
)

// maxConfigFaults is how many faults of a file are told; source: our choice, more than a person
// corrects at once.
const maxConfigFaults = 20

const (
	projectFolder = ".runx"
	configName    = fsroot.RelPath("config.yaml")
)

// configSource is a file of configuration and what may stand in it.
type configSource struct {
	path    string
	root    string         // folder that no link of the file may leave
	name    fsroot.RelPath // below root
	project bool
	guarded bool // one that others can write is refused
}

// userConfig is the user's file. It may be a link: the user made it.
func userConfig(host sandbox.Host) configSource {
	path := filepath.Join(host.UserConfigDir, string(configName))
	target := resolved(path)
	return configSource{path: path, root: filepath.Dir(target), name: fsroot.RelPath(filepath.Base(target)), guarded: host.OS != "windows"}
}

// projectConfig is the file of a workspace, which may come with any repository.
func projectConfig(workspace string) configSource {
	name := fsroot.RelPath(projectFolder).Join(configName)
	return configSource{path: filepath.Join(workspace, projectFolder, string(configName)), root: workspace, name: name, project: true}
}

func (s configSource) allows(k configKey) bool {
	if s.project {
		return k.project
	}
	return k.user
}

// configFile is one file, read strictly.
type configFile struct {
	data   []byte
	values []configValue // those without a fault
	faults []error       // in source order
}

// configValue is one key with its text, or the texts of its list.
type configValue struct {
	key   configKey
	texts []string
}

// fault is the first fault, or nil.
func (f configFile) fault() error {
	if len(f.faults) == 0 {
		return nil
	}
	return f.faults[0]
}

// readConfigFile reads a file strictly; one that is not there is empty.
func readConfigFile(s configSource) configFile {
	data, err := s.read()
	if errors.Is(err, fs.ErrNotExist) {
		return configFile{}
	}
	if perm, ok := errors.AsType[*fsroot.PermissionError](err); ok {
		return configFile{faults: []error{perm}}
	}
	if err != nil {
		return configFile{faults: []error{&runtime.Error{Class: runtime.ClassInvalid, Code: "config_unreadable", Err: err,
			Message: fmt.Sprintf("cannot read configuration %s: %s", s.path, readCause(err)),
			Hint:    "make it a file of YAML that you can read, or remove it"}}}
	}
	return parseConfig(s, data)
}

// read reads a regular file; one of the user that others can write is a *fsroot.PermissionError, for
// it says which projects are trusted. Looking first keeps it from waiting for the writer of a pipe that
// stands in the place of a folder.
func (s configSource) read() ([]byte, error) {
	const othersWrite = 0o022
	info, err := os.Stat(s.path)
	if err != nil {
		return nil, err
	}
	if mode := info.Mode(); s.guarded && mode.IsRegular() && mode&othersWrite != 0 {
		return nil, &fsroot.PermissionError{Path: s.path, Repair: "chmod go-w " + quoteArg(s.path),
			Reason: fmt.Sprintf("its mode %04o lets others write to it", mode.Perm())}
	}
	dir, err := fsroot.Open(s.root)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	return dir.ReadLimited(s.name, int64(codec.YAMLBytes))
}

// readCause is why a file cannot be read, without its path.
func readCause(err error) string {
	if large, ok := errors.AsType[*fsroot.TooLargeError](err); ok {
		return fmt.Sprintf("it has more than %d bytes", large.Limit)
	}
	if cause := errors.Unwrap(err); cause != nil {
		return cause.Error()
	}
	return err.Error()
}

func parseConfig(s configSource, data []byte) configFile {
	doc, err := codec.ParseYAML(s.path, data, codec.YAMLBytes, 0)
	if err != nil {
		return configFile{data: data, faults: []error{firstSyntaxError(err)}}
	}
	r := configReader{source: s, file: configFile{data: data}}
	if !doc.Root.Empty {
		r.document(doc.Root)
	}
	return r.file
}

func firstSyntaxError(err error) error {
	if all, ok := errors.AsType[codec.Errors](err); ok && len(all) > 0 {
		return all[0]
	}
	return err
}

// faultKey is the key that a fault is about, or "".
func faultKey(err error) string {
	if e, ok := errors.AsType[*codec.SyntaxError](err); ok {
		return e.Key
	}
	return ""
}
