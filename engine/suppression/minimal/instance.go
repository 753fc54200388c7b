package minimal

import (
	"cmp"
	"slices"
)

// bundle is a number of records of one key that are suppressed alike.
type bundle struct {
	key    uint32
	weight int // records
}

// unassigned marks a bundle that is in no group, and what has no number.
const unassigned = ^uint32(0)

// instance is the problem as the search sees it: bundles and the groups they may choose. Groups are facilities that
// serve at least k records or none; bundles are their clients. The price of a bundle is the price of the set of its
// group: what was missing before is the same in every choice.
type instance struct {
	k       int64
	bundles []bundle
	missing []uint64 // per bundle: the variables missing from the start

	set     []uint64 // per group: the blanked variables
	price   []int64  // per group: the price of set
	free    []bool   // per group: it may be used by any number: a key that stays agrees with it, or it is like all
	members lists    // per group: the bundles that may choose it, ascending
	choices lists    // per bundle: the groups that it may choose, cheapest first; once invert has been called
}

// groups returns the number of groups.
func (in *instance) groups() int { return len(in.set) }

// add appends a group. Groups come in ascending order of price, except for those that clustering adds at the end.
func (in *instance) add(set uint64, price int64, free bool, members []uint32) uint32 {
	in.set = append(in.set, set)
	in.price = append(in.price, price)
	in.free = append(in.free, free)
	in.members.add(members)
	return uint32(len(in.set) - 1)
}

// expect makes room for the groups of projections.
func (in *instance) expect(projections []projection) {
	groups, items := 0, 0
	for i := range projections {
		groups, items = groups+len(projections[i].free), items+len(projections[i].groups.items)
	}
	in.set, in.price, in.free = slices.Grow(in.set, groups), slices.Grow(in.price, groups), slices.Grow(in.free, groups)
	in.members.start = slices.Grow(in.members.start, groups+1)
	in.members.items = slices.Grow(in.members.items, items)
}

// addAll appends the groups of a projection, all of one price.
func (in *instance) addAll(p *projection, price int64) {
	for range p.free {
		in.set, in.price = append(in.set, p.set), append(in.price, price)
	}
	in.free = append(in.free, p.free...)
	in.members.addAll(&p.groups)
}

// invert lists the groups that each bundle may choose.
func (in *instance) invert() {
	in.choices = in.members.inverted(len(in.bundles))
	if slices.IsSorted(in.price) {
		return
	}
	for b := range in.bundles {
		slices.SortStableFunc(in.choices.of(uint32(b)), func(x, y uint32) int {
			return cmp.Compare(in.price[x], in.price[y])
		})
	}
}

// bundles cuts the records that must choose into bundles, and returns the complete keys that stay. Of a key with at
// least k records most stay together; enough of the rest move alone to help others reach k.
func (p *Problem) bundles(missing []uint64) (choosing []bundle, staying []uint32) {
	k := p.K
	for i, count := range p.Count {
		key := uint32(i)
		if p.Rule != OwnCategory && missing[i] == 0 && count >= k {
			staying = append(staying, key)
			continue
		}
		single := min(count, maxSingles)
		if count >= k {
			single = min(count-k, 2*(k-1), maxSingles)
		}
		if count > single {
			choosing = append(choosing, bundle{key, count - single})
		}
		for range single {
			choosing = append(choosing, bundle{key, 1})
		}
	}
	return choosing, staying
}

// maxSingles is the number of records of one key that are bundles of their own; the rest stay together.
const maxSingles = 12
