package recode_test

import (
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
)

func TestNarrate(t *testing.T) {
	report := &method.Report{Changed: 1200, Outside: 1}
	none := &method.Report{Changed: 1}
	tests := []struct {
		method method.Narrator
		report *method.Report
		want   string
	}{
		{&recode.Intervals{Variable: "age", Breaks: []float64{0, 1, 2}}, report,
			"The values of age were cut into intervals; cells outside them became missing."},
		{&recode.Intervals{Variable: "age", Count: 4}, none, "The values of age were cut into intervals."},
		{&recode.Group{Variable: "x", Levels: []string{"a", "b"}}, report,
			"Categories of x were merged."},
		{&recode.Group{Variable: "x", Levels: []string{"a"}, IncludeMissing: true}, none,
			"Categories of x and its missing values were merged."},
		{&recode.Group{Variable: "x", IncludeMissing: true}, none,
			"The missing values of x became a category of their own."},
		{&recode.Rename{Variable: "x"}, none, "A category of x was given another name."},
		{&recode.TopBottom{Variable: "x", Top: number(3)}, report,
			"The highest values of x were replaced by a common one."},
		{&recode.TopBottom{Variable: "x", BottomLevel: "a"}, none,
			"The lowest values of x were replaced by a common one."},
		{&recode.TopBottom{Variable: "x", Top: number(3), Bottom: number(1)}, none,
			"The highest and the lowest values of x were replaced by a common one."},
		{&recode.Hierarchy{Variable: "x"}, report,
			"The codes of x were replaced by coarser ones; cells without a coarser one became missing."},
		{&recode.Round{Variable: "x", Base: 0.5}, none, "The values of x were rounded."},
		{&recode.Split{Variable: "x"}, none, "A merged category of x was split into those of the source."},
		{&recode.Order{Variable: "x"}, none, "The categories of x were put in order; no value changed."},
	}
	for _, test := range tests {
		if got := test.method.Narrate(test.report); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}
