package synthesis

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/numeric"
)

// make returns the values of the model, by variable and complete record, stratum by stratum.
func (m *Generate) make(ctx context.Context, table *numeric.Table, others *numeric.Expansions, seed uint64,
	meter *progress.Meter) ([][]float64, error) {
	draws, err := table.Draws(ctx, seed, "generate ", (*rand.Rand).NormFloat64)
	if err != nil {
		return nil, err
	}
	for _, stratum := range table.Strata {
		variables := len(table.Columns)
		if stratum.Variables != nil {
			variables = len(stratum.Variables)
		}
		if n, needed := len(stratum.Records), variables+2; n < needed {
			return nil, fmt.Errorf("%w: %s has %s without a missing value; these variables need at least %d",
				method.ErrInput, stratum.Where(), wording.Counted(n, "record"), needed)
		}
	}
	return table.Each(ctx, meter, func(stratum numeric.Stratum, values [][]float64) ([][]float64, error) {
		s := sample{x: values, y: others.In(stratum), z: stratum.Picked(draws), of: stratum}
		out, err := m.of(ctx, &s)
		for j := range out {
			if stat.Constant(s.x[j]) {
				out[j] = s.x[j]
			}
		}
		return out, err
	})
}

// sample has the records of a stratum by variable: the variables x, the predictors y and standard normal draws z.
type sample struct {
	x, y, z [][]float64
	of      numeric.Stratum
}

// of returns the values of the model for a sample.
func (m *Generate) of(ctx context.Context, s *sample) ([][]float64, error) {
	if m.Method == Normal {
		l, _ := stat.Covariance(s.x).SemiCholesky()
		return added(stat.Means(s.x), stat.Combined(l, s.z)), nil
	}
	basis := stat.Orthonormal(stat.Centred(s.y))
	rest := stat.Unexplained(stat.Centred(s.x), basis)
	v := stat.Covariance(rest)
	// The residual of a variable determined by the predictors is only rounding error.
	for j, x := range s.x {
		if v[j][j] <= followsShare*stat.Variance(x) {
			for k := range v {
				v[j][k], v[k][j] = 0, 0
			}
			clear(rest[j])
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	kept := m.kept(s)
	left := stat.NewMatrix(len(v), len(v))
	for i := range v {
		for j := range v {
			left[i][j] = v[i][j] - float64(kept[i]*v[i][j]*kept[j])
		}
	}
	e, err := m.noise(s, v, left, basis, rest)
	if err != nil {
		return nil, err
	}
	out := make([][]float64, len(s.x))
	for j, x := range s.x {
		out[j] = make([]float64, len(x))
		for i := range x {
			out[j][i] = x[i] - float64((1-kept[j])*rest[j][i]) + e[j][i]
		}
	}
	return out, ctx.Err()
}

// kept returns the diagonal of A.
func (m *Generate) kept(s *sample) []float64 {
	a := make([]float64, len(s.x))
	for j := range a {
		switch {
		case m.Method != Hybrid:
		case len(m.Similarity) == 1:
			a[j] = m.Similarity[0]
		default:
			a[j] = m.Similarity[s.of.Variable(j)]
		}
	}
	return a
}

// noise returns draws with mean 0 and covariance matrix left, uncorrelated with the predictors and, for Hybrid,
// with the residuals of the variables, whose covariance matrix is v.
func (m *Generate) noise(s *sample, v, left stat.Matrix, basis, rest [][]float64) ([][]float64, error) {
	n := len(s.x[0])
	free, err := semidefinite(left)
	if err != nil {
		return nil, err
	}
	if len(free) == 0 {
		return stat.NewMatrix(len(s.x), n), nil
	}
	all := append([][]float64(nil), basis...)
	if m.Method == Hybrid {
		l, own := stat.Independent(v)
		all = append(all, stat.Unrooted(l, stat.Variables(rest, own))...)
	}
	if most := n - 1 - len(all); most < len(free) {
		return nil,
			fmt.Errorf("%w: %s without a missing value are too few to keep the covariances exactly: %d are needed; use fewer variables, predictors or strata",
				method.ErrInput, wording.Counted(n, "record"), len(all)+len(free)+1)
	}
	return numeric.Exact(s.z, all, left, free)
}

// Share of a variance below which it counts as rounding error, and share of the largest eigenvalue below which a
// negative one does.
const (
	followsShare  = 1e-12
	negativeShare = 1e-9
)

// semidefinite returns the variables of a covariance matrix that are not linear combinations of earlier ones, or
// an error if the matrix is not a covariance matrix.
func semidefinite(left stat.Matrix) (free []int, err error) {
	values, _ := left.Eigen()
	if least := values[len(values)-1]; least < -negativeShare*math.Abs(values[0]) {
		return nil,
			fmt.Errorf("%w: no values have such different similarities and the same covariances; use more similar similarities", method.ErrInput)
	}
	_, free = stat.Independent(left)
	return free, nil
}

func added(means []float64, values [][]float64) [][]float64 {
	for j := range values {
		for i := range values[j] {
			values[j][i] += means[j]
		}
	}
	return values
}
