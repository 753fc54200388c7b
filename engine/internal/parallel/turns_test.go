package parallel

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"
)

func TestTurnsAreInOrder(t *testing.T) {
	turns, order := NewTurns(5), []int(nil)
	err := Tasks(context.Background(), 40, 4, func(_, task int) {
		defer turns.Leave(task + 5)
		if task%3 == 0 {
			time.Sleep(time.Millisecond)
		}
		if task%7 != 0 {
			if err := turns.Take(t.Context(), task+5, func() { order = append(order, task) }); err != nil {
				t.Error(err)
			}
		}
	})
	if err != nil || !slices.IsSorted(order) || len(order) != 34 {
		t.Errorf("%v, %v", order, err)
	}
}

// Nobody waits for a turn once the context has ended, whoever still holds it; and one that
// leaves before its turn does not wait for it.
func TestWaitingForATurnEnds(t *testing.T) {
	turns := NewTurns(0)
	ctx, cancel := context.WithCancel(t.Context())
	waits := make(chan error)
	go func() { waits <- turns.Take(ctx, 2, func() { t.Error("the turn has not come") }) }()
	turns.Leave(1)
	cancel()
	if err := <-waits; !errors.Is(err, context.Canceled) {
		t.Errorf("the wait ended with %v", err)
	}
	turns.Leave(2)
	turns.Leave(0)
	did := false
	if err := turns.Take(t.Context(), 3, func() { did = true }); err != nil || !did {
		t.Errorf("the next turn: %v, %v", did, err)
	}
}
