package recode_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
)

func saved(step, params string) recode.RecodeFile {
	return recode.RecodeFile{Step: step, Params: json.RawMessage(params)}
}

// applySaved applies the recodes of a file in order.
func applySaved(t *testing.T, data *microdata.Dataset, recodes []recode.RecodeFile) *microdata.Dataset {
	t.Helper()
	for _, one := range recodes {
		m, err := one.Method()
		if err != nil {
			t.Fatal(err)
		}
		data = apply(t, m, data).Data
	}
	return data
}

// A file of the applied recodes, without those that a later one replaced, gives the same data.
func TestSavedRecodesComeBack(t *testing.T) {
	standing := []recode.RecodeFile{
		saved("recode-intervals", `{"variable":"age","breaks":[-1,50,120]}`),
		saved("recode-group", `{"variable":"ethnic","levels":["Kesh","Veyra"],"label":"<other>"}`),
		saved("recode-intervals", `{"variable":"age","count":7}`),
		saved("recode-topbottom", `{"variable":"age","top":60}`),
		saved("recode-order", `{"variable":"educ","levels":["none","primary"]}`),
		saved("recode-hierarchy", `{"variable":"region","levels":[["Arden","west"],["Brisk","west"]],"unlisted":"keep"}`),
		saved("recode-split", `{"variable":"ethnic","level":"<other>"}`),
		saved("recode-round", `{"variable":"income","base":100}`),
		saved("recode-rename", `{"variable":"sex","level":"male","label":"m"}`),
		saved("recode-grc", `{"variable":"hsize","recode":"1: 1-3\n2: 4-"}`),
	}
	text, err := recode.SaveRecodes(standing)
	if err != nil {
		t.Fatal(err)
	}
	read, err := recode.LoadRecodes(text)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	if len(read) != len(standing)-1 || !json.Valid(text) {
		t.Errorf("%d recodes, want %d:\n%s", len(read), len(standing)-1, text)
	}
	data := golden.Data(t, "survey")
	if applySaved(t, data, standing).Hash() != applySaved(t, data, read).Hash() {
		t.Error("the recodes of the file give other data")
	}
	again, err := recode.SaveRecodes(read)
	if err != nil {
		t.Fatal(err)
	}
	twice, err := recode.LoadRecodes(again)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(read, twice); diff != "" {
		t.Errorf("saved and read twice:\n%s", diff)
	}
}

func TestOneRecodeForManyVariables(t *testing.T) {
	text := `{"format":"sdcdesk-recodes","version":1,"recodes":[
		{"step":"recode-intervals","variables":["expend","savings"],"params":{"count":3,"method":"quantiles"}},
		{"step":"recode-rename","params":{"variable":"sex","level":"male","label":"m"}}]}`
	recodes, err := recode.LoadRecodes([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var variables []string
	for _, one := range recodes {
		variables = append(variables, one.Step+" "+one.Variable())
	}
	if diff := cmp.Diff([]string{"recode-intervals expend", "recode-intervals savings", "recode-rename sex"},
		variables); diff != "" {
		t.Errorf("recodes (-want +got):\n%s", diff)
	}
	data := applySaved(t, golden.Data(t, "survey"), recodes)
	for _, name := range []string{"expend", "savings"} {
		column, _ := data.Column(name)
		if levels := len(column.Categories().Levels); levels < 2 || levels > 3 {
			t.Errorf("%s has %d levels", name, levels)
		}
	}
	other, err := recodes[0].For("income")
	if err != nil || other.Variable() != "income" || recodes[0].Variable() != "expend" {
		t.Errorf("%v, %s for %s", err, recodes[0].Variable(), other.Variable())
	}
}

func TestRecodeFileErrors(t *testing.T) {
	file := func(recodes string) string {
		return `{"format":"sdcdesk-recodes","version":1,"recodes":[` + recodes + `]}`
	}
	for text, says := range map[string]string{
		"":       "EOF",
		"{":      "unexpected EOF",
		"region": "not valid JSON at byte 1",
		`{"format":"sdcdesk-script","version":1}`:    `"format" is "sdcdesk-script"`,
		`{"format":"sdcdesk-recodes","version":2}`:   "version 2",
		`{"format":"sdcdesk-recodes","version":"1"}`: `"version" has not the form`,
		file("") + "x":                      "text after its end",
		file(`{"steps":"a"}`):               `unknown field "steps"`,
		file(`{"step":"suppress-risk"}`):    `recode 1: "suppress-risk" is not a recode; known recodes are recode-intervals,`,
		file(`{"step":"recode-intervals"}`): `recode 1: parameter "variable" is empty`,
		file(`{"step":"recode-rename","params":{"variable":"a","level":"b","label":"c"}},{"step":"recode-rename","params":{"variable":"a"}}`): `recode 2: parameter "level" is missing`,
		file(`{"step":"recode-round","params":[1]}`):                                               `"params" is no object`,
		file(`{"step":"recode-round","variables":["a"],"params":{"variable":"b","base":1}}`):       "both given",
		file(`{"step":"recode-round","variables":[],"params":{"base":1}}`):                         `"variables" is empty`,
		file(`{"step":"recode-round","params":{"variable":"b","base":1,"colour":2}}`):              `"colour" is unknown`,
		file(`{"step":"recode-hierarchy","params":{"variable":"b","levels":[["a","b"],["c",1]]}}`): `"levels": element 2`,
	} {
		_, err := recode.LoadRecodes([]byte(text))
		if !errors.Is(err, recode.ErrRecodeFile) || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: error %v, want %q", text, err, says)
		}
	}
	_, err := recode.SaveRecodes([]recode.RecodeFile{saved("suppress-kanonymity", `{}`)})
	if !errors.Is(err, recode.ErrRecodeFile) || !strings.Contains(err.Error(), "step 1") {
		t.Errorf("error %v of what is no recode", err)
	}
	if _, err := saved("recode-round", `{"variable":"x","base":"1"}`).Method(); !errors.Is(err, method.ErrParam) {
		t.Errorf("error %v", err)
	}
}
