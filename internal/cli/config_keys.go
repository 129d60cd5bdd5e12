package cli

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/runx-go/runx/internal/sandbox/secret"
	"github.com/runx-go/runx/internal/skills/codec"
)

// The keys of config.yaml. Everything that runx reads from configuration is here.
const (
	keySkillsPaths     = "skills.paths"
	keyReceiptsDir     = "receipts.dir"
	keyTrustWorkspaces = "trust.workspaces"
	keyCredentials     = "credentials" // credentials.<provider>
)

// configKey describes one key.
type configKey struct {
	name     string
	provider string // of credentials.<provider>; it may hold dots
	list     bool
	absolute bool // its texts are absolute paths
	project  bool // may stand in the project's file
	user     bool // may stand in the user's file
	about    string
}

// configKeys is the table. Its last row stands for any provider.
func configKeys() []configKey {
	return []configKey{
		{name: keySkillsPaths, list: true, user: true, project: true, about: "folders that are searched for packages by name"},
		{name: keyReceiptsDir, absolute: true, user: true, about: "folder of receipts; RUNX_RECEIPT_DIR and --receipt-dir win"},
		{name: keyTrustWorkspaces, list: true, absolute: true, user: true, about: "workspaces whose project configuration is believed"},
		providerKey("<provider>"),
	}
}

func providerKey(provider string) configKey {
	return configKey{name: keyCredentials + "." + provider, provider: provider, project: true, about: "credential profile that this project uses for a provider"}
}

// findKey matches a key as it is typed: all behind the first dot of credentials.<provider> is free.
func findKey(name string) (configKey, bool) {
	group, rest, dotted := strings.Cut(name, ".")
	if !dotted {
		return configKey{}, false
	}
	return findSegments(group, rest)
}

// findSegments matches a key by the two mappings it stands in.
func findSegments(group, rest string) (configKey, bool) {
	if group == keyCredentials {
		return providerKey(rest), secret.ValidName(rest)
	}
	i := slices.IndexFunc(configKeys(), func(k configKey) bool { return strings.Join(k.segments(), "\x00") == group+"\x00"+rest })
	if i < 0 {
		return configKey{}, false
	}
	return configKeys()[i], true
}

// segments are the keys of the mappings down to the value.
func (k configKey) segments() []string { return strings.SplitN(k.name, ".", 2) }

// isGroup says whether a key of the document holds others.
func isGroup(name string) bool {
	return slices.ContainsFunc(configKeys(), func(k configKey) bool { return k.segments()[0] == name })
}

func configKeyError(name string) error {
	if provider, ok := strings.CutPrefix(name, keyCredentials+"."); ok {
		return usage("config_key", fmt.Sprintf("cannot use %q as a provider: only letters, digits, '_', '.' and '-' are allowed, at most 64", provider),
			"name a provider: runx config get "+keyCredentials+".acme")
	}
	var known []string
	for _, k := range configKeys() {
		known = append(known, k.name)
	}
	hint := "the keys are: " + strings.Join(known, ", ")
	if near := codec.Nearest(name, known[:len(known)-1], 1); len(near) > 0 {
		hint = "runx config get " + near[0]
	}
	return usage("config_key", fmt.Sprintf("unknown configuration key %q", name), hint)
}

// wrong says what is wrong with a text of the key, or "".
func (k configKey) wrong(text string) string {
	switch {
	case !utf8.ValidString(text):
		return fmt.Sprintf("key %q takes text in UTF-8, and %q is none", k.name, text)
	case k.provider != "" && !secret.ValidName(text):
		return fmt.Sprintf("key %q takes the name of a profile, and %q is none", k.name, text)
	case k.absolute && !filepath.IsAbs(text):
		return fmt.Sprintf("key %q takes an absolute path, and %q is none", k.name, text)
	case text == "":
		return fmt.Sprintf("key %q takes no empty text", k.name)
	}
	return ""
}

// setLine is the command that sets a key in the file where it belongs.
func setLine(k configKey, texts []string, add bool) string {
	words := []string{"runx", "config", "set"}
	if !k.user {
		words = append(words, "--project")
	}
	if add {
		words = append(words, "--add")
	}
	return quoteArgs(append(append(words, k.name), texts...))
}
