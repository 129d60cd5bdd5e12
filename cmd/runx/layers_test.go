package main_test

import (
	"fmt"
	"maps"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// modulePath is the path of this module; layerTablePath is the table, from the repository's root.
const (
	modulePath     = "github.com/runx-go/runx"
	layerTablePath = "cmd/runx/testdata/layers.txt"
)

// TestLayers compares every import of every Go file with the import table.
func TestLayers(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/layers.txt")
	if err != nil {
		t.Fatal(err)
	}
	table, faults := parseLayerTable(string(text))
	faults = append(faults, table.faults()...)
	var files []importingFile
	for _, f := range repositorySources(t) {
		files = append(files, f.importing())
	}
	faults = append(faults, table.check(files)...)
	for _, fault := range faults {
		t.Error(fault)
	}
}

// layerTable is a read import table. Names of packages are relative to internal/.
type layerTable struct {
	layer     map[string]int
	imports   map[string][]string
	libraries map[string][]string // prefix of an import path -> packages
	standard  map[string][]string // import path -> packages
}

// importingFile is what the table judges of one file.
type importingFile struct {
	Path    string // slashes, from the repository's root
	Test    bool
	Imports []string
}

// parseLayerTable reads the format that the head of layers.txt explains; faults name the line.
func parseLayerTable(text string) (t layerTable, faults []string) {
	t = layerTable{
		layer: map[string]int{}, imports: map[string][]string{},
		libraries: map[string][]string{}, standard: map[string][]string{},
	}
	layer := -1
	for i, line := range strings.Split(text, "\n") {
		fault := func(format string, args ...any) {
			faults = append(faults, fmt.Sprintf("%s:%d: %s", layerTablePath, i+1, fmt.Sprintf(format, args...)))
		}
		into, row := t.imports, line
		switch {
		case strings.TrimSpace(line) == "":
			continue
		case strings.HasPrefix(line, "#lib "):
			into, row = t.libraries, line[len("#lib "):]
		case strings.HasPrefix(line, "#std "):
			into, row = t.standard, line[len("#std "):]
		case strings.HasPrefix(line, "# L"):
			number, _, _ := strings.Cut(line[len("# L"):], " ")
			if n, err := strconv.Atoi(number); err == nil {
				layer = n
			}
			continue
		case strings.HasPrefix(line, "#"):
			continue
		}
		name, list, ok := strings.Cut(row, ":")
		if !ok || name == "" {
			fault("%q is not name: packages", line)
			continue
		}
		if _, twice := into[name]; twice {
			fault("%s has two lines", name)
			continue
		}
		into[name] = strings.Fields(list)
		if strings.HasPrefix(line, "#") {
			continue
		}
		if layer < 0 {
			fault("%s stands before the first layer", name)
		}
		t.layer[name] = layer
	}
	return t, faults
}

// faults returns what is wrong with the table itself: unknown names, steps that do not go down,
// layers that are not the longest path, cycles.
func (t layerTable) faults() (faults []string) {
	fault := func(format string, args ...any) {
		faults = append(faults, layerTablePath+": "+fmt.Sprintf(format, args...))
	}
	for _, name := range slices.Sorted(maps.Keys(t.imports)) {
		depth := 0
		for _, imported := range t.imports[name] {
			below, known := t.layer[imported]
			switch {
			case !known:
				fault("%s may import %s, which has no line", name, imported)
			case below >= t.layer[name]:
				fault("%s (L%d) may import %s (L%d), which is not lower", name, t.layer[name], imported, below)
			default:
				depth = max(depth, below+1)
			}
		}
		if depth < t.layer[name] {
			fault("%s stands in L%d, but its longest path is %d", name, t.layer[name], depth)
		}
	}
	if cycle := findCycle(t.imports); cycle != nil {
		fault("cycle %s", strings.Join(cycle, " -> "))
	}
	for _, rows := range []map[string][]string{t.libraries, t.standard} {
		for _, name := range slices.Sorted(maps.Keys(rows)) {
			for _, user := range rows[name] {
				if _, known := t.layer[user]; !known && user != "-" && user != "test" {
					fault("the row of %s names %s, which has no line", name, user)
				}
			}
		}
	}
	return faults
}

// check returns what the files import against the table, and packages that only one side has.
func (t layerTable) check(files []importingFile) (faults []string) {
	product := map[string]bool{}
	graph := map[string][]string{}
	for _, f := range files {
		pkg, inTable := packageOf(f.Path)
		if !inTable {
			faults = append(faults, checkOutside(f)...)
			continue
		}
		if _, known := t.layer[pkg]; !known {
			faults = append(faults, fmt.Sprintf("%s: package %s has no line in %s", f.Path, pkg, layerTablePath))
			continue
		}
		if !f.Test {
			product[pkg] = true
		}
		for _, imported := range f.Imports {
			if ours, ok := ourPackage(imported); ok && !f.Test {
				graph[pkg] = append(graph[pkg], ours)
			}
			if reason := t.refuse(pkg, f.Test, imported); reason != "" {
				faults = append(faults, fmt.Sprintf("%s: imports %s: %s", f.Path, imported, reason))
			}
		}
	}
	for _, pkg := range slices.Sorted(maps.Keys(t.imports)) {
		if !product[pkg] {
			faults = append(faults, fmt.Sprintf("%s: package %s has a line but no Go file", layerTablePath, pkg))
		}
	}
	if cycle := findCycle(graph); cycle != nil {
		faults = append(faults, "import cycle "+strings.Join(cycle, " -> "))
	}
	return faults
}

// refuse returns why a file of pkg may not import path, or "".
func (t layerTable) refuse(pkg string, test bool, imported string) string {
	if ours, ok := ourPackage(imported); ok {
		below, known := t.layer[ours]
		lower := known && below < t.layer[pkg]
		switch {
		case test && (ours == pkg || lower):
			return ""
		case test:
			return fmt.Sprintf("test files of %s (L%d) may import its own package and lower layers", pkg, t.layer[pkg])
		case !slices.Contains(t.imports[pkg], ours):
			return fmt.Sprintf("the line of %s does not name %s", pkg, ours)
		case !lower:
			return "it is not in a lower layer"
		}
		return ""
	}
	if first, _, _ := strings.Cut(imported, "/"); !strings.Contains(first, ".") {
		users, confined := t.standard[imported]
		if confined && !slices.Contains(users, pkg) && (!test || slices.Contains(users, "-")) {
			return confinement(users)
		}
		return ""
	}
	for prefix, users := range t.libraries {
		if imported != prefix && !strings.HasPrefix(imported, prefix+"/") {
			continue
		}
		if slices.Contains(users, pkg) || test && slices.Contains(users, "test") {
			return ""
		}
		return confinement(users)
	}
	return "the library has no row"
}

func confinement(users []string) string {
	return "it is confined to: " + strings.Join(users, " ")
}

// checkOutside judges a file that is not of the product: scripts/ is on its own, and no Go file
// lies anywhere else.
func checkOutside(f importingFile) (faults []string) {
	if !strings.HasPrefix(f.Path, "scripts/") {
		return []string{f.Path + ": Go files lie below cmd/runx, internal or scripts"}
	}
	for _, imported := range f.Imports {
		if first, _, _ := strings.Cut(imported, "/"); strings.Contains(first, ".") {
			faults = append(faults, fmt.Sprintf("%s: imports %s: scripts use the standard library only", f.Path, imported))
		}
	}
	return faults
}

// packageOf returns the name that the table has for the directory of a file, and false when the
// table is not about it.
func packageOf(file string) (string, bool) {
	dir := path.Dir(file)
	if rel, ok := strings.CutPrefix(dir, "internal/"); ok {
		return rel, true
	}
	return dir, strings.HasPrefix(dir, "cmd/")
}

// ourPackage returns the table's name of an import path of this module.
func ourPackage(imported string) (string, bool) {
	rel, ok := strings.CutPrefix(imported, modulePath+"/")
	return strings.TrimPrefix(rel, "internal/"), ok
}

// findCycle returns one cycle of a graph, its first node repeated at the end, or nil.
func findCycle(graph map[string][]string) []string {
	done := map[string]bool{}
	var trail []string
	var visit func(node string) []string
	visit = func(node string) []string {
		if i := slices.Index(trail, node); i >= 0 {
			return append(slices.Clone(trail[i:]), node)
		}
		if done[node] {
			return nil
		}
		trail = append(trail, node)
		for _, next := range graph[node] {
			if cycle := visit(next); cycle != nil {
				return cycle
			}
		}
		trail = trail[:len(trail)-1]
		done[node] = true
		return nil
	}
	for _, node := range slices.Sorted(maps.Keys(graph)) {
		if cycle := visit(node); cycle != nil {
			return cycle
		}
	}
	return nil
}

func TestParseLayerTable(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text string
		want       []string
	}{
		{"good", "# L0 base\na:\n# about layers\n\n# L1 top\nb: a\n#lib x.org/y: b\n#std net: a test\n", nil},
		{"before a layer", "a:\n", []string{":1: a stands before the first layer"}},
		{"no colon", "# L0\na b\n", []string{`:2: "a b" is not name: packages`}},
		{"twice", "# L0\na:\na:\n", []string{":3: a has two lines"}},
		{"unknown import", "# L0\n# L1\na: b\n", []string{": a may import b, which has no line", ": a stands in L1, but its longest path is 0"}},
		{"sideways", "# L0\na:\nb: a\n", []string{": b (L0) may import a (L0), which is not lower"}},
		{"too high", "# L0\na:\n# L2\nb: a\n", []string{": b stands in L2, but its longest path is 1"}},
		{"cycle", "# L0\na: b\n# L1\nb: a\n", []string{": a (L0) may import b (L1), which is not lower", ": cycle a -> b -> a"}},
		{"row of nobody", "# L0\na:\n#lib x.org/y: z\n#std log: -\n", []string{": the row of x.org/y names z, which has no line"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			table, got := parseLayerTable(tt.text)
			got = append(got, table.faults()...)
			for i := range got {
				got[i] = strings.TrimPrefix(got[i], layerTablePath)
			}
			if diff := cmp.Diff(got, tt.want); diff != "" {
				t.Errorf("faults (-got +want):\n%s", diff)
			}
		})
	}
}

