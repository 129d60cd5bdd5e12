package delivery

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/runx-go/runx/internal/sandbox"
)

func TestBaseline(t *testing.T) {
	names := Baseline()
	slices.Sort(names)
	if n := len(slices.Compact(names)); n != 25 {
		t.Errorf("the baseline has %d names, want 25", n)
	}
	names[0] = "changed"
	if slices.Contains(Baseline(), "changed") {
		t.Error("a caller can change the baseline")
	}
	for _, proxy := range []string{"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy"} {
		if slices.Contains(Baseline(), proxy) {
			t.Errorf("%s is in the baseline", proxy)
		}
	}
}

// TestBaselineDelivered: set, empty and unset stay what they are, in the order of the contract.
func TestBaselineDelivered(t *testing.T) {
	var all, empty, want []string
	for i, name := range Baseline() {
		all = append(all, name+"=value "+name)
		want = append(want, name+"=value "+name)
		if i%2 == 0 {
			empty = append(empty, name+"=")
		}
	}
	slices.Reverse(all)
	for _, tt := range []struct {
		name       string
		host, want []string
	}{{"all", all, want}, {"every other one, empty", empty, empty}, {"none", nil, nil}} {
		t.Run(tt.name, func(t *testing.T) {
			req := request()
			req.Host.Env = tt.host
			entries := mustPlan(t, req).Env.Entries()
			if diff := cmp.Diff(tt.want, entries[:slices.Index(entries, "RUNX_CWD=/work")], cmp.Transformer("nil", func(s []string) []string { return append([]string{}, s...) })); diff != "" {
				t.Errorf("baseline (-want +got):\n%s", diff)
			}
		})
	}
}

func TestEnvironmentFromHost(t *testing.T) {
	// The variables of an empty input object follow what rules 1 to 3 give.
	const unixTail, windowsTail = "RUNX_INPUTS_PATH=/state/tmp/run_1/inputs.json", `RUNX_INPUTS_PATH=C:\state\tmp\run_1\inputs.json`
	tests := []struct {
		name               string
		os                 string
		env                []string
		required, optional []string
		want               []string // entries before the inputs
		withheld           []string
		missing            []string
	}{
		{name: "undeclared stays out", os: "linux", env: []string{"FOO=1", "https_proxy=u", "BASH_ENV=x", "LD_PRELOAD="},
			want: []string{"RUNX_CWD=/work"}, withheld: []string{"BASH_ENV", "FOO", "LD_PRELOAD", "https_proxy"}},
		{name: "declared, required first", os: "linux", env: []string{"A=1", "B=2", "C=3"}, required: []string{"C"}, optional: []string{"A"},
			want: []string{"RUNX_CWD=/work", "C=3", "A=1"}, withheld: []string{"B"}},
		{name: "empty is present in both lists", os: "linux", env: []string{"A=", "B="}, required: []string{"B"}, optional: []string{"A"},
			want: []string{"RUNX_CWD=/work", "B=", "A="}},
		{name: "declared baseline appears once", os: "linux", env: []string{"PATH=/p"}, required: []string{"PATH"}, optional: []string{"HOME"},
			want: []string{"PATH=/p", "RUNX_CWD=/work"}, missing: []string{"HOME"}},
		{name: "set twice, the first wins", os: "linux", env: []string{"A=1", "A=2", "X=1", "X=2"}, optional: []string{"A"},
			want: []string{"RUNX_CWD=/work", "A=1"}, withheld: []string{"X"}},
		{name: "bytes that are no UTF-8", os: "linux", env: []string{"LANG=\xff\xfe", "A=\x80=b"}, optional: []string{"A"},
			want: []string{"LANG=\xff\xfe", "RUNX_CWD=/work", "A=\x80=b"}},
		{name: "case counts on Unix", os: "darwin", env: []string{"Path=/p", "region=x"}, optional: []string{"REGION"},
			want: []string{"RUNX_CWD=/work"}, withheld: []string{"Path", "region"}, missing: []string{"REGION"}},
		{name: "signing never, verification always", os: "linux",
			env:  []string{"RUNX_RECEIPT_SIGN_KID=c", "RUNX_RECEIPT_VERIFY_KID=", "RUNX_RECEIPT_VERIFY_OTHER=c", "RUNX_RECEIPT_DIR=rel"},
			want: []string{"RUNX_CWD=/work", "RUNX_RECEIPT_VERIFY_KID="}, withheld: []string{"RUNX_RECEIPT_DIR", "RUNX_RECEIPT_SIGN_KID", "RUNX_RECEIPT_VERIFY_OTHER"}},
		{name: "windows keeps the host's spelling", os: "windows", env: []string{`Path=C:\bin`, "windir=w", "SYSTEMROOT=s", "Region=eu"}, required: []string{"REGION", "PATH"},
			want: []string{`Path=C:\bin`, "SYSTEMROOT=s", "windir=w", `RUNX_CWD=C:\work`, "Region=eu"}},
		{name: "windows set twice in two cases", os: "windows", env: []string{"Path=1", "PATH=2", "Foo=1", "FOO=2"},
			want: []string{"Path=1", `RUNX_CWD=C:\work`}, withheld: []string{"Foo"}},
		{name: "windows transport in another case", os: "windows", env: []string{"Runx_Cwd=x", "Runx_Receipt_Verify_Kid=k"},
			want: []string{`RUNX_CWD=C:\work`, "Runx_Receipt_Verify_Kid=k"}},
		{name: "windows drives are no variables", os: "windows", env: []string{`=C:=C:\x`, "=ExitCode=0", "A=1"},
			want: []string{`RUNX_CWD=C:\work`}, withheld: []string{"A"}},
		{name: "entries that are no variables", os: "linux", env: []string{"broken", "=x", ""},
			want: []string{"RUNX_CWD=/work"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			req, tail := request(), unixTail
			if tt.os == "windows" {
				req, tail = windowsRequest(), windowsTail
			}
			req.Host = sandbox.Host{OS: tt.os, Env: tt.env}
			req.Required, req.Optional = tt.required, tt.optional
			plan := mustPlan(t, req)
			if diff := cmp.Diff(append(tt.want, tail, "RUNX_INPUTS_JSON={}"), plan.Env.Entries()); diff != "" {
				t.Errorf("entries (-want +got):\n%s", diff)
			}
			var delivered []string
			for _, entry := range tt.want {
				delivered = append(delivered, entry[:strings.Index(entry, "=")])
			}
			slices.Sort(delivered)
			if diff := cmp.Diff(delivered, plan.Delivered); diff != "" {
				t.Errorf("Delivered (-want +got):\n%s", diff)
			}
			if !slices.Equal(tt.withheld, plan.Withheld) {
				t.Errorf("Withheld = %q, want %q", plan.Withheld, tt.withheld)
			}
			if !slices.Equal(tt.missing, plan.MissingOptional) {
				t.Errorf("MissingOptional = %q, want %q", plan.MissingOptional, tt.missing)
			}
		})
	}
}

