package session

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/runx-go/runx/internal/sandbox/fsroot"
)

const (
	ignoreFile fsroot.RelPath = ".gitignore"
	// ignoreText keeps everything out of a repository but what a project may share.
	ignoreText = "*\n!config.yaml\n!policy.yaml\n"
)

// InitState opens the state directory, making it (0700) when missing, and writes its .gitignore
// once: a file that is there is left as it is. A directory that others can write is refused with
// *fsroot.PermissionError; other errors are those of the file system.
func InitState(path string) (*fsroot.Dir, error) {
	dir, err := fsroot.Create(path, true)
	if err != nil {
		return nil, err
	}
	if err := dir.CreateNew(ignoreFile, []byte(ignoreText)); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, errors.Join(fmt.Errorf("cannot keep the state out of repositories: %w", err), dir.Close())
	}
	return dir, nil
}
