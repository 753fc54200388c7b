package suda

import (
	"context"
	"math/bits"
	"runtime"

	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// uniques has the MSUs of each key: sets of variables, grouped by key in no particular order.
type uniques struct {
	sets  []uint64
	start []int // per key pattern
	end   []int
}

// of returns the MSUs of a key.
func (u *uniques) of(key int) []uint64 { return u.sets[u.start[key]:u.end[key]] }

// gather groups the found sets by key, drops sets that contain another one of the same key, and maps places to
// variables.
func (s *search) gather(ctx context.Context, keys int, lists [][]uniqueSet) (*uniques, error) {
	u := &uniques{start: make([]int, keys+1), end: make([]int, keys)}
	for _, list := range lists {
		for i := range list {
			u.start[list[i].key+1]++
		}
	}
	for key := range keys {
		u.start[key+1] += u.start[key]
	}
	copy(u.end, u.start)
	u.sets = make([]uint64, u.start[keys])
	for _, list := range lists {
		for i := range list {
			key := list[i].key
			u.sets[u.end[key]] = list[i].set
			u.end[key]++
		}
	}
	workers := parallel.Workers(keys, runtime.GOMAXPROCS(0))
	byLowest := make([][64][]uint64, max(workers, 1))
	err := parallel.Blocks(ctx, keys, workers, func(worker, from, to int) {
		for key := from; key < to; key++ {
			u.end[key] = u.start[key] + s.least(u.of(key), &byLowest[worker])
		}
	})
	return u, err
}

// least keeps the minimal sets of ascending sets, converts them to sets of variables, and returns their number. A
// set comes after its subsets and has the same lowest place, because without it the key is not unique. byLowest is
// a buffer for the sets by lowest place.
func (s *search) least(sets []uint64, byLowest *[64][]uint64) int {
	for place := range s.places {
		byLowest[place] = byLowest[place][:0]
	}
	kept := 0
	for _, set := range sets {
		others := &byLowest[bits.TrailingZeros64(set)]
		if !holdsAny(set, *others) {
			*others = append(*others, set)
			sets[kept] = set
			kept++
		}
	}
	for i, set := range sets[:kept] {
		sets[i] = 0
		for ; set != 0; set &= set - 1 {
			sets[i] |= 1 << s.places[bits.TrailingZeros64(set)]
		}
	}
	return kept
}

func holdsAny(set uint64, others []uint64) bool {
	for _, other := range others {
		if set&other == other {
			return true
		}
	}
	return false
}
