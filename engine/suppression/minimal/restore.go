package minimal

import (
	"context"
	"slices"
)

// restorer restores cells that the search has suppressed unnecessarily, under the conservative and the
// own-category rule. A record may be in a group of at least k records or, under the conservative rule, in one that
// agrees with a staying key.
type restorer struct {
	*enumeration
	least   []int64 // per key: price below which no set is usable
	dearest []int   // variables, most expensive first
	groups  *census
	agreed  map[uint64]*groupTable // per set: the groups that agree with staying keys; nil if not known
	room    int                    // space left for the groups in agreed
	table   groupTable             // reused
}

// maxAgreed limits the groups of staying keys that are stored, over all sets. For further sets these groups are
// unknown, so cells that only such groups would allow to be restored stay suppressed.
const maxAgreed = 1 << 25

func newRestorer(e *enumeration) *restorer {
	r := &restorer{enumeration: e, least: make([]int64, e.p.keys()), dearest: e.p.DearestFirst(),
		groups: newCensus(e.keys)}
	for b, own := range e.in.bundles {
		r.least[own.key] = e.bound[b]
	}
	r.agreed, r.room, r.table.keys = map[uint64]*groupTable{}, maxAgreed, e.keys
	return r
}

// DearestFirst returns the variables in descending order of price; ties are in descending order of importance.
func (p *Problem) DearestFirst() []int {
	order := slices.Clone(p.TieOrder)
	slices.Reverse(order)
	slices.SortStableFunc(order, func(a, b int) int { return p.Price[b] - p.Price[a] })
	return order
}

// run restores single cells until none can be restored. It also replaces suppressed cells with less important ones
// of the same price if these serve as well.
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
				continue // nothing is suppressed
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

// giveBack restores one cell in as many records of c as possible and returns these records as a new choice.
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

// exchange restores one cell in as many records of c as possible and suppresses a less important one of the same
// price instead. Every exchange lowers the sum of importances, so exchanges terminate.
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

// holds reports whether this number of records of a key can have the variables of a set missing.
func (r *restorer) holds(key uint32, set uint64, records int64) bool {
	at, exists := r.groups.find(key, set)
	return exists && r.groups.size[at]+records >= int64(r.p.K) || records >= int64(r.p.K) || r.isFree(key, set)
}

// leaving returns the number of records of c that can leave their group without making it unusable.
func (r *restorer) leaving(c *choice) int64 {
	at, _ := r.groups.find(c.key, c.set)
	size := r.groups.size[at]
	if size == c.count || size-c.count >= int64(r.p.K) || r.isFree(c.key, c.set) {
		return c.count
	}
	return max(0, min(c.count, size-int64(r.p.K)))
}

// move changes the set of able records of c to target.
func (r *restorer) move(c *choice, target uint64, able int64) choice {
	from, _ := r.groups.find(c.key, c.set)
	r.groups.size[from] -= able
	to := r.groups.enter(c.key, target)
	r.groups.size[to] += able
	c.count -= able
	return choice{key: c.key, set: target, count: able}
}

// isFree reports whether key agrees with a staying key outside set, or a record with that set missing is missing
// everywhere.
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
