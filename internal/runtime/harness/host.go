package harness

import (
	"path/filepath"
	"slices"

	"github.com/runx-go/runx/internal/sandbox"
)

// baselineNames are the 25 names of skills 3.3 as the gate expects them. They stand here a second
// time on purpose: a gate that took them from the code it checks could not find a lost one.
func baselineNames() []string {
	return []string{
		"PATH", "HOME", "TMPDIR", "TMP", "TEMP", "SystemRoot", "WINDIR", "COMSPEC", "PATHEXT", "USER", "LOGNAME",
		"CURL_CA_BUNDLE", "GIT_SSL_CAINFO", "NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE", "SSL_CERT_DIR", "SSL_CERT_FILE",
		"LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "LC_MESSAGES", "TERM", "COLORTERM", "TZ",
	}
}

// caseHost is the host of a case: the baseline of the real one and the case's changes. The
// workspace is the current directory, and nothing of the user's configuration is reached.
func caseHost(real sandbox.Host, in setup, s *stage) sandbox.Host {
	host := real
	host.Dir = s.workspace
	host.UserConfigDir = filepath.Join(s.root, "config")
	host.Env = []string{}
	if !in.noEnv {
		for _, name := range baselineNames() {
			if v, ok := real.LookupVar(name); ok {
				host.Env = append(host.Env, v.Name+"="+v.Value)
			}
		}
	}
	names := make([]string, 0, len(in.env))
	for name := range in.env {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		host.Env = slices.DeleteFunc(host.Env, func(entry string) bool {
			v, ok := sandbox.SplitEnv(entry)
			return ok && real.SameName(v.Name, name)
		})
		if value := in.env[name]; value != nil {
			host.Env = append(host.Env, name+"="+*value)
		}
	}
	return host
}

// tempDir is where the host keeps temporary files.
func tempDir(host sandbox.Host) string {
	names := []string{"TMPDIR"}
	if host.OS == "windows" {
		names = []string{"TMP", "TEMP"}
	}
	for _, name := range names {
		if value, _ := host.Lookup(name); filepath.IsAbs(value) {
			return value
		}
	}
	if host.OS == "windows" {
		return host.Dir
	}
	return "/tmp"
}
