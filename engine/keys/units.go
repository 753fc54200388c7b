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
func unitScale(ctx context.Context, weights []float64) (float64, error) {
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
		places[worker] = decimalPlaces(block, places[worker])
	})
	if err != nil {
		return 0, err
	}
	if first := slices.Min(invalid); first < len(weights) {
		return 0, fmt.Errorf("%w: record %d", ErrWeight, first+1)
	}
	total := 0.0
	for _, part := range totals { // in order, whoever summed them
		total += part
	}
	if math.IsInf(total, 0) {
		return 0, fmt.Errorf("%w: their sum is too large to be counted", ErrWeight)
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

// decimalPlaces returns how many decimal places spell every weight, at least
// the given number; more than mostPlaces where that many do not.
func decimalPlaces(weights []float64, places int) int {
	if places > mostPlaces {
		return places
	}
	scale := math.Pow10(places)
	for _, w := range weights {
		for !isWhole(w, scale) {
			if places++; places > mostPlaces {
				return places
			}
			scale = math.Pow10(places)
		}
	}
	return places
}

// isWhole reports whether w is the float64 nearest to a whole number of units.
func isWhole(w, scale float64) bool {
	units := math.RoundToEven(w * scale)
	return units < exactFloat && units/scale == w
}

// unitsOf returns a weight as a number of units.
func unitsOf(weight, scale float64) int64 { return int64(math.RoundToEven(weight * scale)) }
