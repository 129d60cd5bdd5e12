package codec

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestParseObjectRefuses(t *testing.T) {
	tests := []struct{ name, text, want, hint string }{
		{"empty", " \n", "2:1 @2 the text is empty", "the empty object is {}"},
		{"array", " [1]", `1:2 @1 the text must be one JSON object, found an array`, `write {"name": value}`},
		{"string", `"a"`, `1:1 @0 the text must be one JSON object, found a string`, `write {"name": value}`},
		{"number", `-1`, `1:1 @0 the text must be one JSON object, found a number`, `write {"name": value}`},
		{"null", `null`, `1:1 @0 the text must be one JSON object, found null`, `write {"name": value}`},
		{"two documents", "{}\n{}", "2:1 @3 more text follows the end of the JSON value", "give one document only"},
		{"trailing text", "{} x", "1:4 @3 more text follows the end of the JSON value", "remove what follows the value"},
		{"mark at the end", "{}\ufeff", "1:3 @2 more text follows the end of the JSON value", "remove what follows the value"},
		{"mark inside", "{\ufeff}", `1:2 @1 a name in double quotes must follow, found '\ufeff'`, "a byte-order mark may stand only at the start"},
		{"duplicate", `{"ü":1,"b":{},"\u00fc":2}`, `1:15 @15 the key "ü" is given twice, first on line 1`, "keep one of them"},
		{"duplicate below", "{\"a\":[{\"b\":1,\n\"b\":2}]}", `2:1 @14 the key "b" is given twice, first on line 1`, "keep one of them"},
		{"lone high surrogate", `{"a":"\ud800"}`, `1:7 @6 a lone surrogate (\ud800) is not a character`, "escape both halves of the pair, or write the character itself"},
		{"lone low surrogate in a name", `{"\udc00":1}`, `1:3 @2 a lone surrogate (\udc00) is not a character`, "escape both halves of the pair, or write the character itself"},
		{"two high surrogates", `{"a":"\ud800\ud800"}`, `1:7 @6 a lone surrogate (\ud800) is not a character`, "escape both halves of the pair, or write the character itself"},
		{"control character", "{\"a\":\"x\ty\"}", "1:8 @7 the control character U+0009 must be escaped in a string", `write \u0009`},
		{"bad escape", `{"a":"\é"}`, `1:7 @6 the escape \é is not one of JSON`, `write \\ for a backslash`},
		{"short escape", `{"a":"\u12"}`, `1:7 @6 four hexadecimal digits must follow \u`, ""},
		{"open string", `{"a":"x`, "1:6 @5 the string is not closed", "add the closing double quote"},
		{"open escape", `{"a":"x\`, "1:8 @7 the string ends in an escape", "add the closing double quote"},
		{"open object", `{"a":1`, "1:7 @6 the text ends too early: a comma or } must follow", ""},
		{"leading zero", `{"a":-01}`, "1:6 @5 a number cannot begin with 0", "remove the leading zeros, or quote the value"},
		{"point", `{"a":1.}`, "1:6 @5 a digit must follow the decimal point", ""},
		{"exponent", `{"a":1e+}`, "1:6 @5 a digit must follow the exponent", ""},
		{"minus", `{"a":-}`, "1:6 @5 a digit must follow the minus sign", ""},
		{"NaN", `{"a":NaN}`, "1:6 @5 a value must follow, found 'N'", "NaN, Infinity and signs or points before the first digit are not JSON"},
		{"single quotes", `{'a':1}`, `1:2 @1 a name in double quotes must follow, found '\''`, "use double quotes"},
		{"comment", "{\"a\":1 // x\n}", "1:8 @7 a comma or } must follow, found '/'", "JSON has no comments"},
		{"comma before }", `{"a":1,}`, "1:8 @7 a comma before } is not allowed", "remove the comma"},
		{"comma before ]", `{"a":[1,]}`, "1:9 @8 a comma before ] is not allowed", "remove the comma"},
		{"no colon", `{"a" 1}`, "1:6 @5 a colon must follow the name, found '1'", ""},
		{"half a word", `{"a":tru}`, "1:6 @5 a value must follow, found 't'", ""},
		{"NUL", "{\"a\":1}\x00", "1:8 @7 more text follows the end of the JSON value", "remove what follows the value"},
		{"UTF-16", "{\x00}\x00", "1:1 @0 the text is UTF-16, not UTF-8 (byte offset 0)", "save the file as UTF-8"},
		{"not UTF-8", "{\"ü\n\": \"\xc3\"}", "2:5 @9 the text is not UTF-8 at byte offset 9", "save the file as UTF-8"},
		{"after a mark", "\ufeff{x}", "1:2 @4 a name in double quotes must follow, found 'x'", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := ParseObject("in.json", []byte(tt.text), Limits{})
			e, ok := errors.AsType[*SyntaxError](err)
			if !ok || e.Code != "input_json" || e.File != "in.json" {
				t.Fatalf("got %v, want a SyntaxError with code input_json", err)
			}
			got := fmt.Sprintf("%d:%d @%d %s", e.Line, e.Col, e.Offset, e.Msg)
			if diff := cmp.Diff([]string{got, e.Hint}, []string{tt.want, tt.hint}); diff != "" {
				t.Errorf("got, want:\n%s", diff)
			}
		})
	}
}

func TestParseObjectKeepsTheText(t *testing.T) {
	text := "\ufeff \n{ \"id\" : 9007199254740993,\"m\":1000000, \"f\":1.0,\"neg\":-0,\"e\\u0061\":{\"z\":1,\"a\": [ 2 ]},\"t\":\"\\u003c\\/\" }\n"
	o, err := ParseObject("", []byte(text), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(o.Raw()), strings.Trim(text, "\ufeff \n"); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	want := []Member{{"id", json.RawMessage("9007199254740993")}, {"m", json.RawMessage("1000000")}, {"f", json.RawMessage("1.0")},
		{"neg", json.RawMessage("-0")}, {"ea", json.RawMessage(`{"z":1,"a": [ 2 ]}`)}, {"t", json.RawMessage(`"\u003c\/"`)}}
	if diff := cmp.Diff(o.Members(), want); diff != "" {
		t.Errorf("got, want:\n%s", diff)
	}
	if raw, ok := o.Lookup("neg"); !ok || string(raw) != "-0" {
		t.Errorf("got %s, %v", raw, ok)
	}
	same, err := o.Edit(func(string) bool { return false }, nil)
	if err != nil || !same.Equal(o) {
		t.Errorf("edit without a change: got %s, %v", same.Raw(), err)
	}
	edited, err := o.Edit(func(name string) bool { return name != "ea" && name != "f" }, []Member{{"n\"", json.RawMessage("2e0")}})
	if want := `{"f":1.0,"e\u0061":{"z":1,"a": [ 2 ]},"n\"":2e0}`; err != nil || string(edited.Raw()) != want {
		t.Errorf("got %s, %v, want %s", edited.Raw(), err, want)
	}
	if raw, ok := edited.Lookup("n\""); !ok || string(raw) != "2e0" {
		t.Errorf("got %s, %v", raw, ok)
	}
	var zero Object
	if string(zero.Raw()) != "{}" || zero.Members() != nil {
		t.Errorf("zero: got %s", zero.Raw())
	}
}

func TestManyMembers(t *testing.T) {
	for _, n := range []int{smallObject, smallObject + 1, smallObject + 2, 1000} {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `"k%d":%d,`, i, i)
		}
		text := "{" + b.String() + `"last":true}`
		o, err := ParseObject("", []byte(text), Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if raw, ok := o.Lookup(fmt.Sprintf("k%d", n-1)); !ok || string(raw) != fmt.Sprint(n-1) {
			t.Errorf("%d: got %s, %v", n, raw, ok)
		}
		if _, ok := o.Lookup("none"); ok {
			t.Errorf("%d: found a member that is not there", n)
		}
		for _, twice := range []string{"k0", fmt.Sprintf("k%d", n-1)} {
			if _, err := ParseObject("", []byte("{"+b.String()+`"`+twice+`":1}`), Limits{}); err == nil {
				t.Errorf("%d: the duplicate %s is not seen", n, twice)
			}
		}
	}
}

func TestJSONLimits(t *testing.T) {
	deep := func(n int) []byte { return []byte(strings.Repeat(`[`, n) + strings.Repeat(`]`, n)) }
	if _, err := ParseValue("", deep(defaultDepth), Limits{}); err != nil {
		t.Errorf("at the depth: %v", err)
	}
	_, err := ParseValue("", deep(defaultDepth+1), Limits{})
	if want := "line 1, column 1001: the nesting is deeper than 1000"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if _, err := ParseValue("", deep(3), Limits{Depth: 3, Bytes: 6}); err != nil {
		t.Errorf("at the limits: %v", err)
	}
	if _, err := ParseValue("", deep(3), Limits{Depth: 2}); err == nil {
		t.Error("over the depth: no error")
	}
	_, err = ParseValue("f", deep(3), Limits{Bytes: 5})
	if want := "f:1:1: the JSON text has 6 bytes, the limit is 5"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if JSONBytes != 64<<20 {
		t.Errorf("got %d, want 64 MiB", JSONBytes)
	}
}

func TestJoinObject(t *testing.T) {
	o, err := JoinObject([]Member{{"a<", json.RawMessage("1.0")}, {"\u2028\n", json.RawMessage(`"\u0061"`)}})
	if want := "{\"a<\":1.0,\"\u2028\\n\":\"\\u0061\"}"; err != nil || string(o.Raw()) != want {
		t.Errorf("got %s, %v, want %s", o.Raw(), err, want)
	}
	if _, err := JoinObject([]Member{{"a", json.RawMessage("1")}, {"a", json.RawMessage("2")}}); err == nil {
		t.Error("a duplicate name: no error")
	}
	if _, err := JoinObject([]Member{{"\xff", json.RawMessage("1")}}); err == nil {
		t.Error("a name that is not UTF-8: no error")
	}
}

func TestCanonical(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"numbers", `[333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001, 1.0, 1e21, 1e20, 1e-6, 1e-7, -0.0, 5e-324, 123456789012345678901.0, 1e2]`,
			`[333333333.3333333,1e+30,4.5,0.002,1e-27,1,1e+21,100000000000000000000,0.000001,1e-7,0,5e-324,123456789012345680000,100]`},
		{"integers keep their digits", `[9007199254740993,-123456789012345678901234567890,-0,0]`, `[9007199254740993,-123456789012345678901234567890,0,0]`},
		{"beyond a double", `[1e400,-1E+400,1e-400,0e-400,0.0e999]`, `[1e400,-1E+400,1e-400,0,0]`},
		{"strings", `"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/\u007f\u2028<&"`, "\"\u20ac$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\u007f\u2028<&\""},
		{"order of keys", `{"\u20ac":1,"\r":2,"\ufb33":3,"1":4,"\ud83d\ude00":5,"\u0080":6,"\u00f6":7,"":8,"11":9}`,
			"{\"\":8,\"\\r\":2,\"1\":4,\"11\":9,\"\u0080\":6,\"ö\":7,\"€\":1,\"😀\":5,\"\ufb33\":3}"},
		{"order below", ` { "z" : { "b" : { "y" : 1 , "x" : [ { "d" : 1 , "c" : { } } ] } , "a" : [ { "d":1, "c":2 }, [ ] ] } , "y" : { "q" : null , "p" : true } } `,
			`{"y":{"p":true,"q":null},"z":{"a":[{"c":2,"d":1},[]],"b":{"x":[{"c":{},"d":1}],"y":1}}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Canonical([]byte(tt.text))
			if err != nil || string(got) != tt.want {
				t.Errorf("got  %s, %v\nwant %s", got, err, tt.want)
			}
			again, err := Canonical(got)
			if err != nil || string(again) != string(got) {
				t.Errorf("again: got %s, %v", again, err)
			}
		})
	}
	if _, err := Canonical([]byte(`{"a":1,"a":1}`)); err == nil {
		t.Error("a duplicate key: no error")
	}
	digest, err := DigestJSON([]byte(`{ }`))
	if want := "sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"; err != nil || digest != want {
		t.Errorf("got %s, %v, want %s", digest, err, want)
	}
}

