package session

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/runx-go/runx/internal/sandbox/fsroot"
)

const (
	ignoreFile fsroot.RelPath = ".gitignore"
	// ignoreText keeps everything out of a repository but what a project may share.
	ignoreText = "*\n!config.yaml\n!policy.yaml\n"
)

// InitState opens the state directory, making it (0700) when missing, and writes its .gitignore
// when there is none that ignores the state: what a repository brought along cannot make it public.
// A directory that others can write is refused with
// *fsroot.PermissionError; other errors are those of the file system.
func InitState(path string) (*fsroot.Dir, error) {
	dir, err := fsroot.Create(path, true)
	if err != nil {
		return nil, err
	}
	if err := keepIgnored(dir); err != nil {
		return nil, errors.Join(fmt.Errorf("cannot keep the state out of repositories: %w", err), dir.Close())
	}
	return dir, nil
}

// keepIgnored writes .gitignore unless the one that is there does its work.
func keepIgnored(dir *fsroot.Dir) error {
	text, err := dir.ReadLimited(ignoreFile, maxIgnoreBytes)
	if err == nil && ignoresState(string(text)) {
		return nil
	}
	if errors.Is(err, fs.ErrNotExist) {
		if err = dir.CreateNew(ignoreFile, []byte(ignoreText)); !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	return dir.WriteAtomic(ignoreFile, []byte(ignoreText))
}

// ignoresState says whether the rules begin by ignoring everything and take back only what a
// project may share. Comments and blank lines are free.
func ignoresState(text string) bool {
	first := true
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
			continue
		case first && line != "*":
			return false
		case line[0] == '!' && line != "!config.yaml" && line != "!policy.yaml":
			return false
		}
		first = false
	}
	return !first
}
