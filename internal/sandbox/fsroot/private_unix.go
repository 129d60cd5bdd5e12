//go:build unix

package fsroot

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

const (
	othersWrite = 0o022 // group or others may write
	othersAny   = 0o077 // group or others may do anything
)

// protect refuses a directory that somebody else can write. One that was just made is checked as
// well: a default access list of its parent may have widened it.
func (d *Dir) protect(bool) error {
	info, err := d.root.Stat(string(Self))
	if err != nil {
		return d.fail("look at", Self, err)
	}
	if err := checkOwner(d.name, info); err != nil {
		return err
	}
	if info.Mode().Perm()&othersWrite == 0 {
		return nil
	}
	return &PermissionError{Path: d.name, Repair: "chmod go-w " + quote(d.name),
		Reason: fmt.Sprintf("its mode %04o lets others write to it", info.Mode().Perm())}
}

// checkFile refuses a file with a secret that somebody else can reach.
func checkFile(path string, info fs.FileInfo) error {
	if err := checkOwner(path, info); err != nil {
		return err
	}
	if info.Mode().Perm()&othersAny == 0 {
		return nil
	}
	return &PermissionError{Path: path, Repair: "chmod 600 " + quote(path),
		Reason: fmt.Sprintf("its mode %04o lets others read or write it", info.Mode().Perm())}
}

func checkOwner(path string, info fs.FileInfo) error {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return fmt.Errorf("cannot find the owner of %s", path)
	}
	uid := os.Geteuid()
	if int64(stat.Uid) == int64(uid) {
		return nil
	}
	return &PermissionError{Path: path, Repair: fmt.Sprintf("sudo chown %d %s", uid, quote(path)),
		Reason: fmt.Sprintf("it belongs to user %d and runx runs as user %d", stat.Uid, uid)}
}
