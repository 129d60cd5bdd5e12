package main

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"
)

// cmdJSONHas asserts that a file (or stdout, stderr) is exactly one JSON document and what stands at
// a path of it: jsonhas FILE PATH [VALUE]. PATH is words joined by dots, a word is a key, an index,
// or len for a length; "." is the document. VALUE is JSON, else a string. Negated: nothing is there.
func cmdJSONHas(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 2 || len(args) > 3 {
		ts.Fatalf("usage: jsonhas FILE PATH [VALUE]")
	}
	got, found := jsonAt(ts, args[0], args[1])
	switch {
	case neg && len(args) == 3:
		if found && cmp.Equal(got, jsonWord(args[2])) {
			ts.Fatalf("%s of %s is %s", args[1], args[0], args[2])
		}
	case neg:
		if found {
			ts.Fatalf("%s of %s is there: %v", args[1], args[0], got)
		}
	case !found:
		ts.Fatalf("%s of %s is not there", args[1], args[0])
	case len(args) == 3:
		if diff := cmp.Diff(jsonWord(args[2]), got); diff != "" {
			ts.Fatalf("%s of %s differs (-want +got):\n%s", args[1], args[0], diff)
		}
	}
}

// cmdJSONMatch asserts that a string at a path matches a pattern: jsonmatch FILE PATH PATTERN.
func cmdJSONMatch(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 3 {
		ts.Fatalf("usage: jsonmatch FILE PATH PATTERN")
	}
	got, found := jsonAt(ts, args[0], args[1])
	text, isText := got.(string)
	if !found || !isText {
		ts.Fatalf("%s of %s is no string: %v", args[1], args[0], got)
	}
	pattern, err := regexp.Compile("(?m)" + args[2])
	ts.Check(err)
	if pattern.MatchString(text) == neg {
		ts.Fatalf("%s of %s is %q; match with %s: %v", args[1], args[0], text, args[2], !neg)
	}
}

// cmdJSONCmp asserts that two documents are equal but for ids, digests, times and the place of the
// script: jsoncmp FILE WANT.
func cmdJSONCmp(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: jsoncmp FILE WANT")
	}
	steady := steadier(ts)
	got, want := steady(readDocument(ts, args[0]), ""), steady(readDocument(ts, args[1]), "")
	if diff := cmp.Diff(want, got); (diff == "") == neg {
		ts.Fatalf("the documents compare so (-want +got):\n%s", diff)
	}
}

// steadier returns a function that replaces what differs from run to run.
func steadier(ts *testscript.TestScript) func(value any, key string) any {
	id := regexp.MustCompile(`^run_[0-9A-HJKMNP-TV-Z]{26}$`)
	digest := regexp.MustCompile(`^sha256:[0-9a-f]{64}$`)
	moment := regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$`)
	var steady func(value any, key string) any
	steady = func(value any, key string) any {
		switch v := value.(type) {
		case map[string]any:
			for name := range v {
				v[name] = steady(v[name], name)
			}
		case []any:
			for i := range v {
				v[i] = steady(v[i], key)
			}
		case json.Number:
			if strings.HasSuffix(key, "duration_ms") {
				return "<ms>"
			}
		case string:
			switch {
			case id.MatchString(v):
				return "<run>"
			case digest.MatchString(v):
				return "<digest>"
			case moment.MatchString(v):
				return "<time>"
			}
			return strings.ReplaceAll(v, ts.Getenv("WORK"), "<work>")
		}
		return value
	}
	return steady
}

// cmdEvents asserts the form of an event stream: events FILE. Every line is one closed object, seq
// rises by one, the run is one, and the last line is run.finished and no other.
func cmdEvents(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: events FILE")
	}
	text := ts.ReadFile(args[0])
	if !strings.HasSuffix(text, "\n") {
		ts.Fatalf("the last line has no end: %q", text)
	}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	run := ""
	for i, line := range lines {
		document, err := oneDocument([]byte(line))
		ts.Check(err)
		event, ok := document.(map[string]any)
		if !ok || len(event) != 7 {
			ts.Fatalf("line %d is no event of 7 keys: %s", i+1, line)
		}
		if i == 0 {
			run = fmt.Sprint(event["run_id"])
		}
		got := []any{event["schema_version"], event["seq"], event["run_id"], event["type"] == "run.finished", event["type"] == "run.started"}
		want := []any{"1.0", json.Number(strconv.Itoa(i + 1)), run, i == len(lines)-1, i == 0}
		if diff := cmp.Diff(want, got); diff != "" {
			ts.Fatalf("line %d (-want +got):\n%s\n%s", i+1, diff, line)
		}
		for _, key := range []string{"time", "step", "data"} {
			if _, ok := event[key]; !ok {
				ts.Fatalf("line %d has no %s", i+1, key)
			}
		}
	}
}

func readDocument(ts *testscript.TestScript, file string) any {
	document, err := oneDocument([]byte(ts.ReadFile(file)))
	if err != nil {
		ts.Fatalf("%s: %v", file, err)
	}
	return document
}

// lastDocument is the document that a script looked at last: several lines look at one of 16 MiB.
type lastDocument struct {
	text  string
	value any
}

func jsonAt(ts *testscript.TestScript, file, path string) (any, bool) {
	last := ts.Value(lastDocument{}).(*lastDocument)
	if text := ts.ReadFile(file); text != last.text || text == "" {
		*last = lastDocument{text, readDocument(ts, file)}
	}
	value := last.value
	if path == "." {
		return value, true
	}
	for _, word := range strings.Split(path, ".") {
		switch v := value.(type) {
		case map[string]any:
			member, ok := v[word]
			if word == "len" {
				member, ok = json.Number(strconv.Itoa(len(v))), true
			}
			if !ok {
				return nil, false
			}
			value = member
		case []any:
			i, err := strconv.Atoi(word)
			switch {
			case word == "len":
				value = json.Number(strconv.Itoa(len(v)))
			case err != nil || i < 0 || i >= len(v):
				return nil, false
			default:
				value = v[i]
			}
		default:
			return nil, false
		}
	}
	return value, true
}

func jsonWord(text string) any {
	if value, err := oneDocument([]byte(text)); err == nil {
		return value
	}
	return text
}
