package recode_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
)

// The label of merged levels never reveals the highest or lowest value.
func TestTopBottomOfCategories(t *testing.T) {
	ages := func(t *testing.T) *microdata.Dataset {
		return apply(t, &recode.Intervals{Variable: "x", Breaks: []float64{-1, 9, 19, 29, 39}},
			dataset(t, "0", "12", "22", "37")).Data
	}
	money := func(t *testing.T) *microdata.Dataset {
		return apply(t, &recode.Intervals{Variable: "x", Breaks: []float64{0, 1.5, 2.5, 4}, IncludeLowest: true},
			dataset(t, "0.5", "2.0", "4.0")).Data
	}
	educ := func(t *testing.T) *microdata.Dataset {
		return apply(t, &recode.Order{Variable: "x", Levels: []string{"none", "primary", "secondary", "tertiary"}},
			dataset(t, "none", "primary", "secondary", "tertiary")).Data
	}
	tests := map[string]struct {
		data   func(*testing.T) *microdata.Dataset
		method recode.TopBottom
		want   []string
		title  string
		warns  string
	}{
		"top": {ages, recode.TopBottom{Top: number(19)}, []string{"0-9", "10-19", "20+", "20+"},
			"top coding x: above 19 → 20+", ""},
		"one level beyond": {ages, recode.TopBottom{Top: number(29)}, []string{"0-9", "10-19", "20-29", "30+"},
			"top coding x: above 29 → 30+", ""},
		"bottom": {ages, recode.TopBottom{Bottom: number(20)}, []string{"<=19", "<=19", "20-29", "30-39"},
			"bottom coding x: below 20 → <=19", ""},
		"both": {ages, recode.TopBottom{Bottom: number(10), Top: number(19)}, []string{"<=9", "10-19", "20+", "20+"},
			"top and bottom coding x: below 10 → <=9, above 19 → 20+", ""},
		"threshold inside": {ages, recode.TopBottom{Top: number(15)}, []string{"0-9", "10-19", "20+", "20+"},
			"top coding x: above 15 → 20+",
			"1 level contains values on both sides of a threshold and stays unchanged"},
		"nothing beyond": {ages, recode.TopBottom{Top: number(39)}, []string{"0-9", "10-19", "20-29", "30-39"},
			"top coding x: above 39 → no level", "changes nothing"},
		"brackets": {money, recode.TopBottom{Top: number(1.5)}, []string{"[0,1.5]", ">1.5", ">1.5"},
			"top coding x: above 1.5 → >1.5", ""},
		"brackets bottom": {money, recode.TopBottom{Bottom: number(3)}, []string{"<=2.5", "<=2.5", "(2.5,4]"}, "",
			"both sides"},
		"by level": {educ, recode.TopBottom{TopLevel: "primary"},
			[]string{"none", "primary", "secondary+", "secondary+"}, "top coding x: above primary → secondary+", ""},
		"by lowest level": {educ, recode.TopBottom{BottomLevel: "secondary"},
			[]string{"<=primary", "<=primary", "secondary", "tertiary"}, "bottom coding x: below secondary → <=primary", ""},
		"level of ages": {ages, recode.TopBottom{TopLevel: "0-9"}, []string{"0-9", "10+", "10+", "10+"}, "", ""},
		"own number": {ages, recode.TopBottom{Top: number(19), Replacement: recode.ReplaceByValue, TopValue: number(25)},
			[]string{"0-9", "10-19", "25", "25"}, "top coding x: above 19 → 25", ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			test.method.Variable = "x"
			if test.method.Replacement == "" {
				test.method.Replacement = recode.ReplaceByThreshold
			}
			out := apply(t, &test.method, test.data(t))
			if diff := cmp.Diff(test.want, texts(out.Data, "x")); diff != "" {
				t.Errorf("cells (-want +got):\n%s", diff)
			}
			if test.title != "" && out.Report.Title != test.title {
				t.Errorf("title %q, want %q", out.Report.Title, test.title)
			}
			if said := strings.Join(out.Report.Warnings, "; "); !strings.Contains(said, test.warns) ||
				test.warns == "" && said != "" {
				t.Errorf("warnings %q, want %q", said, test.warns)
			}
			if x, _ := out.Data.Column("x"); !x.Categories().Ordered {
				t.Error("the order is lost")
			}
		})
	}
}

