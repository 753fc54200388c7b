package keys_test

import (
	"context"
	"sync"
)

// countdown is a context that ends after a number of checks.
type countdown struct {
	context.Context
	mutex sync.Mutex
	left  int
}

func (c *countdown) Err() error {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

func (c *countdown) ended() bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.left < 0
}
