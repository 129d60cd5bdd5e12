package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/runx-go/runx/internal/runtime"
	"github.com/runx-go/runx/internal/sandbox"
	"github.com/runx-go/runx/internal/skills/codec"
	"github.com/spf13/viper"
)

// The keys of config.yaml. Everything that runx reads from configuration is here.
const (
	keySkillsPaths     = "skills.paths"
	keyReceiptsDir     = "receipts.dir"
	keyTrustWorkspaces = "trust.workspaces"
	keyCredentials     = "credentials" // credentials.<provider>
)

// maxConfig is the largest configuration file (the limit of every YAML file).
const maxConfig = 1 << 20

// configKey describes one key.
type configKey struct {
	name    string
	list    bool
	project bool // may stand in the project's file
	user    bool // may stand in the user's file
	about   string
}

func configKeys() []configKey {
	return []configKey{
		{name: keySkillsPaths, list: true, user: true, project: true, about: "folders that are searched for packages by name"},
		{name: keyReceiptsDir, user: true, about: "folder of receipts; RUNX_RECEIPT_DIR and --receipt-dir win"},
		{name: keyTrustWorkspaces, list: true, user: true, about: "workspaces whose project configuration is believed"},
		{name: keyCredentials + ".<provider>", project: true, about: "credential profile that this project uses for a provider"},
	}
}

// findKey matches a key; the last word of credentials.<provider> is free.
func findKey(name string) (configKey, bool) {
	if provider, ok := strings.CutPrefix(name, keyCredentials+"."); ok && provider != "" && !strings.Contains(provider, ".") {
		return configKey{name: name, project: true}, true
	}
	for _, k := range configKeys() {
		if k.name == name {
			return k, true
		}
	}
	return configKey{}, false
}

// isGroup says whether a name is the beginning of a key's.
func isGroup(name string) bool {
	return slices.ContainsFunc(configKeys(), func(k configKey) bool { return strings.HasPrefix(k.name, name+".") })
}

func configKeyError(name string) error {
	var known []string
	for _, k := range configKeys() {
		known = append(known, k.name)
	}
	hint := "the keys are: " + strings.Join(known, ", ")
	if near := codec.Nearest(name, known, 1); len(near) > 0 {
		hint = "runx config get " + near[0]
	}
	return usage("config_key", fmt.Sprintf("unknown configuration key %q", name), hint)
}

// configuration is the merged configuration and where each value came from.
type configuration struct {
	v *viper.Viper
	// bound is provider to credential profile. It is not in v, for which names that differ in case
	// are one.
	bound   map[string]string
	sources map[string]string // key: default, user or project
	ignored []string          // keys of an untrusted project that were not used
	trusted bool
}

// configFile is one file, read strictly.
type configFile struct {
	path   string
	values []configValue
}

type configValue struct {
	key  string
	text string
	list []string
}

// loadConfiguration reads the user's and the project's file. Nothing of an untrusted project can
// widen what runx does: of it only a shorter list of search paths is used.
func loadConfiguration(host sandbox.Host, workspace string) (*configuration, error) {
	c := &configuration{v: viper.New(), bound: map[string]string{}, sources: map[string]string{}}
	c.set(configValue{key: keySkillsPaths, list: []string{"skills", filepath.Join(".agents", "skills")}}, "default")
	if host.UserConfigDir != "" {
		user, err := readConfigFile(userConfigPath(host), func(k configKey) bool { return k.user }, "the user's")
		if err != nil {
			return c, err
		}
		for _, value := range user.values {
			c.set(value, "user")
		}
	}
	c.trusted = slices.Contains(c.list(keyTrustWorkspaces), workspace)
	project, err := readConfigFile(projectConfigPath(workspace), func(k configKey) bool { return k.project }, "a project's")
	if err != nil {
		return c, err
	}
	for _, value := range project.values {
		if c.trusted || c.tightens(value) {
			c.set(value, "project")
		} else {
			c.ignored = append(c.ignored, value.key)
		}
	}
	return c, nil
}

func userConfigPath(host sandbox.Host) string {
	return filepath.Join(host.UserConfigDir, "config.yaml")
}

func projectConfigPath(workspace string) string {
	return filepath.Join(workspace, ".runx", "config.yaml")
}

func (c *configuration) set(value configValue, source string) {
	provider, binds := strings.CutPrefix(value.key, keyCredentials+".")
	switch {
	case binds:
		c.bound[provider] = value.text
	case value.list != nil:
		c.v.Set(value.key, value.list)
	default:
		c.v.Set(value.key, value.text)
	}
	c.sources[value.key] = source
}

