package delivery

import (
	"strings"

	"github.com/runx-go/runx/internal/sandbox"
)

// VariableName returns NAME of RUNX_INPUT_<NAME>: each run of characters other than ASCII letters
// and digits becomes one _, those at the ends go, and letters become upper case. It is empty when
// nothing is left.
func VariableName(input string) string {
	var b strings.Builder
	b.Grow(len(input))
	gap := false
	for i := range len(input) {
		c := input[i]
		switch {
		case 'a' <= c && c <= 'z':
			c -= 'a' - 'A'
		case 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		default:
			gap = b.Len() > 0
			continue
		}
		if gap {
			b.WriteByte('_')
			gap = false
		}
		b.WriteByte(c)
	}
	return b.String()
}

// CheckNames applies the rules that skill validate shares with a run, to the names as they are
// declared, whatever a run gives: inputs that share a variable or have none, names in environment
// that are reserved, and on Windows names that differ only in case, a credential's variable that
// anything else uses. os is a GOOS; credential is "" for none. It returns everything it found:
// inputs first, then environment, then the credential, each in the given order.
func CheckNames(os string, declared, environment []string, credential string) []*Refusal {
	found := checkInputs(declared)
	found = append(found, checkEnvironment(os, environment)...)
	if credential != "" {
		if r := checkCredential(os, declared, environment, credential); r != nil {
			found = append(found, r)
		}
	}
	return found
}

// checkInputs reports each input once a pair: with the first one of the same name, and with the
// ones whose path variable it would be or has.
func checkInputs(declared []string) []*Refusal {
	const hint = "rename one of the two inputs"
	var found []*Refusal
	collide := func(a, b, variable string) {
		found = append(found, refuse(codeNameCollision, hint,
			"inputs %q and %q both need the variable %s", a, b, variable))
	}
	owner := make(map[string]string, len(declared))
	for _, input := range declared {
		name := VariableName(input)
		if name == "" {
			found = append(found, refuse(codeInputNameEmpty, "give the input a name with a letter A-Z or a digit",
				"input %q has no variable: its name holds no ASCII letter or digit", input))
			continue
		}
		if first, taken := owner[name]; taken {
			collide(first, input, inputPrefix+name)
			continue
		}
		if other, taken := owner[name+pathSuffix]; taken {
			collide(input, other, inputPrefix+name+pathSuffix)
		}
		if stem, ok := strings.CutSuffix(name, pathSuffix); ok {
			if other, taken := owner[stem]; taken {
				collide(other, input, inputPrefix+name)
			}
		}
		owner[name] = input
	}
	return found
}

func checkEnvironment(os string, environment []string) []*Refusal {
	var found []*Refusal
	first := make(map[string]string, len(environment))
	for _, name := range environment {
		key := sandbox.FoldName(os, name)
		if strings.HasPrefix(key, reservedPrefix) {
			found = append(found, reserved("environment", name))
			continue
		}
		other, seen := first[key]
		if seen && other != name {
			found = append(found, refuse(codeNameCollision, "keep one of the two names",
				"environment names %s and %s, which are one variable on Windows", other, name))
		}
		if !seen {
			first[key] = name
		}
	}
	return found
}

// checkCredential finds the first thing whose variable the credential would take.
func checkCredential(os string, declared, environment []string, credential string) *Refusal {
	key := sandbox.FoldName(os, credential)
	collide := func(what, name string) *Refusal {
		return refuse(codeNameCollision, "give the credential a variable of its own",
			"the credential's variable %s is also %s %s", credential, what, name)
	}
	for _, group := range []struct {
		what  string
		names []string
	}{
		{"the baseline variable", Baseline()},
		{"the variable of runx", transport()},
		{"the declared environment name", environment},
		{"the variable of the input object,", []string{nameInputsPath, nameInputsJSON}},
	} {
		for _, name := range group.names {
			if sandbox.FoldName(os, name) == key {
				return collide(group.what, name)
			}
		}
	}
	for _, input := range declared {
		variable := inputPrefix + VariableName(input)
		if key == variable || key == variable+pathSuffix {
			return refuse(codeNameCollision, "give the credential a variable of its own",
				"the credential's variable %s is also a variable of input %q", credential, input)
		}
	}
	if strings.HasPrefix(key, reservedPrefix) {
		return reserved("the credential", credential)
	}
	return nil
}

func reserved(where, name string) *Refusal {
	return refuse(codeEnvReserved, "take another name: what a child may have of RUNX_ it gets without being asked",
		"%s names %s: names that begin with RUNX_ belong to runx", where, name)
}

// allNames are the declared inputs and whatever else was given: a second member of one name comes
// out twice, so that it is refused and never silently replaces the first.
func allNames(declared []string, members []Input) []string {
	names := make([]string, len(declared), len(declared)+len(members))
	copy(names, declared)
	open := make(map[string]bool, len(declared))
	for _, name := range declared {
		open[name] = true
	}
	for _, m := range members {
		if open[m.Name] {
			open[m.Name] = false
			continue
		}
		names = append(names, m.Name)
	}
	return names
}
