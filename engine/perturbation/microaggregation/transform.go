package microaggregation

import (
	"context"
	"math"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// Transformations before grouping or clustering. They do not affect the aggregates. All methods then standardise
// the variables.
const (
	Default   = "default" // Logarithm for clustering, otherwise Unchanged
	Unchanged = "none"
	Logarithm = "log"    // of positive values; others are replaced by 1
	BoxCox    = "boxcox" // maximum likelihood power transformation of positive values to normality; others are replaced by 1
	Ranks     = "ranks"  // average ranks for ties
)

// transformed returns the transformed variables.
func transformed(ctx context.Context, values [][]float64, how string) ([][]float64, error) {
	if how != Logarithm && how != BoxCox && how != Ranks {
		return values, nil
	}
	out := make([][]float64, len(values))
	return out, parallel.Each(ctx, len(values), func(j int) error {
		switch how {
		case Ranks:
			out[j] = stat.Ranks(values[j])
		case BoxCox:
			out[j] = boxCox(positive(values[j]))
		default:
			out[j] = positive(values[j])
			for i, x := range out[j] {
				out[j][i] = math.Log(x)
			}
		}
		return nil
	})
}

// positive returns the values with non-positive ones replaced by 1.
func positive(values []float64) []float64 {
	out := make([]float64, len(values))
	for i, x := range values {
		if out[i] = 1; x > 0 {
			out[i] = x
		}
	}
	return out
}

// boxCox returns (x^λ - 1) / λ, or the logarithm for λ = 0, of positive values, with the maximum likelihood λ in
// [-2, 2]. [Box and Cox 1964]
func boxCox(values []float64) []float64 {
	logs, sum := make([]float64, len(values)), 0.0
	for i, x := range values {
		logs[i] = math.Log(x)
		sum += logs[i]
	}
	if stat.Constant(values) {
		return logs
	}
	likelihood := func(lambda float64) float64 {
		n := float64(len(logs))
		variance := stat.Variance(powers(logs, lambda)) * (n - 1) / n
		return (lambda-1)*sum - n/2*math.Log(variance)
	}
	low, high := -2.0, 2.0
	const golden = 0.6180339887498949
	for high-low > 1e-8 { // the likelihood is unimodal
		a, b := high-golden*(high-low), low+golden*(high-low)
		if likelihood(a) >= likelihood(b) {
			high = b
		} else {
			low = a
		}
	}
	return powers(logs, (low+high)/2)
}

// powers returns (x^λ - 1) / λ, given the logarithms of x.
func powers(logs []float64, lambda float64) []float64 {
	out := make([]float64, len(logs))
	for i, x := range logs {
		if out[i] = x; math.Abs(lambda) > 1e-9 {
			out[i] = math.Expm1(lambda*x) / lambda
		}
	}
	return out
}
