package parallel

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"testing"
)

func TestSort(t *testing.T) {
	const n = 200_000
	numbers := make([]int, n)
	for i := range numbers {
		numbers[i] = i * 7919 % n
	}
	ctx, cancel := context.WithCancel(t.Context())
	compared, atCancel := 0, n/2
	err := Sort(ctx, slices.Clone(numbers), func(a, b int) int {
		if compared++; compared == atCancel {
			cancel()
		}
		return cmp.Compare(a, b)
	})
	if !errors.Is(err, context.Canceled) || compared > atCancel+Block {
		t.Errorf("cancelled after %d comparisons: %d were made, %v", atCancel, compared, err)
	}
	if err := Sort(t.Context(), numbers, cmp.Compare); err != nil || !slices.IsSorted(numbers) {
		t.Errorf("not sorted: %v", err)
	}
}
