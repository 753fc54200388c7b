package noise

import (
	"cmp"
	"math"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/perturbation/numeric"
)

// round rounds the new weights to a number of decimals and preserves the total of the stratum: it rounds down and then
// adds a unit of the last decimal to the weights with the largest remainders until the total is reached. No weight
// becomes 0. If households of several records do not add up to the total, off has the remaining difference.
func (w *unitWeights) round(decimals int) {
	scale := math.Pow10(decimals)
	units, lacking := make([]float64, len(w.units)), 0.0
	for u, unit := range w.units {
		made := w.made[u] * scale
		if math.Abs(made) >= numeric.Exactly {
			return // no decimals
		}
		units[u] = max(1, math.Floor(made))
		lacking += float64((math.Round(w.weights[u]*scale) - units[u]) * float64(len(unit)))
	}
	order := make([]int, len(units))
	for u := range order {
		order[u] = u
	}
	remainder := func(u int) float64 { return w.made[u]*scale - units[u] }
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(remainder(b), remainder(a)) })
	for given := true; given && lacking > 0; {
		given = false
		for _, u := range order {
			if size := float64(len(w.units[u])); size <= lacking {
				units[u]++
				lacking -= size
				given = true
			}
		}
	}
	slices.Reverse(order)
	for taken := true; taken && lacking < 0; {
		taken = false
		for _, u := range order {
			if size := float64(len(w.units[u])); size <= -lacking && units[u] > 1 {
				units[u]--
				lacking += size
				taken = true
			}
		}
	}
	w.off = lacking / scale
	w.low, w.high = math.Inf(1), math.Inf(-1)
	for u := range units {
		w.made[u] = units[u] / scale
		w.low, w.high = min(w.low, w.made[u]), max(w.high, w.made[u])
	}
}
