package recode_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
)

func TestEquidistantBreaks(t *testing.T) {
	if diff := cmp.Diff([]float64{0.1, 0.3, 0.5, 0.7}, recode.BreaksBy(recode.ByEqualWidths, []float64{0.1, 0.7}, nil,
		3)); diff != "" {
		t.Errorf("breaks (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]float64{-4, 0, 4}, recode.BreaksBy(recode.ByEqualWidths, []float64{-4, 4}, nil, 2)); diff != "" {
		t.Errorf("breaks (-want +got):\n%s", diff)
	}
	for _, b := range recode.BreaksBy(recode.ByEqualWidths, []float64{-math.MaxFloat64, math.MaxFloat64}, nil, 7) {
		if math.IsInf(b, 0) || math.IsNaN(b) {
			t.Errorf("break %v", b)
		}
	}
}

func TestLogarithmicBreaks(t *testing.T) {
	if diff := cmp.Diff([]float64{0.01, 0.1, 1, 10, 100}, recode.BreaksBy(recode.ByLogarithms, []float64{0.01, 100}, nil,
		4)); diff != "" {
		t.Errorf("breaks (-want +got):\n%s", diff)
	}
}

// Quantiles are those of R's quantile(x), type 7.
func TestQuantileBreaks(t *testing.T) {
	tests := []struct {
		values []float64
		counts []int
		count  int
		want   []float64
	}{
		{[]float64{1, 2, 3, 4}, []int{1, 1, 1, 1}, 4, []float64{1, 1.75, 2.5, 3.25, 4}},
		{[]float64{1, 3, 7, 20}, []int{2, 1, 3, 1}, 3, []float64{1, 3, 7, 20}},
		{[]float64{0, 5}, []int{9, 1}, 4, []float64{0, 0, 0, 0, 5}},
		{[]float64{2.5}, []int{3}, 2, []float64{2.5, 2.5, 2.5}},
	}
	for _, test := range tests {
		if diff := cmp.Diff(test.want, recode.BreaksBy(recode.ByEqualAmounts, test.values, test.counts,
			test.count)); diff != "" {
			t.Errorf("%v times %v in %d (-want +got):\n%s", test.counts, test.values, test.count, diff)
		}
	}
}

// Quantiles 0:4/4 of the ages of the survey are 0, 17, 30, 47, 99; 0:5/5 of the incomes 0, 0, 1919.4, 5758.42,
// 11151.84, 415530.44.
func TestQuantilesOfTheSurvey(t *testing.T) {
	data := golden.Data(t, "survey")
	for variable, want := range map[string]string{
		"age":    "intervals age, 4 by method quantiles: up to 17, 30, 47, 99",
		"income": "intervals income, 4 by method quantiles: up to 1920, 5760, 11160, 420000",
	} {
		cut := &recode.Intervals{Variable: variable, Count: 4, By: recode.ByEqualAmounts}
		if variable == "income" {
			cut.Count = 5
		}
		out := apply(t, cut, data)
		if out.Report.Title != want {
			t.Errorf("title %q, want %q", out.Report.Title, want)
		}
	}
}

func TestIntervalsByNumber(t *testing.T) {
	tests := map[string]struct {
		cells  []string
		method recode.Intervals
		want   []string
		title  string
		warns  string
	}{
		"whole numbers, equal widths": {
			cells:  []string{"0", "12", "13", "49", "50", "98"},
			method: recode.Intervals{Count: 8},
			want:   []string{"0-12", "0-12", "13-24", "37-49", "50-61", "86-98"},
			title:  "intervals x, 8 by method equidistant: up to 12, 24, 36, 49, 61, 73, 85, 98",
		},
		"large whole numbers": {
			cells:  []string{"1003", "3111", "6450", "9876"},
			method: recode.Intervals{Count: 3},
			want:   []string{"1000-4000", "1000-4000", "4001-6900", "6901-9900"},
			title:  "intervals x, 3 by method equidistant: up to 4000, 6900, 9900",
		},
		"fewer values than intervals": {
			cells:  []string{"0", "1", "2", "3"},
			method: recode.Intervals{Count: 8},
			want:   []string{"0", "1", "2", "3"},
			title:  "intervals x, 4 by method equidistant: up to 0, 1, 2, 3",
			warns:  "4 intervals instead of 8",
		},
		"equal amounts with ties": {
			cells:  []string{"0.0", "0.0", "0.0", "0.0", "1.5", "2.5", "3.25", "8.125"},
			method: recode.Intervals{Count: 4, By: recode.ByEqualAmounts},
			want: []string{"[0,0.75]", "[0,0.75]", "[0,0.75]", "[0,0.75]", "(0.75,2.7]", "(0.75,2.7]", "(2.7,8.2]",
				"(2.7,8.2]"},
			title: "intervals x, 3 by method quantiles: up to 0.75, 2.7, 8.2",
			warns: "3 intervals instead of 4",
		},
		"logarithms": {
			cells:  []string{"1", "10", "11", "100", "1000"},
			method: recode.Intervals{Count: 3, By: recode.ByLogarithms},
			want:   []string{"1-10", "1-10", "11-100", "11-100", "101-1000"},
			title:  "intervals x, 3 by method logarithmic: up to 10, 100, 1000",
		},
		"negative": {
			cells:  []string{"-10", "-1", "0", "10"},
			method: recode.Intervals{Count: 2},
			want:   []string{"-10 to 0", "-10 to 0", "-10 to 0", "1-10"},
			title:  "intervals x, 2 by method equidistant: up to 0, 10",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			test.method.Variable = "x"
			out := apply(t, &test.method, dataset(t, test.cells...))
			if diff := cmp.Diff(test.want, texts(out.Data, "x")); diff != "" {
				t.Errorf("cells (-want +got):\n%s", diff)
			}
			if out.Report.Title != test.title || out.Report.Outside != 0 {
				t.Errorf("title %q, %d outside, want %q", out.Report.Title, out.Report.Outside, test.title)
			}
			if said := strings.Join(out.Report.Warnings, "; "); !strings.Contains(said, test.warns) ||
				test.warns == "" && said != "" {
				t.Errorf("warnings %q, want %q", said, test.warns)
			}
		})
	}
}

