package stat

import (
	"context"
	"errors"
	"math"
)

// ErrNotConverged is returned if an iteration does not converge.
var ErrNotConverged = errors.New("the model cannot be fitted: its iterations do not converge")

// CrossTable is the shape of a full cross table, with the cells in row-major order: the last variable varies
// fastest.
type CrossTable struct{ Levels []int }

// Cells returns the number of cells, as a float64 because it may be too large for an int.
func (c CrossTable) Cells() float64 {
	cells := 1.0
	for _, n := range c.Levels {
		cells *= float64(n)
	}
	return cells
}

// each calls f with every cell and its place in a margin, a set of variables as bits.
func (c CrossTable) each(margin uint64, f func(cell, place int)) {
	steps, places := c.steps(margin)
	digits := make([]int, len(c.Levels))
	place := 0
	if places == 0 {
		return
	}
	for cell := range int(c.Cells()) {
		f(cell, place)
		for v := len(digits) - 1; v >= 0; v-- {
			digits[v]++
			place += steps[v]
			if digits[v] < c.Levels[v] {
				break
			}
			place -= digits[v] * steps[v]
			digits[v] = 0
		}
	}
}

// steps returns the stride of each variable in a margin, and the number of places of the margin.
func (c CrossTable) steps(margin uint64) (steps []int, places int) {
	steps, places = make([]int, len(c.Levels)), 1
	for v := len(c.Levels) - 1; v >= 0; v-- {
		if margin>>v&1 == 1 {
			steps[v] = places
			places *= c.Levels[v]
		}
	}
	return steps, places
}

// sums returns the sums of the cells for each place of a margin.
func (c CrossTable) sums(margin uint64, cells []float64) []float64 {
	_, places := c.steps(margin)
	sums := make([]float64, places)
	c.each(margin, func(cell, place int) { sums[place] += cells[cell] })
	return sums
}

// The maximum number of iterations of FitMargins, and the relative difference of margins at which it stops.
const (
	mostRounds  = 2000
	closeEnough = 1e-11
)

// FitMargins fits the Poisson log-linear model with the given margins, sets of variables as bits, to the counts of
// a cross table by iterative proportional fitting. fitted contains the starting values: exp of the offset of each
// cell, or 1; zeros stay zero. It is overwritten with the fitted counts, whose margins equal those of the counts.
// [Deming and Stephan 1940; Bishop, Fienberg and Holland 1975] The error is ErrNotConverged or that of ctx.
func (c CrossTable) FitMargins(ctx context.Context, margins []uint64, counts, fitted []float64) error {
	targets := make([][]float64, len(margins))
	for i, margin := range margins {
		targets[i] = c.sums(margin, counts)
	}
	for range mostRounds {
		apart := 0.0
		for i, margin := range margins {
			if err := ctx.Err(); err != nil {
				return err
			}
			factors := c.sums(margin, fitted)
			for place, sum := range factors {
				target := targets[i][place]
				factors[place] = 0
				if sum > 0 {
					factors[place] = target / sum
				}
				if target > 0 {
					apart = math.Max(apart, math.Abs(sum-target)/target)
				}
			}
			c.each(margin, func(cell, place int) { fitted[cell] *= factors[place] })
		}
		if apart < closeEnough {
			return nil
		}
	}
	return ErrNotConverged
}
