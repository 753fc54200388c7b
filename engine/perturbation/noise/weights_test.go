package noise_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/noise"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/numeric"
)

// weighted returns records with a weight, a stratum and a household.
func weighted(t testing.TB, weights []float64, strata, households []string) method.Input {
	t.Helper()
	text := make([]string, len(weights))
	for i, w := range weights {
		text[i] = strconv.FormatFloat(w, 'g', -1, 64)
	}
	data, err := microdata.NewDataset([]*microdata.Column{golden.Column(t, "w", text), golden.Column(t, "s", strata),
		golden.Column(t, "h", households)})
	if err != nil {
		t.Fatal(err)
	}
	scenario := microdata.NewScenario()
	scenario.Weight, scenario.Strata = "w", []string{"s"}
	return method.Input{Data: data, Scenario: &scenario, Seed: 5}
}

func weightsOf(d *microdata.Dataset) []float64 {
	column, _ := d.Column("w")
	out := make([]float64, column.Len())
	for i := range out {
		out[i] = column.Float(i)
	}
	return out
}

// Totals of strata are preserved, and weights stay positive, within the noise, and equal within a household if
// they were equal. In a stratum with two weights both ends of the noise occur.
func TestNoiseOnWeights(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(r, "n")
		byHousehold := rapid.Bool().Draw(r, "households")
		weights, strata, households := make([]float64, n), make([]string, n), make([]string, n)
		for i := range weights {
			h := rapid.IntRange(1, max(1, n/2)).Draw(r, "household")
			households[i] = fmt.Sprint(h)
			strata[i] = string(rune('a' + h%3))
			if weights[i] = rapid.Float64Range(0.5, 1000).Draw(r, "weight"); byHousehold {
				weights[i] = float64(h) * 7.5
			}
		}
		in := weighted(t, weights, strata, households)
		if byHousehold {
			in.Scenario.Household = "h"
		}
		m := noise.NewWeights()
		m.Decimals = numeric.Computed
		m.Percent = rapid.Float64Range(0, 60).Draw(r, "percent")
		m.Overlap = rapid.Bool().Draw(r, "overlap")
		out, err := m.Apply(t.Context(), in, nil)
		if err != nil {
			r.Fatal(err)
		}
		now, before, after, of := weightsOf(out.Data), map[string]float64{}, map[string]float64{}, map[string]float64{}
		for i := range now {
			before[strata[i]] += weights[i]
			after[strata[i]] += now[i]
			if !(now[i] > 0) {
				r.Fatalf("weight %v", now[i])
			}
			if first, seen := of[households[i]]; byHousehold && seen && first != now[i] {
				r.Fatalf("a household has weights %v and %v", first, now[i])
			}
			of[households[i]] = now[i]
		}
		for s := range before {
			if math.Abs(before[s]-after[s]) > 1e-9*before[s] {
				r.Fatalf("the total of %s was %v, is %v", s, before[s], after[s])
			}
		}
	})
}

// The strata have 40 records each, with weights 100, 130 and 500. With 10 % of noise no two ranges overlap; with
// overlap the first two do, and 500 is too far away for 50 %.
func TestWeightsOverlap(t *testing.T) {
	var weights []float64
	var strata, households []string
	for i := range 120 {
		weights = append(weights, []float64{100, 130, 500}[i%3])
		strata, households = append(strata, string(rune('a'+i%3))), append(households, fmt.Sprint(i))
	}
	in := weighted(t, weights, strata, households)
	ranges := func(m *noise.Weights) (low, high [3]float64, summary string) {
		out, err := m.Apply(t.Context(), in, nil)
		if err != nil {
			t.Fatal(err)
		}
		low = [3]float64{1e9, 1e9, 1e9}
		for i, w := range weightsOf(out.Data) {
			low[i%3], high[i%3] = min(low[i%3], w), max(high[i%3], w)
		}
		return low, high, out.Report.Effect + "; " + strings.Join(out.Report.Warnings, "; ")
	}
	m := noise.NewWeights()
	m.Decimals = numeric.Computed
	m.Overlap = false
	low, high, summary := ranges(m)
	if high[0] >= low[1] || !strings.Contains(summary, "weights reveal 3 strata: a, b, c") ||
		math.Abs(high[0]/low[0]-1.1/0.9) > 1e-9 {
		t.Errorf("without overlap %v, %v: %s", low, high, summary)
	}
	m.Overlap = true
	low, high, summary = ranges(m)
	if high[0] < low[1] || high[1] >= low[2] || high[1] < 2*low[1] || // the neighbour of c has as much noise
		!strings.Contains(summary, "weights reveal 1 stratum: c") {
		t.Errorf("with overlap %v, %v: %s", low, high, summary)
	}
	m.Most = 80
	if low, high, summary = ranges(m); high[1] < low[2] || strings.Contains(summary, "weights reveal") ||
		!strings.Contains(summary, "3 totals kept") {
		t.Errorf("with more noise %v, %v: %s", low, high, summary)
	}
}

