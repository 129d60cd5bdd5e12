package main_test

import (
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// sourceRule is one rule: the files it is about, and the places (file:line: what) that break it.
type sourceRule struct {
	name    string
	applies func(source) bool
	judge   func(source) []string
}

// sourceRules are the rules for single files. Each has cases in sourceRuleCases.
var sourceRules = []sourceRule{
	{"only cmd/runx looks at the process", below, hostUses},
	{"writes go through fsroot", below, fileWrites},
	{"clocks come from Options", below, clockCalls},
	{"reads have a ceiling", below, openReads},
	{"a file that plans is pure", pure, impurities},
	{"there is no init", program, initFunctions},
	{"no mutable package variable", program, packageVariables},
	{"at most 400 lines", program, lineCount},
	{"exported names have a comment", product, uncommentedNames},
	{"nothing is left to do", all, leftovers},
	{"a skip stands in a named condition with a reason", tests, bareSkips},
}

// allowedVariables are package variables besides sentinels, embedded files and assertions, as
// directory.name, with the reason.
var allowedVariables = map[string]string{
	"cmd/runx.version":            "the linker sets it",
	"cmd/runx.commit":             "the linker sets it",
	"internal/sandbox/proc.trees": "the kernel keeps one list of children a process",
}

// fileWriters are the packages besides sandbox/fsroot that may name a writing function of os.
var fileWriters = map[string]string{
	"runtime/harness": "it makes the throw-away workspaces of its cases, before there is a root to open",
	"sandbox/proc":    "OpenFile, to read without waiting for a pipe",
}

// processUsers are uses of the process below cmd/runx, as package.name, with the reason.
var processUsers = map[string]string{
	"sandbox/fsroot.Geteuid": "compares the owner of an open file with who would be refused",
}

// clockUsers are the packages that may call a clock instead of taking one, with the functions.
var clockUsers = map[string][]string{
	"sandbox/proc":    {"Now", "Since", "Sleep"}, // supervises processes in real time
	"runtime/harness": {"Now", "Since", "Sleep"}, // measures its cases and waits for real survivors
	"sandbox/fsroot":  {"Sleep"},                 // Windows: another process has the target open
}

// processNames are the names by which a program sees or changes the process it is.
func processNames(imported string) []string {
	switch imported {
	case "os":
		return []string{
			"Args", "Environ", "Getenv", "LookupEnv", "ExpandEnv", "Setenv", "Unsetenv", "Clearenv",
			"Stdin", "Stdout", "Stderr", "Exit", "Getwd", "Chdir", "Executable", "Hostname",
			"UserHomeDir", "UserConfigDir", "UserCacheDir", "TempDir", "Getuid", "Geteuid",
		}
	case "syscall", "golang.org/x/sys/unix", "golang.org/x/sys/windows":
		return []string{"Getenv", "Environ", "Setenv", "Unsetenv", "Clearenv", "Exit", "Stdin", "Stdout", "Stderr"}
	case "os/exec":
		return []string{"LookPath"} // reads PATH
	case "fmt":
		return []string{"Print", "Printf", "Println", "Scan", "Scanf", "Scanln"}
	case "log/slog":
		return []string{"SetDefault", "Default", "Debug", "Info", "Warn", "Error", "Log", "LogAttrs"}
	}
	return nil
}

func hostUses(f source) (faults []string) {
	pkg, _ := packageOf(f.Path)
	for _, use := range f.selections() {
		if slices.Contains(processNames(use.Import), use.Name) && processUsers[pkg+"."+use.Name] == "" {
			faults = append(faults, fmt.Sprintf("%s: %s.%s", f.at(use.Node), path.Base(use.Import), use.Name))
		}
	}
	ast.Inspect(f.syntax, func(node ast.Node) bool {
		call, ok := node.(*ast.CallExpr)
		if !ok {
			return true
		}
		if id, ok := call.Fun.(*ast.Ident); ok && id.Obj == nil && (id.Name == "print" || id.Name == "println") {
			faults = append(faults, f.at(call)+": "+id.Name)
		}
		return true
	})
	return faults
}

func fileWrites(f source) (faults []string) {
	pkg, _ := packageOf(f.Path)
	if pkg == "sandbox/fsroot" || fileWriters[pkg] != "" {
		return nil
	}
	for _, use := range f.selections() {
		if use.Import == "os" && slices.Contains([]string{
			"WriteFile", "Create", "CreateTemp", "OpenFile", "Mkdir", "MkdirAll", "MkdirTemp", "Rename", "Remove", "RemoveAll",
			"Symlink", "Link", "Chmod", "Chown", "Chtimes", "Truncate", "CopyFS",
		}, use.Name) {
			faults = append(faults, f.at(use.Node)+": os."+use.Name)
		}
	}
	return faults
}

// clockCalls finds calls of a clock. A value such as time.Now, as the default of an Options field,
// is no call.
func clockCalls(f source) (faults []string) {
	pkg, _ := packageOf(f.Path)
	ast.Inspect(f.syntax, func(node ast.Node) bool {
		call, ok := node.(*ast.CallExpr)
		if !ok {
			return true
		}
		for _, name := range []string{"Now", "Since", "Until", "Sleep"} {
			if f.calls(call, "time", name) && !slices.Contains(clockUsers[pkg], name) {
				faults = append(faults, f.at(call)+": time."+name)
			}
		}
		return true
	})
	return faults
}

// openReads finds calls of io.ReadAll on a reader that is not limited where it is called.
func openReads(f source) (faults []string) {
	ast.Inspect(f.syntax, func(node ast.Node) bool {
		call, ok := node.(*ast.CallExpr)
		if !ok || len(call.Args) != 1 || !f.calls(call, "io", "ReadAll") {
			return true
		}
		if limited, ok := call.Args[0].(*ast.CallExpr); !ok || !f.calls(limited, "io", "LimitReader") {
			faults = append(faults, f.at(call)+": io.ReadAll")
		}
		return true
	})
	return faults
}

func impurities(f source) (faults []string) {
	for _, spec := range f.syntax.Imports {
		imported, _ := strconv.Unquote(spec.Path.Value)
		for _, world := range []string{"context", "os", "net"} {
			if imported == world || strings.HasPrefix(imported, world+"/") {
				faults = append(faults, f.at(spec)+": imports "+imported)
			}
		}
	}
	for _, use := range f.selections() {
		var refused []string
		switch use.Import {
		case "time":
			refused = []string{"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTicker", "NewTimer", "Local", "LoadLocation"}
		case "path/filepath":
			refused = []string{"Abs", "EvalSymlinks", "Glob", "Walk", "WalkDir"}
		}
		if slices.Contains(refused, use.Name) {
			faults = append(faults, fmt.Sprintf("%s: %s.%s", f.at(use.Node), path.Base(use.Import), use.Name))
		}
	}
	return faults
}

func initFunctions(f source) (faults []string) {
	for _, decl := range f.syntax.Decls {
		if fn, ok := decl.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" {
			faults = append(faults, f.at(fn)+": func init")
		}
	}
	return faults
}

