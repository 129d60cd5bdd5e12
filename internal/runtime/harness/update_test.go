package harness

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/runx-go/runx/internal/runtime"
	"github.com/runx-go/runx/internal/skills/codec"
)

func TestCheckUpdate(t *testing.T) {
	opts := CheckOptions{RunOptions: testOptions(t), Dirs: []string{"fixtures"}, Update: true}
	opts.Host.Dir = t.TempDir()
	dir := filepath.Join(opts.Host.Dir, "fixtures")
	const head = "{\r\n  \"probe\": [\"./p\"], \"schema\": \"runx.author_fixtures.v1\", \"skill_directory\": \"skill\",\r\n  \"cases\": [\r\n"
	const holds = "    {\"id\": \"holds\", \"timeout_seconds\": 9, \"lane\": \"C\", \"mode\": \"good\",  \"expected\": {\"status\":\"sealed\"}},\r\n"
	const crash = "    {\"id\": \"crash\", \"timeout_seconds\": 9, \"lane\": \"C\", \"mode\": \"panic\", \"expected\": {\"status\":\"sealed\"}},\r\n"
	const before = head + holds + crash +
		"    {\"expected\": {\"status\": \"sealed\", \"stdout\": \"old\\n\"}, \"id\": \"old\", \"timeout_seconds\": 9, \"lane\": \"C\", \"mode\": \"good\"},\r\n" +
		"    {\"id\": \"none\", \"timeout_seconds\": 9, \"lane\": \"C\", \"mode\": \"good\"}\r\n  ]\r\n}\r\n"
	const after = head + holds + crash +
		"    {\"expected\": {\r\n      \"status\": \"sealed\",\r\n      \"stdout\": \"hello\\n\"\r\n    }, \"id\": \"old\", \"timeout_seconds\": 9, \"lane\": \"C\", \"mode\": \"good\"},\r\n" +
		"    {\"id\": \"none\", \"timeout_seconds\": 9, \"lane\": \"C\", \"mode\": \"good\", \"expected\": {\r\n      \"status\": \"sealed\",\r\n      \"exit_code\": 0,\r\n" +
		"      \"stdout\": \"hello\\n\",\r\n      \"stderr\": \"\",\r\n      \"cwd\": \"skill\"\r\n    }}\r\n  ]\r\n}\r\n"
	if err := os.MkdirAll(filepath.Join(dir, "skill"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "cases.json"), []byte(before), 0o600); err != nil {
		t.Fatal(err)
	}
	report, err := Check(t.Context(), fakeRun, opts)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(report.Changes, []string{"fixtures: old", "fixtures: none"}); d != "" || report.Problem() != "expectations were rewritten: 2" {
		t.Errorf("problem %q, changes (-got +want):\n%s", report.Problem(), d)
	}
	got, err := os.ReadFile(filepath.Join(dir, "cases.json"))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(got), after); d != "" {
		t.Errorf("cases.json (-got +want):\n%s", d)
	}
	report, err = Check(t.Context(), fakeRun, opts)
	if err != nil || len(report.Changes) != 0 || report.Failed != 1 {
		t.Errorf("a second update gives %+v, %v; want only the crash", report, err)
	}
}

func TestCheckUpdateNeedsADirectory(t *testing.T) {
	run := func(context.Context, RunRequest) (json.RawMessage, error) {
		t.Error("a case was run")
		return nil, errors.New("not wanted")
	}
	_, err := Check(t.Context(), run, CheckOptions{RunOptions: testOptions(t), Update: true})
	if runtime.ClassOf(err) != runtime.ClassInvalid {
		t.Errorf("error is %v", err)
	}
}

