package admission

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/runx-go/runx/internal/skills"
	"github.com/runx-go/runx/internal/skills/codec"
)

// checkProfile judges what needs more than one place of the package: references, templates,
// schemas, defaults and examples.
func (a *admitter) checkProfile() {
	p := a.pkg.Profile
	a.pkg.contracts = make([]contracts, len(p.Runners))
	for i := range p.Runners {
		r := &p.Runners[i]
		a.checkCredential(r)
		a.checkManual(r)
		if tool, ok := r.Source.(skills.CLITool); ok {
			a.checkTemplates(r.Inputs, tool)
			a.checkCommand(tool)
			a.checkCwd(tool)
		}
		a.pkg.contracts[i] = a.compile(r)
	}
	a.checkUnusedDefinitions()
}

// checkCredential: the name must be declared, and runx must have a way to deliver the value.
func (a *admitter) checkCredential(r *skills.Runner) {
	if r.Credential == "" {
		return
	}
	var known []string
	for _, c := range a.pkg.Profile.Credentials {
		if c.Name != r.Credential {
			known = append(known, c.Name)
			continue
		}
		if !slices.ContainsFunc(c.Modes, func(m skills.CredentialMode) bool { return m.Env != "" }) {
			r.Unavailable = append(r.Unavailable, skills.Finding{
				Code: codeUnavailable, Severity: skills.SeverityWarning,
				File: r.CredentialAt.File, Line: r.CredentialAt.Line, Column: r.CredentialAt.Col,
				Message: fmt.Sprintf("this version of runx cannot deliver credential %q: it has no mode with delivery.env", c.Name),
				Hint:    "choose another runner of the package",
			})
		}
		return
	}
	a.fault(r.CredentialAt, "credential_unknown", nearHint(r.Credential, known, "declare it under credentials"),
		"runner %q names the credential %q, which the package does not declare", r.Name, r.Credential)
}

// checkManual: what an agent is told is the body of SKILL.md.
func (a *admitter) checkManual(r *skills.Runner) {
	lane := skills.Lane(r.Type)
	if !a.manual.read || lane != skills.LaneAgent && lane != skills.LaneAgentTask {
		return
	}
	if strings.TrimSpace(string(a.pkg.Manual.Body)) == "" {
		a.fault(r.At, "manual_empty", "write the manual below the frontmatter",
			"runner %q needs a manual, but %s has no text below its frontmatter", r.Name, a.manual.path)
	}
}

const (
	codeTemplate = "template_unknown"
	literalHint  = "declare it in inputs, or write {{{{ for a literal {{"
)

// checkTemplates: every token of args names a declared input or a declared environment name.
func (a *admitter) checkTemplates(inputs []skills.Input, tool skills.CLITool) {
	var names []string
	for _, in := range inputs {
		names = append(names, in.Name)
	}
	inputCount := len(names)
	for _, name := range slices.Concat(tool.Environment.Required, tool.Environment.Optional) {
		names = append(names, "env."+name)
	}
	for _, arg := range tool.Args {
		for _, part := range arg.Parts {
			token, advice, known := part.Input, literalHint, names[:inputCount]
			switch {
			case part.Literal != "":
				continue
			case part.Env != "":
				token, advice, known = "env."+part.Env, "declare it in environment", names[inputCount:]
			case token == "":
				a.fault(arg.At, codeTemplate, literalHint, "a token of %q has no name", arg.Text)
				continue
			}
			if !slices.Contains(known, token) {
				a.fault(arg.At, codeTemplate, a.nearHint(token, names, advice),
					"the token {{%s}} names neither a declared input nor a declared environment name", token)
			}
		}
	}
}

// checkCommand: what a package runs of itself is bound by its digest. A path out of the package and
// a name that is looked up are the author's to answer for.
func (a *admitter) checkCommand(tool skills.CLITool) {
	// Windows separates with both, and a package is judged alike everywhere.
	slashed := strings.ReplaceAll(tool.Command, `\`, "/")
	if !strings.Contains(slashed, "/") || strings.HasPrefix(slashed, "/") || filepath.IsAbs(tool.Command) {
		return
	}
	inside, err := filepath.Rel(a.pkg.Dir, filepath.Join(a.pkg.Dir, filepath.FromSlash(slashed)))
	if err != nil || !filepath.IsLocal(inside) {
		return
	}
	for part := range strings.SplitSeq(filepath.ToSlash(inside), "/") {
		if opensIgnored(part) {
			a.fault(tool.CommandAt, "command_outside_digest", "move the program to a folder that is part of the package",
				"the command %q lies in %q, which is not part of the package and not in its digest", tool.Command, part)
			return
		}
	}
}

// checkCwd: one token, alone and exact.
func (a *admitter) checkCwd(tool skills.CLITool) {
	const workspace = "{{env.RUNX_CWD}}"
	if strings.Contains(tool.Cwd, "{{") && tool.Cwd != workspace {
		a.fault(tool.CwdAt, "cwd_template", "write exactly "+workspace+", or a path", "cwd cannot contain {{ but as %s alone", workspace)
	}
}

// nearHint is nearHint for the first searchNearest words of a package: the search costs the length
// of the list, and a list of faults that long is not read.
func (a *admitter) nearHint(word string, known []string, otherwise string) string {
	if a.searched++; a.searched > searchNearest {
		return otherwise
	}
	return nearHint(word, known, otherwise)
}

func nearHint(word string, known []string, otherwise string) string {
	if near := codec.Nearest(word, known, 1); len(near) > 0 {
		return fmt.Sprintf("did you mean %q?", near[0])
	}
	return otherwise
}

// retryFindings is what validate says about retries; a run is refused for the same reason.
func (a *admitter) retryFindings() {
	if a.pkg.Profile == nil {
		return
	}
	for _, r := range a.pkg.Profile.Runners {
		if r.Mutating && r.Retry.MaxAttempts > 1 && r.Idempotency == "" {
			a.fault(r.At, "retry_needs_key", "add idempotency: KEY, or leave retry out",
				"runner %q is mutating and is tried %d times, so it needs an idempotency key", r.Name, r.Retry.MaxAttempts)
		}
	}
}
