package numeric

import (
	"math"
	"slices"
)

// leastSquared is the minimum difference of values whose square is distinguishable from 0.
const leastSquared = 1e-150

// Raised scales values whose differences are too small to be squared by a power of two, which is exact, and
// returns the exponent. Other values are returned as they are with exponent 0.
func Raised(values []float64) ([]float64, int) {
	if slices.ContainsFunc(values, func(x float64) bool { return math.Abs(x-values[0]) >= leastSquared }) || len(values) == 0 {
		return values, 0
	}
	spread := slices.Max(values) - slices.Min(values)
	if spread == 0 || spread >= leastSquared {
		return values, 0
	}
	_, exponent := math.Frexp(spread)
	return Scaled(values, -exponent), -exponent
}

// Scaled returns values multiplied by a power of two, or the same slice for exponent 0.
func Scaled(values []float64, exponent int) []float64 {
	if exponent == 0 {
		return values
	}
	out := make([]float64, len(values))
	for i, x := range values {
		out[i] = math.Ldexp(x, exponent)
	}
	return out
}