func TestListDirectories(t *testing.T) {
	opts := CheckOptions{RunOptions: testOptions(t), Dirs: []string{"a", "b"}}
	opts.Host.Dir = t.TempDir()
	writeCases(t, filepath.Join(opts.Host.Dir, "a"), `{"id":"two","lane":"C","mode":"m","timeout_seconds":10}`)
	writeCases(t, filepath.Join(opts.Host.Dir, "b"), `{"id":"one","lane":"C","mode":"m","timeout_seconds":10}`)
	cases, err := List(opts)
	if d := cmp.Diff(ids(cases), []string{"one", "two"}); err != nil || d != "" {
		t.Errorf("%v (-got +want):\n%s", err, d)
	}
	opts.Dirs = []string{"a", "a"}
	if _, err := List(opts); runtime.ClassOf(err) != runtime.ClassInvalid {
		t.Errorf("an id in two directories gives %v", err)
	}
	opts.Dirs = nil
	cases, err = List(opts)
	if err != nil || len(cases) != len(Builtin(opts.Host.OS)) {
		t.Errorf("without a directory there are %d cases (%v)", len(cases), err)
	}
}

func TestRenew(t *testing.T) {
	cut := func(o *Observation) {
		o.Stdout = &Stream{Text: "a", Bytes: 9, RetainedBytes: 1, SHA256: "00", Truncated: true}
		o.Stderr = nil
		o.Message, o.ErrorCode = "names REGION\n", "env_missing"
		o.Reported = Reported{}
		o.Survivors = nil
	}
	tests := []struct {
		name, old, want string
		got             Observation
	}{
		{"everything", `{"status":"failed","error_code":"x","exit_code":1,"signal":"S","stdout":{"base64":"eA=="},"stderr":{"json":1},"result":1,
			"cwd":"other","inputs_source":"stdin","variables":{"present":["HOME"],"absent":["PATH"],"only":["PATH"]},"survivors":1,
			"descendant_held_pipe":true,"warnings":["gone","stream_encoding"],"max_duration_ms":1}`,
			`{"status":"sealed","error_code":"","exit_code":0,"signal":"","stdout":{"base64":"aGVsbG8K"},"stderr":{"json":{"n":1.0}},
			"result":"hello\n","cwd":"skill","inputs_source":"path","variables":{"present":["PATH"],"absent":["HOME"],"only":["PATH","RUNX_CWD"]},
			"survivors":0,"descendant_held_pipe":false,"warnings":["stream_encoding"],"max_duration_ms":1}`, seen(nil)},
		{"what is gone", `{"status":"sealed","message_contains":["REGION","x"],"stdout":"hello\n","stderr":"","inputs_source":"path",
			"variables":{"present":["A"]},"survivors":0}`,
			`{"status":"sealed","message_contains":["REGION"],"stdout":{"bytes":9,"retained_bytes":1,"sha256":"00","truncated":true,"replaced":0}}`, seen(cut)},
		{"masked measure", `{"status":"sealed","stdout":{"bytes":1}}`, `{"status":"sealed","stdout":{"bytes":6}}`, seen(nil)},
		{"json that is none now", `{"status":"sealed","stdout":{"json":1}}`, `{"status":"sealed","stdout":"hello\n"}`, seen(nil)},
		{"none", ``, `{"status":"sealed","error_code":"env_missing","exit_code":0,"cwd":"skill","stdout":{"bytes":9,"retained_bytes":1,
			"sha256":"00","truncated":true,"replaced":0}}`, seen(cut)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			old, err := parseExpected(json.RawMessage(tt.old))
			if err != nil {
				t.Fatal(err)
			}
			renewed := renew(old, tt.got)
			raw, err := codec.Marshal(renewed)
			if err != nil {
				t.Fatal(err)
			}
			if equal, err := codec.Equal(raw, json.RawMessage(tt.want)); err != nil || !equal {
				t.Errorf("renewed is %s (%v), want %s", raw, err, tt.want)
			}
			again, err := parseExpected(raw)
			if err != nil {
				t.Fatalf("the renewed expectation is refused: %v", err)
			}
			for _, line := range Compare(again, tt.got) {
				if line != "max_duration_ms: wanted at most 1, got more" {
					t.Errorf("the renewed expectation does not hold: %s", line)
				}
			}
		})
	}
}
