package shuffle

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// model has the responses x and predictors s of the records of a stratum, by variable.
type model struct {
	*Estimates
	x, s     [][]float64
	weights  []float64 // nil: weight 1 each
	of       string    // name of the stratum
	warnings []string
}

// purpose returns the name of a random stream, which differs between strata.
func (m *model) purpose(what string) string {
	if m.of != "" {
		what += " " + m.of
	}
	return what
}

// draw returns a number for each response and record, which determine the order of the shuffled values.
func (m *model) draw(ctx context.Context, seed uint64, how string) ([][]float64, error) {
	all := append(append([][]float64(nil), m.x...), m.s...)
	var ranks [][]float64
	if how == DataShuffling {
		var err error
		if all, ranks, err = scores(ctx, all); err != nil {
			return nil, err
		}
	} else {
		all = stat.Standardised(all)
	}
	out, rest, err := m.predicted(ctx, all, ranks)
	if err != nil {
		return nil, err
	}
	noise, err := m.normals(ctx, seed)
	if err != nil || how == Linear {
		return out, err
	}
	root, _ := rest.SemiCholesky()
	return out, parallel.Each(ctx, len(m.x), func(j int) error {
		for k, factor := range root[j] {
			for i, z := range noise[k] {
				out[j][i] += float64(factor * z)
			}
		}
		return nil
	})
}

// predicted returns the responses predicted from the predictors, and the residual covariance matrix. It uses the
// normal scores of ranks, or values if ranks is nil.
func (m *model) predicted(ctx context.Context, all, ranks [][]float64) ([][]float64, stat.Matrix, error) {
	q := len(m.x)
	if m.Regression == MM {
		return m.regressed(ctx, all[:q], all[q:])
	}
	joint, err := m.joint(ctx, all, ranks)
	if err != nil {
		return nil, nil, err
	}
	if repaired := definite(joint); repaired {
		m.warnings = append(m.warnings, "the correlations were changed slightly: some variables are determined by others")
	}
	slopes, rest, err := conditional(joint, q)
	if err != nil {
		return nil, nil, fmt.Errorf("correlations of the predictors: %w", err)
	}
	out := make([][]float64, q)
	return out, rest, parallel.Each(ctx, q, func(j int) error {
		if out[j] = make([]float64, len(m.x[0])); len(m.s) > 0 { // no predictor is left if each has only one category
			out[j] = stat.Scores(all[q:], slopes[j])
		}
		return nil
	})
}

// scores returns the normal scores of the ranks, and the ranks.
func scores(ctx context.Context, all [][]float64) (out, ranks [][]float64, err error) {
	ranks, out = make([][]float64, len(all)), make([][]float64, len(all))
	return out, ranks, parallel.Each(ctx, len(all), func(j int) error {
		ranks[j] = stat.Ranks(all[j])
		out[j] = make([]float64, len(all[j]))
		n := float64(len(all[j]))
		last, score := math.NaN(), 0.0
		for i, rank := range ranks[j] {
			if rank != last {
				last, score = rank, distuv.UnitNormal.Quantile((rank-0.5)/n)
			}
			out[j][i] = score
		}
		return nil
	})
}

// leastEigenvalue is the minimum to which eigenvalues of correlation matrices are raised.
const leastEigenvalue = 1e-6

// definite makes a correlation matrix positive definite in place by raising eigenvalues and rescaling the diagonal
// to 1. It reports whether this was necessary.
func definite(r stat.Matrix) bool {
	values, vectors := r.Eigen()
	if values[len(values)-1] >= leastEigenvalue {
		return false
	}
	for i := range r {
		for j := range r {
			r[i][j] = 0
			for k, value := range values {
				r[i][j] += float64(vectors[i][k] * vectors[j][k] * max(value, leastEigenvalue))
			}
		}
	}
	diagonal := make([]float64, len(r))
	for i := range r {
		diagonal[i] = math.Sqrt(r[i][i])
	}
	for i := range r {
		for j := range r {
			r[i][j] /= diagonal[i] * diagonal[j]
		}
	}
	return true
}

// conditional returns the regression of the first q variables on the others, given a joint correlation matrix:
// slopes by variable, and the residual covariance matrix.
func conditional(joint stat.Matrix, q int) (slopes, rest stat.Matrix, err error) {
	p := len(joint) - q
	others := stat.NewMatrix(p, p)
	for i := range p {
		copy(others[i], joint[q+i][q:])
	}
	rest = stat.NewMatrix(q, q)
	slopes = stat.NewMatrix(q, p)
	if p == 0 {
		for i := range q {
			copy(rest[i], joint[i][:q])
		}
		return slopes, rest, nil
	}
	l, err := others.Cholesky()
	if err != nil {
		return nil, nil, err
	}
	for j := range q {
		copy(slopes[j], joint[j][q:])
		l.Solved(slopes[j])
		l.SolvedTransposed(slopes[j])
	}
	for i := range q {
		for j := range q {
			rest[i][j] = joint[i][j]
			for k := range p {
				rest[i][j] -= float64(slopes[i][k] * joint[q+k][j])
			}
		}
	}
	return slopes, rest, nil
}
