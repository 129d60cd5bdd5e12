package cli

import (
	"maps"
	"path/filepath"
	"slices"

	"github.com/runx-go/runx/internal/sandbox"
	"github.com/spf13/viper"
)

// configuration is the merged configuration and where each value came from.
type configuration struct {
	v *viper.Viper
	// bound is provider to credential profile. It is not in v, for which names that differ in case
	// are one and a dot parts two keys.
	bound   map[string]string
	sources map[string]string // key: default, user or project
	ignored []ignoredKey
	trusted bool
}

// ignoredKey is what stands in the configuration of an untrusted project and was not used.
type ignoredKey struct {
	Key    string `json:"key"`    // "" for a fault of the whole file
	Reason string `json:"reason"` // of a fault: its place and what it is
	fault  bool
}

// loadConfiguration reads the user's and the project's file; without a workspace, the user's alone.
// Nothing of an untrusted project can widen what runx does or stop it: of it only a shorter list of
// search paths is used, and nothing when its file has a fault. The error is the first fault of a
// file that is believed; what could be read stands in the configuration all the same.
func loadConfiguration(host sandbox.Host, workspace string) (*configuration, error) {
	c, err := loadUserConfiguration(host)
	if workspace == "" {
		return c, err
	}
	c.trusted = c.trusts(workspace)
	file := readConfigFile(projectConfig(workspace))
	if c.trusted {
		c.setAll(file, "project")
		if err == nil {
			err = file.fault()
		}
		return c, err
	}
	for _, fault := range file.faults {
		c.ignored = append(c.ignored, ignoredKey{Key: faultKey(fault), Reason: fault.Error(), fault: true})
	}
	for _, value := range file.values {
		switch {
		case len(file.faults) > 0:
			c.ignored = append(c.ignored, ignoredKey{Key: value.key.name, Reason: "its file has a fault"})
		case c.tightens(value):
			c.set(value, "project")
		default:
			c.ignored = append(c.ignored, ignoredKey{Key: value.key.name, Reason: "the workspace is not trusted"})
		}
	}
	return c, err
}

// loadUserConfiguration reads the user's file over the defaults.
func loadUserConfiguration(host sandbox.Host) (*configuration, error) {
	c := &configuration{v: viper.New(), bound: map[string]string{}, sources: map[string]string{}}
	c.set(configValue{key: configKey{name: keySkillsPaths, list: true}, texts: []string{"skills", filepath.Join(".agents", "skills")}}, "default")
	if host.UserConfigDir == "" {
		return c, nil
	}
	file := readConfigFile(userConfig(host))
	c.setAll(file, "user")
	return c, file.fault()
}

func (c *configuration) setAll(file configFile, source string) {
	for _, value := range file.values {
		c.set(value, source)
	}
}

func (c *configuration) set(value configValue, source string) {
	switch {
	case value.key.provider != "":
		c.bound[value.key.provider] = value.texts[0]
	case value.key.list:
		c.v.Set(value.key.name, value.texts)
	default:
		c.v.Set(value.key.name, value.texts[0])
	}
	c.sources[value.key.name] = source
}

// tightens says whether a project's value takes away only.
func (c *configuration) tightens(value configValue) bool {
	if value.key.name != keySkillsPaths {
		return false
	}
	have := c.list(keySkillsPaths)
	return !slices.ContainsFunc(value.texts, func(p string) bool { return !slices.Contains(have, p) })
}

// trusts says whether the user trusts a workspace, whose links are resolved.
func (c *configuration) trusts(workspace string) bool {
	return slices.ContainsFunc(c.list(keyTrustWorkspaces), func(path string) bool { return resolved(path) == workspace })
}

// resolved is a path without links; one that leads nowhere is only cleaned.
func resolved(path string) string {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		return target
	}
	return filepath.Clean(path)
}

func (c *configuration) list(key string) []string { return c.v.GetStringSlice(key) }

// receiptsDir is the configured folder of receipts, "" when none is.
func (c *configuration) receiptsDir() string { return c.v.GetString(keyReceiptsDir) }

// profiles are the credential profiles that a trusted project binds.
func (c *configuration) profiles() map[string]string { return maps.Clone(c.bound) }
