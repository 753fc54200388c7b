package loss_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/utility/loss"
)

func cellsOff(t tester, m *loss.Cells, was, now *microdata.Dataset) measure.Entry {
	t.Helper()
	scenario := microdata.NewScenario()
	scenario.Keys, scenario.Weight, scenario.Household = []string{"a", "b"}, "w", "h"
	entry, err := loss.CellsSpec().Compute(t.Context(), measure.Input{Original: measure.NewVersion(was, &scenario, nil),
		Current: measure.NewVersion(now, &scenario, nil)}, m, nil)
	if err != nil {
		t.Fatal(err)
	}
	return entry
}

// Computed by hand: records 2 and 3 swapped b.
func TestCellsByHand(t *testing.T) {
	cells := map[string][]string{"a": {"x", "x", "y", "y", "y"}, "b": {"p", "p", "q", "q", ""},
		"w": {"1", "2", "3.5", "4", "5"}, "h": {"1", "1", "2", "3", "2"}}
	was := columns(t, cells, "a", "b", "w", "h")
	cells["b"] = []string{"p", "q", "p", "q", ""}
	now := columns(t, cells, "a", "b", "w", "h")
	for _, test := range []struct {
		m     loss.Cells
		want  map[string]float64
		worst string
	}{
		// xp 2 1, xq 0 1, yp 0 1, yq 2 1, y missing 1 1
		{loss.Cells{Margins: 2, Inner: true, Counts: loss.CountRecords, Zeros: true, Listed: 3}, map[string]float64{"cells": 5,
			"cells_absolute": 4.0 / 5, "cells_most": 1, "cells_relative": (0.5 + 0.5 + 0) / 3, "false_zeros": 0, "false_counts": 2,
			"cells_roots": (2*(math.Sqrt2-1) + 2) / 5}, "x, q | a × b | 1 | 0 | 1 | – | 1.00"},
		// with a: 2 2, 3 3 and b: 2 2, 2 2, 1 1
		{loss.Cells{Margins: 2, Counts: loss.CountRecords, Zeros: true, Listed: 3}, map[string]float64{"cells": 10,
			"cells_absolute": 4.0 / 10, "cells_relative": 1.0 / 8, "false_counts": 2}, "x, q | a × b | 1 | 0 | 1 | – | 1.00"},
		// xp 3 1, xq 0 2, yp 0 3.5, yq 7.5 4, y missing 5 5
		{loss.Cells{Margins: 2, Inner: true, Counts: loss.CountWeights, Zeros: true, Listed: 1}, map[string]float64{"cells": 5,
			"cells_absolute": 11.0 / 5, "cells_most": 3.5, "cells_relative": (2.0/3 + 3.5/7.5) / 3},
			"y, p | a × b | 3.50 | 0.00 | 3.50 | – | 1.87"},
		// records 1, 3 and 4: xp 1 1, yp 0 1, yq 2 1
		{loss.Cells{Margins: 2, Inner: true, Counts: loss.CountHouseholds, Zeros: true, Listed: 9}, map[string]float64{"cells": 3,
			"cells_absolute": 2.0 / 3, "false_zeros": 0, "false_counts": 1}, "y, p | a × b | 1 | 0 | 1 | – | 1.00"},
	} {
		e := cellsOff(t, &test.m, was, now)
		for name, want := range test.want {
			if got := e.Value(name, 0).Number; math.Abs(got-want) > 1e-12 {
				t.Errorf("%s of %s: %v, want %v", name, test.m.Counts, got, want)
			}
		}
		rows := e.Values.Tables[0].Text()
		if got := strings.Join(rows[1], " | "); got != test.worst || len(rows) > test.m.Listed+1 {
			t.Errorf("%s: the worst of %d is %q, want %q", test.m.Counts, len(rows)-1, got, test.worst)
		}
	}
	back := cellsOff(t, &loss.Cells{Margins: 2, Inner: true, Counts: loss.CountRecords, Listed: 3}, now, was)
	if zeros, cells := back.Value("false_zeros", 0).Number, back.Value("cells", 0).Number; zeros != 2 || cells != 3 {
		t.Errorf("%v false zeros, %v cells compared that have a count", zeros, cells)
	}
}

