package numeric

import (
	"math"
	"slices"
)

// leastSquared is how far values must lie apart for the squares of their differences to be
// told from 0.
const leastSquared = 1e-150

// Raised returns values that lie too near to each other to be squared multiplied by a power
// of two, which changes no digit, and its exponent; others as they are, and 0.
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

// Scaled returns values multiplied by a power of two; as they are where the exponent is 0.
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
