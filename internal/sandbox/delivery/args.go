package delivery

import (
	"bytes"
	"fmt"

	"github.com/runx-go/runx/internal/sandbox"
)

// Part is one piece of an argument template: exactly one field is set; Literal may be empty when
// the others are. What a token becomes is text: it is never looked at for tokens again.
type Part struct{ Literal, Input, Env string }

// argument is one argument whose pieces are known and not joined yet: a piece can be large, and
// one that does not fit is never copied.
type argument struct {
	number int // 1 is the first after the command
	pieces [][]byte
	size   int    // bytes
	input  *value // the input that gave the largest piece, or nil
}

func (a argument) join() string { return string(bytes.Join(a.pieces, nil)) }

// what names the argument in a message.
func (a argument) what() string {
	switch {
	case a.number == 0:
		return "the command"
	case a.input != nil:
		return fmt.Sprintf("argument %d with input %q", a.number, a.input.input)
	}
	return fmt.Sprintf("argument %d", a.number)
}

// hint advises the way that has no limit.
func (a argument) hint() string {
	if a.input == nil {
		return "pass the text as an input and read the file that RUNX_INPUT_<NAME>_PATH names"
	}
	return "use " + inputPrefix + a.input.name + pathSuffix + " instead: it names a file with the complete value"
}

// resolveArgs replaces the tokens, in one pass. An input or variable that is absent is empty text.
func resolveArgs(os string, templates [][]Part, values []value, env map[string]string) ([]argument, *Refusal) {
	byInput := make(map[string]*value, len(values))
	for i := range values {
		byInput[values[i].input] = &values[i]
	}
	args := make([]argument, 0, len(templates))
	for i, template := range templates {
		arg := argument{number: i + 1}
		for _, part := range template {
			text, from := []byte(part.Literal), (*value)(nil)
			switch {
			case part.Input != "":
				text = nil
				if from = byInput[part.Input]; from != nil {
					text = from.text
				}
			case part.Env != "":
				text = []byte(env[sandbox.FoldName(os, part.Env)])
			}
			if refusal := checkNUL(arg, text, from); refusal != nil {
				return nil, refusal
			}
			if from != nil && (arg.input == nil || len(from.text) > len(arg.input.text)) {
				arg.input = from
			}
			arg.pieces = append(arg.pieces, text)
			arg.size += len(text)
		}
		args = append(args, arg)
	}
	return args, nil
}

func checkNUL(arg argument, text []byte, from *value) *Refusal {
	switch {
	case from != nil && from.nul:
		arg.input = from
		return refuse(codeArgNUL, arg.hint(),
			"cannot pass argument %d: the value of input %q holds a NUL character", arg.number, from.input)
	case from == nil && bytes.IndexByte(text, 0) >= 0:
		return refuse(codeArgNUL, "take the NUL character out of the argument",
			"cannot pass argument %d: its text holds a NUL character", arg.number)
	}
	return nil
}
