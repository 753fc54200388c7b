package plan

import (
	"math"
	"math/bits"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/data/keys"
)

// estimator says for groupings of the key variables about how many cells
// k-anonymity would take: the bound of package suppress, counted up to two cells
// a record. It is a figure to search by; what is shown is computed by package
// suppress itself. It goes by distinct keys and touches no record. Keys are told
// apart by sums of 64-bit numbers, one for each variable and group, from which a
// variable is left out by a subtraction.
type estimator struct {
	codes    [][]uint32 // codes[variable][key]; variables beyond the key variables define strata
	counts   []int
	missing  []uint64 // per key: the variables without a value that may stand for any; 0 where missing is a category
	patterns []uint64 // the different sets of these, ascending
	blanked  int      // variables of which cells can be blanked: the first ones
	k        int
}

// newEstimator returns the estimator of a key table. Where identical is true only
// records with the identical key protect each other: missing is a category.
func newEstimator(t *keys.Table, blanked, k int, identical bool) *estimator {
	g := t.Groups()
	e := &estimator{codes: g.Codes, counts: g.Counts, missing: make([]uint64, len(g.Counts)), blanked: blanked,
		k: k}
	if !identical {
		for v := range blanked {
			for key, code := range g.Codes[v] {
				if code == 0 {
					e.missing[key] |= 1 << v
				}
			}
		}
	}
	seen := map[uint64]bool{}
	if blanked < 64 {
		seen[1<<blanked-1] = true // a record without any value is like all
	}
	for _, set := range e.missing {
		if !seen[set] {
			seen[set] = true
			e.patterns = append(e.patterns, set)
		}
	}
	return e
}

// estimate is what an estimator finds.
type estimate struct {
	violators int // records that violate k
	cells     int // about so many cells end that; 0 only where there is no violator
	work      int // keys that were gone through

	second float64 // of the records for which one cell is not enough, the part for which two are not
}

// each returns the cells by violator.
func (e estimate) each() float64 {
	if e.violators == 0 {
		return 1
	}
	return float64(e.cells) / float64(e.violators)
}

// view holds the distinct keys that are left where all variables but one are
// grouped; what a grouping of that one gives follows from them.
type view struct {
	variable int
	sums     []uint64 // per distinct key: the sum over the other variables
	codes    []uint32 // its code of the variable
	sets     []uint64 // the variables it misses
	counts   []int
	keys     []uint32   // one of its keys
	marks    [][]uint64 // per other variable and code
	all      []uint32   // the places of the distinct keys
	byCode   [][]uint32 // the same by code of the variable
	work     int
}

// workspace is the memory of one goroutine for estimates.
type workspace struct {
	sums   []uint64 // per distinct key: the sum over its variables
	sets   []uint64 // the variables it misses
	counts []int
	first  []uint32   // its first place in the view
	marks  [][]uint64 // per variable: the number of its group
	places []uint32
	distinct,
	wanted table
	work int
}

// view returns the distinct keys where the codes of all variables but one are
// grouped.
func (e *estimator) view(w *workspace, groupings [][]uint32, variable int) *view {
	sums := make([]uint64, len(e.counts))
	out := &view{variable: variable, marks: make([][]uint64, len(e.codes)), work: len(sums)}
	for v, codes := range e.codes {
		if v == variable {
			continue
		}
		own := marksOf(v, groupings[v])
		out.marks[v] = own
		for key, code := range codes {
			sums[key] += own[code]
		}
	}
	w.distinct.reset(len(sums))
	for key, sum := range sums {
		code := e.codes[variable][key]
		slot := w.distinct.place(sum + mark(variable, code))
		if !w.distinct.taken(slot) {
			w.distinct.put(slot, sum+mark(variable, code), uint32(len(out.sums)))
			out.sums, out.codes, out.sets = append(out.sums, sum), append(out.codes, code), append(out.sets, e.missing[key])
			out.counts, out.keys = append(out.counts, 0), append(out.keys, uint32(key))
		}
		out.counts[w.distinct.slots[slot].value] += e.counts[key]
	}
	out.byCode = make([][]uint32, len(groupings[variable]))
	for place, code := range out.codes {
		out.all = append(out.all, uint32(place))
		out.byCode[code] = append(out.byCode[code], uint32(place))
	}
	return out
}

