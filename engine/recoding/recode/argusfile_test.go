package recode_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/muargus"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
)

// coded returns a dataset of one variable "x", described as a field of three characters with two missing codes and
// labels.
func coded(t testing.TB, cells ...string) *microdata.Dataset {
	t.Helper()
	column := golden.Column(t, "x", cells).WithDescription(&microdata.Description{Width: 3,
		Missing: []string{"999", "998"},
		Labels:  map[string]string{"1": "one", "2": "two", "10": "ten"}})
	data, err := microdata.NewDataset([]*microdata.Column{column})
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestArgusFile(t *testing.T) {
	data := coded(t, "1", "2", "10", "", "120")
	out := apply(t, &recode.ArgusFile{Variable: "x", Recode: "// grouped\n5: 1-9\n6: 10\n<MISSING> 8,9\n<CODELIST> a.cdl",
		Labels: "5,low\n6,high"}, data)
	if diff := cmp.Diff([]string{"5", "5", "6", "", "120"}, texts(out.Data, "x")); diff != "" {
		t.Errorf("cells (-want +got):\n%s", diff)
	}
	column, _ := out.Data.Column("x")
	want := &microdata.Description{Width: 3, Missing: []string{"8", "9"},
		Labels: map[string]string{"5": "low", "6": "high"}}
	if diff := cmp.Diff(want, column.Description(), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("coding (-want +got):\n%s", diff)
	}
	if out.Report.Changed != 3 || out.Report.Outside != 0 || len(out.Report.Warnings) != 2 ||
		!strings.Contains(out.Report.Warnings[0], "comma") || !strings.Contains(out.Report.Warnings[1],
		"1 code is untouched") {
		t.Errorf("report %+v", out.Report)
	}
}

// A second recode starts from the source again; suppressed cells stay suppressed; codes that stay keep their
// labels and missing codes.
func TestArgusFileReplaces(t *testing.T) {
	data := coded(t, "1", "2", "10", "2", "120")
	first := apply(t, &recode.ArgusFile{Variable: "x", Recode: "1: -\"120\"\n<MISSING> 7"}, data).Data
	column, _ := first.Column("x")
	cells := microdata.NewBits(5)
	cells.Set(3)
	second := apply(t, &recode.ArgusFile{Variable: "x", Recode: "3: 2-9"}, first.With(column.Suppress(cells)))
	if diff := cmp.Diff([]string{"1", "3", "10", "", "120"}, texts(second.Data, "x")); diff != "" {
		t.Errorf("cells (-want +got):\n%s", diff)
	}
	column, _ = second.Data.Column("x")
	want := &microdata.Description{Width: 3, Missing: []string{"999", "998"},
		Labels: map[string]string{"1": "one", "10": "ten"}}
	if diff := cmp.Diff(want, column.Description(), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("coding (-want +got):\n%s", diff)
	}
}

func TestArgusFileToMissing(t *testing.T) {
	out := apply(t, &recode.ArgusFile{Variable: "x", Recode: "999: 1\n1: 2-120"}, coded(t, "1", "2", "10", "1", "120"))
	if diff := cmp.Diff([]string{"", "1", "1", "", "1"}, texts(out.Data, "x")); diff != "" {
		t.Errorf("cells (-want +got):\n%s", diff)
	}
	if out.Report.Outside != 2 || !strings.Contains(out.Report.Warnings[0], "2 cells get a missing code") {
		t.Errorf("report %+v", out.Report)
	}
}

// Without a description the width of the field is that of the longest code, or as specified.
func TestArgusFileWithoutDescription(t *testing.T) {
	data := dataset(t, "a", "b", "longer", "")
	out := apply(t, &recode.ArgusFile{Variable: "x", Recode: "\"x y\": a,b"}, data)
	if diff := cmp.Diff([]string{"x y", "x y", "longer", ""}, texts(out.Data, "x")); diff != "" {
		t.Errorf("cells (-want +got):\n%s", diff)
	}
	for _, test := range []struct {
		recode string
		width  int
		is     error
		says   string
	}{
		{"1: a-c\n2 b", 6, muargus.ErrSyntax, "line 2, position 3"},
		{"1: a-longest", 6, muargus.ErrCodeLength, "6 characters"},
		{"1: longer", 3, muargus.ErrCodeLength, "3 characters"},
		{"1: a", -1, method.ErrParam, "width"},
		{"// nothing", 6, muargus.ErrEmpty, "1: 2-5, 8"},
	} {
		width := test.width
		m := &recode.ArgusFile{Variable: "x", Recode: test.recode, Width: &width}
		scenario := microdata.NewScenario()
		_, err := method.Regroup(m, method.Input{Data: data, Scenario: &scenario})
		if !errors.Is(err, method.ErrParam) || !errors.Is(err, test.is) || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%q: error %v", test.recode, err)
		}
	}
}

