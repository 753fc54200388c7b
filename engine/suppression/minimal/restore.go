package minimal

import (
	"context"
	"slices"
)

// restorer gives cells back that the search has blanked without need. Under the conservative and the own-category
// rule a record may be in a group of at least k records or, under the first, in one that a staying key agrees with.
type restorer struct {
	*enumeration
	least   []int64 // per key: the price below which no set can be used
	dearest []int   // variables, dearest first
	groups  *census
	agreed  map[uint64]*groupTable // per set: the groups that staying keys agree with; nil: not known
	room    int                    // for groups in these
	table   groupTable             // reused
}

// maxAgreed bounds the groups of staying keys that are kept, over all sets. Of sets beyond, what staying keys agree
// with is not known, and cells that only these would allow to give back stay blank.
const maxAgreed = 1 << 25

// newRestorer prepares giving back.
func newRestorer(e *enumeration) *restorer {
	r := &restorer{enumeration: e, least: make([]int64, e.p.keys()), dearest: e.p.DearestFirst(),
		groups: newCensus(e.keys)}
	for b, own := range e.in.bundles {
		r.least[own.key] = e.bound[b]
	}
	r.agreed, r.room, r.table.keys = map[uint64]*groupTable{}, maxAgreed, e.keys
	return r
}

// DearestFirst orders the variables by falling price, of equal ones the most important first.
func (p *Problem) DearestFirst() []int {
	order := slices.Clone(p.TieOrder)
	slices.Reverse(order)
	slices.SortStableFunc(order, func(a, b int) int { return p.Price[b] - p.Price[a] })
	return order
}

// run gives back single cells until none is left that can be, and takes less important ones in the place of others of
// the same price where these serve as well.
func (r *restorer) run(ctx context.Context, choices []choice) ([]choice, error) {
	for _, c := range choices {
		at := r.groups.enter(c.key, c.set)
		r.groups.size[at] += c.count
	}
	for changed := true; changed; {
		changed = false
		for i := 0; i < len(choices); i++ {
			if i%64 == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if choices[i].set == r.missing[choices[i].key] {
				continue // nothing has been blanked
			}
			moved, ok := choice{}, false
			if r.p.price(choices[i].set) > r.least[choices[i].key] {
				moved, ok = r.giveBack(&choices[i])
			}
			if !ok {
				moved, ok = r.exchange(&choices[i])
			}
			if ok {
				choices = append(choices, moved)
				changed = true
			}
		}
		choices = gather(choices)
	}
	return choices, nil
}

// giveBack gives one cell back to as many records of c as can have it and returns them as a choice of their own.
func (r *restorer) giveBack(c *choice) (choice, bool) {
	able := r.leaving(c)
	if able == 0 {
		return choice{}, false
	}
	given := c.set &^ r.missing[c.key]
	for _, v := range r.dearest {
		if given>>v&1 == 0 {
			continue
		}
		target := c.set &^ (1 << v)
		if r.p.price(target) < r.least[c.key] {
			continue
		}
		if r.holds(c.key, target, able) {
			return r.move(c, target, able), true
		}
	}
	return choice{}, false
}

// exchange gives one cell back to as many records of c as can have it and takes a less important one of the same price
// for it. The sum of importances falls with every exchange, so that they come to an end.
func (r *restorer) exchange(c *choice) (choice, bool) {
	able := r.leaving(c)
	if able == 0 {
		return choice{}, false
	}
	given := c.set &^ r.missing[c.key]
	for i, v := range r.p.TieOrder {
		if given>>v&1 == 0 {
			continue
		}
		for _, u := range r.p.TieOrder[:i] {
			if target := c.set&^(1<<v) | 1<<u; c.set>>u&1 == 0 && r.p.Price[u] == r.p.Price[v] && r.holds(c.key, target, able) {
				return r.move(c, target, able), true
			}
		}
	}
	return choice{}, false
}

// holds reports whether so many records of a key can have the variables of a set missing.
func (r *restorer) holds(key uint32, set uint64, records int64) bool {
	at, exists := r.groups.find(key, set)
	return exists && r.groups.size[at]+records >= int64(r.p.K) || records >= int64(r.p.K) || r.isFree(key, set)
}

// leaving is the number of records of c that can leave their group without breaking it.
func (r *restorer) leaving(c *choice) int64 {
	at, _ := r.groups.find(c.key, c.set)
	size := r.groups.size[at]
	if size == c.count || size-c.count >= int64(r.p.K) || r.isFree(c.key, c.set) {
		return c.count
	}
	return max(0, min(c.count, size-int64(r.p.K)))
}

// move takes able records of c to the set target.
func (r *restorer) move(c *choice, target uint64, able int64) choice {
	from, _ := r.groups.find(c.key, c.set)
	r.groups.size[from] -= able
	to := r.groups.enter(c.key, target)
	r.groups.size[to] += able
	c.count -= able
	return choice{key: c.key, set: target, count: able}
}

// isFree reports whether a staying key agrees with key outside set, or a record with that set missing is like all.
func (r *restorer) isFree(key uint32, set uint64) bool {
	if len(r.staying) == 0 || r.p.isLikeAll(set) {
		return r.p.isLikeAll(set)
	}
	agreed, known := r.agreed[set]
	if !known && r.room > 0 {
		r.table.reset(set, len(r.staying))
		for _, s := range r.staying {
			r.table.enter(s)
		}
		agreed = r.table.compact()
		r.room -= len(agreed.codes)
	}
	if !known {
		r.agreed[set] = agreed
	}
	return agreed != nil && agreed.find(agreed.code(key), key) != unassigned
}