func TestMissing(t *testing.T) {
	tests := []struct {
		name      string
		required  []string
		msg, hint string
	}{
		{"one", []string{"SET", "REGION"}, "the required environment variable REGION is not set",
			"set REGION for runx; an empty value counts as set"},
		{"all, as declared", []string{"Z", "SET", "A", "HOME"}, "the required environment variables Z, A and HOME are not set",
			"set Z, A, HOME for runx; an empty value counts as set"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			req := request()
			req.Host.Env, req.Required = []string{"SET="}, tt.required
			if diff := cmp.Diff(&Refusal{codeEnvMissing, tt.msg, tt.hint}, mustRefuse(t, req)); diff != "" {
				t.Errorf("Refusal (-want +got):\n%s", diff)
			}
		})
	}
}

func TestEnv(t *testing.T) {
	if entries := Empty().Entries(); entries == nil || len(entries) != 0 {
		t.Errorf("Empty().Entries() = %#v, want an empty list that is not nil", entries)
	}
	if _, ok := Empty().Lookup("PATH"); ok {
		t.Error("Empty() has a PATH")
	}
	unix, windows := mustPlan(t, request()).Env, mustPlan(t, windowsRequest()).Env
	unix.Entries()[0] = "PATH=changed"
	tests := []struct {
		name  string
		env   Env
		query string
		want  string
		ok    bool
	}{
		{"unix", unix, "PATH", "/bin", true},
		{"unix other case", unix, "Path", "", false},
		{"windows other case", windows, "PATH", `C:\bin`, true},
		{"unset", windows, "HOME", "", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got, ok := tt.env.Lookup(tt.query); got != tt.want || ok != tt.ok {
				t.Errorf("Lookup(%q) = %q, %v, want %q, %v", tt.query, got, ok, tt.want, tt.ok)
			}
		})
	}
}
