package recode_test

import (
	"slices"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
)

// With right_open each interval includes its lower end, as comparing every value with the ends shows, and the
// labels say so in a notation that can be parsed.
func TestRightOpenIntervals(t *testing.T) {
	decimals := []float64{-5, 0, 0.5, 999.99, 1000, 1000.01, 2000, 2000.5, 1e15}
	whole := []float64{0, 4, 5, 9, 10, 19, 20}
	for _, c := range []struct {
		values []float64
		m      recode.Intervals
		labels []string
		codes  []uint32
	}{
		{decimals, recode.Intervals{Breaks: []float64{0, 1000, 2000}}, []string{"[0,1000)", "[1000,2000)"},
			[]uint32{0, 1, 1, 1, 2, 2, 0, 0, 0}},
		{decimals, recode.Intervals{Breaks: []float64{0, 1000, 2000}, IncludeLowest: true}, []string{"[0,1000)", "[1000,2000]"},
			[]uint32{0, 1, 1, 1, 2, 2, 2, 0, 0}},
		{decimals, recode.Intervals{Breaks: []float64{1000}, Open: recode.OpenBoth}, []string{"<1000", "1000+"},
			[]uint32{1, 1, 1, 1, 2, 2, 2, 2, 2}},
		{whole, recode.Intervals{Breaks: []float64{0, 5, 10, 20}}, []string{"0-4", "5-9", "10-19"},
			[]uint32{1, 1, 2, 2, 3, 3, 0}},
		{whole, recode.Intervals{Count: 2}, []string{"0-10", "11-20"}, []uint32{1, 1, 1, 1, 1, 2, 2}},
	} {
		kind := microdata.Number
		if c.values[len(c.values)-1] == 20 {
			kind = microdata.Whole
		}
		column := microdata.NewNumeric("x", kind, &microdata.Numbers{Values: c.values})
		c.m.Variable, c.m.RightOpen = "x", true
		r, err := c.m.Regroup(method.Input{}, column)
		if err != nil {
			t.Fatal(err)
		}
		var labels []string
		for _, level := range r.Levels {
			labels = append(labels, level.Label)
		}
		if !slices.Equal(labels, c.labels) || !slices.Equal(r.Mapping[1:], c.codes) {
			t.Errorf("breaks %v: %q, %v; want %q, %v", c.m.Breaks, labels, r.Mapping[1:], c.labels, c.codes)
		}
		if _, ok := microdata.Spans(r.Levels); !ok {
			t.Errorf("%q cannot be read", labels)
		}
	}
}
