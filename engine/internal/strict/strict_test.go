package strict

import (
	"strings"
	"testing"
)

func TestDecode(t *testing.T) {
	for text, want := range map[string]string{
		`{"a":1}`:        "",
		` {"a":1} `:      "",
		`{"a":1,"b":2}`:  "unknown field",
		`{"a":1}{"a":2}`: "text after its end",
		`{"a":`:          "unexpected EOF",
	} {
		var into struct{ A int }
		err := Decode([]byte(text), &into)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) || err == nil && into.A != 1 {
			t.Errorf("%s: %+v, %v", text, into, err)
		}
	}
}
