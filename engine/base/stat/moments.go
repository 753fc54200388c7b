package stat

import (
	"math"
	"slices"
)

// Mean returns the mean of the values; NaN where there are none.
func Mean(values []float64) float64 { return WeightedMean(values, nil) }

// widest is the power of two that numbers whose sums overflow are divided by: it changes no
// digit of them, and 2^64 of the largest numbers still have a sum.
const widest = 64

// scaled returns values multiplied by a power of two.
func scaled(values []float64, exponent int) []float64 {
	out := make([]float64, len(values))
	for i, x := range values {
		out[i] = math.Ldexp(x, exponent)
	}
	return out
}

func finite(x float64) bool { return !math.IsInf(x, 0) && !math.IsNaN(x) }

// squarable returns values, and the power of two that they were divided by so that their squares
// have a sum.
func squarable(values []float64) ([]float64, int) {
	const most = 1e140 // a trillion squares of it have a sum
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

// WeightedMean returns the mean of the values with weights; nil: 1 each.
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

// weightedSum returns the sum of the values, each times its weight, and that of the weights.
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

// Variance returns the variance with denominator n - 1 by two passes; NaN where
// there are fewer than two values. That of equal values is 0, though the mean of
// numbers such as 0.1 may not be one of them.
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

// StandardDeviation is the root of Variance.
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

// Covariance returns the p x p covariance matrix of p variables, denominator n - 1.
func Covariance(variables [][]float64) Matrix {
	return covarianceAbout(variables, Means(variables), nil)
}

// covarianceAbout is Covariance about given means, of the given records; nil: all.
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
			case constant[i] || constant[j]: // 0 to the last digit
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

// constantAmong is Constant of the given records; nil: of all.
func constantAmong(x []float64, records []uint32) bool {
	if records == nil {
		return Constant(x)
	}
	return !slices.ContainsFunc(records, func(r uint32) bool { return x[r] != x[records[0]] })
}

// Correlation returns the p x p correlation matrix of p variables, with 1 on the
// diagonal. That of a constant variable with others is 0.
func Correlation(variables [][]float64) Matrix {
	return Covariance(allSquarable(variables)).Correlation()
}

// allSquarable returns variables as squarable does.
func allSquarable(variables [][]float64) [][]float64 {
	out := make([][]float64, len(variables))
	for j, values := range variables {
		out[j], _ = squarable(values)
	}
	return out
}

// WeightedCovariance is Covariance in which each record counts by its weight, with the sum
// of the weights as denominator; nil: each once, denominator n - 1.
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

// Correlation turns a covariance into the correlation, in place, and returns it.
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

// Standardised returns the variables with mean 0 and standard deviation 1;
// constant ones are 0 throughout.
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
