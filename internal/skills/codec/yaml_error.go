package codec

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// errLibrary stands for a panic of the library, which its own recovery lets through.
var errLibrary = errors.New("yaml: the structure cannot be understood")

// parseTree parses text with the library. problem is "" when it is fine; line is the one that the
// library named, or 0. The library's errors are only text: this function and libraryFault are the
// one place that reads it.
func parseTree(text []byte) (tree *yaml.Node, problem string, line int) {
	tree = new(yaml.Node)
	err := unmarshal(text, tree)
	if err == nil {
		return tree, "", 0
	}
	problem = strings.TrimPrefix(err.Error(), "yaml: ")
	if rest, ok := strings.CutPrefix(problem, "line "); ok {
		if number, after, ok := strings.Cut(rest, ": "); ok {
			if n, err := strconv.Atoi(number); err == nil {
				line, problem = n, after
			}
		}
	}
	return nil, problem, line
}

func unmarshal(text []byte, tree *yaml.Node) (err error) {
	defer func() {
		if recover() != nil {
			err = errLibrary
		}
	}()
	return yaml.Unmarshal(text, tree)
}

// libraryFault turns an error text of the library into a fault with a place and a hint.
func (y *yamlReader) libraryFault(problem string, line int) {
	if name, ok := strings.CutPrefix(problem, "unknown anchor '"); ok {
		name, _, _ = strings.Cut(name, "' referenced")
		y.fault("yaml_feature", findAlias(y.text, name), "an alias (*"+shorten(name)+") is not allowed",
			"write the value out, or quote a value that begins with *")
		return
	}
	line = y.failingLine(problem, line)
	offset := y.lines[line-1]
	text := y.text[offset:lineEnd(y.text, offset)]
	indent := len(text) - len(bytes.TrimLeft(text, " \t"))
	offset += indent
	text = bytes.TrimRight(text[indent:], " \t\r")
	switch {
	case strings.HasPrefix(problem, "exceeded max depth"):
		y.fault("yaml_limit", offset, fmt.Sprintf("the nesting is deeper than %d", yamlDepth), "")
	case strings.HasPrefix(problem, "mapping values are not allowed"):
		at, second := innerColon(text)
		if !second {
			y.fault("yaml_syntax", offset+at, "a key cannot stand here", "align the line with its neighbours, or quote the whole value")
			break
		}
		y.fault("yaml_syntax", offset+at, "a colon and a blank inside a value that is not quoted", "quote the value: "+quoteHint(text))
	case bytes.IndexByte(y.text[offset-indent:offset], '\t') >= 0:
		y.fault("yaml_syntax", offset-indent, "a tab cannot indent", "indent with spaces")
	case strings.HasPrefix(problem, "found character that cannot start any token"):
		y.fault("yaml_syntax", offset+oddStart(text), "a value cannot begin with "+quoteByte(text, oddStart(text)), "quote the value")
	default:
		y.fault("yaml_syntax", offset, problem, syntaxHint(problem))
	}
}

// failingLine finds the line with which the text begins to fail like this. The library's own
// number is that of a context, counted from 0 or from 1: it is used for large texts only.
func (y *yamlReader) failingLine(problem string, named int) int {
	if len(y.text) > searchBytes {
		return min(max(named, 1), len(y.lines))
	}
	low, high := 0, len(y.lines) // the first low lines do not fail like this, the first high do
	for low+1 < high {
		middle := (low + high) / 2
		if _, p, _ := parseTree(y.text[:y.lines[middle]]); p == problem {
			high = middle
		} else {
			low = middle
		}
	}
	return high
}

// innerColon is the offset in a line of the second `: `, the one that breaks it; or of the only one.
func innerColon(line []byte) (at int, second bool) {
	first := bytes.Index(line, []byte(": "))
	if first < 0 {
		return max(len(line)-1, 0), false
	}
	rest := line[first+2:]
	if i := bytes.Index(rest, []byte(": ")); i >= 0 {
		return first + 2 + i, true
	}
	if bytes.HasSuffix(rest, []byte(":")) {
		return len(line) - 1, true
	}
	return first, false
}

// quoteHint shows the line with its value in quotes, when the line is short and has a key.
func quoteHint(line []byte) string {
	const shown = 120
	key, value, ok := strings.Cut(string(line), ": ")
	if !ok || len(line) > shown || strings.ContainsAny(value, `"'\`) {
		return `key: "text: more text"`
	}
	return key + `: "` + strings.TrimSpace(value) + `"`
}

// oddStart is the offset in a line of the character that begins a value but may not.
func oddStart(line []byte) int {
	start := 0
	for {
		rest := line[start:]
		if after, ok := bytes.CutPrefix(rest, []byte("- ")); ok {
			start = len(line) - len(bytes.TrimLeft(after, " "))
			continue
		}
		break
	}
	if at := bytes.IndexAny(line[start:], "@`%\t"); at >= 0 {
		return start + at
	}
	return 0
}

func quoteByte(line []byte, at int) string {
	if at >= len(line) {
		return "this character"
	}
	if line[at] == '\t' {
		return "a tab"
	}
	return string([]rune(string(bytes.ToValidUTF8(line[at:], nil)))[:1])
}

func syntaxHint(problem string) string {
	switch {
	case strings.Contains(problem, "expected ':'"):
		return "write key: value, and indent the lines that continue a value"
	case strings.Contains(problem, "expected key"), strings.Contains(problem, "expected '-' indicator"):
		return "align the line with its neighbours, or quote the value"
	case strings.Contains(problem, "expected ',' or"):
		return "close the bracket, or quote a value that contains one of [ ] { } , ?"
	case strings.Contains(problem, "quoted scalar"), strings.Contains(problem, "end of stream"):
		return "close the quote"
	case strings.Contains(problem, "escape"):
		return "use single quotes, or write \\\\ for a backslash"
	default:
		return "quote the value"
	}
}

// findAlias is the offset of *name where a value may begin.
func findAlias(text []byte, name string) int {
	mark := []byte("*" + name)
	for from := 0; ; {
		i := bytes.Index(text[from:], mark)
		if i < 0 {
			return 0
		}
		at := from + i
		if at == 0 || isBlank(text[at-1]) || bytes.IndexByte([]byte("[{,:"), text[at-1]) >= 0 {
			return at
		}
		from = at + 1
	}
}
