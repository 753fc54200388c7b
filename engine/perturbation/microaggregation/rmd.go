package microaggregation

import (
	"context"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/numeric"
)

// rmd partitions the records by robust Mahalanobis distance: while at least 2 size remain, the record with the
// largest MCD distance, with ties in file order, and those nearest to it by Euclidean distance on standardised
// variables form a group. The remaining ones form the last group. [Templ and Meindl 2008] An error wraps
// method.ErrInput if there is no robust covariance.
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
			for left.live() >= 2*size && !left.taken[record] { // one group, unless there are enough equal records
				left.group(&g, record, size)
				meter.Add(int64(size))
			}
		}
	}
	g.append(consecutive(left.rest(meter), size), nil) // several groups if all values are equal
	return g, ctx.Err()
}
