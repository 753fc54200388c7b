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
// in place with row pivots; nil where it has none that is worth having.
func inverted(ctx context.Context, matrix [][]float64) ([][]float64, error) {
	work := square(len(matrix))
	for i := range work {
		copy(work[i], matrix[i])
	}
	pivots := make([]int, len(work))
	for column := range work {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		pivot := column
		for i := column + 1; i < len(work); i++ {
			if math.Abs(work[i][column]) > math.Abs(work[pivot][column]) {
				pivot = i
			}
		}
		if math.Abs(work[pivot][column]) < 1/singularCondition {
			return nil, nil
		}
		pivots[column] = pivot
		work[column], work[pivot] = work[pivot], work[column]
		eliminate(work, column)
	}
	for column := len(work) - 1; column >= 0; column-- { // rows that were swapped are columns of the inverse
		for _, row := range work {
			row[column], row[pivots[column]] = row[pivots[column]], row[column]
		}
	}
	if norm(matrix)*norm(work) > singularCondition {
		return nil, nil
	}
	return work, nil
}

// eliminate puts the column of the inverse in the place of that of the matrix.
func eliminate(work [][]float64, column int) {
	chosen := work[column]
	scale := 1 / chosen[column]
	chosen[column] = 1
	for j := range chosen {
		chosen[j] *= scale
	}
	for i, row := range work {
		factor := row[column]
		if i == column || factor == 0 {
			continue
		}
		row[column] = 0
		row = row[:len(chosen)]
		for j, x := range chosen {
			row[j] -= float64(factor * x)
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
