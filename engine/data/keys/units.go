package keys

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// ErrWeight is the error of a weight that is not a positive number.
var ErrWeight = errors.New("a weight is not a positive number")

// Most decimal places that weights are counted in, and the largest integers
// that float64 and sums of int64 hold without loss.
const (
	mostPlaces   = 9
	exactFloat   = 1 << 53
	exactInteger = 1 << 62
)

// unitScale returns the number of units in 1, such that every weight is a
// whole number of units, or nearly so, and their sum fits into an int64.
func (b *builder) unitScale(ctx context.Context) (float64, error) {
	weights := b.weights
	workers := parallel.Workers(len(weights), runtime.GOMAXPROCS(0))
	places := make([]int, workers)
	invalid := make([]int, workers)
	for i := range invalid {
		invalid[i] = len(weights)
	}
	totals := make([]float64, (len(weights)+parallel.Block-1)/parallel.Block)
	err := parallel.Blocks(ctx, len(weights), workers, func(worker, from, to int) {
		block := weights[from:to]
		total, bad := sumPositive(block)
		if bad >= 0 {
			invalid[worker] = min(invalid[worker], from+bad)
			return
		}
		totals[from/parallel.Block] = total
		places[worker] = b.decimalPlaces(from, to, places[worker])
	})
	if err != nil {
		return 0, err
	}
	if first := slices.Min(invalid); first < len(weights) {
		return 0, fmt.Errorf("%w: %s %d", ErrWeight, b.noun, first+1)
	}
	total := 0.0
	for _, part := range totals { // in order, whoever summed them
		total += part
	}
	if math.IsInf(total, 0) {
		return 0, fmt.Errorf("%w: their sum is too large", ErrWeight)
	}
	if most := slices.Max(places); most <= mostPlaces {
		if scale := math.Pow10(most); total*scale < exactInteger {
			return scale, nil
		}
	}
	_, exponent := math.Frexp(total)
	return math.Ldexp(1, min(1000, 61-exponent)), nil
}

// sumPositive returns the sum of the weights, and the first that is not a
// positive number or -1.
func sumPositive(weights []float64) (sum float64, bad int) {
	for i, w := range weights {
		if !(w > 0) || w > math.MaxFloat64 {
			return 0, i
		}
		sum += w
	}
	return sum, -1
}

// decimalPlaces returns how many decimal places spell the weights of the rows
// [from, to), at least the given number; more than mostPlaces where that many do
// not.
func (b *builder) decimalPlaces(from, to, places int) int {
	if places > mostPlaces {
		return places
	}
	scale := math.Pow10(places)
	for row := from; row < to; row++ {
		for !b.isWhole(row, scale) {
			if places++; places > mostPlaces {
				return places
			}
			scale = math.Pow10(places)
		}
	}
	return places
}

// summed is how far, in units, a sum of weights may be from a whole number of
// them by the rounding of its terms.
const summed = 1e-6

// isWhole reports whether the weight of a row is the float64 nearest to a whole
// number of units; of several records: as near to one as the rounding of each
// addition lets it be.
func (b *builder) isWhole(row int, scale float64) bool {
	w := b.weights[row]
	units := math.RoundToEven(w * scale)
	switch {
	case units >= exactFloat:
		return false
	case units/scale == w:
		return true
	case b.counts == nil || b.counts[row] == 1:
		return false
	}
	slack := math.Min(float64(b.counts[row])*0x1p-53*w, summed/scale)
	return math.Abs(units/scale-w) <= slack
}

// unitsOf returns a weight as a number of units.
func unitsOf(weight, scale float64) int64 { return int64(math.RoundToEven(weight * scale)) }
