package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/runx-go/runx/internal/sandbox/fsroot"
)

// stateCheck judges the state. The default one must not be a link: no run would use it.
func stateCheck(p *place) check {
	const other = "name another place with --state-dir"
	path := p.stateDir()
	if path == filepath.Join(p.workspace, projectFolder) {
		if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return check{"state", checkFailed, path + " is a link, which a repository could have brought along", "remove it, or " + other}
		}
	}
	return folderCheck("state", path, other)
}

// folderCheck judges a folder of runx, or the place where it would be made. Nothing that it makes
// stays. other is how to name another place.
func folderCheck(id, path, other string) check {
	if path == "" {
		return check{id, checkFailed, "no place is known: HOME is not set", "set HOME or XDG_CONFIG_HOME"}
	}
	there, info, err := nearestFolder(path)
	switch {
	case err != nil:
		return check{id, checkFailed, fmt.Sprintf("cannot look at %s: %s", there, readCause(err)), "remove or repair " + there + ", or " + other}
	case !info.IsDir():
		return check{id, checkFailed, there + " is no directory", "remove it, or " + other}
	case there != path:
		dir, err := fsroot.Open(there)
		if err == nil {
			err = errors.Join(writable(dir), dir.Close())
		}
		if err != nil {
			return check{id, checkFailed, fmt.Sprintf("%s cannot be made: %v", path, err), "check the permissions of " + there + ", or " + other}
		}
		return check{id, checkOK, path + " will be made when it is needed", ""}
	}
	dir, err := fsroot.Create(path, true)
	if perm, ok := errors.AsType[*fsroot.PermissionError](err); ok {
		return check{id, checkFailed, perm.Error(), perm.Repair}
	}
	if err == nil {
		err = errors.Join(writable(dir), dir.Close())
	}
	if err != nil {
		return check{id, checkFailed, fmt.Sprintf("%s cannot be written: %v", path, err), "check its permissions and the disk, or " + other}
	}
	return check{id, checkOK, path, ""}
}

// nearestFolder is what exists of a path, from its end: the path itself, else the folder in which
// its missing part would be made. An error is that of looking at what it returns, such as a link
// that leads nowhere.
func nearestFolder(path string) (there string, info fs.FileInfo, err error) {
	for there = filepath.Clean(path); ; there = filepath.Dir(there) {
		info, err = os.Stat(there)
		// What lies below a file is not there either, in words that differ between systems: so the
		// search goes up for every error but one of permissions.
		if err == nil || errors.Is(err, fs.ErrPermission) || filepath.Dir(there) == there {
			return there, info, err
		}
		if _, linkErr := os.Lstat(there); linkErr == nil {
			return there, nil, err
		}
	}
}

// writable makes an empty folder and removes it. One that another doctor has just made proves the
// same.
func writable(dir *fsroot.Dir) error {
	const name = ".runx-doctor"
	if err := dir.Mkdir(name); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	if err := dir.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
