package harness

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"slices"
	"strings"

	"github.com/runx-go/runx/internal/runtime"
	"github.com/runx-go/runx/internal/skills/codec"
)

// ReportSchema names the version of the report document.
const ReportSchema = "runx.fixtures_report.v1"

// CaseStatus is how a case ended.
type CaseStatus string

// The statuses of a case. A case that crashed is failed.
const (
	Passed        CaseStatus = "passed"
	Failed        CaseStatus = "failed"
	Skipped       CaseStatus = "skipped"
	NotApplicable CaseStatus = "not_applicable"
)

// CaseResult is one row of the report.
type CaseResult struct {
	ID     string     `json:"id"`
	Lane   Lane       `json:"lane"`
	Status CaseStatus `json:"status"`
	// Diff has one line for each difference, or the reason of a skip.
	Diff []string `json:"diff"`
	// Crashed says that the case ended before anything could be compared.
	Crashed bool `json:"-"`
	// Dir is the directory of cases.json as the caller named it, empty for a built-in case.
	Dir string `json:"-"`
}

// Report is what the gate found. Equal findings give equal bytes in every form.
type Report struct {
	Schema        string       `json:"schema"`
	Total         int          `json:"total"`
	Passed        int          `json:"passed"`
	Failed        int          `json:"failed"`
	Skipped       int          `json:"skipped"`
	NotApplicable int          `json:"not_applicable"`
	Cases         []CaseResult `json:"cases"`
	// Changes are the lines of an update: what was rewritten, in the order of the files.
	Changes    []string `json:"-"`
	allowSkips bool
}

func newReport(results []CaseResult, allowSkips bool) Report {
	r := Report{Schema: ReportSchema, Total: len(results), Cases: results, allowSkips: allowSkips}
	if r.Cases == nil {
		r.Cases = []CaseResult{}
	}
	for _, c := range results {
		switch c.Status {
		case Passed:
			r.Passed++
		case Failed:
			r.Failed++
		case Skipped:
			r.Skipped++
		case NotApplicable:
			r.NotApplicable++
		}
	}
	return r
}

// Holds says that the gate is passed: at least one case, none that failed, none skipped unless that
// was allowed, and no expectation rewritten.
func (r Report) Holds() bool { return r.Problem() == "" }

// Problem says in one sentence why the gate does not hold; it is empty when it does.
func (r Report) Problem() string {
	switch {
	case len(r.Changes) > 0:
		return fmt.Sprintf("expectations were rewritten: %d", len(r.Changes))
	case r.Total == 0:
		return "there is no case"
	case r.Failed > 0:
		return fmt.Sprintf("%d of %d cases do not hold", r.Failed, r.Total)
	case r.Skipped > 0 && !r.allowSkips:
		return fmt.Sprintf("%d of %d cases were skipped", r.Skipped, r.Total)
	}
	return ""
}

// Err is nil when the gate holds, else a *runtime.Error of class mismatch with code
// fixtures_mismatch.
func (r Report) Err() error {
	problem := r.Problem()
	if problem == "" {
		return nil
	}
	hint := "read the differences; a single case runs with --case ID"
	switch {
	case len(r.Changes) > 0:
		hint = "read what changed, then run the gate again without --update"
	case r.Total == 0:
		hint = "add a case, or take a smaller number of shards"
	case r.Failed == 0:
		hint = "run the skipped cases where they can run, or accept them with --allow-skips"
	}
	return &runtime.Error{Class: runtime.ClassMismatch, Code: "fixtures_mismatch", Message: problem, Hint: hint}
}

// JSON is the document runx.fixtures_report.v1, without a newline.
func (r Report) JSON() (json.RawMessage, error) { return codec.Marshal(r) }

// Text is the report for people: a line for each case, what differed, how to run it again, and the
// sum.
func (r Report) Text() string {
	var b strings.Builder
	for _, c := range r.Cases {
		fmt.Fprintf(&b, "%-14s %s %s\n", c.Status, c.Lane, c.ID)
		for _, line := range c.Diff {
			fmt.Fprintf(&b, "    %s\n", line)
		}
		if c.Status == Failed {
			fmt.Fprintf(&b, "    again: %s\n", c.again())
		}
	}
	for _, change := range r.Changes {
		fmt.Fprintf(&b, "rewritten      %s\n", change)
	}
	noun := "cases"
	if r.Total == 1 {
		noun = "case"
	}
	fmt.Fprintf(&b, "%d %s: %d passed, %d failed, %d skipped, %d not applicable\n",
		r.Total, noun, r.Passed, r.Failed, r.Skipped, r.NotApplicable)
	return b.String()
}

// again is the command that runs one case.
func (c CaseResult) again() string {
	words := []string{"runx fixtures check"}
	if c.Dir != "" {
		words = append(words, runtime.ShellQuote(c.Dir))
	}
	return strings.Join(append(words, "--case", c.ID), " ")
}

// The JUnit form, as its readers have agreed on it.
type (
	junitSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Name     string       `xml:"name,attr"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Errors   int          `xml:"errors,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Errors   int         `xml:"errors,attr"`
		Skipped  int         `xml:"skipped,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Name    string     `xml:"name,attr"`
		Class   string     `xml:"classname,attr"`
		Failure *junitText `xml:"failure,omitempty"`
		Error   *junitText `xml:"error,omitempty"`
		Skipped *junitText `xml:"skipped,omitempty"`
	}
	junitText struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

// JUnit is the report as JUnit XML with one suite a lane. A crashed case is an error, a case that
// does not apply is skipped with that message. It has no times: equal findings are equal bytes.
func (r Report) JUnit() ([]byte, error) {
	all := junitSuites{Name: "runx fixtures check"}
	for _, lane := range []Lane{LaneCLITool, LaneLocalTool, LaneJavaScript} {
		suite := junitSuite{Name: "lane " + string(lane)}
		for _, c := range r.Cases {
			if c.Lane == lane {
				suite.add(c)
			}
		}
		if len(suite.Cases) == 0 {
			continue
		}
		all.Tests, all.Failures, all.Errors = all.Tests+suite.Tests, all.Failures+suite.Failures, all.Errors+suite.Errors
		all.Suites = append(all.Suites, suite)
	}
	body, err := xml.MarshalIndent(all, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("cannot write the JUnit report: %w", err)
	}
	return slices.Concat([]byte(xml.Header), body, []byte("\n")), nil
}

func (s *junitSuite) add(c CaseResult) {
	row := junitCase{Name: c.ID, Class: "runx.fixtures." + string(c.Lane)}
	text := &junitText{Text: strings.Join(c.Diff, "\n")}
	if len(c.Diff) > 0 {
		text.Message = c.Diff[0]
	}
	s.Tests++
	switch {
	case c.Crashed:
		s.Errors++
		row.Error = text
	case c.Status == Failed:
		s.Failures++
		row.Failure = text
	case c.Status == NotApplicable:
		s.Skipped++
		row.Skipped = &junitText{Message: string(NotApplicable)}
	case c.Status == Skipped:
		s.Skipped++
		row.Skipped = text
	}
	s.Cases = append(s.Cases, row)
}
