package delivery

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/runx-go/runx/internal/sandbox"
)

// fit leaves out the inline mirrors that have no room, from the end of the byte order of their
// names, and refuses what then still does not fit (skills 3.1, 3.4). dropped is sorted.
func fit(host sandbox.Host, command argument, args []argument, vars []variable) (kept []variable, dropped []string, refusal *Refusal) {
	drop := func(v variable) { dropped = append(dropped, v.name) }
	words := cost(command.size)
	for _, a := range args {
		words += cost(a.size)
	}
	total := spareBytes + words
	var mirrors []variable
	for _, v := range vars {
		if v.mirror && host.OS == "windows" && units(v.entry()) > windowsUnits {
			drop(v)
			continue
		}
		total += cost(v.size())
		if v.mirror {
			mirrors = append(mirrors, v)
		}
	}
	slices.SortFunc(mirrors, func(a, b variable) int { return strings.Compare(a.name, b.name) })
	for host.ArgEnvLimit > 0 && total > host.ArgEnvLimit && len(mirrors) > 0 {
		last := mirrors[len(mirrors)-1]
		mirrors = mirrors[:len(mirrors)-1]
		drop(last)
		total -= cost(last.size())
	}
	slices.Sort(dropped)
	for _, v := range vars {
		if _, out := slices.BinarySearch(dropped, v.name); !out || !v.mirror {
			kept = append(kept, v)
		}
	}
	return kept, dropped, judge(host, load{command: command, args: args, vars: kept, words: words, total: total})
}

// cost is what a text of so many bytes takes of the limit for all.
func cost(size int) int { return size + textOverhead }

// load is what a start would hand to the system.
type load struct {
	command argument
	args    []argument
	vars    []variable
	words   int // cost of command and arguments
	total   int // cost of all, with what is to spare
}

func judge(host sandbox.Host, l load) *Refusal {
	word := l.command
	for _, a := range l.args {
		if a.size > word.size {
			word = a
		}
	}
	// There is always a variable: RUNX_CWD.
	largest := slices.MaxFunc(l.vars, func(a, b variable) int { return cmp.Compare(a.size(), b.size()) })
	switch {
	case host.OS == "linux" && word.size > linuxTextBytes && word.size >= largest.size():
		return refuse(codeArgTooLarge, word.hint(),
			"cannot pass %s: it has %d bytes, and Linux takes at most %d in one text", word.what(), word.size, linuxTextBytes)
	case host.OS == "linux" && largest.size() > linuxTextBytes:
		return refuse(codeEnvTooLarge, shorten(largest),
			"cannot pass the variable %s: it has %d bytes with its name, and Linux takes at most %d in one text", largest.name, largest.size(), linuxTextBytes)
	case host.OS == "windows":
		if refusal := judgeWindows(l, word); refusal != nil {
			return refusal
		}
	}
	if host.ArgEnvLimit <= 0 || l.total <= host.ArgEnvLimit {
		return nil
	}
	const format = "cannot pass arguments and environment: together they need %d bytes, and the system takes at most %d; the largest is %s with %d bytes"
	if word.size >= largest.size() || spareBytes+l.words > host.ArgEnvLimit {
		return refuse(codeArgTooLarge, word.hint(), format, l.total, host.ArgEnvLimit, word.what(), word.size)
	}
	return refuse(codeEnvTooLarge, shorten(largest), format, l.total, host.ArgEnvLimit, "the variable "+largest.name, largest.size())
}

// judgeWindows knows the limits of single variables and of the command line. word is the largest
// argument.
func judgeWindows(l load, word argument) *Refusal {
	line := lineUnits(l.command.pieces, windowsUnits) + 1 // with its NUL
	for _, a := range l.args {
		if line > windowsUnits {
			break
		}
		line += 1 + lineUnits(a.pieces, windowsUnits)
	}
	if line > windowsUnits {
		return refuse(codeArgTooLarge, word.hint(),
			"cannot pass the arguments: Windows takes a command line of at most %d UTF-16 units; the largest is %s with %d bytes", windowsUnits, word.what(), word.size)
	}
	for _, v := range l.vars {
		if n := units(v.entry()); n > windowsUnits {
			return refuse(codeEnvTooLarge, shorten(v),
				"cannot pass the variable %s: it has %d UTF-16 units with its name, and Windows takes at most %d", v.name, n, windowsUnits)
		}
	}
	return nil
}

// shorten is the hint for a variable; of those that runx makes itself only paths can be large.
func shorten(v variable) string {
	if strings.HasPrefix(v.name, reservedPrefix) {
		return "use shorter paths for the workspace and the state directory"
	}
	return "make the value of " + v.name + " shorter"
}

// units is the length of a text in UTF-16. An invalid byte counts as one.
func units(text string) int {
	n := 0
	for _, r := range text {
		n += runeUnits(r)
	}
	return n
}

func runeUnits(r rune) int {
	if r > 0xFFFF {
		return 2
	}
	return 1
}

// lineUnits is the length of an argument in a Windows command line, in UTF-16 units, with the
// quotes and backslashes that keep it one argument. It stops counting beyond limit.
func lineUnits(pieces [][]byte, limit int) int {
	n, slashes, quoted, empty := 0, 0, false, true
	for _, piece := range pieces {
		for len(piece) > 0 && n <= limit {
			r, size := utf8.DecodeRune(piece)
			piece, empty = piece[size:], false
			n += runeUnits(r)
			switch r {
			case '\\':
				slashes++
				continue
			case '"': // itself and each backslash before it is escaped
				n += 1 + slashes
			case ' ', '\t':
				quoted = true
			}
			slashes = 0
		}
	}
	if quoted || empty {
		n += 2
	}
	if quoted {
		n += slashes
	}
	return n
}
