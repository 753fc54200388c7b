package recode_test

import (
	"maps"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/data/hierarchy"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
)

// record is one cell for the naive recodes.
type record struct {
	source, now string // or "" if missing
	suppressed  bool
	whole       bool // integer variable
}

// naive recodes one cell according to the description of the method.
func naive(m method.Method, r record, all []record) string {
	if r.suppressed {
		return ""
	}
	switch m := m.(type) {
	case *recode.Intervals:
		return naiveIntervals(m, r.source)
	case *recode.Hierarchy:
		return naiveHierarchy(m, r.source)
	case *recode.Group:
		if r.now == "" && m.IncludeMissing || r.now != "" && slices.Contains(m.Levels, r.now) {
			return m.Label
		}
	case *recode.Rename:
		if r.now == m.Level {
			return m.Label
		}
	case *recode.Split:
		if r.now == m.Level {
			return r.source
		}
	case *recode.Round:
		if r.now != "" {
			return naiveRound(r.now, m.Base)
		}
	case *recode.TopBottom:
		return naiveTop(m, r.now, all)
	}
	return r.now
}

// naiveTop replaces a number above the threshold.
func naiveTop(m *recode.TopBottom, now string, all []record) string {
	value, err := strconv.ParseFloat(now, 64)
	if err != nil || value <= *m.Top {
		return now
	}
	becomes := *m.Top
	switch m.Replacement {
	case recode.ReplaceByValue:
		becomes = *m.TopValue
	case recode.ReplaceByMean:
		if becomes = naiveMean(all, *m.Top); all[0].whole {
			becomes = math.Round(becomes)
		}
	}
	for _, other := range all { // an existing number keeps its notation
		if value, err := strconv.ParseFloat(other.now, 64); err == nil && value == becomes {
			return other.now
		}
	}
	return strconv.FormatFloat(becomes, 'f', -1, 64)
}

// naiveMean returns the mean of the numbers above a threshold, summed in ascending order to reproduce rounding.
func naiveMean(all []record, top float64) float64 {
	counts := map[float64]float64{}
	for _, r := range all {
		if value, err := strconv.ParseFloat(r.now, 64); err == nil && value > top {
			counts[value]++
		}
	}
	sum, count := 0.0, 0.0
	for _, value := range slices.Sorted(maps.Keys(counts)) {
		sum += float64(value * counts[value])
		count += counts[value]
	}
	return sum / count
}

func naiveIntervals(m *recode.Intervals, source string) string {
	value, err := strconv.ParseFloat(source, 64)
	if err != nil {
		return ""
	}
	for i, label := range m.Labels {
		if value > m.Breaks[i] && value <= m.Breaks[i+1] || i == 0 && m.IncludeLowest && value == m.Breaks[0] {
			return label
		}
	}
	return ""
}

func naiveHierarchy(m *recode.Hierarchy, source string) string {
	left := len(source) - m.Cut
	if m.Digits > 0 {
		left = min(len(source), m.Digits)
	}
	for _, row := range m.Levels {
		if row[0] == source {
			return row[m.Depth]
		}
	}
	switch {
	case len(m.Levels) == 0 && left > 0:
		return source[:left]
	case m.Unlisted == recode.UnlistedKeep:
		return source
	}
	return ""
}

// naiveRound rounds with fractions, ties away from zero.
func naiveRound(text string, base float64) string {
	number, _ := new(big.Rat).SetString(text)
	unit, _ := new(big.Rat).SetString(strconv.FormatFloat(base, 'f', -1, 64))
	ratio := new(big.Rat).Quo(number, unit)
	half := big.NewRat(1, 2)
	if ratio.Sign() < 0 {
		half.Neg(half)
	}
	ratio.Add(ratio, half)
	whole := new(big.Int).Quo(ratio.Num(), ratio.Denom()) // towards zero
	_, decimals, _ := strings.Cut(strconv.FormatFloat(base, 'f', -1, 64), ".")
	return ratio.SetInt(whole).Mul(ratio, unit).FloatString(len(decimals))
}

