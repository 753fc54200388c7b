package parallel

import (
	"context"
	"slices"
	"testing"
	"time"
)

func TestTurnsAreInOrder(t *testing.T) {
	turns, order := NewTurns(5), []int(nil)
	err := Tasks(context.Background(), 40, 4, func(_, task int) {
		if task%3 == 0 {
			time.Sleep(time.Millisecond)
		}
		if task%7 != 0 {
			turns.Take(task+5, func() { order = append(order, task) })
		}
		turns.Pass(task + 5)
	})
	if err != nil || !slices.IsSorted(order) || len(order) != 34 {
		t.Errorf("%v, %v", order, err)
	}
}
