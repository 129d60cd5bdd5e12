package codec

import (
	"bytes"
	"fmt"
	"slices"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// ParseYAML parses exactly one document strictly: rules 1, 2 and 7 of skills 1.2 (encoding,
// duplicate keys also in flow mappings with both lines, anchors, aliases, tags, directives, merge
// keys, `? ` keys, second document, limits). One `---` before the content is accepted. lineOffset
// is added to every line (frontmatter). The error is Errors. With faults that leave every key and
// value in its place (duplicate keys, of which the first is kept, anchors and tags) the document is
// returned beside the error, so that a reader can report more faults at once; it is for nothing else.
func ParseYAML(file string, data []byte, maxBytes, lineOffset int) (*Document, error) {
	y := &yamlReader{file: file, lineOffset: lineOffset, full: data}
	if len(data) > maxBytes {
		y.fault("yaml_limit", 0, fmt.Sprintf("the YAML text has %d bytes, the limit is %d", len(data), maxBytes), "")
		return nil, y.errors()
	}
	if fault := checkEncoding("encoding", file, data); fault != nil {
		fault.Line += lineOffset
		return nil, Errors{fault}
	}
	y.text = bytes.TrimPrefix(data, []byte(bom))
	y.base = len(data) - len(y.text)
	y.ascii = isASCII(y.text)
	y.scanLines()
	if len(y.faults) > 0 {
		return nil, y.errors()
	}
	tree, problem, line := parseTree(y.text)
	if problem != "" {
		y.libraryFault(problem, line)
		return nil, y.errors()
	}
	root := y.convert(tree)
	doc := &Document{File: file, Root: root, Warnings: y.warnings}
	switch {
	case y.lost:
		return nil, y.errors()
	case len(y.faults) > 0:
		return doc, y.errors()
	}
	return doc, nil
}

// yamlReader holds one text while it is read.
type yamlReader struct {
	file       string
	lineOffset int
	full       []byte // as given
	text       []byte // without the byte-order mark
	base       int    // bytes of the mark
	ascii      bool
	lines      []int // offset in text of each line
	faults     []*SyntaxError
	dropped    int // faults beyond maxFaults
	warnings   []*SyntaxError
	lost       bool // a fault hides a key or a value: what is missing or wrong cannot be judged
	// The cursor of offsetOf: nodes come in document order, so it mostly moves forward.
	curLine, curCol, curOffset int
	flowEnd                    int // offset behind the last flow collection that was scanned
}

// errors are the faults in source order.
func (y *yamlReader) errors() error {
	sortFaults(y.faults)
	if y.dropped > 0 {
		last := *y.faults[len(y.faults)-1]
		last.Msg = fmt.Sprintf("%d more faults are not shown", y.dropped)
		last.Key, last.Nearest, last.Hint = "", "", ""
		y.faults = append(y.faults, &last)
	}
	return Errors(y.faults)
}

// at makes a fault at an offset of text.
func (y *yamlReader) at(code string, offset int, msg, hint string) *SyntaxError {
	offset += y.base
	line, col := place(y.full, offset)
	return &SyntaxError{Code: code, File: y.file, Line: line + y.lineOffset, Col: col, Offset: offset, Msg: msg, Hint: hint}
}

// enough reports whether another fault would only be counted, and counts it.
func (y *yamlReader) enough() bool {
	if len(y.faults) < maxFaults {
		return false
	}
	y.dropped++
	return true
}

func (y *yamlReader) fault(code string, offset int, msg, hint string) {
	if !y.enough() {
		y.faults = append(y.faults, y.at(code, offset, msg, hint))
	}
}

// nodeFault adds a fault at the place of a node of the library.
func (y *yamlReader) nodeFault(code string, at *yaml.Node, key, msg, hint string) {
	if y.enough() {
		return
	}
	y.faults = append(y.faults, &SyntaxError{
		Code: code, File: y.file, Line: at.Line + y.lineOffset, Col: at.Column,
		Offset: y.base + y.offsetOf(at.Line, at.Column), Msg: msg, Key: key, Hint: hint,
	})
}

// offsetOf is the offset in text of a line and column, both from 1.
func (y *yamlReader) offsetOf(line, col int) int {
	if line < 1 || line > len(y.lines) {
		return len(y.text)
	}
	if y.ascii {
		return min(y.lines[line-1]+col-1, len(y.text))
	}
	if line != y.curLine || col < y.curCol {
		y.curLine, y.curCol, y.curOffset = line, 1, y.lines[line-1]
	}
	for y.curCol < col && y.curOffset < len(y.text) {
		_, size := utf8.DecodeRune(y.text[y.curOffset:])
		y.curOffset += size
		y.curCol++
	}
	return y.curOffset
}

// lineOf is the line of an offset in text, from 1.
func (y *yamlReader) lineOf(offset int) int {
	i, found := slices.BinarySearch(y.lines, offset)
	if found {
		return i + 1
	}
	return i
}

func isASCII(data []byte) bool {
	for _, c := range data {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
