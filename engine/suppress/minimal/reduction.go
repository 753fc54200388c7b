package minimal

import "math/bits"

// reduction makes an instance of what is of use to a long search. It leaves out, of the groups that may be used in any
// case, all but the cheapest of each bundle, and groups that nobody would rather be in or that are the same as a cheaper
// one; and it takes in the groups of a dual, which looks farther.
type reduction struct {
	p    *Problem
	from *instance
	free []uint32 // per bundle: its cheapest group that may be used in any case, or unsettled
	used []bool   // per group: somebody is in it
	kept []uint32 // per group: its number in the new instance, or unsettled

	out    *instance
	known  *census  // the groups of out that need k records
	number []uint32 // per entry of known: the group
}

// reduced returns an instance with the same bundles and a solution in it that is no dearer than the given one. d may be
// nil.
func (e *enumeration) reduced(group []uint32, d *dual) (*instance, []uint32) {
	in := e.in
	r := &reduction{p: e.p, from: in, used: make([]bool, in.groups()), kept: make([]uint32, in.groups()), known: newCensus(e.keys)}
	r.out = &instance{k: in.k, bundles: in.bundles, home: in.home, start: []uint32{0}}
	for b, g := range group {
		r.used[g] = true
		r.free = append(r.free, r.cheapestFree(uint32(b)))
	}
	if d != nil {
		r.takeIn(d)
	}
	for g := range uint32(in.groups()) {
		r.kept[g] = r.keep(g)
	}
	r.out.invert()
	moved := make([]uint32, len(group))
	for b, g := range group {
		if free := r.free[b]; r.kept[g] == unsettled || in.free[g] {
			g = free
		}
		moved[b] = r.kept[g]
	}
	return r.out, moved
}

// takeIn adds the groups of a dual.
func (r *reduction) takeIn(d *dual) {
	start := make([]uint32, len(d.choosers.key)+1) // per chooser: where its bundles begin
	chooser := 0
	for b, it := range r.from.bundles {
		for d.choosers.key[chooser] != it.key {
			chooser++
			start[chooser] = uint32(b)
		}
	}
	start[len(start)-1] = uint32(len(r.from.bundles))
	r.takeAlone(d, start)
	var members []uint32
	for g, set := range d.sets {
		members = members[:0]
		for _, c := range d.cover.members(g) {
			for b := start[c]; b < start[c+1]; b++ {
				members = append(members, b)
			}
		}
		r.add(set, d.cover.price[g], members)
	}
}

// takeAlone gives those a group that may be used in any case who have none yet. start is where the bundles of each
// chooser begin.
func (r *reduction) takeAlone(d *dual, start []uint32) {
	for c, set := range d.choosers.alone {
		var own []uint32
		for b := start[c]; set != 0 && b < start[c+1]; b++ {
			if r.free[b] == unsettled {
				own = append(own, b)
			}
		}
		if len(own) > 0 {
			r.out.add(set, d.choosers.ceiling[c], true, own)
		}
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

// keep adds what is kept of g and returns its number, unsettled where it is left out.
func (r *reduction) keep(g uint32) uint32 {
	members := r.from.members(g)
	if r.from.free[g] {
		var own []uint32
		for _, b := range members {
			if r.free[b] == g {
				own = append(own, b)
			}
		}
		if len(own) == 0 {
			return unsettled
		}
		return r.out.add(r.from.set[g], r.from.price[g], true, own)
	}
	if !r.wanted(g) || !r.used[g] && r.dominated(g) {
		return unsettled
	}
	return r.add(r.from.set[g], r.from.price[g], members)
}

// cheapestFree returns the cheapest group that b may choose in any case, or unsettled.
func (r *reduction) cheapestFree(b uint32) uint32 {
	for _, g := range r.from.offersTo(b) {
		if r.from.free[g] {
			return g
		}
	}
	return unsettled
}

// wanted reports whether somebody would rather be in g than in a group that it may choose in any case.
func (r *reduction) wanted(g uint32) bool {
	for _, b := range r.from.members(g) {
		if free := r.free[b]; free == unsettled || r.from.price[g] < r.from.price[free] {
			return true
		}
	}
	return false
}

// dominated reports whether all keys of g have the same value on a blanked variable: the group that keeps it has the
// same members and is cheaper.
func (r *reduction) dominated(g uint32) bool {
	members := r.from.members(g)
	first := r.from.bundles[members[0]].key
	for set := r.from.set[g]; set != 0; set &= set - 1 {
		column := r.p.Codes[bits.TrailingZeros64(set)]
		same := column[first] != 0
		for i := 1; same && i < len(members); i++ {
			same = column[r.from.bundles[members[i]].key] == column[first]
		}
		if same {
			return true
		}
	}
	return false
}
