package suda

import (
	"cmp"
	"context"
	"errors"
	"runtime"
	"slices"
	"sync/atomic"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// ErrTooMany reports that a search finds more MSUs than it can store.
var ErrTooMany = errors.New("too many minimal sample uniques: choose a smaller maximum size or fewer key variables")

// mostFound is the maximum number of MSUs stored.
const mostFound = 1 << 26

// alone marks key patterns with one record in lists of keys: only they can be unique.
const alone = 1 << 31

// uniqueSet is a set of variables on which a key is unique. next is the previous one of the same key, numbered from 1.
type uniqueSet struct {
	set  uint64
	key  uint32
	next uint32
}

// search goes through the sets of up to most variables. A set has a bit per place; places are the variables in
// ascending order of their number of categories. A set is reached from the set without its lowest place, so the
// sets of a key are found in ascending order, each after its subsets.
type search struct {
	columns [][]uint32 // per place: code of each key
	codes   []uint32   // codes by key, then by place
	present []uint64   // per key: places that are not missing
	levels  []int      // number of levels per place
	places  []int      // variable at each place
	most    int
	number  atomic.Int64 // number of sets found
}

func newSearch(t *keys.Table, most int) *search {
	q := t.Variables()
	s := &search{most: most, codes: make([]uint32, q*t.Keys()), present: make([]uint64, t.Keys())}
	for v := range q {
		s.places = append(s.places, v)
	}
	slices.SortStableFunc(s.places, func(a, b int) int { return cmp.Compare(t.Levels(a), t.Levels(b)) })
	for place, v := range s.places {
		s.columns = append(s.columns, t.Codes(v))
		for key, code := range t.Codes(v) {
			s.codes[key*q+place] = code
			if code != 0 {
				s.present[key] |= 1 << place
			}
		}
		s.levels = append(s.levels, t.Levels(v))
	}
	return s
}

// manyKeys is the number of keys in a group from which reading the column of a place is cache-efficient.
const manyKeys = 64

// at returns the codes at a place in the layout that is faster for a group of keys. The code of key i is at index
// i times step.
func (s *search) at(place, keys int) (codes []uint32, step int) {
	if keys >= manyKeys || keys == 0 {
		return s.columns[place], 1
	}
	return s.codes[place:], len(s.places)
}

// part is a task: the sets whose two highest places are first and second.
type part struct{ first, second int }

// run returns the sets found, in ascending order over all parts.
func (s *search) run(ctx context.Context, counts []int, meter *progress.Meter) ([][]uniqueSet, error) {
	var root []uint32
	for key, count := range counts {
		entry := uint32(key)
		if count == 1 {
			entry |= alone
		}
		root = append(root, entry)
	}
	q := len(s.places)
	walkers := make([]*walker, parallel.Workers(q*len(counts), runtime.GOMAXPROCS(0)))
	for w := range walkers {
		walkers[w] = newWalker(ctx, s, len(counts))
	}
	var parts []part
	for first := range q {
		for second := range first {
			parts = append(parts, part{first, second})
		}
	}
	meter.Start(int64(q + len(parts)))
	one := make([]groups, q)
	lists := make([][]uniqueSet, q+len(parts)) // of first only, then with each second
	at := func(first int) int { return first + first*(first-1)/2 }
	err := parallel.Tasks(ctx, q, len(walkers), func(worker, first int) {
		w := walkers[worker]
		w.part(root, &one[first], 1<<first, first, 1)
		lists[at(first)] = w.take()
		meter.Add(1)
	})
	if err != nil || s.most < 2 {
		return lists, err
	}
	// Largest tasks first: those with the most sets.
	order := slices.SortedStableFunc(slices.Values(parts), func(a, b part) int { return cmp.Compare(b.second, a.second) })
	err = parallel.Tasks(ctx, len(order), len(walkers), func(worker, task int) {
		w, p := walkers[worker], order[task]
		one[p.first].each(func(group []uint32) { w.extend(group, 1<<p.first, p.second, 1) })
		lists[at(p.first)+1+p.second] = w.take()
		meter.Add(1)
	})
	if err == nil && s.number.Load() > mostFound {
		err = ErrTooMany
	}
	return lists, err
}
