package harness

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/runx-go/runx/internal/runtime"
)

func results() []CaseResult {
	return []CaseResult{
		{ID: "a", Lane: "C", Status: Passed, Diff: []string{}},
		{ID: "b", Lane: "C", Status: Failed, Diff: []string{`stdout line 1: wanted "x<y␍\n", got ""`}, Dir: "my fixtures"},
		{ID: "c", Lane: "C", Status: Failed, Crashed: true, Diff: []string{"crash: wanted an observation, got a panic"}},
		{ID: "d", Lane: "C", Status: NotApplicable, Diff: []string{}},
		{ID: "e", Lane: "T", Status: Skipped, Diff: []string{"lane: T is not in this version"}},
	}
}

func TestReportForms(t *testing.T) {
	report := newReport(results(), false)
	raw, err := report.JSON()
	if err != nil {
		t.Fatal(err)
	}
	const document = `{"schema":"runx.fixtures_report.v1","total":5,"passed":1,"failed":2,"skipped":1,"not_applicable":1,"cases":[` +
		`{"id":"a","lane":"C","status":"passed","diff":[]},{"id":"b","lane":"C","status":"failed","diff":["stdout line 1: wanted \"x<y␍\\n\", got \"\""]},` +
		`{"id":"c","lane":"C","status":"failed","diff":["crash: wanted an observation, got a panic"]},` +
		`{"id":"d","lane":"C","status":"not_applicable","diff":[]},{"id":"e","lane":"T","status":"skipped","diff":["lane: T is not in this version"]}]}`
	if d := cmp.Diff(string(raw), document); d != "" {
		t.Errorf("JSON (-got +want):\n%s", d)
	}
	const text = `passed         C a
failed         C b
    stdout line 1: wanted "x<y␍\n", got ""
    again: runx fixtures check 'my fixtures' --case b
failed         C c
    crash: wanted an observation, got a panic
    again: runx fixtures check --case c
not_applicable C d
skipped        T e
    lane: T is not in this version
5 cases: 1 passed, 2 failed, 1 skipped, 1 not applicable
`
	if d := cmp.Diff(report.Text(), text); d != "" {
		t.Errorf("text (-got +want):\n%s", d)
	}
	junit, err := report.JUnit()
	if err != nil {
		t.Fatal(err)
	}
	const xml = `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="runx fixtures check" tests="5" failures="1" errors="1">
  <testsuite name="lane C" tests="4" failures="1" errors="1" skipped="1">
    <testcase name="a" classname="runx.fixtures.C"></testcase>
    <testcase name="b" classname="runx.fixtures.C">
      <failure message="stdout line 1: wanted &#34;x&lt;y␍\n&#34;, got &#34;&#34;">stdout line 1: wanted &#34;x&lt;y␍\n&#34;, got &#34;&#34;</failure>
    </testcase>
    <testcase name="c" classname="runx.fixtures.C">
      <error message="crash: wanted an observation, got a panic">crash: wanted an observation, got a panic</error>
    </testcase>
    <testcase name="d" classname="runx.fixtures.C">
      <skipped message="not_applicable"></skipped>
    </testcase>
  </testsuite>
  <testsuite name="lane T" tests="1" failures="0" errors="0" skipped="1">
    <testcase name="e" classname="runx.fixtures.T">
      <skipped message="lane: T is not in this version">lane: T is not in this version</skipped>
    </testcase>
  </testsuite>
</testsuites>
`
	if d := cmp.Diff(string(junit), xml); d != "" {
		t.Errorf("JUnit (-got +want):\n%s", d)
	}
}

func TestReportErr(t *testing.T) {
	passed, failed, skipped, other := results()[0], results()[1], results()[4], results()[3]
	tests := []struct {
		name       string
		cases      []CaseResult
		allowSkips bool
		changes    []string
		want       string
	}{
		{"holds", []CaseResult{passed}, false, nil, ""},
		{"other platform", []CaseResult{passed, other}, false, nil, ""},
		{"no case", nil, true, nil, "there is no case"},
		{"failed", []CaseResult{passed, failed}, true, nil, "1 of 2 cases do not hold"},
		{"skipped", []CaseResult{passed, skipped}, false, nil, "1 of 2 cases were skipped"},
		{"skip allowed", []CaseResult{passed, skipped}, true, nil, ""},
		{"rewritten", []CaseResult{passed}, true, []string{"dir: a"}, "expectations were rewritten: 1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			report := newReport(tt.cases, tt.allowSkips)
			report.Changes = tt.changes
			err := report.Err()
			if report.Holds() != (tt.want == "") || report.Problem() != tt.want {
				t.Errorf("holds %t, problem %q; want %q", report.Holds(), report.Problem(), tt.want)
			}
			fault, ok := errors.AsType[*runtime.Error](err)
			if ok != (tt.want != "") || ok && (fault.Class != runtime.ClassMismatch || fault.Hint == "") {
				t.Errorf("error is %#v", err)
			}
		})
	}
	if text := newReport(nil, false).Text(); !strings.HasPrefix(text, "0 cases:") {
		t.Errorf("text of an empty report is %q", text)
	}
}