func TestCheckLayers(t *testing.T) {
	t.Parallel()
	table, faults := parseLayerTable(strings.Join([]string{
		"# L0 base", "low:", "# L1 mid", "mid: low", "mid/other: low", "# L2 top", "cmd/runx: mid",
		"#lib x.org/lib: mid", "#lib x.org/check: test", "#std os/exec: low", "#std log: -",
	}, "\n"))
	if faults != nil {
		t.Fatal(faults)
	}
	ours := modulePath + "/internal/"
	complete := []importingFile{
		{Path: "internal/low/low.go", Imports: []string{"os/exec", "strings"}},
		{Path: "internal/mid/mid.go", Imports: []string{ours + "low", "x.org/lib/v2"}},
		{Path: "internal/mid/other/other.go", Imports: []string{ours + "low"}},
		{Path: "cmd/runx/main.go", Imports: []string{ours + "mid"}},
		{Path: "cmd/runx/main_test.go", Test: true, Imports: []string{ours + "low", "os/exec", "x.org/check"}},
		{Path: "scripts/check/main.go", Imports: []string{"os/exec", "log"}},
	}
	tests := []struct {
		name string
		file importingFile
		want []string
	}{
		{"nothing more", importingFile{Path: "internal/low/b.go"}, nil},
		{"own package in a test", importingFile{Path: "internal/mid/b_test.go", Test: true, Imports: []string{ours + "mid"}}, nil},
		{"a lower layer past the line", importingFile{Path: "cmd/runx/b.go", Imports: []string{ours + "low"}}, []string{"the line of cmd/runx does not name low"}},
		{"sideways", importingFile{Path: "internal/mid/b.go", Imports: []string{ours + "mid/other"}}, []string{"the line of mid does not name mid/other"}},
		{"sideways in a test", importingFile{Path: "internal/mid/b_test.go", Test: true, Imports: []string{ours + "mid/other"}}, []string{"test files of mid (L1) may import its own package and lower layers"}},
		{"up and round", importingFile{Path: "internal/low/b.go", Imports: []string{ours + "mid"}}, []string{"the line of low does not name mid", "import cycle mid -> low -> mid"}},
		{"no line", importingFile{Path: "internal/new/b.go"}, []string{"package new has no line in " + layerTablePath}},
		{"library elsewhere", importingFile{Path: "internal/low/b.go", Imports: []string{"x.org/lib"}}, []string{"it is confined to: mid"}},
		{"library elsewhere in a test", importingFile{Path: "internal/low/b_test.go", Test: true, Imports: []string{"x.org/lib"}}, []string{"it is confined to: mid"}},
		{"test library", importingFile{Path: "internal/low/b.go", Imports: []string{"x.org/check"}}, []string{"it is confined to: test"}},
		{"unknown library with a known prefix", importingFile{Path: "internal/mid/b.go", Imports: []string{"x.org/library"}}, []string{"the library has no row"}},
		{"standard elsewhere", importingFile{Path: "internal/mid/b.go", Imports: []string{"os/exec"}}, []string{"it is confined to: low"}},
		{"standard nowhere", importingFile{Path: "internal/mid/b_test.go", Test: true, Imports: []string{"log"}}, []string{"it is confined to: -"}},
		{"script with a library", importingFile{Path: "scripts/x/b.go", Imports: []string{ours + "low"}}, []string{"scripts use the standard library only"}},
		{"outside", importingFile{Path: "examples/b.go"}, []string{"Go files lie below cmd/runx, internal or scripts"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := table.check(append(slices.Clone(complete), tt.file))
			if len(got) != len(tt.want) {
				t.Fatalf("faults %q, want %q", got, tt.want)
			}
			for i := range got {
				if !strings.Contains(got[i], tt.want[i]) {
					t.Errorf("fault %q, want one with %q", got[i], tt.want[i])
				}
			}
		})
	}
	t.Run("line without a package", func(t *testing.T) {
		t.Parallel()
		got := table.check(complete[1:])
		want := []string{layerTablePath + ": package low has a line but no Go file"}
		if diff := cmp.Diff(got, want); diff != "" {
			t.Errorf("faults (-got +want):\n%s", diff)
		}
	})
}