// drawRecode draws a recode of variable x with all defaults set explicitly.
func drawRecode(t *rapid.T, column *microdata.Column) method.Method {
	labels := []string{"1"}
	for _, level := range column.Categories().Levels {
		labels = append(labels, level.Label)
	}
	level := func(name string) string { return rapid.SampledFrom(labels).Draw(t, name) }
	some := func() []string {
		return rapid.SliceOfNDistinct(rapid.SampledFrom(labels), 1, 3, rapid.ID).Draw(t, "levels")
	}
	switch rapid.IntRange(0, 9).Draw(t, "method") {
	case 9:
		if !column.Numeric() {
			return &recode.Hierarchy{Variable: "x", Digits: 1}
		}
		top := &recode.TopBottom{Variable: "x", Top: number(float64(rapid.IntRange(-6, 20).Draw(t, "top"))),
			Replacement: rapid.SampledFrom([]string{recode.ReplaceByThreshold, recode.ReplaceByMean,
				recode.ReplaceByValue}).Draw(t, "replacement")}
		if top.Replacement == recode.ReplaceByValue {
			top.TopValue = number(12)
		}
		return top
	case 0:
		low := rapid.IntRange(-30, 10).Draw(t, "low")
		return &recode.Intervals{Variable: "x", Breaks: []float64{float64(low), float64(low) + 7, float64(low) + 22.5},
			Labels: []string{"lower", "upper"}, IncludeLowest: rapid.Bool().Draw(t, "lowest")}
	case 1:
		return &recode.Hierarchy{Variable: "x", Digits: rapid.IntRange(1, 2).Draw(t, "digits")}
	case 2:
		return &recode.Hierarchy{Variable: "x", Cut: 1,
			Unlisted: rapid.SampledFrom([]string{recode.UnlistedKeep, recode.UnlistedMissing}).Draw(t, "unlisted")}
	case 3:
		table := hierarchy.Table{{"11", "eleven"}, {"12", "a"}, {"1", "a"}, {"-5", ""}}
		return &recode.Hierarchy{Variable: "x", Levels: table, Depth: 1,
			Unlisted: rapid.SampledFrom([]string{recode.UnlistedKeep, recode.UnlistedMissing}).Draw(t, "unlisted")}
	case 4:
		return &recode.Rename{Variable: "x", Level: level("level"), Label: "renamed"}
	case 5, 6:
		return &recode.Split{Variable: "x", Level: level("level")}
	case 7:
		return &recode.Round{Variable: "x", Base: rapid.SampledFrom([]float64{1, 2, 5, 0.5, 0.3, 10}).Draw(t, "base")}
	default:
		group := &recode.Group{Variable: "x", Label: "group", IncludeMissing: rapid.Bool().Draw(t, "missing")}
		if group.IncludeMissing && rapid.Bool().Draw(t, "alone") {
			return group
		}
		group.Levels = some()
		return group
	}
}

// Any sequence of recodes and suppressions has the same cells as the naive ones.
func TestNaive(tb *testing.T) {
	rapid.Check(tb, func(t *rapid.T) {
		kinds := [][]string{{"", "1", "2", "11", "12", "-5", "20"}, {"", "1", "11", "12", "a", "ab", "b1"},
			{"", "0.5", "1.5", "-2.5", "3.25"}}
		values := rapid.SampledFrom(kinds).Draw(t, "values")
		cells := rapid.SliceOfN(rapid.SampledFrom(values), 1, 20).Draw(t, "cells")
		data := dataset(tb, cells...)
		records := make([]record, len(cells))
		for i, cell := range cells {
			records[i] = record{source: cell, now: cell}
		}
		for range rapid.IntRange(1, 6).Draw(t, "steps") {
			if rapid.IntRange(0, 3).Draw(t, "suppress") == 0 {
				data = suppressOne(t, data, records)
			}
			data = compareNaive(t, data, records)
		}
	})
}

func suppressOne(t *rapid.T, data *microdata.Dataset, records []record) *microdata.Dataset {
	x, _ := data.Column("x")
	blank := microdata.NewBits(len(records))
	at := rapid.IntRange(0, len(records)-1).Draw(t, "blank")
	blank.Set(at)
	if records[at].now != "" {
		records[at].now, records[at].suppressed = "", true
	}
	return data.With(x.Suppress(blank))
}

