package recode_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
)

// Steps that rename one category of a file keep its code, whatever the data; steps that merge, or that depend on
// the data, do not.
func TestNamesOfCodes(t *testing.T) {
	hundred := 100.0
	for name, test := range map[string]struct {
		steps  []method.Method
		codes  map[string]string
		labels map[string]string
	}{
		"renamed": {[]method.Method{&recode.Rename{Variable: "x", Level: "1", Label: "un"}},
			map[string]string{"un": "1"}, map[string]string{"2": "two", "10": "ten"}},
		"to a number": {[]method.Method{&recode.Rename{Variable: "x", Level: "1", Label: " 7"}}, nil,
			map[string]string{"7": "one", "2": "two", "10": "ten"}},
		"labelled": {[]method.Method{&recode.CodeLabels{Variable: "x"}},
			map[string]string{"one": "1", "two": "2", "ten": "10"}, nil},
		"numbers as labels": {[]method.Method{&recode.CodeLabels{Variable: "x", Labels: "1,0\n2,1"}},
			map[string]string{"0": "1", "1": "2"}, map[string]string{"10": "ten"}},
		"alone in a group": {[]method.Method{&recode.Group{Variable: "x", Levels: []string{"1"}, Label: "un"}},
			map[string]string{"un": "1"}, map[string]string{"2": "two", "10": "ten"}},
		"with missing ones": {[]method.Method{&recode.Group{Variable: "x", Levels: []string{"1"}, Label: "un",
			IncludeMissing: true}}, nil, map[string]string{"2": "two", "10": "ten"}},
		"grouped": {[]method.Method{&recode.Group{Variable: "x", Levels: []string{"1", "2"},
			Label: "few"}}, nil, map[string]string{"10": "ten"}},
		"grouped, called by its codes": {[]method.Method{&recode.Group{Variable: "x", Levels: []string{"1", "2"}}}, nil,
			map[string]string{"1-2": "one, two", "10": "ten"}},
		"grouped as a number": {[]method.Method{&recode.Group{Variable: "x", Levels: []string{"1", "2"},
			Label: "5"}}, nil, map[string]string{"5": "one, two", "10": "ten"}},
		"grouped, one having been renamed": {[]method.Method{&recode.Rename{Variable: "x", Level: "1", Label: "un"},
			&recode.Group{Variable: "x", Levels: []string{"un", "2"}}},
			nil, map[string]string{"un+2": "un, two", "10": "ten"}},
		"intervals with names": {[]method.Method{&recode.Intervals{Variable: "x", Breaks: []float64{0, 2, 200},
			Labels: []string{"few", "more"}}}, nil, nil},
		"intervals": {[]method.Method{&recode.Intervals{Variable: "x", Breaks: []float64{0, 2, 200}}}, nil,
			map[string]string{"1-2": "one, two"}},
		"by a hierarchy": {[]method.Method{&recode.Hierarchy{Variable: "x", Depth: 1,
			Levels: [][]string{{"1", "few"}, {"2", "few"}, {"10", "10"}, {"120", "10"}}}}, nil, nil},
		"by a file with labels": {[]method.Method{&recode.ArgusFile{Variable: "x", Recode: "few: 1,2\n5: 10,120",
			Labels: "few,A few"}}, nil, map[string]string{"few": "A few"}},
		"alone in an interval": {[]method.Method{&recode.Intervals{Variable: "x", Breaks: []float64{0, 1, 5, 20, 200},
			Labels: []string{"low", "some", "many", "most"}}}, nil, nil},
		"top coded": {[]method.Method{&recode.TopBottom{Variable: "x", Top: &hundred,
			Replacement: recode.ReplaceByThreshold}}, nil, map[string]string{"1": "one", "2": "two", "10": "ten"}},
		"split again": {[]method.Method{&recode.Rename{Variable: "x", Level: "1", Label: "un"},
			&recode.Rename{Variable: "x", Level: "120", Label: "7"},
			&recode.Group{Variable: "x", Levels: []string{"2", "10"}, Label: "rest"},
			&recode.Split{Variable: "x", Level: "rest"}}, map[string]string{"un": "1"},
			map[string]string{"2": "two", "10": "ten"}},
		"split beside a number": {[]method.Method{&recode.Rename{Variable: "x", Level: "1", Label: "7"},
			&recode.Group{Variable: "x", Levels: []string{"2", "10"}, Label: "rest"},
			&recode.Split{Variable: "x", Level: "rest"}}, nil, map[string]string{"7": "one", "2": "two", "10": "ten"}},
		"by a file": {[]method.Method{&recode.ArgusFile{Variable: "x", Recode: "un: 1\ntwos: 2-9\n5: 10\nm: 120\nm: 121"}},
			map[string]string{"un": "1"}, nil},
		"a code given to another": {[]method.Method{&recode.Rename{Variable: "x", Level: "1", Label: "A"},
			&recode.Rename{Variable: "x", Level: "2", Label: "1"}, &recode.Rename{Variable: "x", Level: "1", Label: "B"}},
			map[string]string{"A": "1"}, map[string]string{"10": "ten"}},
		"exchanged": {[]method.Method{&recode.Rename{Variable: "x", Level: "1", Label: "un"},
			&recode.Rename{Variable: "x", Level: "2", Label: "1"}, &recode.Rename{Variable: "x", Level: "un", Label: "2"}},
			nil, map[string]string{"1": "two", "2": "un", "10": "ten"}},
		"a group called as a code": {[]method.Method{&recode.Group{Variable: "x", Levels: []string{"1", "2"}, Label: "1"},
			&recode.Rename{Variable: "x", Level: "1", Label: "B"}},
			nil, map[string]string{"10": "ten"}},
		"missing ones in a code": {[]method.Method{&recode.Group{Variable: "x", Levels: []string{"1"}, Label: "1",
			IncludeMissing: true}, &recode.Rename{Variable: "x", Level: "1", Label: "B"}},
			nil, map[string]string{"2": "two", "10": "ten"}},
		"a group called as one that was renamed": {[]method.Method{&recode.Rename{Variable: "x", Level: "1", Label: "A"},
			&recode.Group{Variable: "x", Levels: []string{"A", "2"}, Label: "A"}},
			nil, map[string]string{"10": "ten"}},
		"by a file to another": {[]method.Method{&recode.Rename{Variable: "x", Level: "1", Label: "un"},
			&recode.ArgusFile{Variable: "x", Recode: "120: 1\nun: 2"}}, map[string]string{"un": "2"},
			map[string]string{"10": "ten"}},
		"order kept": {[]method.Method{&recode.Rename{Variable: "x", Level: "1", Label: "un"},
			&recode.Order{Variable: "x", Levels: []string{"10", "un"}}}, map[string]string{"un": "1"},
			map[string]string{"2": "two", "10": "ten"}},
	} {
		data := coded(t, "1", "2", "10", "", "120")
		for _, step := range test.steps {
			data = apply(t, step, data).Data
		}
		column, _ := data.Column("x")
		said := column.Described()
		if diff := cmp.Diff([]map[string]string{test.codes, test.labels}, []map[string]string{said.CodeOf, said.Labels},
			cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: codes, labels (-want +got):\n%s", name, diff)
		}
	}
	joined := apply(t, &recode.ArgusFile{Variable: "x", Recode: "un: 1"}, dataset(t, "1", "un")).Data
	if x, _ := joined.Column("x"); len(x.Described().CodeOf) != 0 {
		t.Errorf("joined to a category that is called so: %+v", x.Description())
	}
	data := apply(t, &recode.Rename{Variable: "x", Level: "1", Label: "un"}, dataset(t, "1", "2")).Data
	if x, _ := data.Column("x"); x.Described().CodeOf["un"] != "1" {
		t.Errorf("without a description: %+v", x.Description())
	}
}

