package numeric

import (
	"context"
	"errors"
	"fmt"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// Robust returns the robust centre and covariance of variables. Where half of the
// records lie on a line or plane, or there are too few, the error wraps
// stat.ErrSingular and method.ErrInput and says what can be done.
func Robust(ctx context.Context, variables [][]float64) (*stat.MCD, error) {
	m, err := stat.NewMCD(ctx, variables)
	if errors.Is(err, stat.ErrSingular) {
		err = fmt.Errorf("%w for a robust covariance: %w; leave out variables that follow from others or are mostly 0, or choose another method", method.ErrInput, err)
	}
	return m, err
}
