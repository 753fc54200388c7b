package keys

import (
	"context"
	"math/bits"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// patterns groups keys by the set of variables that are missing.
type patterns struct {
	sets  []uint64 // the sets that occur, in ascending order; bit j for variable j
	start []int    // keys[start[p]:start[p+1]] are the keys of pattern p, ascending
	keys  []uint32
	of    []uint32 // pattern by key
	codes []uint64 // packed codes in the order of keys
}

// len returns the number of patterns.
func (p *patterns) len() int { return len(p.sets) }

// size returns the number of distinct keys of a pattern.
func (p *patterns) size(pattern int) int { return p.start[pattern+1] - p.start[pattern] }

// completeness tests packed codes for missing values, a word at a time.
type completeness struct{ low, high []uint64 }

func (l *layout) completeness() (c completeness, possible bool) {
	c = completeness{make([]uint64, l.words()), make([]uint64, l.words())}
	for j := range l.fields {
		f := &l.fields[j]
		if f.mask == 0 {
			return c, false
		}
		top := uint64(1) << (63 - bits.LeadingZeros64(f.mask))
		c.high[f.word] |= top
		c.low[f.word] |= f.mask &^ top
	}
	return c, true
}

// complete reports whether no field of the code is 0: adding the lower bits of
// the mask carries into a field's top bit unless all lower bits are 0.
func (c *completeness) complete(packed []uint64) bool {
	for w, low := range c.low {
		if (packed[w]&low+low|packed[w])&c.high[w] != c.high[w] {
			return false
		}
	}
	return true
}

// makePatterns groups the keys of the table.
func (t *Table) makePatterns(ctx context.Context) (*patterns, error) {
	p := &patterns{of: make([]uint32, t.Keys())}
	test, possible := t.layout.completeness()
	all, words := ^uint64(0)>>(64-t.Variables()), t.layout.words()
	found, last, number := newIndex(0), uint64(0), uint32(0)
	err := parallel.Blocks(ctx, t.Keys(), 1, func(_, from, to int) {
		for key := from; key < to; key++ {
			packed, set := t.codes[key*words:key*words+words], uint64(0)
			if !possible || !test.complete(packed) {
				set = t.layout.missing(packed, all)
			}
			if set != last || key == 0 {
				last, number = set, found.insert(set)
			}
			p.of[key] = number
		}
	})
	if err != nil {
		return nil, err
	}
	sets, rank := found.ranks()
	p.sets = sets
	return p, p.arrange(ctx, t, rank)
}

// arrange renumbers the patterns by rank and sorts the keys by pattern.
func (p *patterns) arrange(ctx context.Context, t *Table, rank []uint32) error {
	p.start = make([]int, p.len()+1)
	for key, first := range p.of {
		p.of[key] = rank[first]
		p.start[rank[first]+1]++
	}
	for i := range p.len() {
		p.start[i+1] += p.start[i]
	}
	words, next := t.layout.words(), slices.Clone(p.start)
	p.keys, p.codes = make([]uint32, t.Keys()), make([]uint64, len(t.codes))
	return parallel.Blocks(ctx, t.Keys(), 1, func(_, from, to int) {
		for key := from; key < to; key++ {
			at := next[p.of[key]]
			next[p.of[key]]++
			p.keys[at] = uint32(key)
			for word := range words {
				p.codes[at*words+word] = t.codes[key*words+word]
			}
		}
	})
}