func TestEqual(t *testing.T) {
	tests := []struct {
		a, b string
		want bool
	}{
		{`{"a":1,"b":[1.0,"\u0061"]}`, `{"b":[1,"a"],"a":10e-1}`, true}, {`9007199254740993`, `9007199254740992`, false}, {`9007199254740993.0`, `9007199254740993`, true},
		{`0.1`, `0.10000000000000000001`, false}, {`-0`, `0.0e5`, true}, {`1e999999999999999999999999`, `10e999999999999999999999998`, true}, {`1e-1000000000000000000`, `0.1e-999999999999999999`, true},
		{`1e1000000000000000000`, `0.01e1000000000000000002`, true}, {`1e1000000000000000000`, `1e1000000000000000001`, false}, {`12e-1000000000000000000000`, `1.2e-999999999999999999999`, true},
		{`1`, `"1"`, false}, {`[1,2]`, `[2,1]`, false}, {`null`, `false`, false}, {`100`, `1e2`, true}, {`-1`, `1`, false}, {`{}`, `[]`, false},
	}
	for _, tt := range tests {
		if got, err := Equal([]byte(tt.a), []byte(tt.b)); err != nil || got != tt.want {
			t.Errorf("%s and %s: got %v, %v, want %v", tt.a, tt.b, got, err, tt.want)
		}
	}
	if _, err := Equal([]byte(`1`), []byte(`x`)); err == nil {
		t.Error("no JSON: no error")
	}
}

