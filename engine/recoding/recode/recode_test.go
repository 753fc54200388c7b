package recode_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sdcdesk/sdcdesk/engine/data/hierarchy"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
)

// dataset returns a dataset of one variable "x" with the given cells.
func dataset(t testing.TB, cells ...string) *microdata.Dataset {
	t.Helper()
	data, err := microdata.NewDataset([]*microdata.Column{golden.Column(t, "x", cells)})
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func apply(t testing.TB, m method.Method, data *microdata.Dataset) method.Output {
	t.Helper()
	scenario := microdata.NewScenario()
	out, err := method.Apply(context.Background(), m, method.Input{Data: data, Scenario: &scenario}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func texts(data *microdata.Dataset, name string) []string {
	column, _ := data.Column(name)
	cells := make([]string, column.Len())
	for i := range cells {
		cells[i] = column.Text(i)
	}
	return cells
}

func number(x float64) *float64 { return &x }

func TestIntervals(t *testing.T) {
	tests := map[string]struct {
		cells         []string
		method        recode.Intervals
		want          []string
		changed, lost int
	}{
		"whole numbers": {
			cells:  []string{"0", "1", "9", "10", "19", "", "20"},
			method: recode.Intervals{Breaks: []float64{0, 9, 19}},
			want:   []string{"", "1-9", "1-9", "10-19", "10-19", "", ""}, changed: 6, lost: 2,
		},
		"lowest included": {
			cells:  []string{"0", "1", "9", "10", "19"},
			method: recode.Intervals{Breaks: []float64{0, 9, 19}, IncludeLowest: true},
			want:   []string{"0-9", "0-9", "0-9", "10-19", "10-19"}, changed: 5,
		},
		"single value and negative ends": {
			cells:  []string{"-5", "-1", "0", "1", "3"},
			method: recode.Intervals{Breaks: []float64{-6, -1, 0, 3}},
			want:   []string{"-5 to -1", "-5 to -1", "0", "1-3", "1-3"}, changed: 4,
		},
		"decimals": {
			cells:  []string{"0.0", "0.5", "1.0", "2.5"},
			method: recode.Intervals{Breaks: []float64{0, 1, 2.5}},
			want:   []string{"", "(0,1]", "(0,1]", "(1,2.5]"}, changed: 4, lost: 1,
		},
		"decimals, lowest included": {
			cells:  []string{"0.0", "0.5", "2.5"},
			method: recode.Intervals{Breaks: []float64{0, 1, 2.5}, IncludeLowest: true},
			want:   []string{"[0,1]", "[0,1]", "(1,2.5]"}, changed: 3,
		},
		"breaks between whole numbers": {
			cells:  []string{"1", "4", "5"},
			method: recode.Intervals{Breaks: []float64{0.5, 4.2, 4.8, 9}},
			want:   []string{"1-4", "1-4", "5-9"}, changed: 3,
		},
		"own labels": {
			cells:  []string{"1", "5"},
			method: recode.Intervals{Breaks: []float64{0, 4, 9}, Labels: []string{"young", "old"}},
			want:   []string{"young", "old"}, changed: 2,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			test.method.Variable = "x"
			out := apply(t, &test.method, dataset(t, test.cells...))
			if diff := cmp.Diff(test.want, texts(out.Data, "x")); diff != "" {
				t.Errorf("cells (-want +got):\n%s", diff)
			}
			if out.Report.Changed != test.changed || out.Report.Outside != test.lost {
				t.Errorf("changed %d, outside %d, want %d, %d", out.Report.Changed, out.Report.Outside, test.changed, test.lost)
			}
			if column, _ := out.Data.Column("x"); !column.Categories().Ordered {
				t.Error("intervals are not ordered")
			}
		})
	}
}

func TestIntervalsStartFromTheSource(t *testing.T) {
	data := dataset(t, "1", "5", "12", "18", "")
	first := apply(t, &recode.Intervals{Variable: "x", Breaks: []float64{0, 10, 20}}, data)
	x, _ := first.Data.Column("x")
	blank := microdata.NewBits(5)
	blank.Set(2)
	suppressed := first.Data.With(x.Suppress(blank))
	second := apply(t, &recode.Intervals{Variable: "x", Breaks: []float64{0, 4, 20}}, suppressed)
	if diff := cmp.Diff([]string{"1-4", "5-20", "", "5-20", ""}, texts(second.Data, "x")); diff != "" {
		t.Errorf("second recode (-want +got):\n%s", diff)
	}
	if second.Report.Changed != 3 || second.Report.Outside != 0 {
		t.Errorf("changed %d, outside %d, want 3, 0", second.Report.Changed, second.Report.Outside)
	}
}

func TestIntervalsTwiceChangesNothing(t *testing.T) {
	cut := &recode.Intervals{Variable: "x", Breaks: []float64{0, 10, 20}}
	first := apply(t, cut, dataset(t, "1", "5", "12", ""))
	second := apply(t, cut, first.Data)
	if !second.Report.ChangesNothing() || second.Report.Changed != 0 {
		t.Errorf("report %+v, want the warning that nothing changed", second.Report)
	}
	if first.Report.ChangesNothing() {
		t.Error("the first recode says that it changes nothing")
	}
}

func TestGroup(t *testing.T) {
	tests := map[string]struct {
		cells   []string
		method  recode.Group
		levels  []string
		want    []string
		ordered bool
	}{
		"neighbouring numbers": {
			cells:  []string{"59", "60", "63", "71", ""},
			method: recode.Group{Levels: []string{"63", "60", "71"}},
			levels: []string{"59", "60-71"}, want: []string{"59", "60-71", "60-71", "60-71", ""}, ordered: true,
		},
		"numbers apart": {
			cells:  []string{"1", "2", "3"},
			method: recode.Group{Levels: []string{"1", "3"}},
			levels: []string{"1+3", "2"}, want: []string{"1+3", "2", "1+3"},
		},
		"text, label of a member": {
			cells:  []string{"Kesh", "Meri", "other", "Veyra", "Tolan"},
			method: recode.Group{Levels: []string{"Kesh", "other", "Veyra"}, Label: "other"},
			levels: []string{"other", "Meri", "Tolan"}, want: []string{"other", "Meri", "other", "other", "Tolan"},
		},
		"missing joins": {
			cells:  []string{"a", "b", "", "c"},
			method: recode.Group{Levels: []string{"b", "c"}, Label: "rest", IncludeMissing: true},
			levels: []string{"a", "rest"}, want: []string{"a", "rest", "rest", "rest"},
		},
		"number as label": {
			cells:  []string{"6", "7", "8"},
			method: recode.Group{Levels: []string{"7", "8"}, Label: "7"},
			levels: []string{"6", "7"}, want: []string{"6", "7", "7"}, ordered: true,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			test.method.Variable = "x"
			out := apply(t, &test.method, dataset(t, test.cells...))
			if diff := cmp.Diff(test.want, texts(out.Data, "x")); diff != "" {
				t.Errorf("cells (-want +got):\n%s", diff)
			}
			column, _ := out.Data.Column("x")
			var labels []string
			for _, level := range column.Categories().Levels {
				labels = append(labels, level.Label)
			}
			if diff := cmp.Diff(test.levels, labels); diff != "" {
				t.Errorf("levels (-want +got):\n%s", diff)
			}
			if column.Categories().Ordered != test.ordered {
				t.Errorf("ordered %v, want %v", column.Categories().Ordered, test.ordered)
			}
		})
	}
}

func TestGroupLabelsOfIntervals(t *testing.T) {
	out := apply(t, &recode.Intervals{Variable: "x", Breaks: []float64{0, 1, 2.5, 4}}, dataset(t, "0.5", "2.0", "3.5"))
	out = apply(t, &recode.Group{Variable: "x", Levels: []string{"(0,1]", "(1,2.5]"}}, out.Data)
	if diff := cmp.Diff([]string{"(0,2.5]", "(0,2.5]", "(2.5,4]"}, texts(out.Data, "x")); diff != "" {
		t.Errorf("cells (-want +got):\n%s", diff)
	}
}

func TestGroupLeavesSuppressedCellsMissing(t *testing.T) {
	data := dataset(t, "a", "b", "", "b")
	x, _ := data.Column("x")
	blank := microdata.NewBits(4)
	blank.Set(0)
	out := apply(t, &recode.Group{Variable: "x", Levels: []string{"b"}, Label: "b", IncludeMissing: true},
		data.With(x.Suppress(blank)))
	if diff := cmp.Diff([]string{"", "b", "b", "b"}, texts(out.Data, "x")); diff != "" {
		t.Errorf("cells (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(method.Counts{{Name: "a"}, {Name: "b", Count: 3}}, out.Report.Table); diff != "" {
		t.Errorf("table (-want +got):\n%s", diff)
	}
	if out.Report.Changed != 1 {
		t.Errorf("changed %d, want 1", out.Report.Changed)
	}
}

func TestRename(t *testing.T) {
	out := apply(t, &recode.Rename{Variable: "x", Level: "1", Label: "urban"}, dataset(t, "2", "1", ""))
	if diff := cmp.Diff([]string{"2", "urban", ""}, texts(out.Data, "x")); diff != "" {
		t.Errorf("cells (-want +got):\n%s", diff)
	}
	if out.Report.Title != "rename x: 1 → urban" || out.Report.Effect != "1 cell relabelled" {
		t.Errorf("title %q, effect %q", out.Report.Title, out.Report.Effect)
	}
}

func TestTopBottom(t *testing.T) {
	cells := []string{"1", "5", "8", "10", "", "10"}
	tests := map[string]struct {
		method recode.TopBottom
		want   []string
	}{
		"threshold": {recode.TopBottom{Top: number(7)}, []string{"1", "5", "7", "7", "", "7"}},
		"both":      {recode.TopBottom{Top: number(8), Bottom: number(3)}, []string{"3", "5", "8", "8", "", "8"}},
		"value": {recode.TopBottom{Top: number(7), Replacement: "value", TopValue: number(99)},
			[]string{"1", "5", "99", "99", "", "99"}},
		"existing": {recode.TopBottom{Top: number(7), Replacement: "value", TopValue: number(5)},
			[]string{"1", "5", "5", "5", "", "5"}},
		"mean": {recode.TopBottom{Top: number(5), Replacement: "mean"},
			[]string{"1", "5", "9", "9", "", "9"}}, // of integers, rounded
		"bottom mean": {recode.TopBottom{Bottom: number(8), Replacement: "mean"}, []string{"3", "3", "8", "10", "", "10"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			test.method.Variable = "x"
			if test.method.Replacement == "" {
				test.method.Replacement = recode.ReplaceByThreshold
			}
			out := apply(t, &test.method, dataset(t, cells...))
			if diff := cmp.Diff(test.want, texts(out.Data, "x")); diff != "" {
				t.Errorf("cells (-want +got):\n%s", diff)
			}
			if column, _ := out.Data.Column("x"); !column.Numeric() {
				t.Error("the variable is no longer numeric")
			}
		})
	}
}

func TestTopBottomGroupsIntervals(t *testing.T) {
	out := apply(t, &recode.Intervals{Variable: "x", Breaks: []float64{-1, 4, 9, 14, 19}},
		dataset(t, "0", "5", "10", "15", "19"))
	top := &recode.TopBottom{Variable: "x", Top: number(9), Bottom: number(10), Replacement: recode.ReplaceByThreshold}
	if _, err := method.Regroup(top, method.Input{Data: out.Data}); !errors.Is(err, method.ErrParam) {
		t.Errorf("bottom above top: error %v", err)
	}
	top.Bottom = nil
	out = apply(t, top, out.Data)
	if diff := cmp.Diff([]string{"0-4", "5-9", "10+", "10+", "10+"}, texts(out.Data, "x")); diff != "" {
		t.Errorf("cells (-want +got):\n%s", diff)
	}
	out = apply(t, &recode.TopBottom{Variable: "x", Bottom: number(10), Replacement: recode.ReplaceByThreshold}, out.Data)
	if diff := cmp.Diff([]string{"<=9", "<=9", "10+", "10+", "10+"}, texts(out.Data, "x")); diff != "" {
		t.Errorf("cells (-want +got):\n%s", diff)
	}
}

func TestErrors(t *testing.T) {
	tests := map[string]struct {
		cells  []string
		method method.Regrouper
		want   error
		says   string
	}{
		"unknown variable": {[]string{"1"}, &recode.Group{Variable: "y", Levels: []string{"1"}}, method.ErrParam,
			`no variable "y"`},
		"text by intervals": {[]string{"a"}, &recode.Intervals{Variable: "x", Breaks: []float64{0, 1}}, method.ErrInput,
			"not a numeric variable"},
		"one break": {[]string{"1"}, &recode.Intervals{Variable: "x", Breaks: []float64{0}}, method.ErrParam, "two"},
		"breaks descend": {[]string{"1"}, &recode.Intervals{Variable: "x", Breaks: []float64{0, 4, 4}}, method.ErrParam,
			"number 3"},
		"too few labels": {[]string{"1"}, &recode.Intervals{Variable: "x", Breaks: []float64{0, 4, 9},
			Labels: []string{"a"}}, method.ErrParam, "1 label for 2 intervals"},
		"label twice": {[]string{"1"}, &recode.Intervals{Variable: "x", Breaks: []float64{0, 4, 9},
			Labels: []string{"a", "a"}}, method.ErrParam, "twice"},
		"label empty": {[]string{"1"}, &recode.Intervals{Variable: "x", Breaks: []float64{0, 4}, Labels: []string{""}},
			method.ErrParam, "empty"},
		"unknown level": {[]string{"1"}, &recode.Group{Variable: "x", Levels: []string{"1", "7"}}, method.ErrParam,
			`"7"`},
		"no levels": {[]string{"1"}, &recode.Group{Variable: "x"}, method.ErrParam, "levels"},
		"label of another": {[]string{"a", "b", "c"}, &recode.Group{Variable: "x", Levels: []string{"a", "b"}, Label: "c"},
			method.ErrParam, `"c"`},
		"rename to another": {[]string{"a", "b"}, &recode.Rename{Variable: "x", Level: "a", Label: "b"}, method.ErrParam,
			`"b"`},
		"rename unknown": {[]string{"a", "b"}, &recode.Rename{Variable: "x", Level: "c", Label: "d"}, method.ErrParam,
			`"c"`},
		"top of text": {[]string{"a"}, &recode.TopBottom{Variable: "x", Top: number(3), Replacement: "threshold"},
			method.ErrInput, "no order"},
		"no threshold": {[]string{"1"}, &recode.TopBottom{Variable: "x", Replacement: "threshold"}, method.ErrParam,
			"top"},
		"no value": {[]string{"1"}, &recode.TopBottom{Variable: "x", Top: number(3), Replacement: "value"},
			method.ErrParam, "top_value"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			scenario := microdata.NewScenario()
			_, err := method.Apply(context.Background(), test.method,
				method.Input{Data: dataset(t, test.cells...), Scenario: &scenario}, nil)
			if !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.says) {
				t.Errorf("error %v, want one of %q that says %q", err, test.want, test.says)
			}
		})
	}
}

