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

// ErrWeight is wrapped by errors of a weight that is not a positive number.
var ErrWeight = errors.New("a weight is not a positive number")

// The largest number of decimal places in units, and the largest integers that float64 and sums of int64 hold
// exactly.
const (
	mostPlaces   = 9
	exactFloat   = 1 << 53
	exactInteger = 1 << 62
)

// unitScale returns the number of units per weight of 1, so that every weight is an integer number of units, or
// nearly so, and the sum of all fits into an int64.
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
	for _, part := range totals { // in a fixed order, independent of workers
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

// sumPositive returns the sum of the weights, and the index of the first that is not a positive number, or -1.
func sumPositive(weights []float64) (sum float64, bad int) {
	for i, w := range weights {
		if !(w > 0) || w > math.MaxFloat64 {
			return 0, i
		}
		sum += w
	}
	return sum, -1
}

// decimalPlaces returns the number of decimal places that the weights of the rows [from, to) need, at least
// places; more than mostPlaces if they need more than that.
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

// summed is the largest rounding error, in units, that a sum of weights may have and still count as an integer.
const summed = 1e-6

// isWhole reports whether the weight of a row is the float64 nearest to an integer number of units. For several
// records, the rounding errors of the additions are allowed for.
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