// violators returns the records that violate k where the view's variable is
// grouped, only those of some places of the view, which are all keys of some of
// the groups or miss the variable; nil places are all.
func (e *estimator) violators(w *workspace, from *view, of []uint32, places []uint32) (records int) {
	e.regroup(w, from, of, places)
	for _, pattern := range e.patterns {
		records += w.records(e.violating(w, from, pattern))
	}
	return records
}

// violatorsByGroup returns the records that violate k by the group that they are
// in, 0 for those that miss the variable.
func (e *estimator) violatorsByGroup(w *workspace, from *view, g *grouping) []int {
	e.regroup(w, from, g.of, nil)
	records := make([]int, g.groups+1)
	for _, pattern := range e.patterns {
		for _, key := range e.violating(w, from, pattern) {
			records[g.of[from.codes[w.first[key]]]] += w.counts[key]
		}
	}
	return records
}

// change is a grouping of a view's variable and what is counted of the one before.
type change struct {
	was     *grouping
	byGroup []int // violators
	all     int
}

// after returns the violators after a change of the grouping. Only groups that are
// not the same before and after are counted anew: keys of others are compatible
// with none of theirs, and those that miss the variable are compared without it.
func (c *change) after(e *estimator, w *workspace, from *view, of []uint32) estimate {
	w.work = 0
	changed := changedGroups(c.was, of)
	out := estimate{violators: c.all}
	places := w.places[:0]
	for code, group := range c.was.of {
		if group != 0 && changed[group] {
			places = append(places, from.byCode[code]...)
		}
	}
	w.places = places
	for group, is := range changed {
		if is {
			out.violators -= c.byGroup[group]
		}
	}
	if len(places) > 0 {
		out.violators += e.violators(w, from, of, places)
	}
	out.cells, out.work = out.violators, w.work
	return out
}

// changedGroups reports which groups have other members in another grouping.
func changedGroups(was *grouping, of []uint32) []bool {
	changed := make([]bool, was.groups+1)
	into, back := make([]uint32, was.groups+1), make([]uint32, len(of)+1)
	for code, group := range was.of {
		if group == 0 {
			continue
		}
		to := of[code]
		if into[group] == 0 {
			into[group] = to
		}
		if back[to] == 0 {
			back[to] = group
		}
		if into[group] != to || back[to] != group {
			changed[group], changed[back[to]] = true, true
		}
	}
	return changed
}

// estimate estimates the cells where the view's variable is grouped. second is
// the part of the records for which one cell is not enough that is taken to need
// more than two; below 0 it is counted.
func (e *estimator) estimate(w *workspace, from *view, of []uint32, second float64) estimate {
	w.work = 0
	e.regroup(w, from, of, nil)
	out := estimate{}
	ones, twos := 0, 0 // records for which so many cells are not enough
	for _, pattern := range e.patterns {
		open := e.violating(w, from, pattern)
		out.violators += w.records(open)
		open = e.open(w, from, open, pattern, 1)
		ones += w.records(open)
		if second < 0 {
			twos += w.records(e.open(w, from, open, pattern, 2))
		}
	}
	if second < 0 {
		second = 0
		if ones > 0 {
			second = float64(twos) / float64(ones)
		}
	}
	out.second = second
	out.cells = out.violators + ones + int(math.Round(float64(ones)*second))
	out.work = w.work
	return out
}

// regroup sets the distinct keys of some places of a view, nil: all, after a
// grouping of its variable.
func (e *estimator) regroup(w *workspace, from *view, of []uint32, places []uint32) {
	if places == nil {
		places = from.all
	}
	own := marksOf(from.variable, of)
	w.sums, w.sets, w.counts, w.first = w.sums[:0], w.sets[:0], w.counts[:0], w.first[:0]
	w.distinct.reset(len(places))
	for _, i := range places {
		sum := from.sums[i] + own[from.codes[i]]
		slot := w.distinct.place(sum)
		if !w.distinct.taken(slot) {
			w.distinct.put(slot, sum, uint32(len(w.sums)))
			w.sums, w.sets = append(w.sums, sum), append(w.sets, from.sets[i])
			w.counts, w.first = append(w.counts, 0), append(w.first, i)
		}
		w.counts[w.distinct.slots[slot].value] += from.counts[i]
	}
	w.work += len(places)
	if w.marks == nil {
		w.marks = make([][]uint64, len(e.codes))
	}
	for v := range w.marks {
		w.marks[v] = w.marks[v][:0]
	}
	w.marks[from.variable] = slices.Grow(w.marks[from.variable], len(w.first))
	for _, i := range w.first {
		w.marks[from.variable] = append(w.marks[from.variable], own[from.codes[i]])
	}
}

