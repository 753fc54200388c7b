package views

import (
	"context"
	"time"
)

// Piece is a piece of work in the background. It takes about as long as its budget, ends
// early where the context does, and touches nothing of who wants it: what it found is
// handed in by the function that it returns, in the program's own turn.
type Piece func(ctx context.Context, budget time.Duration) (take func())

// Cache keeps what was found for a key while that is the key that is asked for: computed at
// once, or in the background a piece at a time, where it can be seen how far it is. Another
// key lets it go, since versions of the data are large, and ends the piece that is at work.
type Cache[K comparable, V any] struct {
	key    K
	known  *V              // nil: nobody has asked yet
	whole  bool            // of what is found as a whole: it was
	failed bool            // it cannot be computed
	added  int             // pieces so far
	alive  context.Context // of the pieces; nil: there are none
	cancel context.CancelFunc
}

// For returns what is known of a key so far; nothing of one that is new.
func (c *Cache[K, V]) For(key K) *V {
	return c.Look(key, func() (nothing V) { return nothing })
}

// Last returns what is known of the key that was asked for last.
func (c *Cache[K, V]) Last() *V { return c.Look(c.key, func() (nothing V) { return nothing }) }

// Look returns what belongs to a key, computed at once where it is new.
func (c *Cache[K, V]) Look(key K, compute func() V) *V {
	if c.known == nil || c.key != key {
		if c.cancel != nil {
			c.cancel()
		}
		known := compute()
		*c = Cache[K, V]{key: key, known: &known}
	}
	return c.known
}

// Found returns what Seek has found for a key; nil: nothing yet.
func (c *Cache[K, V]) Found(key K) *V {
	if known := c.For(key); c.whole {
		return known
	}
	return nil
}

// Seek returns the piece of work that finds all that belongs to a key; nil where it was
// found, or cannot be.
func (c *Cache[K, V]) Seek(key K, find func(ctx context.Context) (V, error)) Piece {
	if c.Found(key) != nil {
		return nil
	}
	return c.Extend(key, func(ctx context.Context, _ time.Duration) (func(*V), error) {
		found, err := find(ctx)
		return func(known *V) { *known, c.whole = found, true }, err
	})
}

// Extend returns a piece of work that adds to what is known of a key; nil where one has
// failed. One that was cancelled, whose key is no longer asked for, or that began before
// another one was added, adds nothing.
func (c *Cache[K, V]) Extend(
	key K, find func(ctx context.Context, budget time.Duration) (add func(known *V), err error),
) Piece {
	known := c.For(key)
	if c.failed {
		return nil
	}
	if c.alive == nil {
		c.alive, c.cancel = context.WithCancel(context.Background())
	}
	alive, added := c.alive, c.added
	return func(ctx context.Context, budget time.Duration) func() {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(alive, cancel)()
		add, err := find(ctx, budget)
		cancelled := ctx.Err() != nil
		return func() {
			switch {
			case cancelled || c.known != known || c.added != added:
			case err != nil:
				c.failed = true
			default:
				c.added++
				add(known)
			}
		}
	}
}
