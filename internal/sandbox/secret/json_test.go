package secret_test

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestRedactJSON(t *testing.T) {
	const sa = `{"type":"sa","key":"k1"}`
	tests := []struct {
		name   string
		values []string
		raw    string
		want   string // M is the mark
	}{
		{"untouched", []string{"hunter22"}, " {\"b\" : 1.50e+03, \"a\":[true,null,\"\\u0041\\/\"]}\n", " {\"b\" : 1.50e+03, \"a\":[true,null,\"\\u0041\\/\"]}\n"},
		{"string", []string{"hunter22"}, `{"z":"a hunter22 b","n":1.0}`, `{"z":"a M b","n":1.0}`},
		{"rest of the string is kept", []string{"hunter22"}, `["\u0041hunter22\/\u00e4"]`, `["\u0041M\/\u00e4"]`},
		{"any escape", []string{"hunter22"}, `["x\u0068unte\u007222y"]`, `["xMy"]`},
		{"surrogates", []string{"ab😀cd"}, `["ab\uD83D\ude00cd"]`, `["M"]`},
		{"lone surrogate beside it", []string{"hunter22"}, `["\ud800\u0068unter22\udc00"]`, `["\ud800M\udc00"]`},
		{"escapes of the value", []string{"a\"b\\c\n"}, `["a\"b\\c\n","a\u0022b\u005cc\u000A"]`, `["M","M"]`},
		{"base64 with slash", []string{"~~~???"}, `["fn5+Pz8\/"]`, `["M"]`},
		{"key", []string{"hunter22"}, `{"hunter22":{"a hunter22":1}}`, `{"M":{"a M":1}}`},
		{"keys stay apart", []string{"hunter22", "swordfish"}, `{"hunter22":1,"swordfish":2,"hunter2\u0032":3}`, `{"M":1,"M 2":2,"M 3":3}`},
		{"an author's key before", []string{"hunter22"}, `{"[redacted-credential]":1,"hunter22":2}`, `{"M":1,"M 2":2}`},
		{"an author's key after", []string{"hunter22"}, `{"hunter22":1,"[redacted-credential]":2,"[redacted-credential] 2":3}`, `{"M":1,"M 2":2,"M 2 2":3}`},
		{"an author's second key first", []string{"hunter22"}, `{"[redacted-credential] 2":0,"hunter22":1,"h\u0075nter22":2}`, `{"M 2":0,"M":1,"M 3":2}`},
		{"duplicates of the author", []string{"hunter22"}, `{"a":1,"hunter22":2,"a":3,"b":4,"b":5}`, `{"a":1,"M":2,"a":3,"b":4,"b":5}`},
		{"same key in two objects", []string{"hunter22"}, `[{"hunter22":1},{"hunter22":2}]`, `[{"M":1},{"M":2}]`},
		{"number", []string{"12345"}, `{"a":12345,"b":0.123450,"c":-1234,"d":[12345]}`, `{"a":"M","b":"M","c":-1234,"d":["M"]}`},
		{"top-level number", []string{"12345"}, `123456`, `"M"`},
		{"literal", []string{"true", "null"}, `[true,false,null]`, `["M",false,"M"]`},
		{"top-level string", []string{"hunter22"}, `"hunter22"`, `"M"`},
		{"JSON in a string", []string{"hunter22"}, `{"a":"{\"k\":\"hunter22\",\"n\":1.0}"}`, `{"a":"{\"k\":\"M\",\"n\":1.0}"}`},
		{"JSON in a string, any escape", []string{"hunter22"}, `["{\"k\":\"\\u0068unter22\"}"]`, `["{\"k\":\"M\"}"]`},
		{"JSON in JSON in a string", []string{"hunter22"}, `["[\"{\\\"k\\\":\\\"\\\\u0068unter22\\\"}\"]"]`, `["[\"{\\\"k\\\":\\\"M\\\"}\"]"]`},
		{"number in JSON in a string", []string{"12345"}, `["{\"k\":12345}"]`, `["{\"k\":\"M\"}"]`},
		{"array without a quote in a string", []string{"12345"}, `["[12345]"]`, `["[\"M\"]"]`},
		{"keys in JSON in a string", []string{"hunter22"}, `["{\"hunter22\":1,\"h\\u0075nter22\":2}"]`, `["{\"M\":1,\"M 2\":2}"]`},
		{"document as the value, in a string", []string{sa}, `{"c":"{\"type\":\"sa\",\"key\":\"k1\"}"}`, `{"c":"M"}`},
		{"document as the value, embedded", []string{sa}, `{"c":` + sa + `,"d":1}`, `{"c":"M","d":1}`},
		{"document as the value, whole", []string{sa}, sa, `"M"`},
		{"value over several tokens", []string{`1,"b":2`}, `{"x":[{"a":1,"b":2},3]}`, `{"x":["M",3]}`},
		{"value over a container's end", []string{`1],[2`}, `[9,[[1],[2],[3]]]`, `[9,"M"]`},
		{"value with a quote", []string{`secret"`}, `["a secret",1]`, `["M",1]`},
		{"white space around the document", []string{"1  \n"}, "[1]\n1  \n", "[1]\nM"},
		{"value over the document's end", []string{"]   \n"}, "[1]   \n", `"M"`},
		{"value ends inside an escape", []string{"abc\xc3"}, `["abc\u00e4d"]`, `["Md"]`},
		{"value starts inside an escape", []string{"\xa4def"}, `["c\u00e4def"]`, `["cM"]`},
		{"percent-encoded in a string", []string{"abc+def/ghi="}, `["q=abc%2Bdef\/ghi%3D&"]`, `["q=M&"]`},
		{"HTTP Basic in a key", []string{"hunter22"}, `{"Basic dXNlcjpodW50ZXIyMg==":1.0}`, `{"Basic dXNlcjpM":1.0}`},
		{"deep in a string that is no JSON", []string{`ab"cd\ef`}, `["log: \\\\\\\"ab\\\\\\\"cd\\\\\\\\ef"]`, `["log: \\\\\\\"M"]`},
		{"no JSON", []string{"hunter22"}, `{"a":hunter22`, `{"a":M`},
		{"two documents", []string{"hunter22"}, "{\"a\":\"hunter22\"}\n{}", "{\"a\":\"M\"}\n{}"},
		{"empty", []string{"hunter22"}, "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			before := strings.Clone(tt.raw)
			raw := []byte(tt.raw)
			got, want := string(redactor(t, tt.values...).JSON(raw)), mark(tt.want)
			if got != want {
				t.Errorf("JSON(%s)\n got %s\nwant %s", tt.raw, got, want)
			}
			if string(raw) != before {
				t.Errorf("JSON changed its argument to %s", raw)
			}
			if json.Valid(raw) && !json.Valid([]byte(got)) {
				t.Errorf("JSON(%s) = %s is not JSON", tt.raw, got)
			}
		})
	}
}

func TestRedactJSONDeep(t *testing.T) {
	r := redactor(t, "hunter22")
	for _, depth := range []int{9999, 10000, 10001} { // json.Valid accepts 10,000
		raw := strings.Repeat("[", depth) + `"hunter22"` + strings.Repeat("]", depth)
		if got, want := string(r.JSON([]byte(raw))), mark(strings.Replace(raw, "hunter22", "M", 1)); got != want {
			t.Errorf("depth %d: got %.30s…", depth, got[depth-5:])
		}
	}
}
