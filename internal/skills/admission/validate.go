package admission

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/runx-go/runx/internal/skills"
	"github.com/runx-go/runx/internal/skills/manifest"
)

// Validate returns every finding that can be known without running (skill validate), in file order:
// those of Load, of the open standard, of retries, and all warnings; an unavailable runner is a
// warning. It fails only when the directory cannot be found (*ChoiceError) or ctx ended.
func Validate(ctx context.Context, dir string, opts Options) ([]skills.Finding, error) {
	a, err := admit(ctx, dir, opts)
	if err != nil {
		return nil, err
	}
	if a.manual.read {
		standard := manifest.CheckStandard(a.manual.path, a.manual.data, filepath.Base(a.pkg.Dir))
		a.findings = append(withoutTwins(a.findings, standard), standard...)
	}
	a.retryFindings()
	if a.pkg.Profile != nil {
		for _, r := range a.pkg.Profile.Runners {
			a.findings = append(a.findings, r.Unavailable...)
		}
	}
	sortFindings(a.findings)
	return slices.Compact(a.findings), nil
}

// withoutTwins drops the warnings about keys for which the standard has an error at the same place.
func withoutTwins(findings, standard []skills.Finding) []skills.Finding {
	return slices.DeleteFunc(findings, func(f skills.Finding) bool {
		return f.Code == "frontmatter_key" && slices.ContainsFunc(standard, func(s skills.Finding) bool {
			return s.Code == "standard_key" && s.Line == f.Line && s.Column == f.Column
		})
	})
}

// sortFindings puts findings into file order and keeps the order of those at one place.
func sortFindings(findings []skills.Finding) {
	slices.SortStableFunc(findings, func(x, y skills.Finding) int {
		return cmp.Or(strings.Compare(x.File, y.File), x.Line-y.Line, x.Column-y.Column)
	})
}
