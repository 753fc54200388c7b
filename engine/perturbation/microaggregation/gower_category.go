package microaggregation

import (
	"math/rand/v2"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/perturbation/numeric"
)

// Category of a group, for Gower.
const (
	Frequent    = "frequent" // the most frequent one, with random ties
	Drawn       = "drawn"    // that of a random record
	MedianLevel = "median"   // that of the middle record for ordered variables; otherwise as Frequent
)

// category returns the category for some records of a stratum, weighted if there are weights.
func (w *work) category(k int, stratum numeric.Stratum, members []uint32, stream *rand.Rand) uint32 {
	counts := map[uint32]float64{}
	var order []uint32 // in order of first occurrence
	most, all := 0.0, 0.0
	for _, member := range members {
		record := stratum.Records[member]
		code, weight := w.mixed.codes[k][record], 1.0
		if w.weights != nil {
			weight = w.weights[record]
		}
		if _, known := counts[code]; !known {
			order = append(order, code)
		}
		counts[code] += weight
		all += weight
		most = max(most, counts[code])
	}
	switch {
	case w.Categories == Drawn:
		return upTo(order, counts, stream.Float64()*all)
	case w.Categories == MedianLevel && w.mixed.columns[k].Categories().Ordered:
		slices.Sort(order)
		return upTo(order, counts, all/2)
	}
	order = slices.DeleteFunc(order, func(code uint32) bool { return counts[code] < most })
	return order[stream.IntN(len(order))]
}

// upTo returns the first category at which the cumulative count reaches an amount.
func upTo(order []uint32, counts map[uint32]float64, amount float64) uint32 {
	sum := 0.0
	for _, code := range order {
		if sum += counts[code]; sum >= amount {
			return code
		}
	}
	return order[len(order)-1]
}
