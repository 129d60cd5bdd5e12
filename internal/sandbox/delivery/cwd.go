package delivery

import (
	"path"
	"strings"
)

// cwdToken is the only template that a working directory can be.
const cwdToken = "{{env.RUNX_CWD}}"

// resolveDir is the working directory of a child (skills 3.2). It need not exist.
func resolveDir(req Request) string {
	switch {
	case req.Cwd == "":
		return req.BaseDir
	case req.Cwd == cwdToken:
		return req.Workspace
	case isAbs(req.Host.OS, req.Cwd):
		return req.Cwd
	}
	return join(req.Host.OS, req.BaseDir, req.Cwd)
}

// resolveCommand leaves a name without a separator for the look-up in the child's PATH; any other
// is a path from the base directory, whatever the working directory is.
func resolveCommand(req Request) string {
	separators := "/"
	if req.Host.OS == "windows" {
		separators = `/\`
	}
	if !strings.ContainsAny(req.Command, separators) || isAbs(req.Host.OS, req.Command) {
		return req.Command
	}
	return join(req.Host.OS, req.BaseDir, req.Command)
}

// The path rules of the host's system, which path/filepath has only for the system it was built
// for.

func separator(os string) string {
	if os == "windows" {
		return `\`
	}
	return "/"
}

// isAbs says whether a path depends on no current directory and, on Windows, on no current drive.
func isAbs(os, name string) bool {
	if os != "windows" {
		return strings.HasPrefix(name, "/")
	}
	volume, rest := splitVolume(name)
	return volume != "" && (isSlash(rest) || strings.HasPrefix(volume, `\\`))
}

// join resolves a relative path from an absolute directory, lexically. On Windows a path that
// begins with a separator is on the drive of the directory.
func join(os, dir, name string) string {
	if os != "windows" {
		return path.Join(dir, name)
	}
	volume, rest := splitVolume(dir)
	if isSlash(name) {
		rest = ""
	}
	slashed := strings.ReplaceAll(rest+`\`+name, `\`, "/")
	return volume + strings.ReplaceAll(path.Clean("/"+slashed), "/", `\`)
}

// splitVolume cuts the drive (C:) or the share (\\server\share) off a Windows path; a share comes
// back with backslashes.
func splitVolume(name string) (volume, rest string) {
	if len(name) >= 2 && name[1] == ':' && isLetter(name[0]) {
		return name[:2], name[2:]
	}
	if len(name) < 2 || !isSlash(name) || !isSlash(name[1:]) {
		return "", name
	}
	server := slashIndex(name[2:])
	if server <= 0 {
		return "", name
	}
	share := 2 + server + 1
	if share >= len(name) || isSlash(name[share:]) {
		return "", name
	}
	end := len(name)
	if i := slashIndex(name[share:]); i >= 0 {
		end = share + i
	}
	return strings.ReplaceAll(name[:end], "/", `\`), name[end:]
}

func slashIndex(name string) int { return strings.IndexAny(name, `/\`) }

func isSlash(name string) bool { return slashIndex(name) == 0 }

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }
