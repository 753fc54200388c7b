package stat

import (
	"context"
	"math"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/internal/random"
)

const (
	scaleTuning = 1.54764  // biweight of the S estimator: breakdown point one half
	mmTuning    = 4.685061 // biweight of the regression: 95 % efficiency for normal residuals
	mmSteps     = 500      // bound on the steps; convergence is much faster
	mmStays     = 1e-12    // relative change at which the regression has converged
	scaleStays  = 1e-9     // relative change at which the scale has converged
)

// WeightedLeastSquares is LeastSquares with a weight for each record; nil for equal weights.
func WeightedLeastSquares(y []float64, x [][]float64, weights []float64) (Fit, error) {
	all := append(slices.Clone(x), y)
	means := make([]float64, len(all))
	for j := range all {
		means[j] = WeightedMean(all[j], weights)
	}
	return fitOf(means, WeightedCovariance(all, weights))
}

// MMRegression returns the regression of y on x by the MM estimator, and the robust scale of its residuals. It
// searches from 500 random starts for the regression whose residuals have the least M scale (S estimator,
// breakdown point one half); from there, with this scale fixed, it iterates to the estimate with Tukey's biweight
// of 95 % efficiency. weights may be nil. The scale has denominator n - p - 1. If at least half of the records lie
// on a hyperplane, it is the regression, and the scale is 0. Errors wrap ErrSingular as in LeastTrimmedSquares.
// [Yohai 1987, Annals of Statistics 15, 642-656; Salibian-Barrera and Yohai 2006]
func MMRegression(ctx context.Context, y []float64, x [][]float64, weights []float64) (Fit, float64, error) {
	starts, err := scaleStarts(ctx, y, x)
	if err != nil {
		return Fit{}, 0, err
	}
	best, scale := Fit{}, math.Inf(1)
	for _, start := range starts {
		fit, least, err := start.leastScale(ctx, y, x, weights, mmSteps)
		if err != nil {
			return fit, least, err
		}
		if least < scale {
			best, scale = fit, least
		}
	}
	for step := 0; step < mmSteps && scale > 0; step++ {
		next, err := best.biweighted(y, x, weights, mmTuning*scale)
		if err != nil || ctx.Err() != nil {
			return best, scale, cause(ctx, err)
		}
		change := math.Abs(next.Intercept - best.Intercept)
		for j := range next.Slopes {
			change = max(change, math.Abs(next.Slopes[j]-best.Slopes[j]))
		}
		if best = next; change <= mmStays*scale {
			break
		}
	}
	return best, scale, nil
}

// scaleStarts returns the fits with the least M scales to random subsets of minimal size, after two steps each;
// for a large file, the best one after convergence in the sample.
func scaleStarts(ctx context.Context, y []float64, x [][]float64) ([]Fit, error) {
	all := len(y)
	y, x, err := sampled(y, x)
	if err != nil {
		return nil, err
	}
	search := &mcdSearch{ctx: ctx, stream: random.Stream(mcdSeed, "mm", 0)}
	var fits []trimmedFit // sum is the M scale
	for range ltsStarts {
		fit, err := leastSquares(y, x, search.sample(len(y), len(x)+1))
		if err != nil {
			continue // degenerate subset
		}
		fit, scale, err := fit.leastScale(ctx, y, x, nil, 3)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		} else if err == nil {
			fits = append(fits, trimmedFit{fit, scale})
		}
	}
	if fits, err = bestFits(fits); err != nil {
		return nil, err
	}
	starts := make([]Fit, 0, ltsBest)
	for _, fit := range fits {
		starts = append(starts, fit.Fit)
	}
	if all == len(y) {
		return starts, nil
	}
	// for a large file, only the best start is followed in all records
	best, least := starts[0], math.Inf(1)
	for _, start := range starts {
		if fit, scale, err := start.leastScale(ctx, y, x, nil, mmSteps); err == nil && scale < least {
			best, least = fit, scale
		}
	}
	return []Fit{best}, ctx.Err()
}

// leastScale iterates to a regression with a locally minimal M scale of the residuals.
func (f Fit) leastScale(ctx context.Context, y []float64, x [][]float64, weights []float64,
	steps int) (Fit, float64, error) {
	scale := math.Inf(1)
	for range steps {
		next := mScale(f.Residuals(y, x), weights, len(x)+1)
		if !(next > 0) {
			return f, 0, ctx.Err()
		}
		if next >= scale*(1-scaleStays) {
			break
		}
		scale = next
		moved, err := f.biweighted(y, x, weights, scaleTuning*scale)
		if err != nil || ctx.Err() != nil {
			return f, scale, cause(ctx, err)
		}
		f = moved
	}
	return f, scale, nil
}

// cause returns the error of the context if it has one, else err.
func cause(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// biweighted returns the regression with biweights, which fall from 1 for a zero residual of f to 0 at the limit.
func (f *Fit) biweighted(y []float64, x [][]float64, weights []float64, limit float64) (Fit, error) {
	counts := f.Residuals(y, x)
	for i, residual := range counts {
		u := residual / limit
		counts[i] = 0
		if u = 1 - float64(u*u); u > 0 {
			counts[i] = float64(u * u)
		}
		if weights != nil {
			counts[i] *= weights[i]
		}
	}
	return WeightedLeastSquares(y, x, counts)
}

// mScale returns the scale s for which the biweight losses of residuals/s sum to half of n - p, or 0 if at least
// that many residuals are 0.
func mScale(residuals, weights []float64, p int) float64 {
	absolute := make([]float64, len(residuals))
	for i, r := range residuals {
		absolute[i] = math.Abs(r)
	}
	n := float64(len(residuals))
	mean := 1.0 // mean weight
	if weights != nil {
		mean = Mean(weights)
	}
	scale := WeightedQuantile(absolute, nil, 0.5) / 0.6745
	for range mmSteps {
		sum, slope := 0.0, 0.0 // of the losses, and its derivative by the logarithm of the scale
		for i, r := range absolute {
			loss, falls := 1.0, 0.0
			if u := r / (scaleTuning * scale); u < 1 {
				v := 1 - float64(u*u)
				loss, falls = 1-float64(v*v*v), 6*float64(u*u)*float64(v*v)
			}
			if weights != nil {
				loss, falls = loss*weights[i]/mean, falls*weights[i]/mean
			}
			sum, slope = sum+loss, slope+falls
		}
		if !(sum > 0) {
			return 0
		}
		half := (n - float64(p)) / 2
		step := math.Log(sum/half) / 2 // the fixed-point step, which always converges, but slowly
		if newton := (sum - half) / slope; math.Abs(newton) < 1 {
			step = newton
		}
		if scale *= math.Exp(step); !(scale > 0) || math.Abs(step) <= mmStays {
			return max(0, scale)
		}
	}
	return scale
}
