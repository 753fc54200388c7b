package minimal

import "math/bits"

// reduction leaves out what no search needs: of the groups that may be used in any case all but the cheapest of each
// bundle, and groups that nobody would rather be in or that are the same as a cheaper one.
type reduction struct {
	p    *Problem
	from *instance
	free []uint32 // per bundle: its cheapest group that may be used in any case, or unsettled
	used []bool   // per group: somebody is in it
	kept []uint32 // per group: its number, or unsettled
}

// reduced returns a smaller instance with the same bundles and a solution in it that is no dearer than the given one.
func (in *instance) reduced(p *Problem, group []uint32) (*instance, []uint32) {
	r := &reduction{p: p, from: in, used: make([]bool, in.groups()), kept: make([]uint32, in.groups())}
	for b, g := range group {
		r.used[g] = true
		r.free = append(r.free, r.cheapestFree(uint32(b)))
	}
	out := &instance{k: in.k, bundles: in.bundles, home: in.home, start: []uint32{0}}
	var members []uint32
	for g := range uint32(in.groups()) {
		r.kept[g] = unsettled
		if members = r.members(g, members[:0]); len(members) > 0 {
			r.kept[g] = out.add(in.set[g], in.price[g], in.free[g], members)
		}
	}
	out.invert()
	moved := make([]uint32, len(group))
	for b, g := range group {
		if free := r.free[b]; r.kept[g] == unsettled || in.free[g] {
			g = free
		}
		moved[b] = r.kept[g]
	}
	return out, moved
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

// members returns who remains in g: nobody where the group is left out.
func (r *reduction) members(g uint32, into []uint32) []uint32 {
	all := r.from.members(g)
	if r.from.free[g] {
		for _, b := range all {
			if r.free[b] == g {
				into = append(into, b)
			}
		}
		return into
	}
	if !r.wanted(g) || !r.used[g] && r.dominated(g) {
		return into
	}
	return append(into, all...)
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
