package main_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// repositoryRoot leads from this directory, where the tests run, to the root of the repository.
const repositoryRoot = "../.."

// source is one parsed Go file, whatever its build constraints say.
type source struct {
	Path    string // slashes, from the repository's root
	Test    bool
	Text    string
	fset    *token.FileSet
	syntax  *ast.File
	imports map[string]string // local name -> import path
}

// TestSources holds every Go file against the rules that neither the compiler nor the linter has.
func TestSources(t *testing.T) {
	t.Parallel()
	files := repositorySources(t)
	contract, err := os.ReadFile(filepath.Join(repositoryRoot, "docs", "contract.md"))
	if err != nil {
		t.Errorf("cannot compare the RUNX_ names with the author's contract: %v", err)
	}
	for _, f := range files {
		for _, rule := range sourceRules {
			if rule.applies(f) {
				for _, fault := range rule.judge(f) {
					t.Errorf("%s: %s", fault, rule.name)
				}
			}
		}
		for _, fault := range undocumentedNames(f, string(contract)) {
			t.Errorf("%s: is not in docs/contract.md", fault)
		}
	}
	for _, fault := range packageCommentFaults(files) {
		t.Error(fault)
	}
	for name := range allowedVariables {
		if !declaresVariable(files, name) {
			t.Errorf("allowedVariables names %s, which does not exist", name)
		}
	}
}

// repositorySources parses every Go file below cmd, internal and scripts, and any other outside
// testdata and hidden directories.
func repositorySources(t *testing.T) []source {
	t.Helper()
	var files []source
	err := filepath.WalkDir(repositoryRoot, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(repositoryRoot, name)
		if err != nil {
			return err
		}
		base := entry.Name()
		if entry.IsDir() {
			if rel != "." && (base == "testdata" || base == "dist" || base[0] == '.' || base[0] == '_') {
				return filepath.SkipDir
			}
			return nil
		}
		if path.Ext(base) != ".go" || base[0] == '.' || base[0] == '_' {
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		f, err := parseSource(filepath.ToSlash(rel), string(text))
		files = append(files, f)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatal("no Go file found: is the test running in cmd/runx?")
	}
	return files
}

func parseSource(name, text string) (source, error) {
	f := source{
		Path: name, Test: strings.HasSuffix(name, "_test.go"), Text: text,
		fset: token.NewFileSet(), imports: map[string]string{},
	}
	var err error
	f.syntax, err = parser.ParseFile(f.fset, name, text, parser.ParseComments)
	if err != nil {
		return f, err
	}
	for _, spec := range f.syntax.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return f, err
		}
		local := path.Base(imported)
		if spec.Name != nil {
			local = spec.Name.Name
		}
		f.imports[local] = imported
	}
	return f, nil
}

// importing is the part of a source that the import table judges.
func (f source) importing() importingFile {
	file := importingFile{Path: f.Path, Test: f.Test}
	for _, spec := range f.syntax.Imports {
		imported, _ := strconv.Unquote(spec.Path.Value) // parseSource refused what is no string
		file.Imports = append(file.Imports, imported)
	}
	return file
}

// at writes the place of a node as file:line.
func (f source) at(node ast.Node) string {
	return f.Path + ":" + strconv.Itoa(f.fset.Position(node.Pos()).Line)
}

// selected is one use of a name of another package, such as os.Getenv.
type selected struct {
	Import, Name string
	Node         *ast.SelectorExpr
}

// selections returns the uses of names of imported packages; a local variable that hides a
// package's name is none.
func (f source) selections() (uses []selected) {
	ast.Inspect(f.syntax, func(node ast.Node) bool {
		sel, ok := node.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if id, ok := sel.X.(*ast.Ident); ok && id.Obj == nil {
			if imported, ok := f.imports[id.Name]; ok {
				uses = append(uses, selected{imported, sel.Sel.Name, sel})
			}
		}
		return true
	})
	return uses
}

// calls says whether a call is one of a function of an imported package.
func (f source) calls(call *ast.CallExpr, imported, name string) bool {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != name {
		return false
	}
	id, ok := sel.X.(*ast.Ident)
	return ok && id.Obj == nil && f.imports[id.Name] == imported
}

func (f source) isProduct() bool {
	return !f.Test && !strings.HasPrefix(f.Path, "scripts/")
}

// product, program and tests say which files a rule is about.
func product(f source) bool { return f.isProduct() }
func program(f source) bool { return !f.Test }
func tests(f source) bool   { return f.Test }
func all(source) bool       { return true }

// pure are the files that plan: product files with one of the names of the architecture.
func pure(f source) bool {
	base := strings.TrimSuffix(path.Base(f.Path), ".go")
	for _, suffix := range []string{"_unix", "_linux", "_darwin", "_windows", "_other"} {
		base = strings.TrimSuffix(base, suffix)
	}
	return f.isProduct() && slices.Contains([]string{
		"plan", "step", "machine", "phase", "classify", "select", "window", "merge", "compare",
	}, base)
}

