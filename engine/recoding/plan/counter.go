package plan

import (
	"math"
	"math/bits"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/data/keys"
)

// counter counts the violators of k where the categories of the key variables are
// grouped. It goes by distinct keys and touches no record. Keys are told apart by sums of
// 64-bit numbers, one for each variable and group, from which a variable is left out by a
// subtraction.
type counter struct {
	codes    [][]uint32 // codes[variable][key]; variables beyond the key variables define strata
	counts   []int
	missing  []uint64 // per key: the variables without a value that may stand for any; 0 where missing is a category
	patterns []uint64 // the different sets of these
	k        int
}

// newCounter returns the counter of a key table, whose first variables are the key
// variables. Where identical is true only records with the identical key protect each
// other: missing is a category.
func newCounter(t *keys.Table, keyVariables, k int, identical bool) *counter {
	g := t.Groups()
	c := &counter{codes: g.Codes, counts: g.Counts, missing: make([]uint64, len(g.Counts)), k: k}
	if !identical {
		for v := range keyVariables {
			for key, code := range g.Codes[v] {
				if code == 0 {
					c.missing[key] |= 1 << v
				}
			}
		}
	}
	c.patterns = slices.Compact(slices.Sorted(slices.Values(c.missing)))
	return c
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
}

// workspace is the memory of one goroutine for counts.
type workspace struct {
	sums   []uint64 // per distinct key: the sum over its variables
	sets   []uint64 // the variables it misses
	counts []int
	first  []uint32   // its first place in the view
	marks  [][]uint64 // per variable: the number of its group
	places []uint32
	distinct,
	wanted table
	work int // keys that were gone through
}

// view returns the distinct keys where the codes of all variables but one are
// grouped.
func (c *counter) view(w *workspace, groupings [][]uint32, variable int) *view {
	sums := make([]uint64, len(c.counts))
	out := &view{variable: variable, marks: make([][]uint64, len(c.codes))}
	w.work += len(sums)
	for v, codes := range c.codes {
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
		code := c.codes[variable][key]
		slot := w.distinct.place(sum + mark(variable, code))
		if !w.distinct.taken(slot) {
			w.distinct.put(slot, sum+mark(variable, code), uint32(len(out.sums)))
			out.sums, out.codes, out.sets = append(out.sums, sum), append(out.codes, code), append(out.sets, c.missing[key])
			out.counts, out.keys = append(out.counts, 0), append(out.keys, uint32(key))
		}
		out.counts[w.distinct.slots[slot].value] += c.counts[key]
	}
	out.byCode = make([][]uint32, len(groupings[variable]))
	for place, code := range out.codes {
		out.all = append(out.all, uint32(place))
		out.byCode[code] = append(out.byCode[code], uint32(place))
	}
	return out
}

// violators are the records that violate k under a grouping of a view's variable.
type violators struct {
	was     *grouping
	byGroup []int // 0: those that miss the variable
	all     int
}

// violators counts the records that violate k where the view's variable is grouped.
func (c *counter) violators(w *workspace, from *view, g *grouping) violators {
	out := violators{was: g, byGroup: make([]int, g.groups+1)}
	c.each(w, from, g.of, from.all, func(key uint32) {
		out.byGroup[g.of[from.codes[w.first[key]]]] += w.counts[key]
		out.all += w.counts[key]
	})
	return out
}

// after returns the violators under another grouping. Only groups that are
// not the same before and after are counted anew: keys of others are compatible
// with none of theirs, and those that miss the variable are compared without it.
func (v *violators) after(c *counter, w *workspace, from *view, of []uint32) int {
	changed := changedGroups(v.was, of)
	w.places = w.places[:0]
	for code, group := range v.was.of {
		if group != 0 && changed[group] {
			w.places = append(w.places, from.byCode[code]...)
		}
	}
	count := v.all
	for group, is := range changed {
		if is {
			count -= v.byGroup[group]
		}
	}
	if len(w.places) > 0 {
		c.each(w, from, of, w.places, func(key uint32) { count += w.counts[key] })
	}
	return count
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

// each calls f for each distinct key of some places of a view that violates k where its
// variable is grouped. The places are all keys of some of the groups, or all.
func (c *counter) each(w *workspace, from *view, of, places []uint32, f func(key uint32)) {
	c.regroup(w, from, of, places)
	for _, pattern := range c.patterns {
		for _, key := range c.violating(w, from, pattern) {
			f(key)
		}
	}
}

// regroup sets the distinct keys of some places of a view after a grouping of its
// variable.
func (c *counter) regroup(w *workspace, from *view, of, places []uint32) {
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
		w.marks = make([][]uint64, len(c.codes))
	}
	for v := range w.marks {
		w.marks[v] = w.marks[v][:0]
	}
	for _, i := range w.first {
		w.marks[from.variable] = append(w.marks[from.variable], own[from.codes[i]])
	}
}

// mark makes the numbers of the groups of a variable, of which keys are to be
// compared without it.
func (c *counter) mark(w *workspace, from *view, variable int) {
	if len(w.marks[variable]) > 0 {
		return
	}
	codes, own := c.codes[variable], from.marks[variable]
	for _, i := range w.first {
		w.marks[variable] = append(w.marks[variable], own[codes[from.keys[i]]])
	}
}

// violating returns the distinct keys that miss a set of variables and violate k:
// too few records have the identical key or are complete and agree with it.
func (c *counter) violating(w *workspace, from *view, pattern uint64) []uint32 {
	var few []uint32
	for key, count := range w.counts {
		if w.sets[key] == pattern && count < c.k {
			few = append(few, uint32(key))
		}
	}
	if pattern == 0 || len(few) == 0 {
		return few
	}
	for rest := pattern; rest != 0; rest &= rest - 1 {
		c.mark(w, from, bits.TrailingZeros64(rest))
	}
	w.wanted.reset(len(few))
	for _, key := range few {
		sum := w.without(int(key), pattern)
		if slot := w.wanted.place(sum); !w.wanted.taken(slot) {
			w.wanted.put(slot, sum, 0)
		}
	}
	for key, missing := range w.sets {
		if missing != 0 {
			continue
		}
		if slot := w.wanted.place(w.without(key, pattern)); w.wanted.taken(slot) {
			agreeing := &w.wanted.slots[slot].value
			*agreeing = uint32(min(int(*agreeing)+w.counts[key], c.k, math.MaxUint32)) // beyond k no more is told
		}
	}
	w.work += len(w.counts)
	return slices.DeleteFunc(few, func(key uint32) bool {
		agreeing := w.wanted.slots[w.wanted.place(w.without(int(key), pattern))].value
		return int(agreeing)+w.counts[key] >= c.k
	})
}

// without returns the sum of a key's variables that are not in a set.
func (w *workspace) without(key int, set uint64) uint64 {
	sum := w.sums[key]
	for ; set != 0; set &= set - 1 {
		sum -= w.marks[bits.TrailingZeros64(set)][key]
	}
	return sum
}