// The results equal a second computation on random data, by differences of two maps, sorted.
func TestCellsProperties(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(r, "n")
		draw := func(values ...string) []string {
			return rapid.SliceOfN(rapid.SampledFrom(values), n, n).Draw(r, "cells")
		}
		names := []string{"a", "b", "w", "h"}
		original := map[string][]string{"a": draw("", "x", "y"), "b": draw("", "p", "q"), "w": draw("1", "2", "7.5"),
			"h": draw("1", "2", "3")}
		// A category that disappears would be compared with the category it became.
		masked := map[string][]string{"a": rapid.Permutation(original["a"]).Draw(r, "a"),
			"b": rapid.Permutation(original["b"]).Draw(r, "b"), "w": original["w"], "h": original["h"]}
		was, now := columns(t, original, names...), columns(t, masked, names...)
		e := cellsOff(r, &loss.Cells{Margins: 2, Inner: true, Counts: loss.CountRecords, Zeros: true, Listed: 100}, was, now)
		off := map[string]int{}
		for i := range n {
			off[original["a"][i]+"|"+original["b"][i]]--
			off[masked["a"][i]+"|"+masked["b"][i]]++
		}
		var absolute []int
		for _, d := range off {
			absolute = append(absolute, max(d, -d))
		}
		slices.Sort(absolute)
		sum, table := 0, e.Values.Tables[2]
		for _, d := range absolute {
			sum += d
		}
		if got := e.Value("cells_absolute", 0).Number; math.Abs(got-float64(sum)/float64(len(absolute))) > 1e-12 {
			r.Fatalf("a cell is off by %v, by hand %d in %d", got, sum, len(absolute))
		}
		for _, row := range table.Rows {
			bound, ok := row[0].(float64)
			below := 0
			for _, d := range absolute {
				if !ok || float64(d) <= bound {
					below++
				}
			}
			if row[1] != below {
				r.Fatalf("%v cells are off by at most %v, by hand %d", row[1], row[0], below)
			}
		}
		bounds := []int{0, 1, 2, 3, 5, 10, 20, 50, 100, math.MaxInt}
		for i, row := range e.Values.Tables[3].Rows {
			fewer, more := 0, 0
			for _, d := range off {
				if d < -bounds[i] && d >= -bounds[i+1] {
					fewer++
				} else if d > bounds[i] && d <= bounds[i+1] {
					more++
				}
			}
			if row[1] != fewer || row[3] != more {
				r.Fatalf("%s: %v cells have fewer and %v more, by hand %d and %d", row[0], row[1], row[3], fewer, more)
			}
		}
		if most := fmt.Sprint(e.Values.Tables[1].Rows[12][1]); most != fmt.Sprint(absolute[len(absolute)-1]) {
			r.Fatalf("the largest quantile is %s of %v", most, absolute)
		}
		same := cellsOff(r, &loss.Cells{Margins: 2, Counts: loss.CountWeights, Zeros: true, Listed: 9}, was, was)
		for _, v := range same.Values.Numbers {
			if v.Better == measure.Lower && v.Number > 0 {
				r.Fatalf("%s of equal data is %v", v.Name, v.Number)
			}
		}
	})
}

// Categories that no longer have a record keep their names.
func TestCellsThatAreGoneAreNamed(t *testing.T) {
	cells := map[string][]string{"a": {"x", "y", "z", "z"}, "b": {"p", "p", "p", "p"}, "w": {"1", "1", "1", "1"},
		"h": {"1", "2", "3", "4"}}
	was := columns(t, cells, "a", "b", "w", "h")
	cells["a"] = []string{"x", "", "", ""}
	e := cellsOff(t, &loss.Cells{Margins: 1, Counts: loss.CountRecords, Zeros: true, Listed: 3}, was,
		columns(t, cells, "a", "b", "w", "h"))
	var names []string
	for _, row := range e.Values.Tables[0].Text()[1:] {
		names = append(names, row[0])
	}
	if got := strings.Join(names, " "); got != "missing z y" || e.Value("false_zeros", 0).Number != 2 {
		t.Errorf("%q", got)
	}
}

// After two samples of one half each, the 2 remaining records of 8 with weight 2 represent the 16 of the source,
// in the current data and in the original: no cell differs. If noise is added to the weights afterwards, the
// original weight stays 8 per record.
func TestWeightsOfTheOriginalAfterSampling(t *testing.T) {
	cells := map[string][]string{"a": {"x", "x", "x", "x", "y", "y", "y", "y"}, "b": slices.Repeat([]string{"p"}, 8),
		"w": slices.Repeat([]string{"2"}, 8), "h": slices.Repeat([]string{"1"}, 8)}
	data := columns(t, cells, "a", "b", "w", "h")
	for _, rows := range [][]uint32{{0, 1, 4, 5}, {0, 2}} {
		data = data.Select(rows)
		weight, _ := data.Column("w")
		data = data.With(weight.Times(2))
	}
	m := &loss.Cells{Margins: 1, Counts: loss.CountWeights, Zeros: true, Listed: 9}
	e := cellsOff(t, m, data.Source(), data)
	if off, n := e.Value("cells_most", 0).Number, e.Value("cells", 0).Number; off != 0 || n != 3 {
		t.Errorf("%v cells, off by %v", n, off)
	}
	weight, _ := data.Column("w")
	noisy := weight.WithNumbers(microdata.Number, &microdata.Numbers{Values: []float64{9, 7}})
	e = cellsOff(t, m, data.Source(), data.With(noisy))
	if off := e.Value("cells_most", 0).Number; off != 1 {
		t.Errorf("with noise of 1 cells are off by %v", off)
	}
}
