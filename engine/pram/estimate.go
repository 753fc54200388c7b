package pram

import (
	"context"
	"math"

	"github.com/sdcdesk/sdcdesk/engine/method"
)

// singularCondition is the condition number from which a matrix counts as
// singular: the estimate would be made of rounding errors.
const singularCondition = 1e12

// estimate sets the expectation, the unbiased estimate and its standard errors.
//
// With T the frequencies before and T* those after, E(T*) = P'T, the estimate
// is A T* with A = (P^-1)', and its variance A Var(T*) A', where
// Var(T*) = sum_k W_k (diag p_k - p_k p_k'). W_k is T_k where each record draws
// by itself, else the sum of squared sizes of the groups that share a draw.
// Since A P' = I this is A diag(P'W) A' - diag(W).
func estimate(ctx context.Context, s *method.PRAMStratum) error {
	n := len(s.Levels)
	squares := s.Before
	if s.Together != nil {
		squares = s.Together
	}
	s.Expected = make([]float64, n)
	spread := make([]float64, n)
	for k, row := range s.Matrix {
		for j, p := range row {
			s.Expected[j] += float64(p * float64(s.Before[k]))
			spread[j] += float64(p * float64(squares[k]))
		}
	}
	inverse, err := inverted(ctx, s.Matrix)
	if err != nil {
		return err
	}
	s.Estimate, s.Errors, s.Singular = nil, nil, inverse == nil
	if inverse == nil {
		return nil
	}
	s.Estimate, s.Errors = make([]float64, n), make([]float64, n)
	for i := range n {
		variance := -float64(squares[i])
		for j := range n {
			a := inverse[j][i]
			s.Estimate[i] += float64(a * float64(s.After[j]))
			variance += float64(float64(a*a) * spread[j])
		}
		s.Errors[i] = math.Sqrt(math.Max(0, variance))
	}
	return nil
}

// inverted returns the inverse of a square matrix, by Gauss-Jordan elimination
// with row pivots; nil where it has none that is worth having.
func inverted(ctx context.Context, matrix [][]float64) ([][]float64, error) {
	n := len(matrix)
	work, inverse := square(n), square(n)
	for i := range n {
		copy(work[i], matrix[i])
		inverse[i][i] = 1
	}
	for column := range n {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		pivot := column
		for i := column + 1; i < n; i++ {
			if math.Abs(work[i][column]) > math.Abs(work[pivot][column]) {
				pivot = i
			}
		}
		if math.Abs(work[pivot][column]) < 1/singularCondition {
			return nil, nil
		}
		work[column], work[pivot] = work[pivot], work[column]
		inverse[column], inverse[pivot] = inverse[pivot], inverse[column]
		eliminate(work, inverse, column)
	}
	if norm(matrix)*norm(inverse) > singularCondition {
		return nil, nil
	}
	return inverse, nil
}

// eliminate makes a column one of the unit matrix.
func eliminate(work, inverse [][]float64, column int) {
	scale := 1 / work[column][column]
	for j := range work {
		work[column][j] *= scale
		inverse[column][j] *= scale
	}
	for i := range work {
		factor := work[i][column]
		if i == column || factor == 0 {
			continue
		}
		for j := range work {
			work[i][j] -= float64(factor * work[column][j])
			inverse[i][j] -= float64(factor * inverse[column][j])
		}
	}
}

// norm returns the largest sum of absolute values of a row.
func norm(matrix [][]float64) float64 {
	largest := 0.0
	for _, row := range matrix {
		sum := 0.0
		for _, x := range row {
			sum += math.Abs(x)
		}
		largest = math.Max(largest, sum)
	}
	return largest
}
