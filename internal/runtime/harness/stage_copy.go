package harness

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/runx-go/runx/internal/sandbox/fsroot"
)

// copyTree copies a fixture directory: regular files with their permission to run, and links as
// they are (whether a package may have them is judged by admission). What is no part of a package,
// such as .git, is left out.
func copyTree(from, to string) error {
	source, err := os.OpenRoot(from)
	if err != nil {
		return err
	}
	defer source.Close()
	target, err := fsroot.Create(to, false)
	if err != nil {
		return err
	}
	defer target.Close()
	left := budget{files: maxFixtureFiles, bytes: maxFixtureBytes}
	return fs.WalkDir(source.FS(), ".", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case path == ".":
			return nil
		case noPackageName(entry.Name()) && entry.IsDir():
			return fs.SkipDir
		case noPackageName(entry.Name()):
			return nil
		}
		return copyEntry(source, target, path, entry, &left)
	})
}

// budget is what may still be copied.
type budget struct {
	files int
	bytes int64
}

// take accounts for one more entry.
func (b *budget) take(size int64) error {
	if b.files--; b.files < 0 {
		return fmt.Errorf("there are more than %d files", maxFixtureFiles)
	}
	if b.bytes -= size; b.bytes < 0 {
		return fmt.Errorf("the files have more than %d bytes", maxFixtureBytes)
	}
	return nil
}

// noPackageName names entries that are no part of a package (skills 1.1).
func noPackageName(name string) bool {
	switch name {
	case ".git", ".runx", "__pycache__", ".DS_Store":
		return true
	}
	return false
}

func copyEntry(source *os.Root, target *fsroot.Dir, path string, entry fs.DirEntry, left *budget) error {
	info, err := entry.Info()
	if err != nil {
		return err
	}
	size := int64(0)
	if info.Mode().IsRegular() {
		size = info.Size()
	}
	if err := left.take(size); err != nil {
		return err
	}
	switch {
	case info.IsDir():
		dir, err := target.Sub(fsroot.RelPath(path))
		if err != nil {
			return err
		}
		return dir.Close()
	case info.Mode()&fs.ModeSymlink != 0:
		to, err := source.Readlink(filepath.FromSlash(path))
		if err != nil {
			return err
		}
		return os.Symlink(to, filepath.Join(target.Name(), filepath.FromSlash(path)))
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is neither a file nor a directory", path)
	}
	from, err := fsroot.Open(source.Name())
	if err != nil {
		return err
	}
	defer from.Close()
	data, err := from.ReadLimited(fsroot.RelPath(path), info.Size())
	if err != nil {
		return err
	}
	return writeFile(target, path, data, info.Mode().Perm()&0o100 != 0)
}
