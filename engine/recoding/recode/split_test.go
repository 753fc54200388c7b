package recode_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
)

// shape returns the labels of the levels of x in order.
func shape(data *microdata.Dataset) []string {
	x, _ := data.Column("x")
	var labels []string
	for _, level := range x.Categories().Levels {
		labels = append(labels, level.Label)
	}
	return labels
}

func TestSplit(t *testing.T) {
	data := dataset(t, "a", "b", "c", "d", "", "b")
	data = apply(t, &recode.Group{Variable: "x", Levels: []string{"b", "d"}, Label: "b+d", IncludeMissing: true},
		data).Data
	data = apply(t, &recode.Group{Variable: "x", Levels: []string{"b+d", "a"}, Label: "most"}, data).Data
	data = apply(t, &recode.Rename{Variable: "x", Level: "c", Label: "see"}, data).Data
	x, _ := data.Column("x")
	if diff := cmp.Diff([][]string{{"a", "b", "d"}, {"c"}}, recode.AllParts(x)); diff != "" {
		t.Errorf("all parts (-want +got):\n%s", diff)
	}
	out := apply(t, &recode.Split{Variable: "x", Level: "most"}, data)
	if diff := cmp.Diff([]string{"a", "b", "see", "d", "", "b"}, texts(out.Data, "x")); diff != "" {
		t.Errorf("cells (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"a", "b", "d", "see"}, shape(out.Data)); diff != "" {
		t.Errorf("levels (-want +got):\n%s", diff)
	}
	if out.Report.Title != "split x: most → a, b, d" || out.Report.Effect != "1 category becomes 3" ||
		out.Report.Changed != 5 {
		t.Errorf("report %+v", out.Report)
	}
	out = apply(t, &recode.Split{Variable: "x", Level: "see"}, out.Data)
	if diff := cmp.Diff([]string{"a", "b", "c", "d", "", "b"}, texts(out.Data, "x")); diff != "" {
		t.Errorf("a renamed level (-want +got):\n%s", diff)
	}
}

// Splitting an interval leaves the others unchanged, and the variable stays ordered.
func TestSplitInterval(t *testing.T) {
	data := dataset(t, "3", "5", "12", "18", "")
	data = apply(t, &recode.Intervals{Variable: "x", Breaks: []float64{0, 10, 20}}, data).Data
	x, _ := data.Column("x")
	blank := microdata.NewBits(5)
	blank.Set(1)
	data = apply(t, &recode.Split{Variable: "x", Level: "1-10"}, data.With(x.Suppress(blank))).Data
	if diff := cmp.Diff([]string{"3", "", "11-20", "11-20", ""}, texts(data, "x")); diff != "" {
		t.Errorf("cells (-want +got):\n%s", diff)
	}
	if x, _ = data.Column("x"); !x.Categories().Ordered {
		t.Error("the order is lost")
	}
}

// A category of missing values only can be split.
func TestMissingAsCategory(t *testing.T) {
	data := dataset(t, "1", "2", "", "2")
	x, _ := data.Column("x")
	blank := microdata.NewBits(4)
	blank.Set(0)
	data = data.With(x.Suppress(blank))
	out := apply(t, &recode.Group{Variable: "x", IncludeMissing: true, Label: "not known"}, data)
	if diff := cmp.Diff([]string{"", "2", "not known", "2"}, texts(out.Data, "x")); diff != "" {
		t.Errorf("cells (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"1", "2", "not known"}, shape(out.Data)); diff != "" {
		t.Errorf("levels (-want +got):\n%s", diff)
	}
	if out.Report.Title != "group x: missing → not known" || out.Report.Changed != 1 {
		t.Errorf("report %+v", out.Report)
	}
	if x, _ = out.Data.Column("x"); x.Categories().Ordered || !x.Suppressed().Has(0) {
		t.Error("ordered, or a mark of suppression is lost")
	}
	out = apply(t, &recode.Split{Variable: "x", Level: "not known"}, out.Data)
	if diff := cmp.Diff([]string{"", "2", "", "2"}, texts(out.Data, "x")); diff != "" {
		t.Errorf("taken back (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"1", "2"}, shape(out.Data)); diff != "" {
		t.Errorf("levels (-want +got):\n%s", diff)
	}
	for label, says := range map[string]string{"": `"label" is missing`, "2": `has a category "2"`} {
		_, err := method.Apply(t.Context(), &recode.Group{Variable: "x", IncludeMissing: true, Label: label},
			method.Input{Data: data}, nil)
		if !errors.Is(err, method.ErrParam) || !strings.Contains(err.Error(), says) {
			t.Errorf("label %q: error %v, want %q", label, err, says)
		}
	}
}

func TestSplitErrors(t *testing.T) {
	data := dataset(t, "a", "b", "c", "d")
	merged := apply(t, &recode.Group{Variable: "x", Levels: []string{"a", "b"}, Label: "ab"}, data).Data
	taken := apply(t, &recode.Rename{Variable: "x", Level: "c", Label: "a"}, merged).Data
	column, _ := merged.Column("x")
	perturbed := merged.With(column.WithCategories(microdata.Category, column.Categories()))
	recoded := apply(t, &recode.Rename{Variable: "x", Level: "c", Label: "see"}, perturbed).Data
	for name, test := range map[string]struct {
		data  *microdata.Dataset
		level string
		want  error
		says  string
	}{
		"unknown":               {data, "z", method.ErrParam, `no category "z"`},
		"of the source":         {data, "a", method.ErrInput, "nothing to split"},
		"not merged":            {merged, "c", method.ErrInput, "nothing to split"},
		"label taken":           {taken, "ab", method.ErrInput, `both called "a"`},
		"before a perturbation": {perturbed, "ab", method.ErrInput, "before a perturbation"},
		"recoded after it":      {recoded, "ab", method.ErrInput, "before a perturbation"},
	} {
		_, err := method.Apply(t.Context(), &recode.Split{Variable: "x", Level: test.level}, method.Input{Data: test.data},
			nil)
		if !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: error %v, want one of %q that says %q", name, err, test.want, test.says)
		}
	}
}

// After a perturbation recodes start from its result.
func TestRecodesAfterAPerturbation(t *testing.T) {
	data := apply(t, &recode.Intervals{Variable: "x", Breaks: []float64{0, 10, 20}}, dataset(t, "3", "5", "12")).Data
	x, _ := data.Column("x")
	data = data.With(x.WithCategories(microdata.Category, x.Categories()))
	_, err := method.Apply(t.Context(), &recode.Intervals{Variable: "x", Count: 2}, method.Input{Data: data}, nil)
	if !errors.Is(err, method.ErrInput) || !strings.Contains(err.Error(), "not a numeric variable") {
		t.Errorf("error %v", err)
	}
	out := apply(t, &recode.Hierarchy{Variable: "x", Digits: 1}, data)
	if diff := cmp.Diff([]string{"1", "1", "1"}, texts(out.Data, "x")); diff != "" {
		t.Errorf("cells (-want +got):\n%s", diff)
	}
}

func TestOrder(t *testing.T) {
	out := apply(t, &recode.Order{Variable: "x", Levels: []string{"none", "primary"}},
		dataset(t, "other", "primary", "none", "", "high"))
	if diff := cmp.Diff([]string{"none", "primary", "high", "other"}, shape(out.Data)); diff != "" {
		t.Errorf("levels (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"other", "primary", "none", "", "high"}, texts(out.Data, "x")); diff != "" {
		t.Errorf("cells (-want +got):\n%s", diff)
	}
	x, _ := out.Data.Column("x")
	if !x.Categories().Ordered || out.Report.Changed != 0 || out.Report.ChangesNothing() {
		t.Errorf("ordered %v, report %+v", x.Categories().Ordered, out.Report)
	}
	again := apply(t, &recode.Order{Variable: "x", Levels: []string{"none"}}, out.Data)
	if !again.Report.ChangesNothing() {
		t.Errorf("the same order: report %+v", again.Report)
	}
	top := apply(t, &recode.TopBottom{Variable: "x", TopLevel: "primary", Replacement: recode.ReplaceByThreshold},
		out.Data)
	if diff := cmp.Diff([]string{"high+", "primary", "none", "", "high+"}, texts(top.Data, "x")); diff != "" {
		t.Errorf("top coded (-want +got):\n%s", diff)
	}
}

func TestOrderOfNumbers(t *testing.T) {
	data := dataset(t, "1", "2", "3")
	kept := apply(t, &recode.Order{Variable: "x", Levels: []string{"1"}}, data)
	if x, _ := kept.Data.Column("x"); !x.Numeric() {
		t.Error("numbers in their own order are no numbers any more")
	}
	if x, _ := kept.Data.Column("x"); x.MayBeCodes() || kept.Report.ChangesNothing() {
		t.Error("codes that were put in order may still have none")
	}
	if again := apply(t, &recode.Order{Variable: "x", Levels: []string{"1"}}, kept.Data); !again.Report.ChangesNothing() {
		t.Errorf("the same order again: report %+v", again.Report)
	}
	if amounts := apply(t, &recode.Order{Variable: "x", Levels: []string{"100"}}, dataset(t, "100", "200", "300")); !amounts.Report.ChangesNothing() {
		t.Errorf("amounts in their own order: report %+v", amounts.Report)
	}
	out := apply(t, &recode.Order{Variable: "x", Levels: []string{"3", "1"}}, data)
	x, _ := out.Data.Column("x")
	if x.Numeric() || !math.IsNaN(x.Float(0)) {
		t.Error("codes out of their order are numbers")
	}
	cut := apply(t, &recode.Intervals{Variable: "x", Breaks: []float64{0, 2, 3}}, out.Data)
	if diff := cmp.Diff([]string{"1-2", "1-2", "3"}, texts(cut.Data, "x")); diff != "" {
		t.Errorf("cells (-want +got):\n%s", diff)
	}
	for says, levels := range map[string][]string{"is empty": nil, "given twice": {"1", "1"}, `no category "9"`: {"9"}} {
		_, err := method.Apply(t.Context(), &recode.Order{Variable: "x", Levels: levels}, method.Input{Data: data}, nil)
		if !errors.Is(err, method.ErrParam) || !strings.Contains(err.Error(), says) {
			t.Errorf("levels %q: error %v, want %q", levels, err, says)
		}
	}
}