// eachVariable calls visit for every name that a file declares as a package variable.
func eachVariable(f source, visit func(name *ast.Ident, spec *ast.ValueSpec, doc string)) {
	for _, decl := range f.syntax.Decls {
		gen, ok := decl.(*ast.GenDecl)
		if !ok || gen.Tok != token.VAR {
			continue
		}
		for _, s := range gen.Specs {
			spec, ok := s.(*ast.ValueSpec)
			if !ok {
				continue
			}
			for _, name := range spec.Names {
				visit(name, spec, rawComment(gen.Doc)+rawComment(spec.Doc))
			}
		}
	}
}

func packageVariables(f source) (faults []string) {
	eachVariable(f, func(name *ast.Ident, spec *ast.ValueSpec, doc string) {
		sentinel := len(spec.Values) == len(spec.Names) && len(spec.Values) > 0
		for _, value := range spec.Values {
			sentinel = sentinel && f.isSentinel(value)
		}
		if name.Name == "_" || sentinel || strings.Contains(doc, "//go:embed ") ||
			allowedVariables[variableName(f, name.Name)] != "" {
			return
		}
		faults = append(faults, f.at(name)+": var "+name.Name)
	})
	return faults
}

// isSentinel says whether an expression is a call of errors.New, or the sentinel of another package.
func (f source) isSentinel(value ast.Expr) bool {
	if sel, ok := value.(*ast.SelectorExpr); ok {
		id, ok := sel.X.(*ast.Ident)
		return ok && f.imports[id.Name] != "" && strings.HasPrefix(sel.Sel.Name, "Err")
	}
	call, ok := value.(*ast.CallExpr)
	return ok && f.calls(call, "errors", "New")
}

func variableName(f source, name string) string { return path.Dir(f.Path) + "." + name }

func declaresVariable(files []source, want string) (found bool) {
	for _, f := range files {
		eachVariable(f, func(name *ast.Ident, _ *ast.ValueSpec, _ string) {
			found = found || variableName(f, name.Name) == want
		})
	}
	return found
}

// rawComment returns a comment with its directives, which CommentGroup.Text leaves out.
func rawComment(group *ast.CommentGroup) string {
	if group == nil {
		return ""
	}
	var text strings.Builder
	for _, c := range group.List {
		text.WriteString(c.Text + "\n")
	}
	return text.String()
}

func lineCount(f source) []string {
	if n := strings.Count(f.Text, "\n"); n > 400 {
		return []string{fmt.Sprintf("%s: %d lines", f.Path, n)}
	}
	return nil
}