// levelsOf returns the labels of a column's levels with their numbers of records.
func levelsOf(column *microdata.Column) map[string]int {
	categories := column.Categories()
	levels := make(map[string]int, len(categories.Levels))
	for i, level := range categories.Levels {
		levels[level.Label] = categories.Counts()[i+1]
	}
	return levels
}

// A category with an empty label, which some files have, survives every recode of others.
func TestRecodesKeepTheEmptyLabel(t *testing.T) {
	levels := []microdata.Level{{Label: "A"}, {Label: ""}, {Label: "B"}, {Label: "C"}}
	city := microdata.NewCategorical("city", microdata.Category,
		&microdata.Categories{Levels: levels, Codes: microdata.CodesOf([]uint8{1, 2, 3, 4, 0, 2})})
	data, err := microdata.NewDataset([]*microdata.Column{city})
	if err != nil {
		t.Fatal(err)
	}
	scenario := microdata.NewScenario()
	for _, m := range []method.Method{
		&recode.Group{Variable: "city", Levels: []string{"A", "B"}, Label: "AB"},
		&recode.Rename{Variable: "city", Level: "A", Label: "Z"},
		&recode.Order{Variable: "city", Levels: []string{"C", "A"}},
		&recode.Hierarchy{Variable: "city", Levels: hierarchy.Table{{"A", "north"}, {"B", "south"}}, Depth: 1, Unlisted: recode.UnlistedKeep},
	} {
		out, err := method.Apply(t.Context(), m, method.Input{Data: data, Scenario: &scenario}, nil)
		if err != nil {
			t.Fatalf("%T: %v", m, err)
		}
		column, _ := out.Data.Column("city")
		if now := levelsOf(column); now[""] != 2 || column.MissingCount() != 1 {
			t.Errorf("%T: %d records have the empty label and %d lack one, want 2 and 1", m, now[""], column.MissingCount())
		}
	}
}
