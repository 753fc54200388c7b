package profile_test

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/utility/profile"
)

func drawnNumbers(t *rapid.T, tb testing.TB, name string, n int) (*microdata.Column, []float64) {
	cells, values := make([]string, n), make([]float64, n)
	for i := range cells {
		if values[i] = math.NaN(); rapid.IntRange(0, 5).Draw(t, "missing") > 0 {
			values[i] = float64(rapid.IntRange(-20, 20).Draw(t, name)) / 4
			cells[i] = strconv.FormatFloat(values[i], 'f', -1, 64)
		}
	}
	return golden.Column(tb, name, append(cells, "0.5")), append(values, 0.5)
}

func same(a, b float64) bool {
	return math.IsNaN(a) && math.IsNaN(b) || math.Abs(a-b) <= 1e-9*(1+math.Abs(b))
}

// Spread and correlation equal those of package stat over the records with a number.
func TestSpreadAndCorrelation(outer *testing.T) {
	rapid.Check(outer, func(t *rapid.T) {
		n := rapid.IntRange(0, 30).Draw(t, "n")
		a, x := drawnNumbers(t, outer, "a", n)
		b, y := drawnNumbers(t, outer, "b", n)
		s, err := profile.NewSpread(t.Context(), a)
		if err != nil {
			t.Fatal(err)
		}
		var present []float64
		both := make([][]float64, 2)
		for i := range x {
			if !math.IsNaN(x[i]) {
				present = append(present, x[i])
			}
			if !math.IsNaN(x[i] + y[i]) {
				both[0], both[1] = append(both[0], x[i]), append(both[1], y[i])
			}
		}
		if s.Count != len(present) || s.Missing != len(x)-len(present) || !same(s.Mean, stat.Mean(present)) ||
			!same(s.SD, stat.StandardDeviation(present)) ||
			s.Least != slices.Min(present) || s.Most != slices.Max(present) ||
			!same(s.Q1, stat.Quantile(present, 0.25)) || !same(s.Median, stat.Median(present)) ||
			!same(s.HighTail, stat.Quantile(present, 0.995)) {
			t.Fatalf("%v: %+v", present, s)
		}
		r, err := profile.Correlation(t.Context(), a, b)
		if err != nil {
			t.Fatal(err)
		}
		want := math.NaN()
		if len(both[0]) > 1 && stat.Variance(both[0]) > 0 && stat.Variance(both[1]) > 0 {
			want = stat.Correlation(both)[0][1]
		}
		if !same(r, want) {
			t.Fatalf("correlation %v, want %v", r, want)
		}
	})
}

// A correlation that overflows is missing, not 0.
func TestCorrelationOfHugeNumbers(t *testing.T) {
	huge, small := golden.Column(t, "huge", []string{"1e300", "-1e300", "5"}), golden.Column(t, "small",
		[]string{"1", "2", "4"})
	for _, pair := range [][2]*microdata.Column{{huge, small}, {small, huge}} {
		if r, err := profile.Correlation(t.Context(), pair[0], pair[1]); err != nil || !math.IsNaN(r) {
			t.Errorf("correlation %v, error %v", r, err)
		}
	}
}

// Ten times 0.1 does not add up to 1, but the values are constant.
func TestConstantOfTenths(t *testing.T) {
	tenths, others := golden.Column(t, "a", slices.Repeat([]string{"0.1"}, 10)), golden.Column(t, "b",
		strings.Fields("1 2 3 4 5 6 7 8 9 11"))
	spread, err := profile.NewSpread(t.Context(), tenths)
	if err != nil || spread.SD != 0 {
		t.Errorf("standard deviation %v, %v", spread.SD, err)
	}
	if r, err := profile.Correlation(t.Context(), others, tenths); err != nil || !math.IsNaN(r) {
		t.Errorf("correlation with it %v, %v", r, err)
	}
	data, err := microdata.NewDataset([]*microdata.Column{tenths})
	if err != nil {
		t.Fatal(err)
	}
	p, err := profile.New(t.Context(), data, tenths, slices.Repeat([]float64{0.7}, 10))
	if err != nil || p.Numbers.SD != 0 || p.Numbers.WeightedSD != 0 {
		t.Errorf("%+v, %v", p.Numbers, err)
	}
}

