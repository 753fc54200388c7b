package stat

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/internal/random"
)

// Fit is a regression of one variable on others.
type Fit struct {
	Intercept float64
	Slopes    []float64 // by explaining variable
}

// LeastSquares returns the regression of y on the variables x by least squares. The error
// is ErrSingular where a variable follows from others.
func LeastSquares(y []float64, x [][]float64) (Fit, error) { return leastSquares(y, x, nil) }

// leastSquares is LeastSquares of the given records; nil: of all.
func leastSquares(y []float64, x [][]float64, records []uint32) (Fit, error) {
	all := append(slices.Clone(x), y)
	means := Means(all)
	if records != nil {
		means = meansOf(all, records)
	}
	return fitOf(means, covarianceAbout(all, means, records))
}

// fitOf returns the regression of the last variable on the others by means and covariance.
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

// Residuals returns what the regression leaves of y.
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

// squares sets the squared residuals of all records.
func (f *Fit) squares(y []float64, x [][]float64, into []float64) {
	for i, residual := range f.Residuals(y, x) {
		into[i] = float64(residual * residual)
	}
}

const (
	ltsStarts = 500  // random subsets to begin with
	ltsBest   = 10   // of which so many are followed to the end
	ltsSample = 1500 // records that the starts are made in, where there are more
	ltsSteps  = 200  // more than are ever needed until the sum stays
	ltsKeep   = 2.5  // standard deviations of the residual within which records are kept
)

// LeastTrimmedSquares returns the regression of y on x whose h = (n + p + 2)/2 least squared
// residuals have the least sum, as far as FAST-LTS finds it, and then that of all records with
// residuals of at most 2.5 standard deviations: outliers have no part in it. Of more than 1,500
// records the starts are made in 1,500, evenly over the file. The error wraps ErrSingular where
// h of the records do not tell the variables apart, or there are too few of them. [Rousseeuw
// and Van Driessen 2006, Data Mining and Knowledge Discovery 12; Rousseeuw and Leroy 1987]
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
	best, h := trimmed{sum: math.Inf(1)}, (n+p+2)/2
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

// sampled returns the records that starts are made in, evenly over a large file; the error
// says that there are too few for a robust regression.
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

// trimmed is a regression and the sum of its h least squared residuals.
type trimmed struct {
	Fit
	sum float64
}

// trimmedStarts returns the best fits of random starts, of subsets that just tell the variables
// apart, after two steps each; those of a large file have been followed in the sample.
func trimmedStarts(ctx context.Context, y []float64, x [][]float64) ([]trimmed, error) {
	n, p := len(y), len(x)
	h, search := (n+p+2)/2, &mcdSearch{ctx: ctx, stream: random.Stream(mcdSeed, "lts", 0)}
	var fits []trimmed
	for range ltsStarts {
		fit, err := leastSquares(y, x, search.sample(n, p+1))
		if err != nil {
			continue // these records lie on a plane
		}
		start := trimmed{fit, math.Inf(1)}
		if start, err = start.concentrated(ctx, y, x, h, 2); ctx.Err() != nil {
			return nil, ctx.Err()
		} else if err == nil {
			fits = append(fits, start)
		}
	}
	return bestFits(fits)
}

// bestFits returns those of the least sums.
func bestFits(fits []trimmed) ([]trimmed, error) {
	slices.SortStableFunc(fits, func(a, b trimmed) int { return cmp.Compare(a.sum, b.sum) })
	if len(fits) == 0 {
		return nil, fmt.Errorf("the regression has no unique solution: %w", ErrSingular)
	}
	return fits[:min(ltsBest, len(fits))], nil
}

// concentrated takes steps: the h records of the least squared residuals make the next
// regression, whose sum is not greater, until it stays.
func (t trimmed) concentrated(ctx context.Context, y []float64, x [][]float64, h, steps int) (trimmed, error) {
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
		next := trimmed{fit, 0}
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

// reweighted returns the regression of the records that are not far from this one.
func (t trimmed) reweighted(y []float64, x [][]float64, h int) (Fit, error) {
	limit := ltsKeep * ltsKeep * t.sum / float64(h) * consistency(1, float64(h)/float64(len(y)))
	squares, kept := make([]float64, len(y)), []uint32{}
	t.squares(y, x, squares)
	for i, square := range squares {
		if square <= limit {
			kept = append(kept, uint32(i))
		}
	}
	if len(kept) < h { // an exact fit: rounding alone decides
		kept = leastPlaces(squares, h)
	}
	return leastSquares(y, x, kept)
}
