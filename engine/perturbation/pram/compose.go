package pram

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/method"
)

// ErrCompose is wrapped by errors for applications of PRAM whose matrices cannot be composed.
var ErrCompose = errors.New("the matrices cannot be composed")

// Compose returns the composition of several applications of PRAM to one variable, in order: the product of their
// matrices in each stratum, the frequencies before the first and after the last, and the estimate of the former
// from the latter. There is no estimate if cells became missing in between. Transitions are available for a single
// application only. Conditions and strata must be the same in all applications and select the same records, and
// categories must not be recoded in between; otherwise an error that wraps ErrCompose gives the reason.
func Compose(ctx context.Context, applications []method.PRAMVariable) (method.PRAMVariable, error) {
	if len(applications) == 0 {
		return method.PRAMVariable{}, fmt.Errorf("%w: no application", ErrCompose)
	}
	composed := applications[0]
	for _, next := range applications[1:] {
		var err error
		if composed, err = compose(composed, next); err != nil {
			return method.PRAMVariable{}, err
		}
	}
	if len(applications) == 1 {
		return composed, nil
	}
	for i := range composed.Strata {
		s := &composed.Strata[i]
		if err := estimate(ctx, s); err != nil {
			return method.PRAMVariable{}, err
		}
		if total(s.After) != total(s.Before) {
			s.Estimate, s.Errors = nil, nil // the records are not those of the first application
		}
	}
	return composed, nil
}

func total(counts []int) int {
	sum := 0
	for _, count := range counts {
		sum += count
	}
	return sum
}

func compose(first, next method.PRAMVariable) (method.PRAMVariable, error) {
	var none method.PRAMVariable
	switch {
	case first.Variable != next.Variable:
		return none, fmt.Errorf("%w: they are of %q and of %q", ErrCompose, first.Variable, next.Variable)
	case first.Condition != next.Condition:
		return none, fmt.Errorf("%w: the applications have different conditions", ErrCompose)
	case len(first.Strata) != len(next.Strata):
		return none, fmt.Errorf("%w: the applications have different strata", ErrCompose)
	}
	out := first
	out.Strata = make([]method.PRAMStratum, len(first.Strata))
	for i := range first.Strata {
		stratum, err := composeStratum(&first.Strata[i], &next.Strata[i], first.Condition != "")
		if err != nil {
			return none, err
		}
		out.Strata[i] = stratum
	}
	out.Changed = 0 // the reports do not contain the changes from the first to the last value
	return out, nil
}

// composeStratum multiplies two matrices. A category that no longer occurs before the second application is left
// unchanged by it. With a condition, the number of records in each category must be the same at the start of the
// second application as at the end of the first; otherwise the condition selects other records now.
func composeStratum(first, next *method.PRAMStratum, conditional bool) (method.PRAMStratum, error) {
	var none method.PRAMStratum
	if !slices.Equal(first.Stratum, next.Stratum) {
		return none, fmt.Errorf("%w: the applications have different strata", ErrCompose)
	}
	place := placesOf(first.Levels)
	to := make([]int, len(next.Levels))
	of := make([]int, len(first.Levels)) // row of the second matrix; -1: does not occur
	for i := range of {
		of[i] = -1
	}
	for j, label := range next.Levels {
		i, ok := place[label]
		if !ok || next.Before[j] > first.After[i] {
			return none, fmt.Errorf("%w: the categories were changed in between", ErrCompose)
		}
		if conditional && next.Before[j] != first.After[i] {
			return none, fmt.Errorf("%w: the condition holds for other records than before", ErrCompose)
		}
		to[j], of[i] = i, j
	}
	for i, j := range of {
		if conditional && j < 0 && first.After[i] > 0 {
			return none, fmt.Errorf("%w: the condition holds for other records than before", ErrCompose)
		}
	}
	out := *first
	out.Transitions, out.Estimate, out.Errors, out.Changed = nil, nil, nil, 0
	out.After = make([]int, len(first.Levels))
	for j, i := range to {
		out.After[i] = next.After[j]
	}
	out.Matrix = square(len(first.Levels))
	for k, row := range first.Matrix {
		for i, p := range row {
			if of[i] < 0 {
				out.Matrix[k][i] += p
				continue
			}
			for j, q := range next.Matrix[of[i]] {
				out.Matrix[k][to[j]] += float64(p * q)
			}
		}
	}
	return out, nil
}