// Every group has the figures of its records.
func TestGroups(outer *testing.T) {
	rapid.Check(outer, func(t *rapid.T) {
		n := rapid.IntRange(1, 30).Draw(t, "n")
		now, x := drawnNumbers(t, outer, "x", n)
		before, y := drawnNumbers(t, outer, "x", n)
		var downs, acrosses, weights []string
		var w []float64
		for range n + 1 {
			downs = append(downs, rapid.SampledFrom([]string{"u", "v", ""}).Draw(t, "down"))
			acrosses = append(acrosses, rapid.SampledFrom([]string{"p", "q", ""}).Draw(t, "across"))
			weights = append(weights, strconv.Itoa(rapid.IntRange(1, 4).Draw(t, "w")))
		}
		g := profile.Grouping{Of: profile.Versions{Now: now, Before: before}}
		if rapid.Bool().Draw(t, "weighted") {
			for _, text := range weights {
				weight, _ := strconv.ParseFloat(text, 64)
				w = append(w, weight)
			}
			g.Weights = w
		}
		down := golden.Column(outer, "d", downs)
		g.Down = profile.Versions{Now: down, Before: down}
		if rapid.Bool().Draw(t, "two variables") {
			across := golden.Column(outer, "a", acrosses)
			g.Across = profile.Versions{Now: across, Before: across}
		}
		groups, err := profile.NewGroups(t.Context(), g, 10)
		if err != nil {
			t.Fatal(err)
		}
		label := func(text string) string {
			if text == "" {
				return "(missing)"
			}
			return text
		}
		for i, row := range groups.Rows {
			for j, column := range groups.Columns {
				in := func(k int) bool {
					return (i == 0 || label(downs[k]) == row) && (j == 0 || label(acrosses[k]) == column)
				}
				checkGroup(t, groups.Now[i][j], x, w, in)
				checkGroup(t, groups.Before[i][j], y, w, in)
			}
		}
	})
}

func checkGroup(t *rapid.T, got profile.Group, values, weights []float64, in func(record int) bool) {
	t.Helper()
	records, total, whole := 0, 0.0, 0.0
	var present, w []float64
	for k, x := range values {
		if !in(k) {
			continue
		}
		if records++; math.IsNaN(x) {
			continue
		}
		weight := 1.0
		if weights != nil {
			weight = weights[k]
		}
		present, w = append(present, x), append(w, weight)
		total, whole = total+x*weight, whole+weight
	}
	if got.Records != records || got.Values != len(present) || !same(got.Total, total) || !same(got.Mean, total/whole) ||
		!same(got.Median, stat.WeightedQuantile(present, w, 0.5)) {
		t.Fatalf("%+v of %v with weights %v", got, present, w)
	}
}

// Numbers are grouped by bins that cover both versions; for a recoded variable, the original values are grouped by
// the current categories of the records.
func TestGroupsOfNumbersAndRecodes(t *testing.T) {
	x := golden.Column(t, "x", []string{"1", "2", "3", "4"})
	y := golden.Column(t, "x", []string{"10", "20", "30", "40"})
	ages := profile.Versions{Now: golden.Column(t, "age", []string{"10.5", "11.5", "60.25", ""}),
		Before: golden.Column(t, "age", []string{"10.5", "61.5", "60.25", ""})}
	g, err := profile.NewGroups(t.Context(), profile.Grouping{Of: profile.Versions{Now: x, Before: y}, Down: ages}, 2)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(g.Rows, []string{"all", "0 to <50", "50 to <100", "(missing)"}) || g.Now[1][0].Total != 3 ||
		g.Before[1][0].Total != 10 || g.Before[2][0].Total != 50 || g.SameGroups {
		t.Errorf("%+v", g)
	}
	recoded := profile.Versions{Now: golden.Column(t, "s", []string{"a", "a", "b", "b"}),
		Before: golden.Column(t, "s", []string{"a1", "a2", "b1", "b2"})}
	if g, err = profile.NewGroups(t.Context(), profile.Grouping{Of: profile.Versions{Now: x, Before: y}, Down: recoded},
		2); err != nil {
		t.Fatal(err)
	}
	if !g.SameGroups || g.Before[1][0].Total != 30 || g.Before[2][0].Total != 70 {
		t.Errorf("%+v", g)
	}
}

// Categories beyond those with a row are not reported as missing.
func TestGroupsOfManyCategories(t *testing.T) {
	texts, numbers := make([]string, 1000), make([]string, 1000)
	for i := range texts {
		texts[i], numbers[i] = fmt.Sprintf("c%04d", i), "1"
	}
	down := profile.Versions{Now: golden.Column(t, "s", texts), Before: golden.Column(t, "s", texts)}
	of := golden.Column(t, "x", numbers)
	g, err := profile.NewGroups(t.Context(), profile.Grouping{Of: profile.Versions{Now: of, Before: of}, Down: down}, 2000)
	if err != nil {
		t.Fatal(err)
	}
	last := len(g.Rows) - 1
	if g.Rows[last] != "(others, missing)" || g.Now[last][0].Records != 1000-(last-1) {
		t.Errorf("%q has %d of 1,000 records", g.Rows[last], g.Now[last][0].Records)
	}
}

func TestDensity(t *testing.T) {
	x := golden.Column(t, "x", []string{"0", "1", "2", "10", "9.9", "", "5", "11"})
	y := golden.Column(t, "y", []string{"0", "0", "1", "4", "3.9", "1", "", "2"})
	d, err := profile.NewDensity(t.Context(), x, y, profile.Range{Low: 0, High: 10}, profile.Range{Low: 0, High: 4}, 5, 2)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(d.Records[0], []int{2, 1, 0, 0, 0}) || !slices.Equal(d.Records[1], []int{0, 0, 0, 0, 2}) ||
		d.Inside != 5 || d.Outside != 1 {
		t.Errorf("%+v", d)
	}
}
