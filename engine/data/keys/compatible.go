package keys

import (
	"context"
	"sync/atomic"
)

// Compatible holds, by key, the records of other keys that are compatible with it. For a complete key these are
// all incomplete.
type Compatible struct {
	Complete, Incomplete           []int64 // complete and incomplete records
	completeUnits, incompleteUnits []int64 // their weights in units
}

// Compatible returns the records compatible with each key. It is computed on first use, by joining each pair of
// missing-value patterns on the variables that are present in both. Pairs of records are never formed.
func (t *Table) Compatible(ctx context.Context) (*Compatible, error) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if t.compatible != nil {
		return t.compatible, nil
	}
	groups, err := t.makePatterns(ctx)
	if err != nil {
		return nil, err
	}
	n := t.Keys()
	c := &Compatible{make([]int64, n), make([]int64, n), make([]int64, n), make([]int64, n)}
	if groups.len() > 1 {
		if err := t.join(ctx, groups, c); err != nil {
			return nil, err
		}
	}
	t.groups, t.compatible = groups, c
	return c, nil
}

// sum is a number of records and the sum of their weights in units.
type sum struct {
	count int64
	units int64
}

func (s *sum) add(count int64, units int64) {
	s.count += count
	s.units += units
}

// column refers to the sums of complete or incomplete records.
type column struct {
	count []int64
	units []int64
}

func (c *Compatible) complete() column   { return column{c.Complete, c.completeUnits} }
func (c *Compatible) incomplete() column { return column{c.Incomplete, c.incompleteUnits} }

// column returns the sums to which records of the given pattern are added.
func (c *Compatible) column(p *patterns, pattern int) column {
	if p.sets[pattern] == 0 {
		return c.complete()
	}
	return c.incomplete()
}

// addAtomic adds to the sum of a key, concurrently with other goroutines: sums of integers do not depend on the
// order.
func (c column) addAtomic(key uint32, s sum) {
	atomic.AddInt64(&c.count[key], s.count)
	atomic.AddInt64(&c.units[key], s.units)
}