// A file without strata has a single total, and no weights that could overlap.
func TestNoiseOnWeightsOfOneStratum(t *testing.T) {
	in := weighted(t, []float64{10, 20, 30}, []string{"a", "a", "a"}, []string{"1", "2", "3"})
	in.Scenario.Strata = nil
	out, err := noise.NewWeights().Apply(t.Context(), in, nil)
	if err != nil || !strings.Contains(out.Report.Effect, "1 total kept, noise of up to 10.0 %") || len(out.Report.Warnings) > 0 {
		t.Errorf("%+v, %v", out.Report, err)
	}
}

func TestNoiseOnWeightsErrors(t *testing.T) {
	in := weighted(t, []float64{5, 5, 2}, []string{"a", "b", "b"}, []string{"1", "1", "2"})
	in.Scenario.Household = "h"
	if _, err := noise.NewWeights().Apply(t.Context(), in, nil); !errors.Is(err, method.ErrInput) ||
		!strings.Contains(err.Error(), "different strata") {
		t.Error(err)
	}
	in = weighted(t, []float64{5, 0}, []string{"a", "a"}, []string{"1", "2"})
	if _, err := noise.NewWeights().Apply(t.Context(), in, nil); !errors.Is(err, method.ErrInput) ||
		!strings.Contains(err.Error(), "weight") {
		t.Error(err)
	}
	in.Scenario.Weight = ""
	if _, err := noise.NewWeights().Apply(t.Context(), in, nil); !errors.Is(err, method.ErrInput) {
		t.Error(err)
	}
}

// Rounded weights keep the total that the report states and are positive multiples of the last decimal. If each
// record represents only itself, they differ from the unrounded weights by less than one unit of that decimal. The
// first case has 5 weights of 10 and 7 of 20: rounding each on its own gives 49 of 50.
func TestRoundedWeightsKeepTheirTotals(t *testing.T) {
	check := func(t interface{ Fatalf(string, ...any) }, in method.Input, strata []string, households bool) {
		m := noise.NewWeights()
		exact, err := m.Apply(context.Background(), in, nil)
		m.Decimals = numeric.AsSource
		out, err2 := m.Apply(context.Background(), in, nil)
		if err != nil || err2 != nil {
			t.Fatalf("%v, %v", err, err2)
		}
		was, unrounded, now, change := weightsOf(in.Data), weightsOf(exact.Data), weightsOf(out.Data), map[string]float64{}
		for i, w := range now {
			change[strata[i]] += w - was[i]
			if w < 1 || w != math.Trunc(w) || !households && was[i] > 1 && math.Abs(w-unrounded[i]) >= 1+1e-9 && unrounded[i] >= 1 {
				t.Fatalf("weight %v, unrounded %v", w, unrounded[i])
			}
		}
		kept, all := 0, len(change)
		for _, x := range change {
			if x == 0 {
				kept++
			}
		}
		if !strings.Contains(out.Report.Effect, wording.Counted(kept, "total")+" kept") || !households && kept < all {
			t.Fatalf("%d of %d totals are kept: %s; %v became %v", kept, all, out.Report.Effect, was, now)
		}
	}
	strata := strings.Split("aaaaabbbbbbb", "")
	in := weighted(t, []float64{10, 10, 10, 10, 10, 20, 20, 20, 20, 20, 20, 20}, strata, strata)
	in.Seed = 1
	check(t, in, strata, false)
	rapid.Check(t, func(r *rapid.T) {
		n, households := rapid.IntRange(1, 40).Draw(r, "n"), rapid.Bool().Draw(r, "households")
		weights, strata, homes := make([]float64, n), make([]string, n), make([]string, n)
		for i := range weights {
			h := rapid.IntRange(1, max(1, n/2)).Draw(r, "household")
			homes[i], strata[i] = fmt.Sprint(h), string(rune('a'+h%3))
			weights[i] = float64(rapid.IntRange(1, 60).Draw(r, "weight"))
			if households {
				weights[i] = float64(h)
			}
		}
		in := weighted(t, weights, strata, homes)
		if households {
			in.Scenario.Household = "h"
		}
		check(r, in, strata, households)
	})
}