// mark makes the numbers of the groups of a variable, of which keys are to be
// compared without it.
func (e *estimator) mark(w *workspace, from *view, variable int) {
	if len(w.marks[variable]) > 0 {
		return
	}
	codes, own := e.codes[variable], from.marks[variable]
	w.marks[variable] = slices.Grow(w.marks[variable], len(w.first))
	for _, i := range w.first {
		w.marks[variable] = append(w.marks[variable], own[codes[from.keys[i]]])
	}
}

// violating returns the distinct keys that miss a set of variables and violate k:
// too few records have the identical key or are complete and agree with it.
func (e *estimator) violating(w *workspace, from *view, pattern uint64) []uint32 {
	var few []uint32
	for key, count := range w.counts {
		if w.sets[key] == pattern && count < e.k {
			few = append(few, uint32(key))
		}
	}
	if pattern == 0 || len(few) == 0 {
		return few
	}
	return e.tooFew(w, from, few, pattern, 0)
}

// open returns the keys among those of a pattern that stay alone whichever so
// many more variables they lose.
func (e *estimator) open(w *workspace, from *view, keys []uint32, pattern uint64, size int) []uint32 {
	if len(keys) == 0 {
		return nil
	}
	var choose func(set uint64, first, left int)
	choose = func(set uint64, first, left int) {
		if left == 0 && len(keys) > 0 {
			keys = e.tooFew(w, from, keys, set, set)
			return
		}
		for v := first; v < e.blanked && left > 0; v++ {
			if pattern>>v&1 == 0 {
				choose(set|1<<v, v+1, left-1)
			}
		}
	}
	choose(pattern, 0, size)
	return keys
}

// tooFew returns those of some keys with which, besides the variables of a set,
// fewer than k records agree, of those that miss no variable outside may, and the
// key's own.
func (e *estimator) tooFew(w *workspace, from *view, keys []uint32, set, may uint64) []uint32 {
	for rest := set; rest != 0; rest &= rest - 1 {
		e.mark(w, from, bits.TrailingZeros64(rest))
	}
	w.wanted.reset(len(keys))
	for _, key := range keys {
		sum := w.without(int(key), set)
		if slot := w.wanted.place(sum); !w.wanted.taken(slot) {
			w.wanted.put(slot, sum, 0)
		}
	}
	for key, missing := range w.sets {
		if missing&^may != 0 {
			continue
		}
		if slot := w.wanted.place(w.without(key, set)); w.wanted.taken(slot) {
			agreeing := &w.wanted.slots[slot].value
			*agreeing = uint32(min(int(*agreeing)+w.counts[key], e.k, math.MaxUint32)) // beyond k no more is told
		}
	}
	w.work += len(w.counts)
	few := keys[:0]
	for _, key := range keys {
		found := int(w.wanted.slots[w.wanted.place(w.without(int(key), set))].value)
		if w.sets[key]&^may != 0 {
			found += w.counts[key]
		}
		if found < e.k {
			few = append(few, key)
		}
	}
	return few
}

// without returns the sum of a key's variables that are not in a set.
func (w *workspace) without(key int, set uint64) uint64 {
	sum := w.sums[key]
	for ; set != 0; set &= set - 1 {
		sum -= w.marks[bits.TrailingZeros64(set)][key]
	}
	return sum
}

// records returns the number of records of some distinct keys.
func (w *workspace) records(keys []uint32) int {
	records := 0
	for _, key := range keys {
		records += w.counts[key]
	}
	return records
}
