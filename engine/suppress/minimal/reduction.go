package minimal

import "slices"

// reduction makes an instance of what is of use to a long search. It leaves out, of the groups that may be used in any
// case, all but the cheapest of each bundle, and groups that no bundle would rather be in or that are the same as a cheaper
// one; and it takes in the groups of a dual, which looks farther.
type reduction struct {
	p    *Problem
	from *instance
	free []uint32 // per bundle: its cheapest group that may be used in any case, or unassigned
	used []bool   // per group: a bundle is in it
	kept []uint32 // per group: its number in the new instance, or unassigned

	out    *instance
	known  *census  // the groups of out that need k records
	number []uint32 // per entry of known: the group
}

// reduced returns an instance with the same bundles and a solution in it that is no dearer than the given one.
func (e *enumeration) reduced(group []uint32, d *dual) (*instance, []uint32) {
	in := e.in
	r := &reduction{p: e.p, from: in, used: make([]bool, in.groups()), kept: make([]uint32, in.groups()), known: newCensus(e.keys)}
	r.out = &instance{k: in.k, bundles: in.bundles, missing: in.missing}
	for b, g := range group {
		r.used[g] = true
		r.free = append(r.free, r.cheapestFree(uint32(b)))
	}
	r.takeIn(d)
	for g := range uint32(in.groups()) {
		r.kept[g] = r.keep(g)
	}
	r.out.invert()
	moved := make([]uint32, len(group))
	for b, g := range group {
		if free := r.free[b]; r.kept[g] == unassigned || in.free[g] {
			g = free
		}
		moved[b] = r.kept[g]
	}
	return r.out, moved
}

// takeIn adds the groups of a dual, and gives the bundles that have none yet a group that may be used in any case.
func (r *reduction) takeIn(d *dual) {
	bundles := listsOf(len(d.clients.key), d.clients.of, nil)
	for c, set := range d.clients.alone {
		if set == 0 {
			continue
		}
		own := slices.DeleteFunc(slices.Clone(bundles.of(uint32(c))), func(b uint32) bool { return r.free[b] != unassigned })
		if len(own) > 0 {
			r.out.add(set, d.clients.ceiling[c], true, own)
		}
	}
	var members []uint32
	for g, set := range d.sets {
		members = members[:0]
		for _, c := range d.cover.groups.of(uint32(g)) {
			members = append(members, bundles.of(c)...)
		}
		r.add(set, d.cover.price[g], members)
	}
}

// add adds a group that needs k records, unless it is known, and returns its number.
func (r *reduction) add(set uint64, price int64, members []uint32) uint32 {
	at := r.known.enter(r.from.bundles[members[0]].key, set)
	if int(at) == len(r.number) {
		r.number = append(r.number, r.out.add(set, price, false, members))
	}
	return r.number[at]
}

// keep adds what is kept of g and returns its number, unassigned where it is left out.
func (r *reduction) keep(g uint32) uint32 {
	members := r.from.members.of(g)
	if r.from.free[g] {
		var own []uint32
		for _, b := range members {
			if r.free[b] == g {
				own = append(own, b)
			}
		}
		if len(own) == 0 {
			return unassigned
		}
		return r.out.add(r.from.set[g], r.from.price[g], true, own)
	}
	if !r.wanted(g) || !r.used[g] && r.p.dominated(r.from.set[g], members, func(b uint32) uint32 { return r.from.bundles[b].key }) {
		return unassigned
	}
	return r.add(r.from.set[g], r.from.price[g], members)
}

// cheapestFree returns the cheapest group that b may choose in any case, or unassigned.
func (r *reduction) cheapestFree(b uint32) uint32 {
	for _, g := range r.from.choices.of(b) {
		if r.from.free[g] {
			return g
		}
	}
	return unassigned
}

// wanted reports whether a bundle would rather be in g than in a group that it may choose in any case.
func (r *reduction) wanted(g uint32) bool {
	for _, b := range r.from.members.of(g) {
		if free := r.free[b]; free == unassigned || r.from.price[g] < r.from.price[free] {
			return true
		}
	}
	return false
}
