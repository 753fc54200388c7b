package keys

import (
	"context"
	"sync/atomic"
)

// Compatible holds for each distinct key the records of other keys that are
// compatible with it. Of a complete key only incomplete records can be.
type Compatible struct {
	Complete, Incomplete           []int64 // records without and with missing values
	completeUnits, incompleteUnits []int64 // their weights in units
}

// Compatible returns the records compatible with each key. It is computed when
// first asked for: pairs of patterns of missing variables are joined on the
// variables that neither misses. Pairs of records are never formed.
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

// sum is a number of records and their weight in units.
type sum struct {
	count int64
	units int64
}

func (s *sum) add(count int64, units int64) {
	s.count += count
	s.units += units
}

// column is where sums of records without, or with, missing values are added.
type column struct {
	count []int64
	units []int64
}

func (c *Compatible) complete() column   { return column{c.Complete, c.completeUnits} }
func (c *Compatible) incomplete() column { return column{c.Incomplete, c.incompleteUnits} }

// column returns where compatible records of the given pattern belong.
func (c *Compatible) column(p *patterns, pattern int) column {
	if p.sets[pattern] == 0 {
		return c.complete()
	}
	return c.incomplete()
}

// addAtomic adds to a key that other goroutines may add to as well: sums of
// whole numbers do not depend on the order.
func (c column) addAtomic(key uint32, s sum) {
	atomic.AddInt64(&c.count[key], s.count)
	atomic.AddInt64(&c.units[key], s.units)
}
