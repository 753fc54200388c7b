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

// ErrTooMany is the error of a search that finds more than can be kept.
var ErrTooMany = errors.New("too many minimal sample uniques: choose a smaller maximum size or fewer key variables")

// mostFound is the number of MSUs that are kept at most.
const mostFound = 1 << 26

// alone marks, in lists of keys, those with one record: only they can be unique.
const alone = 1 << 31

// found is a set of variables on which a key is unique; next is the one found
// before of the same key, from 1.
type found struct {
	set  uint64
	key  uint32
	next uint32
}

// search goes through the sets of up to most variables. Sets are numbers with a
// bit per place; places are the variables by their number of categories, most of
// them highest. A set is reached from that without its lowest place, so that all
// sets of a key come in ascending order, a set after those it holds.
type search struct {
	columns [][]uint32 // per place, of each key
	codes   []uint32   // by key and place
	present []uint64   // per key, the places with a value
	levels  []int      // per place
	places  []int      // the variable at each place
	most    int
	number  atomic.Int64 // of what was found
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

// manyKeys is the number of keys of a group from which they stand near enough to each other
// in the column of a place.
const manyKeys = 64

// at returns the codes at a place so that those of the keys of a group stand near to each
// other: that of a key stands at the key's number times the step.
func (s *search) at(place, keys int) (codes []uint32, step int) {
	if keys >= manyKeys || keys == 0 {
		return s.columns[place], 1
	}
	return s.codes[place:], len(s.places)
}

// part is a task: the sets whose highest places are first and second.
type part struct{ first, second int }

// run returns what is found, part after part in ascending order of the sets.
func (s *search) run(ctx context.Context, counts []int, meter *progress.Meter) ([][]found, error) {
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
	lists := make([][]found, q+len(parts)) // of first alone, then of each second
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
	// Dearest first: those with the most sets.
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
