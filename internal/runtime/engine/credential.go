package engine

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/runx-go/runx/internal/runtime"
	"github.com/runx-go/runx/internal/runtime/runner"
	"github.com/runx-go/runx/internal/sandbox/fsroot"
	"github.com/runx-go/runx/internal/sandbox/secret"
	"github.com/runx-go/runx/internal/skills"
)

// resolution is the answer to "which credential": exactly one field is set, or none when the
// runner needs no credential.
type resolution struct {
	found   *runner.Credential
	missing *runtime.Requirement
	refused *runtime.Fault
}

// resolveCredential finds the value of the credential that a runner names: the profile that was
// asked for, else the project's binding, else the profile "default", else the host's variable.
func (e *Engine) resolveCredential(req SkillRequest) (resolution, error) {
	name := req.Runner.Credential
	if name == "" {
		return resolution{}, nil
	}
	i := slices.IndexFunc(req.Package.Profile.Credentials, func(c skills.Credential) bool { return c.Name == name })
	if i < 0 {
		return resolution{}, fmt.Errorf("cannot find credential %q, which admission accepted", name)
	}
	cred := deliverable(req.Package.Profile.Credentials[i])
	store, err := e.openStore()
	if err != nil {
		return resolution{}, err
	}
	profile, explicit := req.Profile, req.Profile != ""
	if !explicit {
		profile, explicit = e.opts.Profiles[cred.Provider], e.opts.Profiles[cred.Provider] != ""
	}
	if profile == "" {
		profile = "default"
	}
	if store != nil {
		if entry, value, ok := store.Get(cred.Provider, profile); ok {
			return fromProfile(cred, entry, value), nil
		}
	}
	if explicit {
		return resolution{missing: requirement(cred, profile)}, nil
	}
	return e.fromHost(cred), nil
}

// deliverable leaves of a credential the modes that runx can deliver. Admission sees to it that
// there is one.
func deliverable(cred skills.Credential) skills.Credential {
	modes := cred.Modes
	cred.Modes = nil
	for _, m := range modes {
		if m.Env != "" {
			cred.Modes = append(cred.Modes, m)
		}
	}
	return cred
}

// openStore opens the stored credentials; nil when the user has no configuration folder.
func (e *Engine) openStore() (*secret.Store, error) {
	if e.opts.Host.UserConfigDir == "" {
		return nil, nil
	}
	dir, err := fsroot.Create(e.opts.Host.UserConfigDir, true)
	if err != nil {
		return nil, fileError("credential_store", "cannot open the user's configuration folder", err)
	}
	defer dir.Close()
	store, err := secret.OpenStore(dir)
	if format, ok := errors.AsType[*secret.FormatError](err); ok {
		return nil, &runtime.Error{Class: runtime.ClassFailed, Code: "credential_store", Message: format.Error(), Err: err,
			Hint: "correct the file, or remove it and store the credentials again"}
	}
	if err != nil {
		return nil, fileError("credential_store", "cannot read the stored credentials", err)
	}
	return store, nil
}

// fromProfile fits a stored profile to what the package declares; it can narrow, never widen.
func fromProfile(cred skills.Credential, entry secret.Entry, value secret.Value) resolution {
	refuse := func(code, message, hint string) resolution {
		return resolution{refused: &runtime.Fault{Code: code, Message: message, Hint: hint}}
	}
	if entry.Audience != "" && entry.Audience != cred.Audience {
		return refuse("credential_audience",
			fmt.Sprintf("profile %q of provider %q is for audience %q, credential %q declares %q", entry.Profile, cred.Provider, entry.Audience, cred.Name, cred.Audience),
			"choose another profile with --profile")
	}
	mode := entry.Mode
	if mode == "" {
		if len(cred.Modes) != 1 {
			return refuse("credential_mode",
				fmt.Sprintf("profile %q of provider %q has no mode and credential %q declares %d", entry.Profile, cred.Provider, cred.Name, len(cred.Modes)),
				"store it again with --mode "+runtime.ShellQuote(modeNames(cred)[0]))
		}
		mode = cred.Modes[0].Name
	}
	for _, m := range cred.Modes {
		if m.Name == mode {
			return resolution{found: &runner.Credential{Name: cred.Name, Provider: cred.Provider,
				Mode: mode, Profile: entry.Profile, Variable: m.Env, Value: value}}
		}
	}
	return refuse("credential_mode",
		fmt.Sprintf("profile %q of provider %q has mode %q, credential %q declares %s", entry.Profile, cred.Provider, mode, cred.Name, strings.Join(modeNames(cred), ", ")),
		"choose another profile with --profile")
}

func (e *Engine) fromHost(cred skills.Credential) resolution {
	var found []*runner.Credential
	for _, m := range cred.Modes {
		if value, ok := e.opts.Host.Lookup(m.Env); ok {
			found = append(found, &runner.Credential{Name: cred.Name, Provider: cred.Provider,
				Mode: m.Name, Variable: m.Env, Value: secret.New(value)})
		}
	}
	switch len(found) {
	case 0:
		return resolution{missing: requirement(cred, "")}
	case 1:
		return resolution{found: found[0]}
	}
	var names []string
	for _, c := range found {
		names = append(names, c.Variable)
	}
	return resolution{refused: &runtime.Fault{Code: "credential_ambiguous",
		Message: fmt.Sprintf("credential %q has %d modes set on the host: %s", cred.Name, len(found), strings.Join(names, ", ")),
		Hint:    "unset all but one, or store one with runx credential set " + runtime.ShellQuote(cred.Provider)}}
}

func requirement(cred skills.Credential, profile string) *runtime.Requirement {
	setup := "runx credential set " + runtime.ShellQuote(cred.Provider)
	if profile != "" && profile != "default" {
		setup += " --profile " + runtime.ShellQuote(profile)
	}
	if len(cred.Modes) > 1 {
		setup += " --mode " + runtime.ShellQuote(cred.Modes[0].Name)
	}
	req := &runtime.Requirement{Name: cred.Name, Provider: cred.Provider, Modes: modeNames(cred), Variables: []string{}, Setup: setup}
	for _, m := range cred.Modes {
		req.Variables = append(req.Variables, m.Env)
	}
	return req
}

func modeNames(cred skills.Credential) []string {
	names := make([]string, 0, len(cred.Modes))
	for _, m := range cred.Modes {
		names = append(names, m.Name)
	}
	return names
}