// compareNaive applies one recode both ways.
func compareNaive(t *rapid.T, data *microdata.Dataset, records []record) *microdata.Dataset {
	x, _ := data.Column("x")
	m := drawRecode(t, x)
	out, err := method.Apply(t.Context(), m, method.Input{Data: data}, nil)
	if err != nil || x.Valueless() {
		return data // an unknown level, a label that is taken, not numeric; without any value nothing is recoded
	}
	want := make([]string, len(records))
	for i := range records {
		records[i].whole = x.Kind() == microdata.Whole
		want[i] = naive(m, records[i], records)
	}
	for i := range records {
		records[i].now = want[i]
	}
	if diff := cmp.Diff(want, texts(out.Data, "x")); diff != "" {
		t.Fatalf("%T %+v (-naive +got):\n%s", m, m, diff)
	}
	return out.Data
}

// Members of a household with equal values keep equal values, because a recode maps levels.
func TestHouseholdsStayAlike(tb *testing.T) {
	rapid.Check(tb, func(t *rapid.T) {
		sizes := rapid.SliceOfN(rapid.IntRange(1, 4), 1, 8).Draw(t, "sizes")
		var cells []string
		var households []int
		for household, size := range sizes {
			cell := rapid.SampledFrom([]string{"", "1", "2", "11", "12", "20"}).Draw(t, "cell")
			for range size {
				cells, households = append(cells, cell), append(households, household)
			}
		}
		data := dataset(tb, cells...)
		for range rapid.IntRange(1, 5).Draw(t, "steps") {
			x, _ := data.Column("x")
			if rapid.IntRange(0, 3).Draw(t, "suppress") == 0 { // for a whole household
				blank, chosen := microdata.NewBits(len(cells)), rapid.IntRange(0, len(sizes)-1).Draw(t, "household")
				for i, household := range households {
					if household == chosen {
						blank.Set(i)
					}
				}
				x = x.Suppress(blank)
				data = data.With(x)
			}
			m := drawRecode(t, x)
			out, err := method.Apply(t.Context(), m, method.Input{Data: data}, nil)
			if err != nil {
				continue
			}
			data = out.Data
			after := texts(data, "x")
			for i := 1; i < len(after); i++ {
				if households[i] == households[i-1] && after[i] != after[i-1] {
					t.Fatalf("%T %+v parts household %d: %q", m, m, households[i], after)
				}
			}
		}
	})
}

func TestRoundHalves(t *testing.T) {
	tests := []struct {
		base        float64
		cells, want []string
	}{
		{0.1, []string{"0.15", "0.25", "-0.15", "0.04", "-0.04", ""}, []string{"0.2", "0.3", "-0.2", "0.0", "0.0", ""}},
		{5, []string{"2", "3", "7.5", "-7.5", "1000000000000002.5"}, []string{"0", "5", "10", "-10", "1000000000000005"}},
		{0.25, []string{"1", "1.125", "0.374"}, []string{"1.00", "1.25", "0.25"}},
		{1e6, []string{"499999", "500000", "3000000"}, []string{"0", "1000000", "3000000"}},
	}
	for _, test := range tests {
		out := apply(t, &recode.Round{Variable: "x", Base: test.base}, dataset(t, test.cells...))
		if diff := cmp.Diff(test.want, texts(out.Data, "x")); diff != "" {
			t.Errorf("base %v (-want +got):\n%s", test.base, diff)
		}
		if x, _ := out.Data.Column("x"); !x.Numeric() {
			t.Errorf("base %v: no numbers any more", test.base)
		}
	}
	for _, base := range []float64{math.SmallestNonzeroFloat64, 1e300, math.MaxFloat64} {
		apply(t, &recode.Round{Variable: "x", Base: base}, dataset(t, "1", "-1e300", "1e-300"))
	}
}

// The incomes of the survey are rounded as cell by cell.
func TestRoundTheSurvey(t *testing.T) {
	data := golden.Data(t, "survey")
	before := texts(data, "income")
	after := texts(apply(t, &recode.Round{Variable: "income", Base: 0.05}, data).Data, "income")
	for i, cell := range before {
		if cell != "" && after[i] != naiveRound(cell, 0.05) {
			t.Fatalf("%s became %s, want %s", cell, after[i], naiveRound(cell, 0.05))
		}
	}
}
