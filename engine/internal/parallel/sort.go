package parallel

import (
	"context"
	"slices"
)

// Stopped reports whether the context has ended, looking at it for every Block-th item
// only.
func Stopped(ctx context.Context, item int) bool { return item%Block == 0 && ctx.Err() != nil }

// Sort sorts as slices.SortFunc does. Where the context ends meanwhile, all elements
// count as equal from then on, so that it soon returns, in no order, with the context's
// error.
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
