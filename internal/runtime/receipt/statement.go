package receipt

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/runx-go/runx/internal/skills"
	"github.com/runx-go/runx/internal/skills/codec"
)

const statementType = "https://in-toto.io/Statement/v1"

// statement is the in-toto Statement v1 around a predicate.
type statement struct {
	Type          string          `json:"_type"`
	Subject       []subject       `json:"subject"`
	PredicateType string          `json:"predicateType"`
	Predicate     json.RawMessage `json:"predicate"`
}

type subject struct {
	Name   string        `json:"name"`
	Digest subjectDigest `json:"digest"`
}

type subjectDigest struct {
	SHA256 string `json:"sha256"`
}

// subjects are what the statement is about, in this order: package, inputs and, when there is one,
// the result.
func subjects(p Predicate) []subject {
	of := func(name string, d skills.Digest) subject {
		return subject{Name: name, Digest: subjectDigest{SHA256: d.Hex()}}
	}
	out := []subject{of("package", p.PackageDigest), of("inputs", p.Inputs.Digest)}
	if p.Result != nil {
		out = append(out, of("result", p.Result.Digest))
	}
	return out
}

// payload is the one text that a predicate has as a statement.
func payload(p Predicate) ([]byte, error) {
	p = p.complete()
	predicate, err := codec.Marshal(&p)
	if err != nil {
		return nil, fmt.Errorf("cannot encode the predicate: %w", err)
	}
	raw, err := codec.Marshal(&statement{
		Type: statementType, Subject: subjects(p), PredicateType: PredicateType, Predicate: predicate,
	})
	if err != nil {
		return nil, fmt.Errorf("cannot encode the statement: %w", err)
	}
	canonical, err := codec.Canonical(raw)
	if err != nil {
		return nil, fmt.Errorf("cannot write the statement canonically: %w", err)
	}
	return canonical, nil
}

// readStatement decodes a payload with closed keys and checks that its parts agree. The predicate
// is nil when it could not be read.
func readStatement(data []byte) (*Predicate, []Finding) {
	limits := codec.Limits{Bytes: int(MaxBytes), Depth: maxDepth}
	var st statement
	if err := codec.DecodeStrict("payload", data, limits, &st); err != nil {
		return nil, []Finding{{codePredicate, "payload", "the payload is no in-toto statement: " + visible(err)}}
	}
	if st.Type != statementType {
		return nil, []Finding{{codePredicate, "_type", fmt.Sprintf("the statement's type is %q, not %s", st.Type, statementType)}}
	}
	if st.PredicateType != PredicateType {
		return nil, []Finding{{codePredicate, "predicateType", fmt.Sprintf("the predicate's type is %q, which this version does not know", st.PredicateType)}}
	}
	var p Predicate
	if err := codec.DecodeStrict("predicate", st.Predicate, limits, &p); err != nil {
		return nil, []Finding{{codePredicate, "predicate", "the predicate cannot be read: " + visible(err)}}
	}
	findings := append(checkSubjects(st.Subject, p), check(p)...)
	if len(findings) > 0 {
		return &p, findings
	}
	// Nothing may hide in members that decoding does not look at: what was read has one text.
	if again, err := payload(p); err != nil || !bytes.Equal(again, data) {
		findings = append(findings, Finding{codePredicate, "payload", "the payload is not the canonical text of what it says, or members are missing"})
	}
	return &p, findings
}

// checkSubjects compares the statement's subjects with the digests of the predicate.
func checkSubjects(got []subject, p Predicate) []Finding {
	want := subjects(p)
	if len(got) != len(want) {
		return []Finding{{codePredicate, "subject", fmt.Sprintf("the statement has %d subjects, not %d", len(got), len(want))}}
	}
	var out []Finding
	for i, w := range want {
		path := fmt.Sprintf("subject[%d]", i)
		switch g := got[i]; {
		case g.Name != w.Name:
			out = append(out, Finding{codePredicate, path + ".name", fmt.Sprintf("the subject is %q, not %s", g.Name, w.Name)})
		case g.Digest != w.Digest:
			out = append(out, Finding{codePredicate, path + ".digest.sha256", fmt.Sprintf("the digest of subject %s differs from the predicate's", w.Name)})
		}
	}
	return out
}
