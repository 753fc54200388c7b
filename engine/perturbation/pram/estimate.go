package pram

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/sdcdesk/sdcdesk/engine/method"
)

// singularCondition is the condition number from which a matrix counts as singular, because the estimate would
// consist of rounding errors.
const singularCondition = 1e12

// estimate computes the expected frequencies, the unbiased estimate and its standard errors.
//
// With T the frequencies before and T* those after, E(T*) = P'T, the estimate is A T* with A = (P^-1)', and its
// variance A Var(T*) A', where Var(T*) = sum_k W_k (diag p_k - p_k p_k'). W_k is T_k if each record is drawn
// independently, otherwise the sum of squared sizes of the groups that share a draw. Because A P' = I, the
// variance is A diag(P'W) A' - diag(W).
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
	if err := ctx.Err(); err != nil {
		return err
	}
	inverse := inverted(s.Matrix)
	s.Estimate, s.Errors, s.Singular = nil, nil, inverse == nil
	if inverse == nil {
		return nil
	}
	s.Estimate, s.Errors = make([]float64, n), make([]float64, n)
	for i := range n {
		variance := -float64(squares[i])
		for j := range n {
			a := inverse.At(j, i)
			s.Estimate[i] += float64(a * float64(s.After[j]))
			variance += float64(float64(a*a) * spread[j])
		}
		s.Errors[i] = math.Sqrt(math.Max(0, variance))
	}
	return nil
}

// inverted returns the inverse of a square matrix, or nil if it is numerically singular.
func inverted(matrix [][]float64) *mat.Dense {
	p, inverse := mat.NewDense(len(matrix), len(matrix), nil), new(mat.Dense)
	for i, row := range matrix {
		p.SetRow(i, row)
	}
	largestRow := math.Inf(1) // infinity norm
	if inverse.Inverse(p) != nil || mat.Norm(p, largestRow)*mat.Norm(inverse, largestRow) > singularCondition {
		return nil
	}
	return inverse
}
