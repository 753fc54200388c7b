package views

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"time"
	"weak"
)

// adding returns a piece of work that adds a number to the value of a key.
func adding(c *Cache[string, []int], key string, n int) Piece {
	return c.Extend(key, func(context.Context, time.Duration) (func(*[]int), error) {
		return func(known *[]int) { *known = append(*known, n) }, nil
	})
}

// Results of pieces are stored once and only for their key. Pieces that were cancelled, or whose key is no longer
// the current one, add nothing.
func TestCacheKeepsWhatIsOfItsKey(t *testing.T) {
	var c Cache[string, []int]
	first, twice := adding(&c, "a", 1), adding(&c, "a", 1)
	first(t.Context(), 0)()
	twice(t.Context(), 0)()
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	adding(&c, "a", 2)(ended, 0)()
	if got := *c.For("a"); len(got) != 1 {
		t.Errorf("after a piece, the same one again and a cancelled one: %v", got)
	}
	var other Cache[string, []int]
	take := adding(&other, "a", 1)(t.Context(), 0)
	other.For("b")
	if take(); *other.For("b") != nil {
		t.Error("a piece adds to another key than its own")
	}
	late := adding(&c, "a", 3)
	if got := *c.For("b"); got != nil {
		t.Errorf("of another key %v is known", got)
	}
	late(t.Context(), 0)()
	c.For("a")
	late(t.Context(), 0)()
	if got := *c.Last(); got != nil {
		t.Errorf("%v was found for a key that was not asked for", got)
	}
}

// Asking for another key cancels the running piece.
func TestCacheEndsItsPiece(t *testing.T) {
	var c Cache[string, int]
	piece := c.Seek("a", func(ctx context.Context) (int, error) {
		c.For("b")
		<-ctx.Done()
		return 1, ctx.Err()
	})
	if piece(t.Context(), 0)(); c.Found("a") != nil {
		t.Error("what was ended is found")
	}
}

// A value is found once; a failed computation is not tried again.
func TestCacheComesToRest(t *testing.T) {
	var c Cache[string, int]
	find := func(err error) func(context.Context) (int, error) {
		return func(context.Context) (int, error) { return 7, err }
	}
	if c.Seek("a", find(nil))(t.Context(), 0)(); c.Found("a") == nil || *c.Found("a") != 7 ||
		c.Seek("a", find(nil)) != nil {
		t.Error("it does not come to rest when it is found")
	}
	if c.Seek("b", find(errors.New("no")))(t.Context(), 0)(); c.Found("b") != nil || c.Seek("b", find(nil)) != nil {
		t.Error("it does not come to rest when it cannot be computed")
	}
}

// The result for one key is not used for the next one.
func TestCacheFindsForItsKey(t *testing.T) {
	var c Cache[string, int]
	take := c.Seek("a", func(context.Context) (int, error) { return 7, nil })(t.Context(), 0)
	c.For("b")
	if take(); c.Found("b") != nil {
		t.Error("what belongs to another key is found")
	}
}

// Values of keys other than the current one can be collected.
func TestCacheLetsGo(t *testing.T) {
	var c Cache[*[64]int, *[64]int]
	key := new([64]int)
	c.Look(key, func() *[64]int { return key })
	old := weak.Make(key)
	key = nil
	c.For(nil)
	if runtime.GC(); old.Value() != nil {
		t.Error("the key of before is kept")
	}
	runtime.KeepAlive(&c)
}