// tightens says whether a project's value takes away only.
func (c *configuration) tightens(value configValue) bool {
	if value.key != keySkillsPaths {
		return false
	}
	have := c.list(keySkillsPaths)
	return !slices.ContainsFunc(value.list, func(p string) bool { return !slices.Contains(have, p) })
}

func (c *configuration) list(key string) []string { return c.v.GetStringSlice(key) }

// receiptsDir is the configured folder of receipts, "" when none is.
func (c *configuration) receiptsDir() string { return c.v.GetString(keyReceiptsDir) }

// profiles are the credential profiles that a trusted project binds.
func (c *configuration) profiles() map[string]string { return maps.Clone(c.bound) }

// readConfigFile reads a file strictly; one that is not there is empty.
func readConfigFile(path string, allowed func(configKey) bool, whose string) (configFile, error) {
	file := configFile{path: path}
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return file, nil
	}
	var data []byte
	if err == nil && info.Size() <= maxConfig {
		data, err = os.ReadFile(path)
	}
	if err != nil || info.Size() > maxConfig {
		if err == nil {
			err = fmt.Errorf("it has more than %d bytes", maxConfig)
		}
		return file, &runtime.Error{Class: runtime.ClassInvalid, Code: "config_unreadable", Err: err,
			Message: fmt.Sprintf("cannot read configuration %s: %v", path, err), Hint: "correct the file or its permissions"}
	}
	doc, err := codec.ParseYAML(path, data, maxConfig, 0)
	if err != nil {
		return file, firstSyntaxError(err)
	}
	if doc.Root == nil || doc.Root.Empty {
		return file, nil
	}
	file.values, err = flatten(path, doc.Root, "", allowed, whose)
	return file, err
}

func firstSyntaxError(err error) error {
	if all, ok := errors.AsType[codec.Errors](err); ok && len(all) > 0 {
		return all[0]
	}
	return err
}

// flatten turns nested mappings into dotted keys and checks each against the table.
func flatten(path string, node *codec.Node, prefix string, allowed func(configKey) bool, whose string) ([]configValue, error) {
	if node.Kind != codec.Mapping {
		return nil, configFault(path, node, "config_type", "configuration must be a mapping of keys", "")
	}
	var out []configValue
	for _, pair := range node.Pairs {
		key := prefix + pair.Key.Text
		k, known := findKey(key)
		if pair.Value.Kind == codec.Mapping && !known && isGroup(key) {
			values, err := flatten(path, pair.Value, key+".", allowed, whose)
			if err != nil {
				return nil, err
			}
			out = append(out, values...)
			continue
		}
		if !known {
			err := configKeyError(key)
			return nil, configFault(path, pair.Key, "config_key", err.Error(), asHint(err))
		}
		if !allowed(k) {
			return nil, configFault(path, pair.Key, "config_place", fmt.Sprintf("key %q cannot stand in %s configuration", key, whose), "runx config set "+key+" …")
		}
		value, err := readConfigValue(path, key, k, pair.Value)
		if err != nil {
			return nil, err
		}
		out = append(out, value)
	}
	return out, nil
}

func asHint(err error) string {
	if e, ok := errors.AsType[*runtime.Error](err); ok {
		return e.Hint
	}
	return ""
}

func readConfigValue(path, key string, k configKey, node *codec.Node) (configValue, error) {
	value := configValue{key: key}
	if !k.list {
		if node.Kind != codec.Scalar || node.Empty {
			return value, configFault(path, node, "config_type", fmt.Sprintf("key %q takes a text", key), "")
		}
		value.text = node.Text
		return value, nil
	}
	if node.Kind != codec.Sequence {
		return value, configFault(path, node, "config_type", fmt.Sprintf("key %q takes a list", key), "")
	}
	value.list = []string{}
	for _, item := range node.Items {
		if item.Kind != codec.Scalar || item.Empty {
			return value, configFault(path, item, "config_type", fmt.Sprintf("key %q takes a list of texts", key), "")
		}
		value.list = append(value.list, item.Text)
	}
	return value, nil
}

func configFault(path string, node *codec.Node, code, message, hint string) error {
	return &codec.SyntaxError{Code: code, File: path, Line: node.Line, Col: node.Col, Msg: message, Hint: hint}
}
