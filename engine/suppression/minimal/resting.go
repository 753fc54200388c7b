package minimal

// A resting holds the bundles that stay as they are for good: a staying key agrees with them. So it does in every
// group that they may choose; these may be used by any number, so that nobody needs them there. They are left out of
// all groups but that of their own missing values. The bounds on work count them as if they were not. Where it is nil
// none rest.
type resting struct {
	e       *enumeration
	bundles map[uint64][]uint32        // per set of missing variables
	within  map[uint64]*countedMembers // per set
	items   int                        // what they would have added to the members of groups
}

// countedMembers counts the resting bundles that may choose the groups of one set.
type countedMembers struct {
	groupTable
	members []int64
}

// newResting begins before an enumeration runs.
func newResting(e *enumeration) *resting {
	return &resting{e: e, bundles: make(map[uint64][]uint32), within: make(map[uint64]*countedMembers)}
}

// rest takes a bundle out of the enumeration where it rests in the group that the greedy solution has given it.
func (r *resting) rest(b uint32) bool {
	if r == nil {
		return false
	}
	in, g := r.e.in, r.e.greedy.group[b]
	if g == unassigned || !in.free[g] || in.set[g] != in.missing[b] {
		return false
	}
	r.bundles[in.set[g]] = append(r.bundles[in.set[g]], b)
	return true
}

// looks reports whether bundles with some missing variables look at groups of a dearer set.
func (r *resting) looks(missing, set uint64) bool {
	return missing&^set == 0 && r.e.p.price(set) <= r.e.p.price(missing)+r.e.slack
}

// pass takes note of the groups of sets, and returns what resting bundles would have added to the members of all
// groups.
func (r *resting) pass(sets []uint64) int {
	if r == nil {
		return 0
	}
	for _, set := range sets {
		for missing, bundles := range r.bundles {
			if r.looks(missing, set) {
				r.items += len(bundles)
			}
		}
	}
	return r.items
}

// members returns how many resting bundles may choose a group and are not among its members.
func (r *resting) members(g uint32) int64 {
	if r == nil || !r.e.in.free[g] {
		return 0
	}
	set := r.e.in.set[g]
	counted := r.within[set]
	if counted == nil {
		counted = r.count(set)
		r.within[set] = counted
	}
	key := r.e.in.bundles[r.e.in.members.of(g)[0]].key
	if at := counted.find(counted.code(key), key); at != unassigned {
		return counted.members[at]
	}
	return 0
}

// count counts for all groups of a set.
func (r *resting) count(set uint64) *countedMembers {
	c, n := &countedMembers{groupTable: groupTable{keys: r.e.keys}}, 0
	for missing, bundles := range r.bundles {
		if missing != set && r.looks(missing, set) {
			n += len(bundles)
		}
	}
	c.reset(set, n)
	for missing, bundles := range r.bundles {
		if missing == set || !r.looks(missing, set) {
			continue
		}
		for _, b := range bundles {
			at := c.enter(r.e.in.bundles[b].key)
			if int(at) == len(c.members) {
				c.members = append(c.members, 0)
			}
			c.members[at]++
		}
	}
	return c
}
