package shuffle

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/numeric"
)

// Estimates specifies how correlations and regressions are estimated.
type Estimates struct {
	Correlation string // Default, Pearson, Spearman or MCD
	Regression  string // LeastSquares or MM
	Weighted    bool   // use sampling weights
}

// Kinds of correlations and regressions.
const (
	Default      = "default" // of ranks for DataShuffling, otherwise of values
	Pearson      = "pearson"
	Spearman     = "spearman"
	MCD          = "mcd"
	LeastSquares = "ls"
	MM           = "mm"
)

func (e *Estimates) params() []method.Param {
	return []method.Param{
		method.Choice(&e.Correlation, "correlation", "pearson: of the scores for ds; spearman: as 2 sin(π ρ / 6); mcd: robust; default: spearman for ds, "+
			"otherwise pearson",
			Default, Pearson, Spearman, MCD).Formerly("usual", Default),
		method.Choice(&e.Regression, "regression", "regression of the responses: least squares, or MM estimators, which outliers do not influence", LeastSquares, MM),
		method.Switch(&e.Weighted, "weighted", "weight the records in correlations and regressions"),
	}
}

// description describes estimates that are not the default.
func (e *Estimates) description() (text string) {
	if e.Correlation != Default {
		text += ", correlations " + e.Correlation
	}
	if e.Regression != LeastSquares {
		text += ", regressions " + e.Regression
	}
	if e.Weighted {
		text += ", weighted"
	}
	return text
}

// weights returns the weights of the records of a table, or nil if they are not used.
func (e *Estimates) weights(in method.Input, table *numeric.Table) ([]float64, error) {
	if !e.Weighted {
		return nil, nil
	}
	if in.Scenario.Weight == "" {
		return nil, method.ParamError("\"weighted\": the scenario has no weight")
	}
	all, err := in.Scenario.Weights(in.Data)
	if err != nil {
		return nil, err
	}
	return stat.Picked([][]float64{all}, table.Rows)[0], nil
}

// joint returns the correlation matrix of variables drawn from a normal distribution: of scores if ranks are
// given, otherwise of values.
func (m *model) joint(ctx context.Context, all, ranks [][]float64) (stat.Matrix, error) {
	how := m.Correlation
	if how == Default && ranks != nil {
		how = Spearman
	}
	switch how {
	case Spearman:
		if ranks == nil {
			for _, x := range all {
				ranks = append(ranks, stat.Ranks(x))
			}
		}
		return ofScores(stat.WeightedCovariance(ranks, m.weights).Correlation()), nil
	case MCD:
		robust, err := numeric.Robust(ctx, all)
		if err != nil {
			return nil, err
		}
		return robust.Covariance.Correlation(), nil
	}
	return stat.WeightedCovariance(all, m.weights).Correlation(), nil
}

// ofScores converts rank correlations to those of normal scores.
func ofScores(r stat.Matrix) stat.Matrix {
	for i := range r {
		for j := range r {
			if i != j {
				r[i][j] = 2 * math.Sin(math.Pi*r[i][j]/6)
			}
		}
	}
	return r
}

// regressed returns the prediction of each response by regression on the predictors, and the residual covariance
// matrix.
func (m *model) regressed(ctx context.Context, responses, predictors [][]float64) ([][]float64, stat.Matrix, error) {
	basis := stat.Orthonormal(stat.Centred(predictors))
	fitted, rest := make([][]float64, len(responses)), make([][]float64, len(responses))
	err := parallel.Each(ctx, len(responses), func(j int) error {
		fit, err := m.regression(ctx, responses[j], basis)
		if err != nil {
			return err
		}
		rest[j] = fit.Residuals(responses[j], basis)
		fitted[j] = make([]float64, len(rest[j]))
		for i, x := range responses[j] {
			fitted[j][i] = x - rest[j][i]
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	if m.Correlation == MCD {
		robust, err := numeric.Robust(ctx, rest)
		if err != nil {
			return nil, nil, err
		}
		return fitted, robust.Covariance, nil
	}
	return fitted, stat.WeightedCovariance(rest, m.weights), nil
}

// regression fits one response.
func (m *model) regression(ctx context.Context, y []float64, x [][]float64) (stat.Fit, error) {
	if m.Regression != MM || stat.Constant(y) {
		return stat.WeightedLeastSquares(y, x, m.weights)
	}
	fit, _, err := stat.MMRegression(ctx, y, x, m.weights)
	if errors.Is(err, stat.ErrSingular) {
		err = fmt.Errorf("%w for a robust regression: %w; remove predictors, merge their categories, or use regression ls",
			method.ErrInput, err)
	}
	return fit, err
}

// additive returns the predictions of the responses plus normal noise that is exactly uncorrelated with predictors
// and responses in these records and exactly has the residual covariance matrix: general additive data
// perturbation.
func (m *model) additive(ctx context.Context, seed uint64) ([][]float64, error) {
	fitted, covariance, err := m.regressed(ctx, m.x, m.s)
	if err != nil {
		return nil, err
	}
	noise, err := m.normals(ctx, seed)
	if err != nil {
		return nil, err
	}
	basis := stat.Orthonormal(stat.Centred(append(append([][]float64(nil), m.s...), m.x...)))
	_, free := stat.Independent(covariance)
	if n := len(m.x[0]); n < len(basis)+len(free)+2 {
		return nil, fmt.Errorf("%w: %d records without a missing value are too few to keep the covariances exactly: %d are "+
			"needed; use fewer variables, predictors or strata", method.ErrInput, n, len(basis)+len(free)+2)
	}
	if len(free) == 0 {
		return fitted, nil
	}
	rest, err := numeric.Exact(noise, basis, covariance, free)
	if err != nil {
		return nil, err
	}
	for j, e := range rest {
		for i := range e {
			fitted[j][i] += e[i]
		}
	}
	return fitted, ctx.Err()
}

// normals returns standard normal draws for each response and record.
func (m *model) normals(ctx context.Context, seed uint64) (noise [][]float64, err error) {
	noise = make([][]float64, len(m.x))
	for j := range noise {
		if noise[j], err = numeric.Normals(ctx, seed, m.purpose(fmt.Sprint("shuffle ", j)), len(m.x[0])); err != nil {
			return nil, err
		}
	}
	return noise, nil
}
