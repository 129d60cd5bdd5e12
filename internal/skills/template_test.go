package skills

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseTemplate(t *testing.T) {
	lit := func(text string) TemplatePart { return TemplatePart{Literal: text} }
	in := func(name string) TemplatePart { return TemplatePart{Input: name} }
	env := func(name string) TemplatePart { return TemplatePart{Env: name} }
	tests := []struct {
		name, text string
		want       []TemplatePart
	}{
		{"empty", "", nil},
		{"text", "a {b} }} $1 {", []TemplatePart{lit("a {b} }} $1 {")}},
		{"token", "{{name}}", []TemplatePart{in("name")}},
		{"tokens in text", "a{{b}}{{c}}d", []TemplatePart{lit("a"), in("b"), in("c"), lit("d")}},
		{"blanks", "{{ \tname  }}", []TemplatePart{in("name")}},
		{"dots", "{{thread.title}}", []TemplatePart{in("thread.title")}},
		{"environment", "{{env.REGION}}{{ env.A }}", []TemplatePart{env("REGION"), env("A")}},
		{"environment without a name", "{{env.}}", []TemplatePart{{}}},
		{"no environment", "{{env}}{{environment.X}}", []TemplatePart{in("env"), in("environment.X")}},
		{"no name", "{{}}", []TemplatePart{{}}},
		{"escaped", "{{{{name}}", []TemplatePart{lit("{{name}}")}},
		{"escaped before a token", "a{{{{{{name}}b", []TemplatePart{lit("a{{"), in("name"), lit("b")}},
		{"not closed", "a{{name} }", []TemplatePart{lit("a{{name} }")}},
		{"three braces", "{{{name}}}", []TemplatePart{in("{name"), lit("}")}},
		{"a token that looks like another", "{{a{{b}}", []TemplatePart{in("a{{b")}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			want := Template{Text: tt.text, Parts: tt.want}
			if diff := cmp.Diff(want, ParseTemplate(tt.text)); diff != "" {
				t.Errorf("template (-want +got):\n%s", diff)
			}
		})
	}
}

// Written out again, the parts of a template are the same template.
func FuzzParseTemplate(f *testing.F) {
	for _, seed := range []string{"", "{{a}}", "a{{{{b}}{{ env.C }}", "{{{{{{x", "{{env.}}{{}}", "{{{n}}}"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		first := ParseTemplate(text)
		var b strings.Builder
		open := false // a brace at an edge would join with those of a token
		for _, part := range first.Parts {
			switch {
			case part.Literal != "":
				open = open || strings.HasSuffix(part.Literal, "{")
				b.WriteString(strings.ReplaceAll(part.Literal, "{{", "{{{{"))
			case part.Env != "":
				b.WriteString("{{env." + part.Env + "}}")
			default:
				open = open || strings.HasPrefix(part.Input, "{") || strings.HasPrefix(part.Input, "env.")
				b.WriteString("{{" + part.Input + "}}")
			}
			open = open || strings.HasSuffix(part.Input+part.Env, "}")
			if strings.Contains(part.Input+part.Env, "}}") {
				t.Errorf("a name holds }}: %+v", part)
			}
		}
		if open {
			return
		}
		second := ParseTemplate(b.String())
		if diff := cmp.Diff(first.Parts, second.Parts); diff != "" {
			t.Errorf("%q and %q differ (-first +second):\n%s", text, b.String(), diff)
		}
	})
}