// Labels of open intervals can be parsed by a second top coding and by a group.
func TestOpenLabelsAreRead(t *testing.T) {
	data := apply(t, &recode.Intervals{Variable: "x", Breaks: []float64{-1, 9, 19, 29, 39}},
		dataset(t, "0", "12", "22", "37")).Data
	data = apply(t, &recode.TopBottom{Variable: "x", Top: number(29), Bottom: number(10),
		Replacement: recode.ReplaceByThreshold}, data).Data
	again := apply(t, &recode.TopBottom{Variable: "x", Top: number(19), Replacement: recode.ReplaceByThreshold}, data)
	if diff := cmp.Diff([]string{"<=9", "10-19", "20+", "20+"}, texts(again.Data, "x")); diff != "" {
		t.Errorf("cells (-want +got):\n%s", diff)
	}
	x, _ := data.Column("x")
	for want, levels := range map[string][]string{
		"10+":     {"10-19", "20-29", "30+"},
		"<=29":    {"<=9", "10-19", "20-29"},
		"<=9+30+": {"<=9", "30+"},
	} {
		if got := (&recode.Group{Variable: "x", Levels: levels}).DefaultLabel(x); got != want {
			t.Errorf("the group of %q is called %q, want %q", levels, got, want)
		}
	}
}

func TestTopBottomErrors(t *testing.T) {
	ages := apply(t, &recode.Intervals{Variable: "x", Breaks: []float64{-1, 9, 19, 29}}, dataset(t, "0", "12", "22")).Data
	ordered := apply(t, &recode.Order{Variable: "x", Levels: []string{"low", "high"}}, dataset(t, "low", "high")).Data
	numbers := dataset(t, "1", "2")
	tests := map[string]struct {
		data   *microdata.Dataset
		method recode.TopBottom
		want   error
		says   string
	}{
		"top value without use": {numbers, recode.TopBottom{Top: number(1), TopValue: number(5)}, method.ErrParam,
			`"top_value" is given, but "replacement" is threshold`},
		"bottom value for a mean": {numbers, recode.TopBottom{Bottom: number(1), BottomValue: number(5),
			Replacement: recode.ReplaceByMean}, method.ErrParam, `"replacement" is mean`},
		"value without threshold": {numbers, recode.TopBottom{Top: number(1), TopValue: number(5), BottomValue: number(1),
			Replacement: recode.ReplaceByValue}, method.ErrParam, `without its threshold "bottom"`},
		"no bottom value": {numbers, recode.TopBottom{Bottom: number(1), Replacement: recode.ReplaceByValue},
			method.ErrParam, `"bottom_value" is missing`},
		"level of numbers": {numbers, recode.TopBottom{TopLevel: "1"}, method.ErrParam, "numeric variable"},
		"both tops":        {ages, recode.TopBottom{Top: number(1), TopLevel: "0-9"}, method.ErrParam, "both given"},
		"both bottoms": {ages, recode.TopBottom{Bottom: number(1), BottomLevel: "0-9"}, method.ErrParam,
			"both given"},
		"mean of intervals": {ages, recode.TopBottom{Top: number(9), Replacement: recode.ReplaceByMean},
			method.ErrInput, "no mean"},
		"unknown level": {ages, recode.TopBottom{TopLevel: "90+"}, method.ErrParam, `no category "90+"`},
		"levels across": {ages, recode.TopBottom{TopLevel: "0-9", BottomLevel: "10-19"}, method.ErrParam,
			"above the top"},
		"number and level across": {ages, recode.TopBottom{TopLevel: "0-9", Bottom: number(25)}, method.ErrParam,
			"above the top"},
		"number of ordered labels": {ordered, recode.TopBottom{Top: number(1)}, method.ErrInput, `give "top_level"`},
		"way": {numbers, recode.TopBottom{Top: number(1), Replacement: "median"}, method.ErrParam,
			"threshold, value, mean"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			test.method.Variable = "x"
			if test.method.Replacement == "" {
				test.method.Replacement = recode.ReplaceByThreshold
			}
			_, err := method.Apply(t.Context(), &test.method, method.Input{Data: test.data}, nil)
			if !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.says) {
				t.Errorf("error %v, want one of %q that says %q", err, test.want, test.says)
			}
		})
	}
}

