package numeric

import (
	"context"
	"errors"
	"fmt"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// Robust returns the robust centre and covariance matrix of variables. If half of the records lie on a line or
// plane, or there are too few, the error wraps stat.ErrSingular and method.ErrInput and suggests a remedy.
func Robust(ctx context.Context, variables [][]float64) (*stat.MCD, error) {
	m, err := stat.NewMCD(ctx, variables)
	if errors.Is(err, stat.ErrSingular) {
		err = fmt.Errorf("%w for a robust covariance: %w; leave out variables that follow from others or are mostly 0, or choose another method", method.ErrInput, err)
	}
	return m, err
}

// Exact transforms draws so that they are exactly uncorrelated with a basis and exactly have a covariance matrix.
// free are the variables that are not linear combinations of earlier ones.
func Exact(draws, basis [][]float64, covariance stat.Matrix, free []int) ([][]float64, error) {
	z := stat.Unexplained(stat.Centred(stat.Variables(draws, free)), basis)
	z = stat.Unexplained(z, basis) // a second time, to remove rounding errors
	root, err := stat.Covariance(z).Cholesky()
	if err != nil {
		return nil, fmt.Errorf("%w: the draws depend on each other: %w", method.ErrInput, err)
	}
	l, _ := covariance.SemiCholesky()
	return stat.Combined(l.Columns(free), stat.Unrooted(root, z)), nil
}