// A name that is the label of another code gives a warning; the label of the code itself does not.
func TestRenamedAsAnotherIsLabelled(t *testing.T) {
	for label, want := range map[string]string{"two": `2 has the label "two" in the file: two codes with the same label look like one category`, "one": "", "new": ""} {
		for _, m := range []method.Method{&recode.Rename{Variable: "x", Level: "1", Label: label},
			&recode.Group{Variable: "x", Levels: []string{"1"}, Label: label},
			&recode.Group{Variable: "x", Levels: []string{"1", "10"}, Label: label}} {
			out := apply(t, m, coded(t, "1", "2", "10"))
			if got := strings.Join(out.Report.Warnings, "; "); got != want {
				t.Errorf("%T %s: %q", m, label, got)
			}
		}
	}
}

// Labels that look like numbers do not make a variable numeric.
func TestLabelsAreNoNumbers(t *testing.T) {
	data := apply(t, &recode.CodeLabels{Variable: "x", Labels: "1,0\n2,1"}, coded(t, "1", "2", "2")).Data
	if x, _ := data.Column("x"); x.Numeric() || x.Text(0) != "0" {
		t.Errorf("%v %v", x.Kind(), x.Categories().Levels)
	}
}

// A part that was renamed before a perturbation keeps its code when it is split off, and in a recode by a file.
func TestCodesBehindAPerturbation(t *testing.T) {
	data := apply(t, &recode.Rename{Variable: "x", Level: "1", Label: "un"}, coded(t, "1", "2", "10")).Data
	x, _ := data.Column("x")
	data = data.With(x.WithCategories(x.Kind(), x.Categories()))
	for name, steps := range map[string][]method.Method{
		"split": {&recode.Group{Variable: "x", Levels: []string{"un", "2"}, Label: "few"},
			&recode.Split{Variable: "x", Level: "few"}},
		"by a file": {&recode.ArgusFile{Variable: "x", Recode: "5: 2"}},
		"renamed":   {&recode.ArgusFile{Variable: "x", Recode: "uno: un"}},
	} {
		data := data
		for _, step := range steps {
			data = apply(t, step, data).Data
		}
		if x, _ := data.Column("x"); x.Described().CodeOf[x.Text(0)] != "1" || len(x.Described().CodeOf) != 1 {
			t.Errorf("%s: %v", name, x.Described().CodeOf)
		}
	}
}

