package manifest

import (
	"fmt"
	"strings"

	"github.com/runx-go/runx/internal/skills"
	"github.com/runx-go/runx/internal/skills/codec"
)

// credentials reads the top-level credentials (skills 12).
func (r *reader) credentials(n *codec.Node) []skills.Credential {
	if !r.mapping(n, "credentials") {
		return nil
	}
	var out []skills.Credential
	for _, pair := range n.Pairs {
		name := shorten(pair.Key.Text)
		if strings.TrimSpace(name) == "" {
			r.fault(pair.Key, "field_value", "", "the name of a credential must not be blank")
		}
		if !r.mapping(pair.Value, fmt.Sprintf("credential %q", name)) {
			continue
		}
		out = append(out, r.credential(pair, fmt.Sprintf("credential %q", name)))
	}
	return out
}

func (r *reader) credential(pair codec.Pair, where string) skills.Credential {
	c := skills.Credential{Name: pair.Key.Text, At: r.at(pair.Key)}
	known := []string{"provider", "audience", "auth"}
	r.closed(pair.Value, where, known, func(field codec.Pair) bool {
		switch field.Key.Text {
		case "provider":
			c.Provider, _ = r.filled(field.Value, "provider")
			r.plainName(field.Value, "provider", c.Provider)
		case "audience":
			c.Audience, _ = r.filled(field.Value, "audience")
		case "auth":
			c.Modes = r.modes(field.Value)
		default:
			return false
		}
		return true
	})
	for _, field := range []string{"provider", "auth"} {
		if pair.Value.Get(field) == nil {
			r.fault(pair.Key, "field_missing", "add "+field+":", "%s has no %s", where, field)
		}
	}
	return c
}

// modes reads auth. A mode without delivery.env is one that runx does not have; it is not checked.
func (r *reader) modes(n *codec.Node) []skills.CredentialMode {
	if !r.mapping(n, "auth") {
		return nil
	}
	if len(n.Pairs) == 0 {
		r.fault(n, "field_missing", "add a mode, such as token: {delivery: {env: NAME}}", "auth must have at least one mode")
	}
	var out []skills.CredentialMode
	for _, pair := range n.Pairs {
		mode := skills.CredentialMode{Name: pair.Key.Text}
		r.plainName(pair.Key, "the name of a mode", mode.Name)
		where := fmt.Sprintf("auth mode %q", shorten(mode.Name))
		delivery := pair.Value.Get("delivery")
		switch {
		case !r.mapping(pair.Value, where):
			continue
		case delivery != nil && !r.mapping(delivery, "delivery"):
			continue
		case delivery.Get("env") != nil:
			r.closed(pair.Value, where, []string{"delivery"}, func(p codec.Pair) bool { return p.Key.Text == "delivery" })
			r.closed(delivery, "delivery", []string{"env"}, func(p codec.Pair) bool { return p.Key.Text == "env" })
			mode.Env = r.credentialVariable(delivery.Get("env"))
			if mode.Env == "" {
				continue
			}
		}
		out = append(out, mode)
	}
	return out
}

func (r *reader) credentialVariable(n *codec.Node) string {
	name, ok := r.environmentName(n, "delivery.env")
	if !ok {
		return ""
	}
	const reserved = "RUNX_"
	if strings.HasPrefix(name, reserved) {
		r.fault(n, "env_reserved", "choose another name", "the credential variable %s begins with %s, which belongs to runx", name, reserved)
		return ""
	}
	return name
}

// environmentName reads the name of a variable.
func (r *reader) environmentName(n *codec.Node, field string) (string, bool) {
	name, ok := r.text(n, field)
	if ok && !envName(name) {
		r.fault(n, "env_name", "use A-Z a-z 0-9 _ and begin with no digit", "%s %q is no name of an environment variable", field, shorten(name))
		return "", false
	}
	return name, ok
}

// plainName holds a name to what a command line and a file of credentials can carry: it becomes a
// word of the command that a person is told to type.
func (r *reader) plainName(n *codec.Node, field, name string) {
	plain := func(c rune) bool {
		return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
	}
	for i, c := range name {
		if !plain(c) && (i == 0 || !strings.ContainsRune("_.-", c)) || i >= credentialNameBytes {
			r.fault(n, "credential_name", "use letters, digits, _ . and -, at most 64, and begin with a letter or digit",
				"%s %q has a character that it cannot have, or is too long", field, shorten(name))
			return
		}
	}
}
