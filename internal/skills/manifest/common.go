package manifest

import (
	"strings"

	"github.com/runx-go/runx/internal/skills/codec"
)

// common reads the fields that stand on runners of every lane. Those of a source are read by source.
func (rr *runnerReader) common(f field) {
	n := f.value
	switch f.name {
	case "default":
		rr.out.Default = rr.boolean(n, f.name)
	case "description":
		rr.out.Description, _ = rr.text(n, f.name)
	case "inputs":
		if rr.mapping(n, f.name) {
			rr.out.Inputs = rr.inputMap(n, rr.definitions)
		}
	case "examples":
		rr.examples(n)
	case "outputs":
		rr.out.Outputs = rr.outputMap(n)
	case "artifacts":
		rr.out.Artifacts = rr.artifacts(n)
	case "scopes":
		rr.out.Scopes = rr.texts(n, f.name, "a scope", rr.filled)
	case "credential":
		if name, ok := rr.filled(n, f.name); ok {
			rr.out.Credential, rr.out.CredentialAt = name, rr.at(n)
		}
	case "retry":
		rr.retry(n)
	case "mutating":
		rr.out.Mutating = rr.boolean(n, f.name) || rr.out.Mutating
	case "idempotency":
		rr.idempotency(n)
	case "risk":
		rr.risk(f)
	case "runx":
		rr.runx(f)
	case "act", "execution":
		if rr.mapping(n, f.name) {
			rr.warn(f.key, "field_ignored", "", "%s is not used by this version of runx", f.name)
		}
	case "allowed_tools", "context_skills":
		rr.list(n, f.name)
	case "policy":
		rr.mapping(n, f.name)
	}
}

func (rr *runnerReader) examples(n *codec.Node) {
	if !rr.list(n, "examples") {
		return
	}
	for _, item := range n.Items {
		if !rr.mapping(item, "an example") {
			continue
		}
		if raw := rr.free(item); raw != nil {
			rr.out.Examples = append(rr.out.Examples, raw)
			rr.out.ExamplesAt = append(rr.out.ExamplesAt, rr.at(item))
		}
	}
}

func (rr *runnerReader) retry(n *codec.Node) {
	if !rr.mapping(n, "retry") {
		return
	}
	rr.closed(n, "retry", []string{"max_attempts", "backoff_ms"}, func(pair codec.Pair) bool {
		switch key := pair.Key.Text; key {
		case "max_attempts":
			rr.out.Retry.MaxAttempts = int(rr.ranged(pair.Value, key, 1, maxAttempts))
		case "backoff_ms":
			rr.out.Retry.BackoffMS = rr.ranged(pair.Value, key, 0, maxBackoffMS)
		default:
			return false
		}
		return true
	})
}

// ranged reads an integer of retry; low when it is none or outside.
func (rr *runnerReader) ranged(n *codec.Node, field string, low, high int64) int64 {
	value, ok := rr.integer(n, field)
	if ok && (value < low || value > high) {
		rr.fault(n, "retry_range", "", "%s must be %d to %d, it is %s", field, low, high, shorten(n.Text))
		ok = false
	}
	if !ok {
		return low
	}
	return value
}

// idempotency is a key, or a mapping with one.
func (rr *runnerReader) idempotency(n *codec.Node) {
	if n.Kind != codec.Mapping {
		rr.out.Idempotency, _ = rr.filled(n, "idempotency")
		return
	}
	rr.closed(n, "idempotency", []string{"key"}, func(pair codec.Pair) bool {
		if pair.Key.Text != "key" {
			return false
		}
		rr.out.Idempotency, _ = rr.filled(pair.Value, "idempotency.key")
		return true
	})
	if n.Get("key") == nil {
		rr.fault(n, "field_missing", "add key:", "idempotency has no key")
	}
}

// risk reads risk.mutating; nothing else of risk is used.
func (rr *runnerReader) risk(f field) {
	if !rr.mapping(f.value, f.name) {
		return
	}
	var ignored []string
	for _, pair := range f.value.Pairs {
		if pair.Key.Text == "mutating" {
			rr.out.Mutating = rr.boolean(pair.Value, "risk.mutating") || rr.out.Mutating
			continue
		}
		ignored = append(ignored, pair.Key.Text)
	}
	rr.ignored(f, ignored)
}

// runx reads what existing packages keep under runx.
func (rr *runnerReader) runx(f field) {
	if !rr.mapping(f.value, f.name) {
		return
	}
	var ignored []string
	for _, pair := range f.value.Pairs {
		switch key := pair.Key.Text; key {
		case "mutating":
			rr.out.Mutating = rr.boolean(pair.Value, "runx.mutating") || rr.out.Mutating
		case "allowed_tools":
			rr.runxTools(pair)
		case "payment_authority", "mint_authority", "requested_scope_from", "charter_from":
			rr.makeUnavailable(pair.Key, "this version of runx does not support runx."+key)
		default:
			ignored = append(ignored, key)
		}
	}
	rr.ignored(f, ignored)
}

// runxTools is the older place of allowed_tools.
func (rr *runnerReader) runxTools(pair codec.Pair) {
	_, s := kindOf("allowed_tools", rr.specs)
	moved := field{s, pair.Key, pair.Value}
	if !rr.unsupported && !rr.fits(moved) {
		return
	}
	rr.list(pair.Value, "runx.allowed_tools")
	if rr.get("allowed_tools") != nil {
		rr.fault(pair.Key, "duplicate_source", "keep one of them", "allowed_tools of %s is given in two places, the other is runx.allowed_tools", rr.where)
	}
}

func (rr *runnerReader) ignored(f field, keys []string) {
	if len(keys) > 0 {
		rr.warn(f.key, "field_ignored", "", "not used by this version of runx in %s: %s", f.name, shorten(strings.Join(keys, ", ")))
	}
}
