package check

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
)

// Replicate weights are multiples of the weight, whether exact, rounded or calibrated. Other variables that come
// in tens are not replicate weights.
func TestMultiplesOfWeights(t *testing.T) {
	const n, clusters = 2000, 50
	random := rand.New(rand.NewPCG(1, 2))
	weights, factor := make([]float64, n), make([]float64, n)
	for i := range weights {
		weights[i] = math.Round(100*300*math.Exp(random.NormFloat64()/2)) / 100
	}
	few := []float64{120, 180, 240, 310, 560} // of five strata
	drawn := func() []float64 {
		times := make([]float64, clusters)
		for range clusters - 1 {
			times[random.IntN(clusters)]++
		}
		return times
	}
	numeric := func(values []float64) *microdata.Column {
		column, _ := golden.Numbers(t, [][]float64{values}).Column("a")
		return column
	}
	kinds := map[string]struct {
		is bool
		of func(i int, w float64) float64
	}{
		"balanced":   {true, func(i int, w float64) float64 { return w * float64(2*(i/7%2)) }},
		"Fay":        {true, func(i int, w float64) float64 { return w * (0.5 + float64(i/7%2)) }},
		"jackknife":  {true, func(i int, w float64) float64 { return w * float64(min(i%clusters, 1)) * clusters / (clusters - 1) }},
		"of strata":  {true, func(i int, w float64) float64 { return w * []float64{1, 1, 1, 0, 4.0 / 3}[i%5] }},
		"successive": {true, func(i int, w float64) float64 { return w * []float64{1 - math.Sqrt2/2, 1, 1 + math.Sqrt2/2}[i%3] }},
		"bootstrap":  {true, func(i int, w float64) float64 { return w * factor[i%clusters] * clusters / (clusters - 1) }},
		"rounded":    {true, func(i int, w float64) float64 { return math.Round(w * float64(2*(i/7%2))) }},
		"calibrated": {true, func(i int, w float64) float64 {
			return w * (0.5 + float64(i/7%2)) * (1 + 0.015*random.NormFloat64())
		}},
		"item":       {false, func(i int, _ float64) float64 { return float64(i % 2) }},
		"score":      {false, func(i int, _ float64) float64 { return float64(i * 7919 % 11) }},
		"test":       {false, func(int, float64) float64 { return 100 + 15*random.NormFloat64() }},
		"component":  {false, func(int, float64) float64 { return 1000 * math.Exp(random.NormFloat64()) }},
		"rare":       {false, func(i int, w float64) float64 { return w * float64(i%10/9) }},
		"related":    {false, func(_ int, w float64) float64 { return w * math.Exp(random.NormFloat64()/2) }},
		"constant":   {false, func(int, float64) float64 { return 300 }},
		"with codes": {false, func(i int, w float64) float64 { return w*float64(i%2) - float64(i%2) - 9*float64(i%97/96)*w }},
	}
	for _, name := range slices.Sorted(maps.Keys(kinds)) { // in a fixed order, because all draw from the same source
		kind := kinds[name]
		for _, what := range []string{"few", "many"} {
			w := func(i int) float64 { return weights[i] }
			if what == "few" {
				w = func(i int) float64 { return few[i*7919%5] }
			}
			if name == "related" && what == "few" {
				continue
			}
			copy(factor, drawn())
			column, base := make([]float64, n), make([]float64, n)
			for i := range n {
				base[i] = w(i)
				column[i] = kind.of(i, base[i])
			}
			f := newRatios(numeric(base))
			if got := f.multiple(numeric(column)); got != kind.is {
				t.Errorf("%s, %s weights: a multiple is %v", name, what, got)
			}
		}
	}
	if f := newRatios(numeric(make([]float64, n))); f.width != 0 {
		t.Error("weights of 0 are compared")
	}
	same := make([]float64, n)
	for i := range same {
		same[i] = 250
	}
	if f := newRatios(numeric(same)); f.width != 0 {
		t.Error("weights that are all the same are compared")
	}
}
