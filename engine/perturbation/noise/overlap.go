package noise

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/numeric"
)

// strata are the strata of a file, sorted by mean weight.
type strata []*unitWeights

// unitWeights has the weights of a stratum by unit, which is a household or a record.
type unitWeights struct {
	label   string
	units   [][]uint32 // records of each unit, by index in the table
	weights []float64  // per unit
	at      []float64  // per unit: share of the noise it gets, from -1 to 1
	share   float64    // amount of noise: maximum relative change of a weight
	made    []float64  // the new weights
	low     float64    // minimum of made
	high    float64
	off     float64 // change in the total caused by rounding
}

// weighings divides the weights of a table by stratum, and by household if all members have the same weight.
func weighings(in method.Input, table *numeric.Table) (strata, error) {
	households, err := householdsOf(in)
	if err != nil {
		return nil, err
	}
	var all strata
	home, units := make([]*unitWeights, households.Len()), make([]int, households.Len())
	for _, stratum := range table.Strata {
		w := &unitWeights{label: stratum.Label}
		for _, record := range stratum.Records {
			household := households.Of(int(table.Rows[record]))
			switch home[household] {
			case nil:
				home[household], units[household] = w, len(w.units)
				w.units, w.weights = append(w.units, []uint32{record}), append(w.weights, table.Values[0][record])
			case w:
				w.units[units[household]] = append(w.units[units[household]], record)
			default:
				return nil, fmt.Errorf("%w: members of a household with one weight are in different strata; choose strata "+
					"that are the same for households", method.ErrInput)
			}
		}
		if len(w.units) > 0 {
			all = append(all, w)
		}
	}
	slices.SortStableFunc(all, func(a, b *unitWeights) int { return cmp.Compare(a.mean(), b.mean()) })
	return all, nil
}

// householdsOf returns the households, or single records if there are none or if members have different weights.
func householdsOf(in method.Input) (*microdata.Households, error) {
	households, err := in.Households()
	if err != nil {
		return nil, err
	}
	column, _ := in.Data.Column(in.Scenario.Weight)
	if households == nil || households.Differing(column)+households.PartlyMissing(column) > 0 {
		return microdata.Singles(in.Data.Len()), nil
	}
	return households, nil
}

// mean returns the mean weight of the records.
func (w *unitWeights) mean() float64 {
	sum, records := 0.0, 0
	for u, unit := range w.units {
		sum += float64(w.weights[u] * float64(len(unit)))
		records += len(unit)
	}
	return sum / float64(records)
}

// draw sets the noise of the units from the draws of their first records. The lowest draw gets the lower end of
// the noise, the highest the upper end.
func (w *unitWeights) draw(draws []float64, share float64) {
	w.at = make([]float64, len(w.units))
	lowest, highest := 0, 0
	for u, unit := range w.units {
		w.at[u] = 2*draws[unit[0]] - 1
		if w.at[u] < w.at[lowest] {
			lowest = u
		}
		if w.at[u] > w.at[highest] {
			highest = u
		}
	}
	w.at[lowest] = -1
	w.at[highest] = 1
	w.make(share)
}

// make computes new weights with the given amount of noise and preserves their total.
func (w *unitWeights) make(share float64) {
	w.share, w.made = share, make([]float64, len(w.units))
	before, after := 0.0, 0.0
	for u, unit := range w.units {
		w.made[u] = w.weights[u]
		if len(w.units) > 1 {
			w.made[u] *= 1 + float64(share*w.at[u])
		}
		before += float64(w.weights[u] * float64(len(unit)))
		after += float64(w.made[u] * float64(len(unit)))
	}
	w.low, w.high = math.Inf(1), math.Inf(-1)
	for u := range w.made {
		w.made[u] *= before / after
		w.low, w.high = min(w.low, w.made[u]), max(w.high, w.made[u])
	}
}

// into copies the new weights to the records.
func (w *unitWeights) into(weights []float64) {
	for u, unit := range w.units {
		for _, record := range unit {
			weights[record] = w.made[u]
		}
	}
}

// overlaps reports whether the range of a stratum's new weights overlaps with that of another stratum.
func (all strata) overlaps(i int) bool {
	for j, w := range all {
		if j != i && w.low <= all[i].high && all[i].low <= w.high {
			return true
		}
	}
	return false
}

// overlapGrowth is the factor by which noise grows in one step.
const overlapGrowth = 1.1

// overlap increases the noise, up to most, of strata whose weights overlap with no other stratum, and of their
// neighbours with the nearest mean weight.
func (all strata) overlap(most float64) {
	for grown := true; grown; {
		grown = false
		for i, w := range all {
			if all.overlaps(i) {
				continue
			}
			for _, one := range []*unitWeights{w, all.nearest(i)} {
				if one != nil && len(one.units) > 1 && one.share < most {
					one.make(min(most, max(0.001, one.share*overlapGrowth)))
					grown = true
				}
			}
		}
	}
}

// nearest returns the neighbour with the nearest mean weight, or nil if there is none.
func (all strata) nearest(i int) *unitWeights {
	var best *unitWeights
	for _, j := range []int{i - 1, i + 1} {
		if j >= 0 && j < len(all) && (best == nil ||
			math.Abs(all[j].mean()-all[i].mean()) < math.Abs(best.mean()-all[i].mean())) {
			best = all[j]
		}
	}
	return best
}
