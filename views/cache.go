package views

import (
	"context"
	"time"
)

// Piece is a piece of work that runs in the background for about as long as its budget and stops if ctx is
// cancelled. It must not touch the state of its caller: the function that it returns is called in the program's
// own turn and stores the result.
type Piece func(ctx context.Context, budget time.Duration) (take func())

// Cache keeps the result for the last key asked for. The result is computed at once, or in the background piece by
// piece, so that a partial result can be shown. Another key discards the result, because versions of the data are
// large, and cancels the running piece.
type Cache[K comparable, V any] struct {
	key    K
	known  *V              // nil: no key was asked for yet
	whole  bool            // Seek has found the result
	failed bool            // the computation failed
	added  int             // number of pieces so far
	alive  context.Context // context of the pieces; nil if there are none
	cancel context.CancelFunc
}

// For returns what is known of a key so far, a zero value if the key is new.
func (c *Cache[K, V]) For(key K) *V {
	return c.Look(key, func() (nothing V) { return nothing })
}

// Last returns what is known of the key asked for last.
func (c *Cache[K, V]) Last() *V { return c.Look(c.key, func() (nothing V) { return nothing }) }

// Look returns the value of a key, and computes it at once if the key is new.
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

// Found returns what Seek has found for a key, or nil.
func (c *Cache[K, V]) Found(key K) *V {
	if known := c.For(key); c.whole {
		return known
	}
	return nil
}

// Seek returns the piece of work that finds the whole result for a key, or nil if it was found or cannot be
// computed.
func (c *Cache[K, V]) Seek(key K, find func(ctx context.Context) (V, error)) Piece {
	if c.Found(key) != nil {
		return nil
	}
	return c.Extend(key, func(ctx context.Context, _ time.Duration) (func(*V), error) {
		found, err := find(ctx)
		return func(known *V) { *known, c.whole = found, true }, err
	})
}

// Extend returns a piece of work that adds to what is known of a key, or nil if a piece has failed. A piece adds
// nothing if it was cancelled, if its key is no longer the current one, or if another piece was added after it
// began.
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
