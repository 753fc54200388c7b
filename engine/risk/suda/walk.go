package suda

import (
	"context"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// groups are keys that agree on a set of variables, stored group by group.
type groups struct {
	keys []uint32
	ends []int // end of each group
}

// each calls visit for each group.
func (g *groups) each(visit func(group []uint32)) {
	from := 0
	for _, to := range g.ends {
		visit(g.keys[from:to])
		from = to
	}
}

// walker searches one group of keys at a time, so that its data stay in the cache.
type walker struct {
	*search
	ctx    context.Context
	stop   bool
	work   int      // keys visited since the context was checked
	depths []groups // per number of variables
	size   []uint32 // per code: number of keys, then index of the next one
	marked []uint32 // per code: number of keys with one record
	codes  []uint32 // codes that occur in the group
	found  []uniqueSet
	small  small
	last   []uint32 // per key: the last set found, from 1; 0: none
}

func newWalker(ctx context.Context, s *search, keys int) *walker {
	most := slices.Max(s.levels) + 1
	return &walker{search: s, ctx: ctx, depths: make([]groups, len(s.places)+1),
		size: make([]uint32, most), marked: make([]uint32, most), last: make([]uint32, keys)}
}

// take returns the sets found and resets the list.
func (w *walker) take() []uniqueSet {
	list := slices.Clone(w.found)
	for i := range list {
		w.last[list[i].key] = 0
	}
	w.found = w.found[:0]
	w.number.Add(int64(len(list)))
	return list
}

// extend searches the supersets of set with place and lower places, for a group of keys that agree on set.
func (w *walker) extend(group []uint32, set uint64, place, size int) {
	set |= 1 << place
	size++
	if size == w.most {
		w.finish(group, set, place)
		return
	}
	into := &w.depths[size]
	w.part(group, into, set, place, size)
	from := 0
	for _, to := range into.ends {
		for below := range place {
			if w.stop {
				return
			}
			w.extend(into.keys[from:to], set, below, size)
		}
		from = to
	}
}

// count counts visited keys and checks the context from time to time.
func (w *walker) count(keys int) {
	if w.work += keys; w.work >= parallel.Block {
		w.work = 0
		w.stop = w.stop || w.ctx.Err() != nil || w.number.Load()+int64(len(w.found)) > mostFound
	}
}

// part partitions a group by the variable at a place, the lowest of set. It notes unique keys and keeps the groups
// needed for larger sets.
func (w *walker) part(group []uint32, into *groups, set uint64, place, size int) {
	w.count(len(group))
	codes, step := w.at(place, len(group))
	for _, entry := range group {
		code := codes[int(entry&^alone)*step]
		if w.size[code] == 0 {
			w.codes = append(w.codes, code)
		}
		w.size[code]++
		w.marked[code] += entry >> 31
	}
	end := 0
	into.ends = into.ends[:0]
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
	into.keys = slices.Grow(into.keys[:0], end)[:end]
	for _, entry := range group {
		code := codes[int(entry&^alone)*step]
		switch at := w.size[code]; at {
		case ends:
		case single:
			w.note(entry&^alone, set)
		default:
			into.keys[at] = entry
			w.size[code]++
		}
	}
	for _, code := range w.codes {
		w.size[code] = 0
	}
	w.codes = w.codes[:0]
	if size < w.most {
		w.removeSmall(into, set, place, size)
	}
}

// Values of size instead of an index: the keys with this code leave the search, or there is only one and it is
// unique.
const (
	ends   = 1<<32 - 1
	single = 1<<32 - 2
)

// fewCodes is the number of codes for which a bit set determines those that occur once.
const fewCodes = 64

// finish notes the keys of a group that are unique by the variable at a place, for sets of the maximum size.
func (w *walker) finish(group []uint32, set uint64, place int) {
	w.count(len(group))
	if w.levels[place] >= fewCodes {
		w.part(group, &w.depths[w.most], set, place, w.most)
		return
	}
	once, more := uint64(0), uint64(1) // a missing value is never unique
	codes, step := w.at(place, len(group))
	for _, entry := range group {
		bit := uint64(1) << (codes[int(entry&^alone)*step] & (fewCodes - 1))
		more |= once & bit
		once |= bit
	}
	if once &^= more; once == 0 {
		return
	}
	for _, entry := range group {
		if entry >= alone && once>>codes[int(entry&^alone)*step]&1 == 1 {
			w.note(entry&^alone, set)
		}
	}
}

// note stores a set on which a key is unique, unless it contains another such set.
func (w *walker) note(key uint32, set uint64) {
	for at := w.last[key]; at != 0; {
		other := &w.found[at-1]
		if other.set&set == other.set {
			return
		}
		at = other.next
	}
	w.found = append(w.found, uniqueSet{set, key, w.last[key]})
	w.last[key] = uint32(len(w.found))
}
