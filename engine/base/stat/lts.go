package stat

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/internal/random"
)

// Fit is a linear regression of one variable on others.
type Fit struct {
	Intercept float64
	Slopes    []float64 // by explanatory variable
}

// LeastSquares returns the least squares regression of y on the variables x. The error is ErrSingular if the
// variables are linearly dependent.
func LeastSquares(y []float64, x [][]float64) (Fit, error) { return leastSquares(y, x, nil) }

// leastSquares is LeastSquares on the given records; nil for all.
func leastSquares(y []float64, x [][]float64, records []uint32) (Fit, error) {
	all := append(slices.Clone(x), y)
	means := Means(all)
	if records != nil {
		means = meansOf(all, records)
	}
	return fitOf(means, covarianceAbout(all, means, records))
}

// fitOf returns the regression of the last variable on the others from means and covariance.
func fitOf(means []float64, covariance Matrix) (Fit, error) {
	p := len(means) - 1
	fit := Fit{Intercept: means[p], Slopes: slices.Clone(covariance[p][:p])}
	inner := NewMatrix(p, p)
	for j := range p {
		copy(inner[j], covariance[j][:p])
	}
	root, err := inner.Cholesky()
	if err != nil {
		return fit, err
	}
	root.Solved(fit.Slopes)
	root.SolvedTransposed(fit.Slopes)
	for j, slope := range fit.Slopes {
		fit.Intercept -= float64(slope * means[j])
	}
	return fit, nil
}

// Residuals returns the residuals of y.
func (f *Fit) Residuals(y []float64, x [][]float64) []float64 {
	rest := make([]float64, len(y))
	for i := range y {
		rest[i] = y[i] - f.Intercept
		for j, slope := range f.Slopes {
			rest[i] -= float64(slope * x[j][i])
		}
	}
	return rest
}

// squares stores the squared residuals in into.
func (f *Fit) squares(y []float64, x [][]float64, into []float64) {
	for i, residual := range f.Residuals(y, x) {
		into[i] = float64(residual * residual)
	}
}

const (
	ltsStarts = 500  // random starting subsets
	ltsBest   = 10   // starts followed to convergence
	ltsSample = 1500 // maximum number of records for the starts
	ltsSteps  = 200  // bound on the steps; convergence is much faster
	ltsKeep   = 2.5  // standard deviations beyond which a residual is an outlier
)

// LeastTrimmedSquares returns a regression of y on x that outliers do not affect. It searches with FAST-LTS for
// the regression with the least sum of the h = (n + p + 2)/2 smallest squared residuals, and refits it to all
// records with residuals of at most 2.5 standard deviations. With more than 1,500 records, the starts use 1,500 of
// them, spread evenly over the file. The error wraps ErrSingular if the variables are linearly dependent in h
// records, or if there are too few records. [Rousseeuw and Van Driessen 2006, Data Mining and Knowledge Discovery
// 12; Rousseeuw and Leroy 1987]
func LeastTrimmedSquares(ctx context.Context, y []float64, x [][]float64) (Fit, error) {
	someY, someX, err := sampled(y, x)
	if err != nil {
		return Fit{}, err
	}
	fits, err := trimmedStarts(ctx, someY, someX)
	if err != nil {
		return Fit{}, err
	}
	n, p := len(y), len(x)
	best, h := trimmedFit{sum: math.Inf(1)}, (n+p+2)/2
	for _, fit := range fits {
		t, err := fit.concentrated(ctx, y, x, h, ltsSteps)
		if err != nil {
			return Fit{}, err
		}
		if t.sum < best.sum {
			best = t
		}
	}
	return best.reweighted(y, x, h)
}

// sampled returns the records used for the starts, spread evenly over a large file. It returns an error if there
// are too few for a robust regression.
func sampled(y []float64, x [][]float64) ([]float64, [][]float64, error) {
	n, p := len(y), len(x)
	if n < 2*(p+1) {
		return nil, nil, fmt.Errorf("%d records are too few for a robust regression on %d variables: %w", n, p, ErrSingular)
	}
	sample := InOrder(min(n, ltsSample))
	for i := range sample {
		sample[i] = uint32(i * n / len(sample))
	}
	return Picked([][]float64{y}, sample)[0], Picked(x, sample), nil
}

// trimmedFit is a regression with the sum of its h smallest squared residuals.
type trimmedFit struct {
	Fit
	sum float64
}

// trimmedStarts returns the best fits to random subsets of minimal size after two concentration steps each; for a
// large file, after convergence in the sample.
func trimmedStarts(ctx context.Context, y []float64, x [][]float64) ([]trimmedFit, error) {
	n, p := len(y), len(x)
	h, search := (n+p+2)/2, &mcdSearch{ctx: ctx, stream: random.Stream(mcdSeed, "lts", 0)}
	var fits []trimmedFit
	for range ltsStarts {
		fit, err := leastSquares(y, x, search.sample(n, p+1))
		if err != nil {
			continue // degenerate subset
		}
		start := trimmedFit{fit, math.Inf(1)}
		if start, err = start.concentrated(ctx, y, x, h, 2); ctx.Err() != nil {
			return nil, ctx.Err()
		} else if err == nil {
			fits = append(fits, start)
		}
	}
	return bestFits(fits)
}

// bestFits returns the fits with the smallest sums.
func bestFits(fits []trimmedFit) ([]trimmedFit, error) {
	slices.SortStableFunc(fits, func(a, b trimmedFit) int { return cmp.Compare(a.sum, b.sum) })
	if len(fits) == 0 {
		return nil, fmt.Errorf("the regression has no unique solution: %w", ErrSingular)
	}
	return fits[:min(ltsBest, len(fits))], nil
}

// concentrated makes concentration steps until the sum stays the same: each fits the h records with the smallest
// squared residuals, and never increases the sum.
func (t trimmedFit) concentrated(ctx context.Context, y []float64, x [][]float64, h, steps int) (trimmedFit, error) {
	squares := make([]float64, len(y))
	for range steps {
		if ctx.Err() != nil {
			return t, ctx.Err()
		}
		t.squares(y, x, squares)
		fit, err := leastSquares(y, x, leastPlaces(squares, h))
		if err != nil {
			return t, err
		}
		next := trimmedFit{fit, 0}
		next.squares(y, x, squares)
		for _, place := range leastPlaces(squares, h) {
			next.sum += squares[place]
		}
		if next.sum >= t.sum {
			return t, nil
		}
		t = next
	}
	return t, nil
}

// reweighted refits the regression to the records that are not outliers.
func (t trimmedFit) reweighted(y []float64, x [][]float64, h int) (Fit, error) {
	limit := ltsKeep * ltsKeep * t.sum / float64(h) * consistency(1, float64(h)/float64(len(y)))
	squares, kept := make([]float64, len(y)), []uint32{}
	t.squares(y, x, squares)
	for i, square := range squares {
		if square <= limit {
			kept = append(kept, uint32(i))
		}
	}
	if len(kept) < h { // an exact fit, with residuals from rounding only
		kept = leastPlaces(squares, h)
	}
	return leastSquares(y, x, kept)
}
