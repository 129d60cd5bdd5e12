package cli

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"

	"github.com/runx-go/runx/internal/sandbox/fsroot"
	"github.com/runx-go/runx/internal/skills"
	"github.com/runx-go/runx/internal/skills/admission"
	"github.com/runx-go/runx/internal/skills/codec"
	"github.com/runx-go/runx/internal/skills/schema"
)

// Every error that this package makes says what to try.
func TestEveryErrorHasAHint(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("no sources (%v)", err)
	}
	set, seen := token.NewFileSet(), 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(set, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(node ast.Node) bool {
			hint, made := hintOf(node)
			if !made {
				return true
			}
			seen++
			if lit, isText := hint.(*ast.BasicLit); hint == nil || isText && lit.Value == `""` {
				t.Errorf("%s: an error without a hint", set.Position(node.Pos()))
			}
			return true
		})
	}
	if seen < 40 {
		t.Errorf("only %d errors were found: does the test still see them?", seen)
	}
}

// hintOf is the hint of an expression that makes an error; nil when it has none.
func hintOf(node ast.Node) (hint ast.Expr, made bool) {
	switch node := node.(type) {
	case *ast.CallExpr:
		if name, ok := node.Fun.(*ast.Ident); ok && name.Name == "usage" && len(node.Args) == 3 {
			return node.Args[2], true
		}
	case *ast.CompositeLit:
		of, ok := node.Type.(*ast.SelectorExpr)
		if !ok || of.Sel.Name != "Error" && of.Sel.Name != "Fault" {
			return nil, false
		}
		for _, element := range node.Elts {
			if pair, ok := element.(*ast.KeyValueExpr); ok {
				if key, ok := pair.Key.(*ast.Ident); ok && key.Name == "Hint" {
					return pair.Value, true
				}
			}
		}
		return nil, len(node.Elts) > 0
	}
	return nil, false
}

// An error of a lower room that has no hint gets one.
func TestForeignErrorsGetAHint(t *testing.T) {
	tests := []struct {
		name string
		err  error
		want string
	}{
		{"a finding without a hint", &admission.RefusedError{Dir: "/w/a b", Reasons: []skills.Finding{{Code: "yaml_type"}}}, "runx skill validate '/w/a b'"},
		{"a finding with a hint", &admission.RefusedError{Reasons: []skills.Finding{{Code: "x", Hint: "keep it"}}}, "keep it"},
		{"no finding", &admission.RefusedError{Dir: "/w/a"}, "runx skill validate /w/a"},
		{"a choice", &admission.ChoiceError{Code: "x"}, "runx skill inspect shows what a package offers"},
		{"JSON", &codec.SyntaxError{Code: "input_json"}, "correct it at that place"},
		{"inputs", &schema.BindError{Failures: []schema.Failure{{Code: "input_type"}}}, "--help behind the package shows its inputs"},
		{"permissions", &fsroot.PermissionError{Repair: "chmod 600 x"}, "chmod 600 x"},
		{"a signal", ErrInterrupted, "run it again"},
		{"a bug", errors.New("x"), "this is a bug in runx: run it again with --debug and report what it prints"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := asError(t.Context(), tt.err).Hint; got != tt.want {
				t.Errorf("hint %q, want %q", got, tt.want)
			}
		})
	}
}
