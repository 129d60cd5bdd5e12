package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	goruntime "runtime"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/runx-go/runx/internal/sandbox/fsroot"
)

// checkLeftovers looks at what every run of runx left in the state and configuration directories of
// a script: names that every system can store, nothing half written, nothing that others can read.
func checkLeftovers(env *testscript.Env, home string) {
	for _, dir := range []string{filepath.Join(env.WorkDir, ".runx"), filepath.Join(home, ".config", "runx")} {
		if err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) && path == dir {
				return nil
			}
			if err != nil || path == dir {
				return err
			}
			rel, err := filepath.Rel(dir, path)
			if err != nil {
				return err
			}
			return checkLeftover(path, filepath.ToSlash(rel), entry)
		}); err != nil {
			env.T().Fatal(err)
		}
	}
}

func checkLeftover(path, rel string, entry fs.DirEntry) error {
	if _, err := fsroot.ParseRelPath(rel); err != nil || strings.ContainsAny(rel, `<>:"|?*\`) {
		return fmt.Errorf("state holds the name %q, which is not portable (%v)", rel, err)
	}
	if strings.HasPrefix(rel, "tmp/") {
		return fmt.Errorf("a run left %q", rel)
	}
	info, err := entry.Info()
	if err != nil {
		return err
	}
	if goruntime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 && !scriptMade(rel) {
		return fmt.Errorf("%s has mode %v: others can reach it", path, info.Mode())
	}
	if entry.Type().IsRegular() && strings.HasSuffix(rel, "/run.json") {
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if _, err := oneDocument(data); err != nil {
			return fmt.Errorf("%s is not whole: %w", path, err)
		}
	}
	return nil
}

// scriptMade says whether the scripts themselves write such a file.
func scriptMade(rel string) bool { return rel == "config.yaml" || rel == ".gitignore" }

// oneDocument reads exactly one JSON document; numbers keep their text.
func oneDocument(data []byte) (any, error) {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	var document any
	if err := decoder.Decode(&document); err != nil {
		return nil, fmt.Errorf("no JSON document: %w", err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something follows the JSON document")
	}
	return document, nil
}

// checkPrinted holds the promises that every command line keeps, whatever it does: with --json one
// document and a newline; as text at most one error of one sentence and one thing to try.
func checkPrinted(args []string, code int, stdout, stderr string) error {
	words := args
	if i := slices.Index(args, "--"); i >= 0 {
		words = args[:i]
	}
	asJSON, asEvents := slices.Contains(words, "--json"), slices.Contains(words, "--events")
	if asJSON && !asEvents && !slices.Contains(words, "--help") {
		if _, err := oneDocument([]byte(stdout)); err != nil || strings.Count(stdout, "\n") != 1 || !strings.HasSuffix(stdout, "\n") {
			return fmt.Errorf("--json printed not one document on one line: %v\n%s", err, stdout)
		}
		return nil
	}
	if asEvents {
		return nil // the command events looks closer
	}
	if code == 64 && strings.HasPrefix(stderr, "error: ") && stdout != "" {
		return fmt.Errorf("an error of usage printed on stdout:\n%s", stdout)
	}
	return checkComplaint(stderr)
}

func checkComplaint(stderr string) error {
	lines := strings.Split(strings.TrimSuffix(stderr, "\n"), "\n")
	found := 0
	for i, line := range lines {
		if !strings.HasPrefix(line, "error: ") && !strings.HasPrefix(line, "runx: ") {
			continue
		}
		found++
		if strings.HasSuffix(line, ".") {
			return fmt.Errorf("the sentence %q ends with a dot", line)
		}
		tries := 0
		for _, more := range lines[i+1:] {
			if strings.HasPrefix(more, "  try: ") {
				tries++
			}
		}
		if tries > 1 {
			return fmt.Errorf("there are %d things to try:\n%s", tries, stderr)
		}
	}
	if found > 1 {
		return fmt.Errorf("there are %d errors:\n%s", found, stderr)
	}
	return nil
}
