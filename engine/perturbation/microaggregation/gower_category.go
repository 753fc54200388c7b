package microaggregation

import (
	"math/rand/v2"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/perturbation/numeric"
)

// What category a group gets, for Gower.
const (
	Frequent    = "frequent" // the most frequent one, ties drawn
	Drawn       = "drawn"    // one of its records, drawn
	MedianLevel = "median"   // of ordered ones that of the middle record; Frequent of others
)

// category returns what some records of a stratum get, by weights where there are some.
func (w *work) category(k int, stratum numeric.Stratum, members []uint32, stream *rand.Rand) uint32 {
	counts := map[uint32]float64{}
	var order []uint32 // of first occurrence
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

// upTo returns the first category with which the counts come to an amount.
func upTo(order []uint32, counts map[uint32]float64, amount float64) uint32 {
	sum := 0.0
	for _, code := range order {
		if sum += counts[code]; sum >= amount {
			return code
		}
	}
	return order[len(order)-1]
}
