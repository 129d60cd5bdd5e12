package main

import (
	"context"
	"debug/elf"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// The linter and its pinned version. A newer one is a change of its own, with what it finds.
const (
	linterPackage = "github.com/golangci/golangci-lint/v2/cmd/golangci-lint"
	linterVersion = "v2.15.0"
)

// lint is a step that runs the pinned linter over some packages.
func lint(packages ...string) func(context.Context, *output) error {
	return func(ctx context.Context, out *output) error {
		linter, err := installLinter(ctx, out)
		if err != nil {
			return err
		}
		return out.command(ctx, nil, linter, append([]string{"run"}, packages...)...)
	}
}

// installLinter returns the file of the pinned linter and builds it when it is not there. A linter
// must be built with the Go release whose code it reads, so the place names both versions.
func installLinter(ctx context.Context, out *output) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	dir := filepath.Join(cache, "runx-tools", "golangci-lint-"+linterVersion+"-"+runtime.Version())
	file := filepath.Join(dir, "golangci-lint")
	if runtime.GOOS == "windows" {
		file += ".exe"
	}
	if _, err := os.Stat(file); err == nil {
		return file, nil
	}
	out.note("built golangci-lint %s in %s", linterVersion, dir)
	return file, out.command(ctx, []string{"GOBIN=" + dir, "CGO_ENABLED=0"}, "go", "install", linterPackage+"@"+linterVersion)
}

// target is a system that a release is built for.
type target struct{ system, architecture string }

func (t target) String() string { return t.system + "/" + t.architecture }

// targets are those of .goreleaser.yaml.
func targets() (all []target) {
	for _, system := range []string{"linux", "darwin", "windows"} {
		for _, architecture := range []string{"amd64", "arm64"} {
			all = append(all, target{system, architecture})
		}
	}
	return all
}

// staticBuild is a step that builds runx as a release does; a Linux binary must need no loader.
func staticBuild(t target, temp string) func(context.Context, *output) error {
	return func(ctx context.Context, out *output) error {
		file := filepath.Join(temp, "runx-"+t.system+"-"+t.architecture)
		env := []string{"GOOS=" + t.system, "GOARCH=" + t.architecture, "CGO_ENABLED=0"}
		if err := out.command(ctx, env, "go", "build", "-trimpath", "-ldflags=-s -w", "-o", file, "./cmd/runx"); err != nil {
			return err
		}
		info, err := os.Stat(file)
		if err != nil {
			return err
		}
		out.note("%.1f MiB", float64(info.Size())/(1<<20))
		if t.system != "linux" {
			return nil
		}
		return checkStatic(file)
	}
}

// checkStatic refuses an ELF file that names a loader or shared libraries.
func checkStatic(name string) error {
	file, err := elf.Open(name)
	if err != nil {
		return err
	}
	defer file.Close() //nolint:errcheck // it was only read
	for _, segment := range file.Progs {
		if segment.Type == elf.PT_INTERP {
			return fmt.Errorf("%s is not static: it names a loader", filepath.Base(name))
		}
	}
	libraries, err := file.ImportedLibraries()
	if err != nil || len(libraries) > 0 {
		return errors.Join(err, fmt.Errorf("%s is not static: it needs %v", filepath.Base(name), libraries))
	}
	return nil
}

// needCompiler says what is missing for the race detector.
func needCompiler(ctx context.Context, out *output) error {
	text, err := out.capture(ctx, "go", "env", "CGO_ENABLED", "CC")
	if err != nil {
		return err
	}
	enabled, compiler, _ := strings.Cut(strings.TrimSpace(text), "\n")
	if enabled != "1" {
		return errors.New("go test -race needs cgo, and CGO_ENABLED is " + enabled + ": install gcc or clang, or unset CGO_ENABLED")
	}
	words := strings.Fields(compiler)
	if len(words) == 0 {
		return errors.New("go test -race needs a C compiler, and CC is empty")
	}
	if _, err := exec.LookPath(words[0]); err != nil {
		return fmt.Errorf("go test -race needs a C compiler: install gcc or clang, or set CC: %w", err)
	}
	return nil
}

// changedPackages returns the directories with Go files that differ from the last commit.
func changedPackages(ctx context.Context) ([]string, error) {
	var out output
	text, err := out.capture(ctx, "git", "status", "--porcelain", "--untracked-files=all", "--no-renames")
	if err != nil {
		return nil, fmt.Errorf("cannot find what changed: %w\n%s", err, out.text.String())
	}
	exists := func(dir string) bool {
		files, err := filepath.Glob(filepath.Join(filepath.FromSlash(dir), "*.go"))
		return err == nil && len(files) > 0
	}
	return parseChanged(text, exists), nil
}

// parseChanged reads git's porcelain status. A change in a testdata directory concerns the package
// above it; a directory without Go files is no package any more.
func parseChanged(status string, exists func(dir string) bool) (packages []string) {
	for line := range strings.Lines(status) {
		line = strings.TrimRight(line, "\r\n")
		if len(line) < 4 {
			continue
		}
		dir := path.Dir(strings.Trim(line[3:], `"`))
		if above, _, found := strings.Cut(dir+"/", "/testdata/"); found {
			dir = above
		}
		if pkg := "./" + dir; exists(dir) && !slices.Contains(packages, pkg) {
			packages = append(packages, pkg)
		}
	}
	slices.Sort(packages)
	return packages
}
