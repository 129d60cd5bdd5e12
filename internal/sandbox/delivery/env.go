package delivery

import (
	"slices"
	"strings"

	"github.com/runx-go/runx/internal/sandbox"
)

// Env is an environment that only this package makes: deny by default, every name once. It cannot
// be changed. The zero value is empty.
type Env struct {
	entries []string
	os      string
}

// Entries returns "NAME=value" in the order of skills 3.3. The slice is the caller's and never nil,
// because to os/exec nil means the environment of runx.
func (e Env) Entries() []string {
	return append(make([]string, 0, len(e.entries)), e.entries...)
}

// Lookup returns the value of a variable and whether it is in the environment; on Windows names are
// compared without case.
func (e Env) Lookup(name string) (string, bool) {
	return sandbox.Host{OS: e.os, Env: e.entries}.Lookup(name)
}

// Empty is the environment of a worker.
func Empty() Env { return Env{} }

// variable is one planned variable. A mirror may be left out for want of room.
type variable struct {
	name, value string
	mirror      bool
}

func (v variable) entry() string { return v.name + "=" + v.value }

// size is the length of the entry in bytes.
func (v variable) size() int { return len(v.name) + 1 + len(v.value) }

// hostPart is what rules 1 to 3 take from the host and from runx.
type hostPart struct {
	vars            []variable
	declared        map[string]string // values of declared names that are set, by folded name
	missing         []string          // required and not set, as declared
	missingOptional []string          // optional and not set, sorted
}

func takeHost(req Request) hostPart {
	part := hostPart{declared: map[string]string{}}
	seen := map[string]bool{}
	// Names come in the host's spelling, so that one variable always has one name here.
	add := func(name, value string) {
		if !seen[name] {
			seen[name] = true
			part.vars = append(part.vars, variable{name: name, value: value})
		}
	}
	for _, name := range Baseline() {
		if v, ok := req.Host.LookupVar(name); ok {
			add(v.Name, v.Value)
		}
	}
	add(nameCwd, req.Workspace)
	if req.ReceiptDir != "" {
		add(nameReceiptDir, req.ReceiptDir)
	}
	for _, name := range []string{nameVerifyKID, nameVerifyKey} {
		if v, ok := req.Host.LookupVar(name); ok {
			add(v.Name, v.Value)
		}
	}
	declare := func(name string) bool {
		v, ok := req.Host.LookupVar(name)
		if ok {
			add(v.Name, v.Value)
			part.declared[sandbox.FoldName(req.Host.OS, name)] = v.Value
		}
		return ok
	}
	for _, name := range req.Required {
		if !declare(name) {
			part.missing = append(part.missing, name)
		}
	}
	for _, name := range req.Optional {
		if !declare(name) {
			part.missingOptional = append(part.missingOptional, name)
		}
	}
	slices.Sort(part.missingOptional)
	return part
}

// refusal names everything that is missing at once.
func (p hostPart) refusal() *Refusal {
	if len(p.missing) == 0 {
		return nil
	}
	noun := "variable"
	if len(p.missing) > 1 {
		noun = "variables"
	}
	return refuse(codeEnvMissing, "set "+strings.Join(p.missing, ", ")+" for runx; an empty value counts as set",
		"the required environment %s %s not set", noun, isAre(p.missing))
}

func isAre(names []string) string {
	if len(names) == 1 {
		return names[0] + " is"
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1] + " are"
}

// sortedNames are the names of variables in byte order.
func sortedNames(vars []variable) []string {
	names := make([]string, 0, len(vars))
	for _, v := range vars {
		names = append(names, v.name)
	}
	slices.Sort(names)
	return names
}

// withheld are the names that are set on the host and not in the child's environment, sorted, each
// once. The hidden directories of drives on Windows, such as =C:, are no variables.
func withheld(host sandbox.Host, delivered []variable) []string {
	seen := make(map[string]bool, len(delivered)+len(host.Env))
	for _, v := range delivered {
		seen[sandbox.FoldName(host.OS, v.name)] = true
	}
	names := []string{}
	for _, entry := range host.Env {
		v, ok := sandbox.SplitEnv(entry)
		key := sandbox.FoldName(host.OS, v.Name)
		if !ok || seen[key] || host.OS == "windows" && strings.HasPrefix(v.Name, "=") {
			continue
		}
		seen[key] = true
		names = append(names, v.Name)
	}
	slices.Sort(names)
	return names
}
