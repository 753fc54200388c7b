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
var ErrTooMany = errors.New("there are more minimal sample uniques than can be kept: choose a smaller size, or fewer key variables")

// mostFound is the number of MSUs that are kept at most.
const mostFound = 1 << 26

// alone marks, in lists of keys, those with one record: only they can be unique.
const alone = 1 << 31

// groups are keys that agree on a set of variables, those of a group together.
type groups struct {
	keys []uint32
	ends []int // of each group
}

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
// sets come in ascending order, a set after those it holds.
type search struct {
	codes  [][]uint32 // per place, of each key
	levels []int      // per place
	places []int      // the variable at each place
	most   int
	number atomic.Int64 // of what was found
}

func newSearch(t *keys.Table, most int) *search {
	s := &search{most: most}
	for v := range t.Variables() {
		s.places = append(s.places, v)
	}
	slices.SortStableFunc(s.places, func(a, b int) int { return cmp.Compare(t.Levels(a), t.Levels(b)) })
	for _, v := range s.places {
		s.codes = append(s.codes, t.Codes(v))
		s.levels = append(s.levels, t.Levels(v))
	}
	return s
}

// part is a task: the sets whose highest places are first and second.
type part struct{ first, second int }

// run returns what is found, part after part in ascending order of the sets.
func (s *search) run(ctx context.Context, counts []uint32, meter *progress.Meter) ([][]found, error) {
	root := groups{ends: []int{len(counts)}}
	for key, count := range counts {
		entry := uint32(key)
		if count == 1 {
			entry |= alone
		}
		root.keys = append(root.keys, entry)
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
		one[first] = groups{}
		w.part(&root, &one[first], 1<<first, first, 1)
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
		w.extend(&one[p.first], 1<<p.first, p.second, 1)
		lists[at(p.first)+1+p.second] = w.take()
		meter.Add(1)
	})
	if err == nil && s.number.Load() > mostFound {
		err = ErrTooMany
	}
	return lists, err
}

// walker goes through sets one after the other.
type walker struct {
	*search
	ctx    context.Context
	stop   bool
	work   int      // keys looked at since the context was
	depths []groups // per number of variables
	size   []uint32 // per code: keys of the part, then the place of the next one
	marked []uint32 // per code: keys of the part with one record
	codes  []uint32 // that occur in the group
	found  []found
	small  small
	last   []uint32 // per key: the last one found, from 1; 0: none
}

func newWalker(ctx context.Context, s *search, keys int) *walker {
	most := slices.Max(s.levels) + 1
	return &walker{search: s, ctx: ctx, depths: make([]groups, len(s.places)+1),
		size: make([]uint32, most), marked: make([]uint32, most), last: make([]uint32, keys)}
}

// take returns what was found and begins anew.
func (w *walker) take() []found {
	list := slices.Clone(w.found)
	for i := range list {
		w.last[list[i].key] = 0
	}
	w.found = w.found[:0]
	w.number.Add(int64(len(list)))
	return list
}

// extend goes through the sets that hold set, place, and others below it.
func (w *walker) extend(of *groups, set uint64, place, size int) {
	set |= 1 << place
	size++
	into := &w.depths[size]
	w.part(of, into, set, place, size)
	if size == w.most || len(into.keys) == 0 {
		return
	}
	for below := range place {
		if w.stop {
			return
		}
		w.extend(into, set, below, size)
	}
}

// part parts groups by the variable at a place, the lowest of set: those that
// matter for larger sets remain. What is unique is noted.
func (w *walker) part(of, into *groups, set uint64, place, size int) {
	into.keys, into.ends = into.keys[:0], into.ends[:0]
	codes := w.search.codes[place]
	from := 0
	for _, to := range of.ends {
		w.partGroup(of.keys[from:to], codes, into, set)
		from = to
	}
	if size < w.most {
		w.settle(into, set, place, size)
	}
	if w.work += len(of.keys); w.work >= parallel.Block {
		w.work = 0
		w.stop = w.stop || w.ctx.Err() != nil || w.number.Load()+int64(len(w.found)) > mostFound
	}
}

func (w *walker) partGroup(group, codes []uint32, into *groups, set uint64) {
	for _, entry := range group {
		code := codes[entry&^alone]
		if w.size[code] == 0 {
			w.codes = append(w.codes, code)
		}
		w.size[code]++
		w.marked[code] += entry >> 31
	}
	end := len(into.keys)
	for _, code := range w.codes {
		n, marked := w.size[code], w.marked[code]
		w.marked[code] = 0
		switch {
		case code == 0 || marked == 0:
			w.size[code] = ends
		case n == 1:
			w.size[code] = single
		default:
			w.size[code] = uint32(end)
			end += int(n)
			into.ends = append(into.ends, end)
		}
	}
	into.keys = slices.Grow(into.keys, end-len(into.keys))
	kept := into.keys[:end]
	for _, entry := range group {
		code := codes[entry&^alone]
		switch at := w.size[code]; at {
		case ends:
		case single:
			w.note(entry&^alone, set)
		default:
			kept[at] = entry
			w.size[code]++
		}
	}
	for _, code := range w.codes {
		w.size[code] = 0
	}
	w.codes = w.codes[:0]
	into.keys = kept
}

// What becomes of the keys with a code instead of the place of the next one: they
// leave the search, or the only one is unique.
const (
	ends   = 1<<32 - 1
	single = 1<<32 - 2
)

// note keeps a set on which a key is unique, unless it holds another.
func (w *walker) note(key uint32, set uint64) {
	for at := w.last[key]; at != 0; {
		other := &w.found[at-1]
		if other.set&set == other.set {
			return
		}
		at = other.next
	}
	w.found = append(w.found, found{set, key, w.last[key]})
	w.last[key] = uint32(len(w.found))
}
