package stat

import (
	"math"
	"slices"
)

// Mean returns the mean of the values, or NaN if there are none.
func Mean(values []float64) float64 { return WeightedMean(values, nil) }

// widest is the power of two that values are divided by if their sum overflows: it does not change their digits,
// and 2^64 of the largest numbers can be summed.
const widest = 64

// scaled returns the values multiplied by 2^exponent.
func scaled(values []float64, exponent int) []float64 {
	out := make([]float64, len(values))
	for i, x := range values {
		out[i] = math.Ldexp(x, exponent)
	}
	return out
}

func finite(x float64) bool { return !math.IsInf(x, 0) && !math.IsNaN(x) }

// squarable returns the values divided by a power of two so that their squares can be summed, and the exponent.
func squarable(values []float64) ([]float64, int) {
	const most = 1e140 // a trillion squares of it can be summed
	largest := 0.0
	for _, x := range values {
		if x = math.Abs(x); x > largest {
			largest = x
		}
	}
	if largest <= most || !finite(largest) {
		return values, 0
	}
	_, exponent := math.Frexp(largest)
	return scaled(values, -exponent), exponent
}

// WeightedMean returns the weighted mean of the values; nil weights are equal.
func WeightedMean(values, weights []float64) float64 {
	sum, total := weightedSum(values, weights)
	if !finite(sum) && len(values) > 0 {
		if weights != nil {
			weights = scaled(weights, -widest)
		}
		sum, total = weightedSum(scaled(values, -2*widest), weights)
		return math.Ldexp(sum/total, 2*widest)
	}
	return sum / total
}

// weightedSum returns the weighted sum of the values and the sum of the weights.
func weightedSum(values, weights []float64) (sum, total float64) {
	if weights == nil {
		for _, x := range values {
			sum += x
		}
		return sum, float64(len(values))
	}
	for i, x := range values {
		sum += float64(x * weights[i])
		total += weights[i]
	}
	return sum, total
}

// Variance returns the variance with denominator n - 1 in two passes, or NaN for fewer than two values. It is
// exactly 0 for equal values, even if rounding makes their mean differ from them, as with 0.1.
func Variance(values []float64) float64 { return Covariance([][]float64{values})[0][0] }

// Constant reports whether all values are equal.
func Constant(values []float64) bool {
	return !slices.ContainsFunc(values, func(x float64) bool { return x != values[0] })
}

// SquaredDistance returns the sum of the squared differences of two vectors.
func SquaredDistance(x, y []float64) float64 {
	sum := 0.0
	for j := range x {
		sum += float64((x[j] - y[j]) * (x[j] - y[j]))
	}
	return sum
}

// StandardDeviation returns the square root of Variance.
func StandardDeviation(values []float64) float64 {
	variance := Variance(values)
	if !finite(variance) {
		scaled, exponent := squarable(values)
		return math.Ldexp(math.Sqrt(Variance(scaled)), exponent)
	}
	return math.Sqrt(variance)
}

// Means returns the mean of each variable.
func Means(variables [][]float64) []float64 {
	means := make([]float64, len(variables))
	for j, values := range variables {
		means[j] = Mean(values)
	}
	return means
}

// Covariance returns the p x p covariance matrix of p variables, with denominator n - 1.
func Covariance(variables [][]float64) Matrix {
	return covarianceAbout(variables, Means(variables), nil)
}

// covarianceAbout is Covariance with given means, on the given records; nil for all.
func covarianceAbout(variables [][]float64, means []float64, records []uint32) Matrix {
	p := len(variables)
	sums, constant := NewMatrix(p, p), make([]bool, p)
	for i, x := range variables {
		constant[i] = constantAmong(x, records)
		for j, y := range variables[:i+1] {
			sum, n := 0.0, len(x)
			if records != nil {
				n = len(records)
			}
			switch {
			case constant[i] || constant[j]: // exactly 0
			case records == nil:
				for r := range x {
					sum += float64((x[r] - means[i]) * (y[r] - means[j]))
				}
			default:
				for _, r := range records {
					sum += float64((x[r] - means[i]) * (y[r] - means[j]))
				}
			}
			sums[i][j] = sum / float64(n-1)
			sums[j][i] = sums[i][j]
		}
	}
	return sums
}

// constantAmong is Constant on the given records; nil for all.
func constantAmong(x []float64, records []uint32) bool {
	if records == nil {
		return Constant(x)
	}
	return !slices.ContainsFunc(records, func(r uint32) bool { return x[r] != x[records[0]] })
}

// Correlation returns the p x p correlation matrix of p variables, with 1 on the diagonal and 0 for a constant
// variable with others.
func Correlation(variables [][]float64) Matrix {
	return Covariance(allSquarable(variables)).Correlation()
}

// allSquarable applies squarable to each variable.
func allSquarable(variables [][]float64) [][]float64 {
	out := make([][]float64, len(variables))
	for j, values := range variables {
		out[j], _ = squarable(values)
	}
	return out
}

// WeightedCovariance is Covariance with a weight for each record and the sum of the weights as denominator; nil
// for Covariance.
func WeightedCovariance(variables [][]float64, weights []float64) Matrix {
	if weights == nil {
		return Covariance(variables)
	}
	p := len(variables)
	r, means, total := NewMatrix(p, p), make([]float64, p), 0.0
	for j := range variables {
		means[j] = WeightedMean(variables[j], weights)
	}
	for _, w := range weights {
		total += w
	}
	for i, x := range variables {
		for j, y := range variables[:i+1] {
			if Constant(x) || Constant(y) {
				continue
			}
			for k, w := range weights {
				r[i][j] += float64(w * (x[k] - means[i]) * (y[k] - means[j]))
			}
			r[i][j] /= total
			r[j][i] = r[i][j]
		}
	}
	return r
}

// Correlation converts a covariance matrix to a correlation matrix in place and returns it.
func (r Matrix) Correlation() Matrix {
	sd := make([]float64, len(r))
	for j := range r {
		sd[j] = math.Sqrt(r[j][j])
	}
	for i := range r {
		for j := range r {
			switch {
			case i == j:
				r[i][j] = 1
			case sd[i] == 0 || sd[j] == 0:
				r[i][j] = 0
			default:
				r[i][j] = math.Max(-1, math.Min(1, r[i][j]/sd[i]/sd[j]))
			}
		}
	}
	return r
}

// Standardised returns the variables scaled to mean 0 and standard deviation 1; constant variables become 0.
func Standardised(variables [][]float64) [][]float64 {
	out := make([][]float64, len(variables))
	for j, values := range allSquarable(variables) {
		mean, sd := Mean(values), StandardDeviation(values)
		out[j] = make([]float64, len(values))
		if !(sd > 0) {
			continue
		}
		for i, x := range values {
			out[j][i] = (x - mean) / sd
		}
	}
	return out
}
