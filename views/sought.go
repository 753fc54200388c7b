package views

import (
	"context"
	"time"
)

// sought is what was found beside the screen, for as long as what it is of stays.
type sought[K comparable, V any] struct {
	of    K
	found *V
}

// look returns what was found; nil: it is still to be sought.
func (m *sought[K, V]) look(of K) *V {
	if m.of != of {
		return nil
	}
	return m.found
}

// seek returns the piece of work that finds it; nil where it is found.
func (m *sought[K, V]) seek(of K, find func(ctx context.Context) (V, error)) func(ctx context.Context, budget time.Duration) (take func()) {
	if m.look(of) != nil {
		return nil
	}
	return func(ctx context.Context, _ time.Duration) func() {
		found, err := find(ctx)
		return func() {
			if err == nil { // else cancelled
				m.of, m.found = of, &found
			}
		}
	}
}
