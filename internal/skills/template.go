package skills

import "strings"

// Template is one argument of a cli-tool: literal text and tokens, in order. Text is the author's.
type Template struct {
	Text  string
	Parts []TemplatePart
	// At is where the argument stands; ParseTemplate leaves it zero.
	At Position
}

// TemplatePart is a piece of a template: exactly one of the fields is set.
type TemplatePart struct {
	Literal string
	Input   string // {{name}}
	Env     string // {{env.NAME}}
}

// ParseTemplate splits an argument into literal text and tokens. Blanks inside the braces are
// allowed; `{{{{` is a literal `{{`; `{{` without a closing `}}` is text; a token that begins with
// `env.` is always an environment token. Whether a name is declared is judged by admission.
func ParseTemplate(text string) Template {
	t := Template{Text: text}
	var literal strings.Builder
	flush := func() {
		if literal.Len() > 0 {
			t.Parts = append(t.Parts, TemplatePart{Literal: literal.String()})
			literal.Reset()
		}
	}
	for rest := text; rest != ""; {
		open := strings.Index(rest, "{{")
		if open < 0 {
			literal.WriteString(rest)
			break
		}
		literal.WriteString(rest[:open])
		rest = rest[open:]
		if strings.HasPrefix(rest, "{{{{") {
			literal.WriteString("{{")
			rest = rest[4:]
			continue
		}
		end := strings.Index(rest, "}}")
		if end < 0 {
			literal.WriteString(rest)
			break
		}
		flush()
		name := strings.Trim(rest[2:end], " \t")
		if env, ok := strings.CutPrefix(name, "env."); ok {
			t.Parts = append(t.Parts, TemplatePart{Env: env})
		} else {
			t.Parts = append(t.Parts, TemplatePart{Input: name})
		}
		rest = rest[end+2:]
	}
	flush()
	return t
}