// All levels may be beyond one threshold.
func TestTopBottomOfAllLevels(t *testing.T) {
	ages := apply(t, &recode.Intervals{Variable: "x", Breaks: []float64{-1, 9, 19}}, dataset(t, "0", "12")).Data
	for want, m := range map[string]*recode.TopBottom{
		"0+":   {Top: number(-1)},
		"<=19": {Bottom: number(20)},
	} {
		m.Variable, m.Replacement = "x", recode.ReplaceByThreshold
		got := texts(apply(t, m, ages).Data, "x")
		if !slices.Equal(got, []string{want, want}) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A mean of one or two values reveals them; for integers it is rounded.
func TestTopBottomWarnsOfTellingMeans(t *testing.T) {
	for _, test := range []struct {
		cells  []string
		method recode.TopBottom
		want   []string
		warns  []string
	}{
		{[]string{"1", "2", "97"}, recode.TopBottom{Top: number(10)}, []string{"1", "2", "97"},
			[]string{"its mean is the value itself", "above the top"}},
		{[]string{"1", "20", "97"}, recode.TopBottom{Top: number(10)}, []string{"1", "59", "59"},
			[]string{"only 2 values are above the top threshold"}},
		{[]string{"1", "20", "97", "30"}, recode.TopBottom{Top: number(10)}, []string{"1", "49", "49", "49"}, nil},
		{[]string{"1", "", "97"}, recode.TopBottom{Bottom: number(10)}, []string{"1", "", "97"},
			[]string{"its mean is the value itself", "below the bottom"}},
		{[]string{"0.5", "1.0", "2.0", "9.0"}, recode.TopBottom{Bottom: number(3)},
			[]string{"1.1666666666666667", "1.1666666666666667", "1.1666666666666667", "9.0"}, nil},
		{[]string{"1", "2", "3"}, recode.TopBottom{Top: number(5)}, []string{"1", "2", "3"}, []string{"changes nothing"}},
	} {
		test.method.Variable, test.method.Replacement = "x", recode.ReplaceByMean
		out := apply(t, &test.method, dataset(t, test.cells...))
		if diff := cmp.Diff(test.want, texts(out.Data, "x")); diff != "" {
			t.Errorf("%q (-want +got):\n%s", test.cells, diff)
		}
		said := strings.Join(out.Report.Warnings, "; ")
		for _, words := range test.warns {
			if !strings.Contains(said, words) {
				t.Errorf("%q: warnings %q, want %q", test.cells, said, words)
			}
		}
		if len(test.warns) == 0 && said != "" {
			t.Errorf("%q: warnings %q", test.cells, said)
		}
	}
}

// A mean with the decimals of the values does not reveal which records were coded.
func TestMeanIsSpelledAsTheValues(t *testing.T) {
	for _, test := range []struct {
		cells, want []string
	}{
		{[]string{"0.50", "7.00", "9.25", "9.00"}, []string{"0.50", "8.42", "8.42", "8.42"}},
		{[]string{"0.50", "7.00", "9.50", "9.00"}, []string{"0.50", "8.50", "8.50", "8.50"}},
		{[]string{"0.5", "7", "9.25", "9"}, []string{"0.5", "8.42", "8.42", "8.42"}},
		{[]string{"0.25", "7", "9.5", "9"}, []string{"0.25", "8.5", "8.5", "8.5"}},
		{[]string{"0.5", "1e1", "2e1", "2.5e1"}, []string{"0.5", "18.333333333333332", "18.333333333333332", "18.333333333333332"}},
		{[]string{"1", "20", "97", "31"}, []string{"1", "49", "49", "49"}},
	} {
		m := &recode.TopBottom{Variable: "x", Top: number(2), Replacement: recode.ReplaceByRounded}
		if diff := cmp.Diff(test.want, texts(apply(t, m, dataset(t, test.cells...)).Data, "x")); diff != "" {
			t.Errorf("%q (-want +got):\n%s", test.cells, diff)
		}
	}
}
