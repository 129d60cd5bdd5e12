package delivery

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// File is one input file. Data shares the memory of the Request: it is read, never changed.
type File struct {
	Name string // portable file name, at most 64 ASCII characters
	Data []byte
}

// value is one present input as a child sees it.
type value struct {
	input string // the author's name
	name  string // NAME of its variables
	text  []byte // rendered
	nul   bool
}

func renderAll(members []Input) ([]value, error) {
	values := make([]value, 0, len(members))
	for _, m := range members {
		text, err := render(m.Raw)
		if err != nil {
			return nil, fmt.Errorf("cannot render input %q: %w", m.Name, err)
		}
		values = append(values, value{
			input: m.Name, name: VariableName(m.Name), text: text, nul: bytes.IndexByte(text, 0) >= 0,
		})
	}
	return values, nil
}

// layInputs plans the files of the inputs and their variables: the path of each file always, its
// text when it is small enough.
func layInputs(os, dir string, object json.RawMessage, values []value) ([]File, []variable) {
	files := make([]File, 0, 1+len(values))
	vars := make([]variable, 0, 2+2*len(values))
	add := func(file, pathName, mirrorName string, text []byte, limit int) {
		files = append(files, File{Name: file, Data: text})
		vars = append(vars, variable{name: pathName, value: dir + separator(os) + file})
		if len(text) <= limit && bytes.IndexByte(text, 0) < 0 {
			vars = append(vars, variable{name: mirrorName, value: string(text), mirror: true})
		}
	}
	add("inputs.json", nameInputsPath, nameInputsJSON, object, inputsMirrorBytes)
	for i, v := range values {
		variable := inputPrefix + v.name
		add(fileName(i+1, v.name), variable+pathSuffix, variable, v.text, inputMirrorBytes)
	}
	return files, vars
}

// fileName is made of lower-case ASCII, so that every system stores it; the number keeps the names
// apart when a long one is cut.
func fileName(number int, variable string) string {
	stem := strings.ToLower(variable[:min(len(variable), fileStemBytes)])
	return "input-" + strconv.Itoa(number) + "-" + strings.TrimRight(stem, "_") + ".txt"
}
