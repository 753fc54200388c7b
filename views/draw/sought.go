package draw

import (
	"context"
	"time"
)

// BackgroundResult is what was found beside the screen, for as long as what it is of stays.
type BackgroundResult[K comparable, V any] struct {
	of    K
	found *V
}

// Look returns what was found; nil: it is still to be sought.
func (m *BackgroundResult[K, V]) Look(of K) *V {
	if m.of != of {
		return nil
	}
	return m.found
}

// Seek returns the piece of work that finds it; nil where it is found.
func (m *BackgroundResult[K, V]) Seek(of K, find func(ctx context.Context) (V, error)) func(ctx context.Context, budget time.Duration) (take func()) {
	if m.Look(of) != nil {
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
