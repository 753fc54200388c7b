package minimal

import (
	"cmp"
	"slices"
)

// bundle is a number of records of one key that lose the same cells.
type bundle struct {
	key    uint32
	weight int // records
}

// unassigned marks a bundle without a group, and in general the absence of an index.
const unassigned = ^uint32(0)

// instance is the problem as the search sees it: bundles and the groups they may choose. Groups are facilities
// that serve no record or at least k; bundles are their clients. The price of a bundle is the price of its group's
// set, including the cells missing from the start, which are the same in every choice.
type instance struct {
	k       int64
	bundles []bundle
	missing []uint64 // per bundle: the variables missing from the start

	set     []uint64 // per group: the missing variables
	price   []int64  // per group: the price of set
	free    []bool   // per group: usable with fewer than k records, because it agrees with a staying key or is missing everywhere
	members lists    // per group: the bundles that may choose it, ascending
	choices lists    // per bundle: the groups that it may choose, cheapest first; set by invert
}

// groups returns the number of groups.
func (in *instance) groups() int { return len(in.set) }

// add appends a group and returns its index. Groups are in ascending order of price, except for those that
// clustering appends.
func (in *instance) add(set uint64, price int64, free bool, members []uint32) uint32 {
	in.set = append(in.set, set)
	in.price = append(in.price, price)
	in.free = append(in.free, free)
	in.members.add(members)
	return uint32(len(in.set) - 1)
}

// expect reserves space for the groups of projections.
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

// bundles divides the records that must choose into bundles. It also returns the complete keys that stay. Most
// records of a key with at least k records form one bundle; a few are separate, so that they can help other groups
// reach k.
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

// maxSingles is the maximum number of records of one key that form separate bundles.
const maxSingles = 12
