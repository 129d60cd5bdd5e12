package cli

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
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