// uncommentedNames finds exported names without a comment. Methods that only satisfy a well-known
// interface of the standard library, or that name an event (runtime.Event), need none. In a group of constants or variables the comment of
// the group, of a line or at the end of a line will do.
func uncommentedNames(f source) (faults []string) {
	fault := func(name *ast.Ident, docs ...*ast.CommentGroup) {
		documented := slices.ContainsFunc(docs, func(d *ast.CommentGroup) bool {
			return strings.TrimSpace(d.Text()) != ""
		})
		if name.IsExported() && !documented {
			faults = append(faults, f.at(name)+": "+name.Name)
		}
	}
	for _, decl := range f.syntax.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if decl.Recv == nil || receiverExported(decl) && !isWellKnownMethod(decl.Name.Name) {
				fault(decl.Name, decl.Doc)
			}
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					fault(spec.Name, decl.Doc, spec.Doc, spec.Comment)
				case *ast.ValueSpec:
					for _, name := range spec.Names {
						fault(name, decl.Doc, spec.Doc, spec.Comment)
					}
				}
			}
		}
	}
	return faults
}

func receiverExported(fn *ast.FuncDecl) bool {
	expr := fn.Recv.List[0].Type
	for {
		switch e := expr.(type) {
		case *ast.StarExpr:
			expr = e.X
		case *ast.IndexExpr:
			expr = e.X
		case *ast.IndexListExpr:
			expr = e.X
		case *ast.Ident:
			return e.IsExported()
		default:
			return false
		}
	}
}

func isWellKnownMethod(name string) bool {
	switch name {
	case "Type", "Error", "Unwrap", "Is", "As", "String", "GoString", "Format", "LogValue",
		"MarshalJSON", "UnmarshalJSON", "MarshalText", "UnmarshalText":
		return true
	}
	return false
}

func leftovers(f source) (faults []string) {
	mark := regexp.MustCompile(`\b(TODO|FIXME|XXX)\b`)
	for _, group := range f.syntax.Comments {
		for _, c := range group.List {
			if found := mark.FindString(c.Text); found != "" {
				faults = append(faults, f.at(c)+": "+found)
			}
		}
	}
	return faults
}

// bareSkips finds skips outside a function called needX, or without a reason.
func bareSkips(f source) (faults []string) {
	for _, decl := range f.syntax.Decls {
		fn, isFunc := decl.(*ast.FuncDecl)
		condition := isFunc && strings.HasPrefix(fn.Name.Name, "need")
		ast.Inspect(decl, func(node ast.Node) bool {
			call, ok := node.(*ast.CallExpr)
			if !ok {
				return true
			}
			sel, ok := call.Fun.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			switch sel.Sel.Name {
			case "Skip", "Skipf":
				if !condition || len(call.Args) == 0 {
					faults = append(faults, f.at(call)+": "+sel.Sel.Name)
				}
			case "SkipNow":
				faults = append(faults, f.at(call)+": SkipNow")
			}
			return true
		})
	}
	return faults
}

// packageCommentFaults holds the packages against the rule for their comment: one, of 3 to 15
// lines, in doc.go when it is longer than 5.
func packageCommentFaults(files []source) (faults []string) {
	comments := map[string]int{}
	for _, f := range files {
		if f.Test {
			continue
		}
		dir := path.Dir(f.Path)
		text := strings.TrimSpace(f.syntax.Doc.Text())
		if text == "" {
			comments[dir] += 0
			continue
		}
		comments[dir]++
		switch n := strings.Count(text, "\n") + 1; {
		case n < 3 || n > 15:
			faults = append(faults, fmt.Sprintf("%s: the package comment has %d lines, want 3 to 15", f.Path, n))
		case n > 5 && path.Base(f.Path) != "doc.go":
			faults = append(faults, f.Path+": a package comment of more than 5 lines belongs in doc.go")
		}
	}
	for _, dir := range slices.Sorted(maps.Keys(comments)) {
		switch n := comments[dir]; n {
		case 0:
			faults = append(faults, dir+": has no package comment")
		case 1:
		default:
			faults = append(faults, fmt.Sprintf("%s: has %d package comments", dir, n))
		}
	}
	return faults
}

// undocumentedNames finds names of RUNX_ variables in the texts of the product that a document does
// not have. A name that ends in "_" is the prefix of a family, RUNX_INPUT_X is an input's variable
// and is documented when the document has RUNX_INPUT_<. The cases of the author gate have names of
// their own.
func undocumentedNames(f source, document string) (faults []string) {
	if !f.isProduct() || strings.HasPrefix(f.Path, "internal/runtime/harness/builtin_") {
		return nil
	}
	const inputs = "RUNX_INPUT_"
	inputsKnown := strings.Contains(document, inputs+"<")
	pattern := regexp.MustCompile(`\bRUNX_[A-Z0-9_]*`)
	known := pattern.FindAllString(document, -1)
	ast.Inspect(f.syntax, func(node ast.Node) bool {
		lit, ok := node.(*ast.BasicLit)
		if !ok || lit.Kind != token.STRING {
			return true
		}
		for _, name := range pattern.FindAllString(lit.Value, -1) {
			family := strings.HasSuffix(name, "_")
			if inputsKnown && strings.HasPrefix(name, inputs) {
				continue
			}
			if !slices.ContainsFunc(known, func(k string) bool { return k == name || family && strings.HasPrefix(k, name) }) {
				faults = append(faults, f.at(lit)+": "+name)
			}
		}
		return true
	})
	return faults
}
