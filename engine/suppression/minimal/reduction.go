package minimal

// reduced returns an instance with only the groups useful to a long search, and the given solution in it, as the
// group of each bundle. Its groups are those of the dual, which considers more of them, and those that the
// solution uses.
func (d *dual) reduced(group []uint32) (*instance, []uint32) {
	from := d.e.in
	out := &instance{k: from.k, bundles: from.bundles, missing: from.missing}
	bundles := listsOf(len(d.clients.key), d.clients.of, nil)
	for c, set := range d.clients.alone {
		if set != 0 {
			out.add(set, d.clients.ceiling[c], true, bundles.of(uint32(c)))
		}
	}
	known, number := newCensus(d.e.keys), []uint32(nil) // the groups that need k records, and their indices
	enter := func(set uint64, price int64, members []uint32) uint32 {
		at := known.enter(from.bundles[members[0]].key, set)
		if int(at) == len(number) {
			number = append(number, out.add(set, price, false, members))
		}
		return number[at]
	}
	var members []uint32
	for g, set := range d.sets {
		members = members[:0]
		for _, c := range d.cover.groups.of(uint32(g)) {
			members = append(members, bundles.of(c)...)
		}
		enter(set, d.cover.price[g], members)
	}
	moved := make(map[uint32]uint32) // per group that the solution uses: its new index
	solution := make([]uint32, len(group))
	for b, g := range group {
		if _, done := moved[g]; !done && from.free[g] {
			moved[g] = out.add(from.set[g], from.price[g], true, from.members.of(g))
		} else if !done {
			moved[g] = enter(from.set[g], from.price[g], from.members.of(g))
		}
		solution[b] = moved[g]
	}
	out.invert()
	return out, solution
}
