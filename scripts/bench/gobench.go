package main

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// goBenchmarks runs the benchmarks of the packages and prints each beside the budget that its comment
// records, and the test that a thousand admissions leave nothing behind.
func (b *bench) goBenchmarks(ctx context.Context) ([]finding, error) {
	budgets, err := recordedBudgets("internal")
	if err != nil {
		return nil, err
	}
	text, err := b.goTest(ctx, "-run=^$", "-bench=.", "-benchmem", "./internal/...")
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		if len(fields) < 3 || !strings.HasPrefix(fields[0], "Benchmark") {
			continue
		}
		fmt.Printf("  %s\n", strings.Join(fields, " "))
		if budget := budgets[benchmarkName(fields[0])]; budget != "" {
			fmt.Printf("       %s\n", budget)
		}
	}
	left := 0.0
	const admissions = "TestAdmissionsLeaveNothing"
	text, err = b.goTest(ctx, "-v", "-count=1", "-run=^"+admissions+"$", "./internal/skills/admission")
	if err != nil || !strings.Contains(text, "--- PASS: "+admissions+" ") {
		fmt.Print(text)
		left = 1
	}
	return []finding{{what: "growth in 1,000 admissions", value: left, detail: "of open files and of the heap: " + admissions}}, nil
}

func (b *bench) goTest(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", append([]string{"test"}, args...)...)
	cmd.Stderr = os.Stderr
	text, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("go test %s: %w\n%s", strings.Join(args, " "), err, text)
	}
	return string(text), err
}

// benchmarkName cuts sub-benchmarks and the number of processors: BenchmarkA/x-2 is BenchmarkA.
func benchmarkName(printed string) string {
	name, _, _ := strings.Cut(printed, "/")
	name, _, _ = strings.Cut(name, "-")
	return name
}

// recordedBudgets returns the comment of each benchmark below a directory that names a budget.
func recordedBudgets(root string) (map[string]string, error) {
	budgets := map[string]string{}
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(name, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		for _, decl := range file.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok || !strings.HasPrefix(fn.Name.Name, "Benchmark") {
				continue
			}
			if text := strings.Join(strings.Fields(fn.Doc.Text()), " "); strings.Contains(strings.ToLower(text), "budget") {
				budgets[fn.Name.Name] = text
			}
		}
		return nil
	})
	return budgets, err
}
