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
		method method.Method
		report *method.Report
		want   string
	}{
		{&recode.Intervals{Variable: "age", Breaks: []float64{0, 1, 2}}, report,
			"The values of age were recoded into intervals; values outside all intervals are missing."},
		{&recode.Intervals{Variable: "age", Count: 4}, none, "The values of age were recoded into intervals; values outside all intervals are missing."},
		{&recode.Group{Variable: "x", Levels: []string{"a", "b"}}, report,
			"Categories of x were grouped."},
		{&recode.Group{Variable: "x", Levels: []string{"a"}, IncludeMissing: true}, none,
			"Categories of x and its missing values were grouped."},
		{&recode.Group{Variable: "x", IncludeMissing: true}, none,
			"The missing values of x became a separate category."},
		{&recode.Rename{Variable: "x"}, none, "A category of x was renamed."},
		{&recode.TopBottom{Variable: "x", Top: number(3)}, report,
			"The highest values of x were replaced by a common value."},
		{&recode.TopBottom{Variable: "x", Top: number(3)}, &method.Report{Title: "top and bottom coding x: below 1 → 1, above 3 → 3"},
			"Extreme values of x were replaced: values below 1 became 1, values above 3 became 3."},
		{&recode.TopBottom{Variable: "x", BottomLevel: "a"}, none,
			"The lowest values of x were replaced by a common value."},
		{&recode.TopBottom{Variable: "x", Top: number(3), Bottom: number(1)}, none,
			"The highest and the lowest values of x were replaced by a common value."},
		{&recode.Hierarchy{Variable: "x"}, report,
			"The codes of x were replaced by a coarser level of a hierarchy; codes without one are missing."},
		{&recode.Round{Variable: "x", Base: 0.5}, none, "The values of x were rounded."},
		{&recode.Split{Variable: "x"}, none, "A merged category of x was split into its original categories."},
		{&recode.Order{Variable: "x"}, none, "The categories of x were ordered; no value changed."},
	}
	for _, test := range tests {
		if got := test.method.Narrate(test.report); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}