// A recode file of mu-Argus does not make categories missing that were read as such, and keeps the labels of codes
// without records.
func TestArgusFileWithMissingCodesAsCategories(t *testing.T) {
	data := coded(t, "1", "2", "999")
	x, _ := data.Column("x")
	said := x.Described()
	said.Labels = map[string]string{"1": "one", "2": "two", "7": "seven", "998": "refused", "999": "not known"}
	data = apply(t, &recode.ArgusFile{Variable: "x", Recode: "both: 1,2"}, data.With(x.WithDescription(&said))).Data
	x, _ = data.Column("x")
	want := map[string]string{"7": "seven", "998": "refused", "999": "not known"}
	if diff := cmp.Diff(want, x.Described().Labels); diff != "" || x.Text(2) != "999" || len(x.Described().Missing) != 2 {
		t.Errorf("%q, missing codes %v, labels\n%s", x.Text(2), x.Described().Missing, diff)
	}
}

// A recode file of mu-Argus keeps the range of missing values that a file declares.
func TestArgusFileKeepsTheMissingRange(t *testing.T) {
	data := coded(t, "1", "2", "")
	column, _ := data.Column("x")
	said := column.Described()
	said.MissingRange, said.Numbers = &[2]float64{90, 99}, true
	out := apply(t, &recode.ArgusFile{Variable: "x", Recode: "3: 2"}, data.With(column.WithDescription(&said)))
	if x, _ := out.Data.Column("x"); x.Described().MissingRange == nil || !x.Described().Numbers ||
		x.Description().Missing[0] != "999" {
		t.Errorf("%+v", x.Description())
	}
}