func TestMarshal(t *testing.T) {
	object, err := ParseObject("", []byte(`{"z":1.0, "a":"\u003c"}`), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	v := struct {
		Raw    json.RawMessage `json:"raw"`
		Object Object          `json:"object"`
		Text   string          `json:"text"`
		None   json.RawMessage `json:"none"`
	}{json.RawMessage(`{"b": 9007199254740993, "a":-0,"t":"\u003c<\u2028\/"}`), object, "<&>", nil}
	got, err := Marshal(v)
	want := `{"raw":{"b":9007199254740993,"a":-0,"t":"\u003c<\u2028\/"},"object":{"z":1.0,"a":"\u003c"},"text":"<&>","none":null}`
	if err != nil || string(got) != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
	if got, err := Marshal(v.Raw); err != nil || string(got) != string(v.Raw) {
		t.Errorf("got %s, %v, want %s", got, err, v.Raw)
	}
	if _, err := Marshal(func() {}); err == nil {
		t.Error("a function: no error")
	}
}

func TestRender(t *testing.T) {
	for text, want := range map[string]string{`"a\u0062\n"`: "ab\n", `null`: "", ` 1.0 `: "1.0", `{"a": 1}`: `{"a": 1}`, `true`: "true", `""`: ""} {
		if got, err := Render([]byte(text)); err != nil || got != want {
			t.Errorf("%s: got %q, %v, want %q", text, got, err, want)
		}
	}
	if _, err := Render([]byte(`"`)); err == nil {
		t.Error("no JSON: no error")
	}
}

type strictInner struct {
	List []string          `json:"list"`
	Map  map[string]int    `json:"map,omitempty"`
	Raw  json.RawMessage   `json:"raw"`
	At   *time.Time        `json:"at"`
	Any  any               `json:"any"`
	Bin  []byte            `json:"bin"`
	Sub  map[string]*Inner `json:"sub"`
}

type Inner struct {
	Flag bool `json:"flag"`
}

type strictOuter struct {
	Inner
	Name    string      `json:"name"`
	Count   int8        `json:"count"`
	Inside  strictInner `json:"inside"`
	private int
	Skipped int `json:"-"`
}

func TestDecodeStrict(t *testing.T) {
	var got strictOuter
	text := "\ufeff {\"name\":\"\\u0061\",\"flag\":true,\"count\":-3,\"inside\":{\"list\":null,\"map\":{\"Any Key\":1},\"raw\":{\"x\": [1]},\"at\":\"2026-01-02T03:04:05Z\",\"any\":{\"b\":1},\"bin\":\"YQ==\",\"sub\":{\"k\":null,\"l\":{\"flag\":true}}}}"
	if err := DecodeStrict("f", []byte(text), Limits{}, &got); err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	want := strictOuter{Inner: Inner{true}, Name: "a", Count: -3, Inside: strictInner{Map: map[string]int{"Any Key": 1}, Raw: json.RawMessage(`{"x": [1]}`),
		At: &at, Any: map[string]any{"b": 1.0}, Bin: []byte("a"), Sub: map[string]*Inner{"k": nil, "l": {true}}}, private: 0}
	if diff := cmp.Diff(got, want, cmp.AllowUnexported(strictOuter{})); diff != "" {
		t.Errorf("got, want:\n%s", diff)
	}
}

func TestDecodeStrictRefuses(t *testing.T) {
	tests := []struct{ name, text, want, nearest string }{
		{"case", "{\n \"Name\":1}", `json_key 2:2 @3 the key "Name" is not known here`, "name"},
		{"near", `{"inside":{"lsit":[]}}`, `json_key 1:12 @11 the key "lsit" is not known here`, "list"},
		{"skipped field", `{"Skipped":1}`, `json_key 1:2 @1 the key "Skipped" is not known here`, ""},
		{"private field", `{"private":1}`, `json_key 1:2 @1 the key "private" is not known here`, ""},
		{"below a map", `{"inside":{"sub":{"a b":{"flog":true}}}}`, `json_key 1:26 @25 the key "flog" is not known here`, "flag"},
		{"type", `{"inside":{"list":["a",1]}}`, `json_type 1:24 @23 $.inside.list[1] must be a string`, ""},
		{"type in a map", `{"inside":{"map":{"a b":true}}}`, `json_type 1:25 @24 $.inside.map["a b"] must be a number`, ""},
		{"null for a string", `{"name":null}`, `json_type 1:9 @8 $.name must be a string`, ""},
		{"number for a boolean", `{"flag":0}`, `json_type 1:9 @8 $.flag must be true or false`, ""},
		{"array for an object", `{"inside":[]}`, `json_type 1:11 @10 $.inside must be an object`, ""},
		{"array for bytes", `{"inside":{"bin":[1]}}`, `json_type 1:18 @17 $.inside.bin must be a string`, ""},
		{"whole", `[]`, `json_type 1:1 @0 $ must be an object`, ""},
		{"too large", `{"count":128}`, `json_type 1:13 @12 the value that ends here does not fit: number 128 for int8`, ""},
		{"duplicate", `{"name":"a","name":"b"}`, `input_json 1:13 @12 the key "name" is given twice, first on line 1`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var into strictOuter
			err := DecodeStrict("f", []byte(tt.text), Limits{}, &into)
			e, ok := errors.AsType[*SyntaxError](err)
			if !ok {
				t.Fatalf("got %v, want a SyntaxError", err)
			}
			got := fmt.Sprintf("%s %d:%d @%d %s", e.Code, e.Line, e.Col, e.Offset, e.Msg)
			if diff := cmp.Diff([]string{got, e.Nearest}, []string{tt.want, tt.nearest}); diff != "" {
				t.Errorf("got, want:\n%s", diff)
			}
		})
	}
	if err := DecodeStrict("f", []byte(`{}`), Limits{}, strictOuter{}); err == nil {
		t.Error("no pointer: no error")
	}
}

