package stat

import (
	"math"
	"slices"
)

// Mean returns the mean of the values; NaN where there are none.
func Mean(values []float64) float64 {
	sum := 0.0
	for _, x := range values {
		sum += x
	}
	return sum / float64(len(values))
}

// WeightedMean returns the mean of the values with weights; nil: 1 each.
func WeightedMean(values, weights []float64) float64 {
	if weights == nil {
		return Mean(values)
	}
	sum, total := 0.0, 0.0
	for i, x := range values {
		sum += float64(x * weights[i])
		total += weights[i]
	}
	return sum / total
}

// Variance returns the variance with denominator n - 1 by two passes; NaN where
// there are fewer than two values.
func Variance(values []float64) float64 {
	mean, sum := Mean(values), 0.0
	for _, x := range values {
		sum += float64((x - mean) * (x - mean))
	}
	return sum / float64(len(values)-1)
}

// Constant reports whether all values are equal.
func Constant(values []float64) bool {
	return !slices.ContainsFunc(values, func(x float64) bool { return x != values[0] })
}

// StandardDeviation is the root of Variance.
func StandardDeviation(values []float64) float64 { return math.Sqrt(Variance(values)) }

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
	sums := NewMatrix(p, p)
	for i := range p {
		for j := range i + 1 {
			sum, x, y := 0.0, variables[i], variables[j]
			if records == nil {
				for r := range x {
					sum += float64((x[r] - means[i]) * (y[r] - means[j]))
				}
				sum /= float64(len(x) - 1)
			} else {
				for _, r := range records {
					sum += float64((x[r] - means[i]) * (y[r] - means[j]))
				}
				sum /= float64(len(records) - 1)
			}
			sums[i][j], sums[j][i] = sum, sum
		}
	}
	return sums
}

// Correlation returns the p x p correlation matrix of p variables, with 1 on the
// diagonal. That of a constant variable with others is 0.
func Correlation(variables [][]float64) Matrix {
	r := Covariance(variables)
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
	for j, values := range variables {
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
