package minimal

import (
	"cmp"
	"slices"
)

// bundle is a number of records of one key that are suppressed alike.
type bundle struct {
	key    uint32
	weight uint32 // records
}

// unsettled marks a bundle that is in no group.
const unsettled = ^uint32(0)

// instance is the problem as the search sees it: bundles, the groups they may choose, and who may choose which. The
// price of a bundle is the price of the set of its group: what was missing before is the same in every choice.
type instance struct {
	k       int64
	bundles []bundle
	home    []uint64 // per bundle: the variables missing from the start

	set   []uint64 // per group: the blanked variables
	price []int64  // per group: the price of set
	free  []bool   // per group: a complete key that stays agrees with it, or everything is blank and that is like all
	start []uint32 // per group, and one more: where its members begin
	who   []uint32 // members of all groups, ascending in each

	offerStart []uint32 // per bundle, and one more: where its offers begin
	offers     []uint32 // groups of all bundles, cheapest first in each
}

// groups returns the number of groups.
func (in *instance) groups() int { return len(in.set) }

// members returns the bundles that may choose group g.
func (in *instance) members(g uint32) []uint32 { return in.who[in.start[g]:in.start[g+1]] }

// offersTo returns the groups that bundle b may choose, cheapest first.
func (in *instance) offersTo(b uint32) []uint32 {
	return in.offers[in.offerStart[b]:in.offerStart[b+1]]
}

// grow makes room for the groups of projections.
func (in *instance) grow(projections []projection) {
	groups, members := 0, 0
	for i := range projections {
		groups += len(projections[i].free)
		members += len(projections[i].members)
	}
	in.set, in.price, in.free = slices.Grow(in.set, groups), slices.Grow(in.price, groups), slices.Grow(in.free, groups)
	in.start, in.who = slices.Grow(in.start, groups), slices.Grow(in.who, members)
}

// add appends a group. Groups come in ascending order of price, except for those that clustering adds at the end.
func (in *instance) add(set uint64, price int64, free bool, members []uint32) uint32 {
	in.set = append(in.set, set)
	in.price = append(in.price, price)
	in.free = append(in.free, free)
	in.who = append(in.who, members...)
	in.start = append(in.start, uint32(len(in.who)))
	return uint32(len(in.set) - 1)
}

// invert builds the offers from the members.
func (in *instance) invert() {
	in.offerStart = make([]uint32, len(in.bundles)+1)
	for _, b := range in.who {
		in.offerStart[b+1]++
	}
	for b := range in.bundles {
		in.offerStart[b+1] += in.offerStart[b]
	}
	in.offers = make([]uint32, len(in.who))
	next := slices.Clone(in.offerStart)
	for g := range in.set {
		for _, b := range in.members(uint32(g)) {
			in.offers[next[b]] = uint32(g)
			next[b]++
		}
	}
	if slices.IsSorted(in.price) {
		return
	}
	for b := range in.bundles {
		slices.SortStableFunc(in.offersTo(uint32(b)), func(x, y uint32) int { return cmp.Compare(in.price[x], in.price[y]) })
	}
}

// bundles cuts the records that must choose into bundles, and returns the complete keys that stay. Of a key with at
// least k records most stay together; enough of the rest move alone to help others reach k.
func (p *Problem) bundles(missing []uint64) (choosing []bundle, staying []uint32) {
	k := uint32(p.K)
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