// below is the product outside cmd/runx: what gets the facts of the process as values.
func below(f source) bool {
	return f.isProduct() && !strings.HasPrefix(f.Path, "cmd/runx/")
}

// TestSourceRules shows each rule one file that keeps it and several that do not.
func TestSourceRules(t *testing.T) {
	t.Parallel()
	for _, tt := range sourceRuleCases {
		t.Run(tt.rule+"/"+tt.name, func(t *testing.T) {
			t.Parallel()
			file := tt.file
			if file == "" {
				file = "internal/some/file.go"
			}
			f, err := parseSource(file, "package p\n"+tt.text)
			if err != nil {
				t.Fatal(err)
			}
			i := slices.IndexFunc(sourceRules, func(r sourceRule) bool { return r.name == tt.rule })
			if i < 0 {
				t.Fatalf("there is no rule %q", tt.rule)
			}
			var got []string
			if sourceRules[i].applies(f) {
				got = sourceRules[i].judge(f)
			}
			var want []string
			if tt.want != "" {
				want = []string{file + tt.want}
			}
			if diff := cmp.Diff(got, want); diff != "" {
				t.Errorf("faults (-got +want):\n%s", diff)
			}
		})
	}
	for _, rule := range sourceRules {
		shown := func(red bool) bool {
			return slices.ContainsFunc(sourceRuleCases, func(c sourceRuleCase) bool {
				return c.rule == rule.name && (c.want != "") == red
			})
		}
		if !shown(true) || !shown(false) {
			t.Errorf("rule %q needs a case that breaks it and one that keeps it", rule.name)
		}
	}
}

func TestPackageCommentFaults(t *testing.T) {
	t.Parallel()
	three := "// Package p is\n// three lines\n// long.\n"
	tests := []struct {
		name  string
		files map[string]string
		want  []string
	}{
		{"good", map[string]string{"internal/p/p.go": three + "package p", "internal/p/q.go": "package p"}, nil},
		{"none", map[string]string{"internal/p/p.go": "package p"}, []string{"internal/p: has no package comment"}},
		{"short", map[string]string{"internal/p/p.go": "// Package p.\npackage p"}, []string{"internal/p/p.go: the package comment has 1 lines, want 3 to 15"}},
		{"long", map[string]string{"internal/p/doc.go": strings.Repeat("// x\n", 16) + "package p"}, []string{"internal/p/doc.go: the package comment has 16 lines, want 3 to 15"}},
		{"six lines elsewhere", map[string]string{"internal/p/p.go": three + three + "package p"}, []string{"internal/p/p.go: a package comment of more than 5 lines belongs in doc.go"}},
		{"six lines in doc.go", map[string]string{"internal/p/doc.go": three + three + "package p"}, nil},
		{"two", map[string]string{"internal/p/a.go": three + "package p", "internal/p/b.go": three + "package p"}, []string{"internal/p: has 2 package comments"}},
		{"in a test only", map[string]string{"internal/p/a.go": "package p", "internal/p/a_test.go": three + "package p"}, []string{"internal/p: has no package comment"}},
		{"tests only", map[string]string{"internal/p/a_test.go": "package p"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var files []source
			for name, text := range tt.files {
				f, err := parseSource(name, text)
				if err != nil {
					t.Fatal(err)
				}
				files = append(files, f)
			}
			if diff := cmp.Diff(packageCommentFaults(files), tt.want); diff != "" {
				t.Errorf("faults (-got +want):\n%s", diff)
			}
		})
	}
}

func TestUndocumentedNames(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, file, text string
		want             []string
	}{
		{"documented", "internal/a/a.go", `const a = "RUNX_CWD"`, nil},
		{"missing", "internal/a/a.go", `const a = "set RUNX_NEW=1"`, []string{"internal/a/a.go:2: RUNX_NEW"}},
		{"a longer name is another", "internal/a/a.go", "const a = `RUNX_CW`", []string{"internal/a/a.go:2: RUNX_CW"}},
		{"an input's", "internal/a/a.go", `const a = "RUNX_INPUT_TEXT_PATH"`, nil},
		{"a case of the gate", "internal/runtime/harness/builtin_env.go", `const a = "RUNX_NEW"`, nil},
		{"prefix", "internal/a/a.go", `const a = "RUNX_INPUT_"`, nil},
		{"test file", "internal/a/a_test.go", `const a = "RUNX_NEW"`, nil},
		{"comment", "internal/a/a.go", `// RUNX_NEW`, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f, err := parseSource(tt.file, "package p\n"+tt.text)
			if err != nil {
				t.Fatal(err)
			}
			got := undocumentedNames(f, "`RUNX_CWD` and `RUNX_INPUT_<NAME>`")
			if diff := cmp.Diff(got, tt.want); diff != "" {
				t.Errorf("names (-got +want):\n%s", diff)
			}
		})
	}
}
