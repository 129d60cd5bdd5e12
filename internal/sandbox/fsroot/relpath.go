package fsroot

import (
	"fmt"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"
)

// RelPath is a portable path below a root: slash-separated, no empty, . or .. part, no backslash,
// no control character, valid UTF-8. The zero RelPath and Self mean the directory itself.
type RelPath string

// Self is the directory itself, for Sub, Open, Stat, Lstat and ReadDir. Nothing can be written to,
// removed or locked by this name.
const Self RelPath = "."

// ParseRelPath makes a RelPath of a text, or says what is wrong with the text. It does not ask
// whether every platform can store the name: Portable does.
func ParseRelPath(text string) (RelPath, error) {
	if reason := malformed(text); reason != "" {
		return "", fmt.Errorf("cannot use path %q: %s", text, reason)
	}
	return RelPath(text), nil
}

// Portable says whether every platform can store the name, and why not: it refuses what is no
// RelPath, parts with <>:"|?*, with a dot or blank at the end, over 255 bytes, and names of Windows
// devices (CON, NUL, AUX, COM1, with any extension).
func (p RelPath) Portable() error {
	if reason := malformed(string(p)); reason != "" {
		return fmt.Errorf("cannot store path %q: %s", string(p), reason)
	}
	for part := range strings.SplitSeq(string(p), "/") {
		if reason := unportable(part); reason != "" {
			return fmt.Errorf("cannot store path %q on every platform: %s", string(p), reason)
		}
	}
	return nil
}

// Join appends the parts of another path.
func (p RelPath) Join(q RelPath) RelPath {
	switch {
	case p.isSelf():
		return q
	case q.isSelf():
		return p
	}
	return p + "/" + q
}

// Base is the last part.
func (p RelPath) Base() string { return path.Base(string(p)) }

func (p RelPath) isSelf() bool { return p == "" || p == Self }

// local is the spelling for os.Root.
func (p RelPath) local() string {
	if p.isSelf() {
		return string(Self)
	}
	return string(p)
}

// split returns the directory of the last part, and the part.
func (p RelPath) split() (RelPath, string) {
	i := strings.LastIndexByte(string(p), '/')
	if i < 0 {
		return Self, string(p)
	}
	return p[:i], string(p[i+1:])
}

func malformed(text string) string {
	switch {
	case text == "":
		return "it is empty"
	case !utf8.ValidString(text):
		return "it is not valid UTF-8"
	case strings.HasPrefix(text, "/"):
		return "it is not relative"
	case strings.Contains(text, `\`):
		return "it has a backslash"
	case strings.ContainsFunc(text, unicode.IsControl):
		return "it has a control character"
	}
	for part := range strings.SplitSeq(text, "/") {
		switch part {
		case "":
			return "it has an empty part"
		case ".", "..":
			return fmt.Sprintf("it has a %q part", part)
		}
	}
	return ""
}

func unportable(part string) string {
	if i := strings.IndexAny(part, `<>:"|?*`); i >= 0 {
		return fmt.Sprintf("it has the character %q", part[i:i+1])
	}
	if len(part) > maxNameBytes {
		return fmt.Sprintf("a part has %d bytes, over the limit of %d", len(part), maxNameBytes)
	}
	if last := part[len(part)-1]; last == '.' || last == ' ' {
		return "a part ends in a dot or a blank"
	}
	if isDevice(part) {
		return fmt.Sprintf("%q is the name of a device on Windows", part)
	}
	return ""
}

// isDevice says whether Windows takes the name for a device, whatever its extension.
func isDevice(part string) bool {
	stem, _, _ := strings.Cut(part, ".")
	stem = strings.ToUpper(strings.TrimRight(stem, " "))
	switch stem {
	case "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$":
		return true
	}
	number, ok := strings.CutPrefix(stem, "COM")
	if !ok {
		number, ok = strings.CutPrefix(stem, "LPT")
	}
	if !ok {
		return false
	}
	switch number {
	case "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "¹", "²", "³":
		return true
	}
	return false
}