func TestIntervalsByNumberErrors(t *testing.T) {
	tests := map[string]struct {
		cells  []string
		method recode.Intervals
		want   error
		says   string
	}{
		"both":      {[]string{"1", "2"}, recode.Intervals{Breaks: []float64{0, 2}, Count: 3}, method.ErrParam, "both"},
		"neither":   {[]string{"1", "2"}, recode.Intervals{}, method.ErrParam, `"count"`},
		"one value": {[]string{"1", "1"}, recode.Intervals{Count: 3}, method.ErrInput, "fewer than two"},
		"zeros": {[]string{"0", "1"}, recode.Intervals{Count: 3, By: recode.ByLogarithms}, method.ErrInput,
			"0 or less"},
		"way": {[]string{"0", "1"}, recode.Intervals{Count: 3, By: "widths"}, method.ErrParam,
			"equidistant, logarithmic, quantiles"},
		"too many": {[]string{"0", "1"}, recode.Intervals{Count: 101}, method.ErrParam, "100"},
		"few labels": {[]string{"0", "5"}, recode.Intervals{Count: 2, Labels: []string{"a"}}, method.ErrParam,
			"1 label for 2 intervals"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			test.method.Variable = "x"
			_, err := method.Apply(t.Context(), &test.method, method.Input{Data: dataset(t, test.cells...)}, nil)
			if !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.says) {
				t.Errorf("error %v, want one of %q that says %q", err, test.want, test.says)
			}
		})
	}
}

// Suppressed cells are not used as values, and an earlier recode has no effect.
func TestIntervalsByNumberStartFromTheSource(t *testing.T) {
	data := golden.Data(t, "survey")
	first := apply(t, &recode.Intervals{Variable: "age", Breaks: []float64{-1, 50, 120}}, data)
	cut := &recode.Intervals{Variable: "age", Count: 6, By: recode.ByEqualAmounts}
	if diff := cmp.Diff(texts(apply(t, cut, data).Data, "age"), texts(apply(t, cut, first.Data).Data, "age")); diff != "" {
		t.Errorf("a recode before made a difference:\n%s", diff)
	}
}

// Tidied breaks are ascending and separate the values as the breaks did; for integers they are integers. No break
// moves far, and only breaks that are equal or have no integer between them are dropped.
func TestTidyBreaks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		whole := rapid.Bool().Draw(t, "whole")
		values := rapid.SliceOfNDistinct(rapid.Custom(func(t *rapid.T) float64 {
			x := rapid.Float64Range(-1e6, 1e6).Draw(t, "value")
			if whole {
				return math.Round(x / 1000)
			}
			return x
		}), 2, 30, rapid.ID).Draw(t, "values")
		slices.Sort(values)
		counts := make([]int, len(values))
		for i := range counts {
			counts[i] = rapid.IntRange(1, 9).Draw(t, "count")
		}
		number := rapid.IntRange(1, 12).Draw(t, "intervals")
		breaks := recode.BreaksBy(recode.ByEqualWidths, []float64{values[0], values[len(values)-1]}, nil, number)
		if rapid.Bool().Draw(t, "quantiles") {
			breaks = recode.BreaksBy(recode.ByEqualAmounts, values, counts, number)
		}
		tidied := recode.TidyBreaks(breaks, values, whole)
		before, after := intervalsOf(breaks, values), intervalsOf(tidied, values)
		for i := range values {
			for j := range i {
				if (before[i] == before[j]) != (after[i] == after[j]) {
					t.Fatalf("%v by %v, and by %v, part %v and %v differently", values, breaks, tidied, values[j], values[i])
				}
			}
		}
		for i, b := range tidied {
			if i > 0 && b <= tidied[i-1] || whole && b != math.Floor(b) {
				t.Fatalf("breaks %v of %v", tidied, breaks)
			}
		}
		if tidied[0] > values[0] || tidied[len(tidied)-1] < values[len(values)-1] {
			t.Fatalf("breaks %v leave values out of %v", tidied, values)
		}
	})
}

// intervalsOf returns the number of the interval of each value, with the lowest break included, by comparing with
// every break. Of equal breaks the first is used.
func intervalsOf(breaks, values []float64) []int {
	numbers := make([]int, len(values))
	for i, value := range values {
		for j := len(breaks) - 1; j > 0; j-- {
			if value <= breaks[j] {
				numbers[i] = j
			}
		}
	}
	// An interval of the lowest break only is merged with the next.
	for i := range numbers {
		for j := 1; j < len(breaks) && breaks[j] == breaks[0] && numbers[i] == j; j++ {
			numbers[i] = j + 1
		}
	}
	return numbers
}
