package microaggregation

import (
	"context"
	"math"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// optimal returns the partition of the values, in ascending order, into groups of size to 2 size - 1 with the
// least sum of squared deviations from the group means, in O(n size) time. [Hansen and Mukherjee 2003]
func optimal(ctx context.Context, values []float64, order []uint32, size int) (groups, error) {
	n := len(order)
	cost, last := make([]float64, n+1), make([]uint32, n+1) // of the first i values: least cost, and size of the last group
	for i := 1; i <= n; i++ {
		if parallel.Stopped(ctx, i) {
			return groups{}, ctx.Err()
		}
		cost[i] = math.Inf(1)
		mean, squares := 0.0, 0.0
		for k := 1; k < 2*size && k <= i; k++ {
			d := values[order[i-k]] - mean
			mean += d / float64(k)
			squares += float64(d * (values[order[i-k]] - mean))
			if k >= size && cost[i-k]+squares < cost[i] {
				cost[i], last[i] = cost[i-k]+squares, uint32(k)
			}
		}
	}
	var ends []uint32
	for i := uint32(n); i > 0; i -= last[i] {
		ends = append(ends, i)
	}
	slices.Reverse(ends)
	return groups{records: order, ends: ends}, ctx.Err()
}
