package loglinear

import (
	"context"
	"math"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
)

// Variants of the model.
const (
	Default  = "default"  // fits the counts by the terms of the formula
	CE       = "CE"       // with the offset ln(count/weight + 0.1)
	PML      = "PML"      // pseudo maximum likelihood: weights, scaled to the number of records, instead of counts
	Weighted = "weighted" // with the sum of weights of a cell as an additional predictor
	IPF      = "IPF"      // main effects only
)

// Variants returns the five variants in order.
func Variants() []string { return []string{Default, CE, PML, Weighted, IPF} }

// Fit returns the fitted counts of a variant. The error is stat.ErrNotConverged or that of ctx.
func (c *Cells) Fit(ctx context.Context, variant string) ([]float64, error) {
	terms, counts, fitted := c.Formula.Terms, c.Count, slices.Repeat([]float64{1}, len(c.Count))
	switch variant {
	case CE:
		for cell, count := range c.Count {
			share := 0.0
			if count > 0 {
				share = count / c.Weight[cell]
			}
			fitted[cell] = share + 0.1
		}
	case PML:
		counts = c.pseudoCounts()
	case Weighted:
		return c.fitWeighted(ctx)
	case IPF:
		terms = mainEffects(c.Formula.Variables).Terms
	}
	return fitted, c.Shape.FitMargins(ctx, terms, counts, fitted)
}

// pseudoCounts returns the weights of the cells, scaled to sum to the number of records and rounded to integers.
func (c *Cells) pseudoCounts() []float64 {
	sum := 0.0
	for _, w := range c.Weight {
		sum += w
	}
	counts := make([]float64, len(c.Weight))
	for cell, w := range c.Weight {
		if w > 0 {
			counts[cell] = math.RoundToEven(w * float64(c.Records) / sum)
		}
	}
	return counts
}

// fitWeighted fits the model with the sum of weights as a predictor. For each value of its coefficient it fits the
// other terms by their margins, and it varies the coefficient until the fitted counts have the same sum of
// predictor times count as the counts. That sum increases with the coefficient.
func (c *Cells) fitWeighted(ctx context.Context) ([]float64, error) {
	x := slices.Clone(c.Weight)
	if most := slices.Max(append([]float64{0}, x...)); most > 0 {
		for cell := range x {
			x[cell] /= most
		}
	}
	fitted := slices.Repeat([]float64{1}, len(c.Count))
	at := 0.0
	surplus := func(coefficient float64) (float64, error) {
		for cell := range fitted {
			fitted[cell] *= math.Exp((coefficient - at) * x[cell])
		}
		at = coefficient
		err := c.Shape.FitMargins(ctx, c.Formula.Terms, c.Count, fitted)
		sum := 0.0
		for cell, count := range c.Count {
			sum += float64(x[cell] * (fitted[cell] - count))
		}
		return sum, err
	}
	scale := 0.0
	for cell, count := range c.Count {
		scale += float64(x[cell] * count)
	}
	return fitted, root(surplus, closeTo*math.Max(scale, 1))
}

// closeTo is the relative tolerance of the coefficient's equation.
const closeTo = 1e-11

// root finds a root of an increasing function, starting from 0: it brackets the root and then uses secants.
func root(f func(float64) (float64, error), tolerance float64) error {
	a := 0.0
	fa, err := f(a)
	if err != nil || math.Abs(fa) <= tolerance {
		return err
	}
	step := -math.Copysign(1, fa)
	b, fb := a, fa
	for doubled := 0; (fb < 0) == (fa < 0); doubled++ {
		if doubled > 12 {
			return stat.ErrNotConverged
		}
		a, fa = b, fb
		b += step
		step *= 2
		if fb, err = f(b); err != nil || math.Abs(fb) <= tolerance {
			return err
		}
	}
	for range 100 {
		x := b - float64(fb*(b-a)/(fb-fa))
		if low, high := math.Min(a, b), math.Max(a, b); !(x > low && x < high) {
			x = (a + b) / 2
		}
		fx, err := f(x)
		if err != nil || math.Abs(fx) <= tolerance || math.Abs(b-a) <= 1e-15*math.Abs(b) {
			return err
		}
		if (fx < 0) == (fb < 0) {
			fa /= 2 // Illinois rule: moves the next secant towards the end that stays
		} else {
			a, fa = b, fb
		}
		b, fb = x, fx
	}
	return stat.ErrNotConverged
}