// A recode file names the file of its code list, and a code list names none.
func TestRecodeFileNamesItsCodeList(t *testing.T) {
	m, text, named := new(recode.ArgusFile), "1:2\n<CODELIST> \"b c.cdl\"", ""
	for _, p := range m.Params() {
		if other, file := p.OtherFile(text); file != "" {
			named += p.Name + ": " + other + " " + file + ";"
		}
	}
	if named != "recode: labels b c.cdl;" {
		t.Errorf("files named: %q", named)
	}
}

func TestCodeLabels(t *testing.T) {
	data := coded(t, "1", "2", "10", "", "120")
	out := apply(t, &recode.CodeLabels{Variable: "x"}, data)
	if diff := cmp.Diff([]string{"one", "two", "ten", "", "120"}, texts(out.Data, "x")); diff != "" {
		t.Errorf("cells (-want +got):\n%s", diff)
	}
	if out.Report.Effect != "3 of 4 codes with a label" || out.Report.Changed != 3 {
		t.Errorf("report %+v", out.Report)
	}
	column, _ := out.Data.Column("x")
	if coding := column.Description(); len(coding.Labels) != 0 || len(coding.Missing) != 2 ||
		coding.CodeOf["ten"] != "10" || len(coding.CodeOf) != 3 {
		t.Errorf("coding %+v", coding)
	}
	out = apply(t, &recode.CodeLabels{Variable: "x", Labels: "1,same\n2,same\n10,120\n10, 120"}, data)
	if diff := cmp.Diff([]string{"same", "same (2)", "120 (10)", "", "120"}, texts(out.Data, "x")); diff != "" {
		t.Errorf("no two codes become one (-want +got):\n%s", diff)
	}
	scenario := microdata.NewScenario()
	_, err := method.Regroup(&recode.CodeLabels{Variable: "x"}, method.Input{Data: dataset(t, "1"), Scenario: &scenario})
	if !errors.Is(err, method.ErrParam) || !strings.Contains(err.Error(), "code list") {
		t.Errorf("error %v", err)
	}
}

// As text, numbers with decimals or signs sort differently: a range of them is refused, single codes are not.
func TestArgusFileRefusesRangesOfOtherNumbers(t *testing.T) {
	for _, test := range []struct {
		cells   []string
		recode  string
		refused bool
	}{
		{[]string{"0.0", "12.5", "1000", "1001"}, "1: 0-1000\n2: 1001-", true},
		{[]string{"-9", "-1", "5", "20"}, "p: 1-20", true},
		{[]string{"0", "5", "20"}, "p: 1-20", false},
		{[]string{"0.5", "1.5"}, "p: 1.5", false},
		{[]string{"-9", "5"}, "p: \"-9\"", false},
		{[]string{"A01.1", "A02.3", "B-1"}, "a: A01.1-A02.3", false},
		{[]string{"-9", "x"}, "a: 1-9", true},
	} {
		_, err := method.Apply(t.Context(), &recode.ArgusFile{Variable: "x", Recode: test.recode},
			method.Input{Data: dataset(t, test.cells...)}, nil)
		if refused := errors.Is(err, method.ErrInput); refused != test.refused || !refused && err != nil {
			t.Errorf("%q by %q: error %v", test.cells, test.recode, err)
		}
	}
}

func TestArgusFileWithoutItsCodeList(t *testing.T) {
	for labels, warns := range map[string]bool{"": true, "5,low": false} {
		out := apply(t, &recode.ArgusFile{Variable: "x", Recode: "5: 1-10\n<CODELIST> \"missing.cdl\"", Labels: labels},
			dataset(t, "1", "10"))
		if said := strings.Join(out.Report.Warnings, "; "); strings.Contains(said, `"missing.cdl"`) != warns {
			t.Errorf("labels %q: warnings %q", labels, said)
		}
	}
}

// A pasted dash is not a hyphen: the code is longer than any in the data.
func TestArgusFileWithADash(t *testing.T) {
	_, err := method.Apply(t.Context(), &recode.ArgusFile{Variable: "x", Recode: "1: 20–30"},
		method.Input{Data: dataset(t, "20", "25", "30")}, nil)
	if !errors.Is(err, muargus.ErrCodeLength) || !strings.Contains(err.Error(), "instead of the dash") {
		t.Errorf("error %v", err)
	}
}
