package microaggregation

import (
	"context"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/numeric"
)

// rmd parts the records by robust Mahalanobis distance: while 2 size or more remain,
// the record with the largest MCD distance, of several the first, and the nearest
// to it by Euclid on standardised variables are a group. The others are the last.
// [Templ and Meindl 2008] An error wraps method.ErrInput where there is no robust
// covariance.
func rmd(ctx context.Context, values [][]float64, size int, meter *progress.Meter) (groups, error) {
	n := len(values[0])
	g := groups{records: make([]uint32, 0, n)}
	left := newRemaining(values)
	if some := varying(values, values); len(some) > 0 && n >= 2*size {
		m, err := numeric.Robust(ctx, some)
		if err != nil {
			return g, err
		}
		farthest := make([]float64, n)
		for i, d := range m.Distances {
			farthest[i] = -d
		}
		for i, record := range stat.Order(farthest) {
			if i%steps == 0 && ctx.Err() != nil {
				return g, ctx.Err()
			}
			for left.live() >= 2*size && !left.taken[record] { // once, unless enough are equal to it
				left.group(&g, record, size)
				meter.Add(int64(size))
			}
		}
	}
	g.append(consecutive(left.rest(meter), size), nil) // several groups where nothing varies
	return g, ctx.Err()
}
