package microaggregation

import (
	"context"
	"math"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/numeric"
)

// byComponent returns the records in ascending order of the first principal component of the standardised
// variables, with a non-negative first loading. how can select the robust covariance or projection pursuit.
func byComponent(ctx context.Context, values [][]float64, how string) ([]uint32, error) {
	standard := varying(stat.Standardised(values), values)
	if len(standard) == 0 {
		return stat.InOrder(len(values[0])), nil
	}
	var loadings []float64
	switch how {
	case RobustPCA, ClusteredRobust:
		m, err := numeric.Robust(ctx, standard)
		if err != nil {
			return nil, err
		}
		loadings = first(m.Covariance)
	case PursuitPCA, ClusteredPP:
		var err error
		if loadings, err = pursue(ctx, standard); err != nil {
			return nil, err
		}
	default:
		loadings = first(stat.Covariance(standard))
	}
	return stat.Order(stat.Scores(standard, loadings)), nil
}

// varying returns the standardised variables that are not constant.
func varying(standard, values [][]float64) [][]float64 {
	var out [][]float64
	for j := range values {
		if stat.Variance(values[j]) > 0 {
			out = append(out, standard[j])
		}
	}
	return out
}

// first returns the first eigenvector.
func first(covariance stat.Matrix) []float64 {
	_, vectors := covariance.Eigen()
	return vectors.Transposed()[0]
}

// Maximum number of records from which projection pursuit takes directions, and of records whose spread it
// measures.
const (
	pursuitDirections = 500
	pursuitRecords    = 5_000
)

// pursue returns the direction from the median to a record that maximises the MAD of the records, with a
// non-negative first component. [Croux and Ruiz-Gazen 2005] If there are many records, it uses evenly spaced ones.
func pursue(ctx context.Context, standard [][]float64) ([]float64, error) {
	n, p := len(standard[0]), len(standard)
	medians := make([]float64, p)
	for j := range medians {
		medians[j] = stat.Median(standard[j])
	}
	sampled := min(n, pursuitRecords)
	sample := make([][]float64, p)
	for j := range sample {
		sample[j] = make([]float64, sampled)
		for i := range sampled {
			sample[j][i] = standard[j][i*n/sampled]
		}
	}
	directions := min(n, pursuitDirections)
	spread, of := make([]float64, directions), make([][]float64, directions)
	err := parallel.Each(ctx, directions, func(k int) error {
		of[k] = direction(standard, medians, k*n/directions)
		spread[k] = stat.MAD(stat.Scores(sample, of[k]))
		return nil
	})
	if err != nil {
		return nil, err
	}
	best := 0
	for k := range spread {
		if spread[k] > spread[best] {
			best = k
		}
	}
	return of[best], nil
}

// direction returns the unit vector from the medians to a record, with its first non-zero component positive. If
// the record is at the medians, it is the unit vector of the first variable.
func direction(standard [][]float64, medians []float64, record int) []float64 {
	out, length := make([]float64, len(standard)), 0.0
	for j := range out {
		out[j] = standard[j][record] - medians[j]
		length += float64(out[j] * out[j])
	}
	if length == 0 {
		out[0] = 1
		return out
	}
	sign := 0.0
	for j := range out {
		if sign == 0 && out[j] != 0 {
			sign = math.Copysign(1, out[j])
		}
		out[j] *= sign / math.Sqrt(length)
	}
	return out
}
