package keys

import (
	"context"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// patterns groups the distinct keys by the set of variables that are missing.
type patterns struct {
	sets  []uint64 // the sets that occur, ascending; bit j: variable j is missing
	start []int    // keys[start[p]:start[p+1]] are those of pattern p, ascending
	keys  []uint32
	of    []uint32 // pattern per key
	codes []uint64 // packed codes in the order of keys
}

// len returns the number of patterns.
func (p *patterns) len() int { return len(p.sets) }

// size returns the number of distinct keys of a pattern.
func (p *patterns) size(pattern int) int { return p.start[pattern+1] - p.start[pattern] }

// makePatterns groups the keys of the table.
func (t *Table) makePatterns(ctx context.Context) (*patterns, error) {
	p := &patterns{of: make([]uint32, t.Keys())}
	all, words := ^uint64(0)>>(64-t.Variables()), t.layout.words()
	found := newIndex(0)
	err := parallel.Blocks(ctx, t.Keys(), 1, func(_, from, to int) {
		for key := from; key < to; key++ {
			p.of[key] = found.insert(t.layout.missing(t.codes[key*words:], all))
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
			copy(p.codes[at*words:at*words+words], t.codes[key*words:])
		}
	})
}