func TestNearest(t *testing.T) {
	known := []string{"timeout_seconds", "inputs", "input_mode", "source", "type", "run"}
	tests := []struct {
		word string
		n    int
		want []string
	}{
		{"timout_seconds", 1, []string{"timeout_seconds"}}, {"timeoutSeconds", 1, []string{"timeout_seconds"}}, {"imputs", 2, []string{"inputs"}}, {"tpye", 1, []string{"type"}},
		{"INPUT-MODE", 3, []string{"input_mode"}}, {"zebra", 3, nil}, {"", 3, nil}, {"run", 0, nil}, {"rum", 1, []string{"run"}}, {strings.Repeat("x", 100000), 1, nil},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(Nearest(tt.word, known, tt.n), tt.want); diff != "" {
			t.Errorf("%.20s: got, want:\n%s", tt.word, diff)
		}
	}
	if diff := cmp.Diff(Nearest("ab_c", []string{"abd", "ab-c", "ab_c"}, 3), []string{"ab_c", "ab-c", "abd"}); diff != "" {
		t.Errorf("got, want:\n%s", diff)
	}
}

func TestFrontmatter(t *testing.T) {
	type parts struct {
		YAML, Body         string
		YAMLLine, BodyLine int
	}
	tests := []struct {
		name, text string
		want       parts
		err        string
	}{
		{"LF", "---\nname: a\n---\nbody\n", parts{"name: a\n", "body\n", 2, 4}, ""},
		{"CRLF", "---\r\nname: a\r\n---\r\nbody\r\n", parts{"name: a\r\n", "body\r\n", 2, 4}, ""},
		{"mark, inner mark kept", "\ufeff---\nname: a\n---\n\ufeffbody", parts{"name: a\n", "\ufeffbody", 2, 4}, ""},
		{"blanks after the fences", "--- \t\nname: a\n---  \nbody", parts{"name: a\n", "body", 2, 4}, ""},
		{"fence in the body", "---\nname: a\n---\n```\n---\n```\n", parts{"name: a\n", "```\n---\n```\n", 2, 4}, ""},
		{"no body", "---\nname: a\n---", parts{"name: a\n", "", 2, 4}, ""},
		{"empty frontmatter", "---\n---\nx", parts{"", "x", 2, 3}, ""},
		{"the body may hold any bytes", "---\na: b\n---\n\xff\x00", parts{"a: b\n", "\xff\x00", 2, 4}, ""},
		{"longer line is no fence", "---\na: b\n----\n--- x\n---\nx", parts{"a: b\n----\n--- x\n", "x", 2, 6}, ""},
		{"empty", "", parts{}, "frontmatter 1:1 @0 the file is empty"},
		{"blank", "\ufeff \n\n", parts{}, "frontmatter 1:1 @0 the file is empty"},
		{"missing", "# Title\n", parts{}, "frontmatter 1:1 @0 the file does not begin with a frontmatter (---)"},
		{"not on the first line", "\n---\na: b\n---\n", parts{}, "frontmatter 1:1 @0 the file does not begin with a frontmatter (---)"},
		{"open", "---\na: b\n", parts{}, "frontmatter 1:1 @0 the frontmatter is not closed: no line --- follows"},
		{"UTF-16", "\xff\xfe-\x00", parts{}, "encoding 1:1 @0 the text is UTF-16, not UTF-8 (byte offset 0)"},
		{"not UTF-8", "---\na: \xff\n---\n", parts{}, "encoding 2:4 @7 the text is not UTF-8 at byte offset 7"},
		{"at the limit", "---\n" + strings.Repeat("#", frontmatterBytes-1) + "\n---\nx", parts{strings.Repeat("#", frontmatterBytes-1) + "\n", "x", 2, 4}, ""},
		{"over the limit", "---\n" + strings.Repeat("#", frontmatterBytes) + "\n---\nx", parts{}, "yaml_limit 2:1 @4 the frontmatter has 65537 bytes, the limit is 65536"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			yaml, yamlLine, body, bodyLine, err := Frontmatter("SKILL.md", []byte(tt.text))
			got, text := parts{string(yaml), string(body), yamlLine, bodyLine}, ""
			if e, ok := errors.AsType[*SyntaxError](err); ok {
				text = fmt.Sprintf("%s %d:%d @%d %s", e.Code, e.Line, e.Col, e.Offset, e.Msg)
			}
			if diff := cmp.Diff(got, tt.want); diff != "" || text != tt.err {
				t.Errorf("got, want:\n%s\ngot  %s\nwant %s", diff, text, tt.err)
			}
		})
	}
}
