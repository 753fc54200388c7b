package parallel

import (
	"context"
	"slices"
)

// Stopped reports whether the context has ended, checking it for every Block-th item only.
func Stopped(ctx context.Context, item int) bool { return item%Block == 0 && ctx.Err() != nil }

// Sort is slices.SortFunc with a context. When the context ends, all further comparisons are equal, so that it
// returns soon with the context's error and the elements in no particular order.
func Sort[E any](ctx context.Context, elements []E, compare func(a, b E) int) error {
	compared, stopped := 0, false
	slices.SortFunc(elements, func(a, b E) int {
		compared++
		if stopped = stopped || Stopped(ctx, compared); stopped {
			return 0
		}
		return compare(a, b)
	})
	return ctx.Err()
}
