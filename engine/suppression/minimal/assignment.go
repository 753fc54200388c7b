package minimal

// assignment records the group of each bundle, with an undo log of moves.
type assignment struct {
	in    *instance
	group []uint32 // per bundle
	size  []int64  // per group: records
	first []uint32 // per group: its first bundle, or unassigned
	next  []uint32 // per bundle: the next one in its group, or unassigned
	prior []uint32 // per bundle: the one before it in its group, or unassigned
	undo  []reassignment
}

// reassignment is a bundle's move from one group to another.
type reassignment struct{ bundle, from, to uint32 }

// newAssignment starts with every bundle in the given group.
func newAssignment(in *instance, group []uint32) assignment {
	s := assignment{in: in, group: group, size: make([]int64, in.groups())}
	s.first, s.next, s.prior = make([]uint32, in.groups()), make([]uint32, len(group)), make([]uint32, len(group))
	for g := range s.first {
		s.first[g] = unassigned
	}
	for b := len(group) - 1; b >= 0; b-- {
		s.enter(uint32(b), group[b])
	}
	return s
}

// enter puts b into g.
func (s *assignment) enter(b, g uint32) {
	s.group[b] = g
	s.size[g] += int64(s.in.bundles[b].weight)
	s.prior[b], s.next[b] = unassigned, s.first[g]
	if s.first[g] != unassigned {
		s.prior[s.first[g]] = b
	}
	s.first[g] = b
}

// leave takes b out of its group.
func (s *assignment) leave(b uint32) {
	g := s.group[b]
	s.size[g] -= int64(s.in.bundles[b].weight)
	if s.prior[b] == unassigned {
		s.first[g] = s.next[b]
	} else {
		s.next[s.prior[b]] = s.next[b]
	}
	if s.next[b] != unassigned {
		s.prior[s.next[b]] = s.prior[b]
	}
}

// move moves b to another group and returns the change in price.
func (s *assignment) move(b, to uint32) int64 {
	from := s.group[b]
	s.undo = append(s.undo, reassignment{b, from, to})
	s.leave(b)
	s.enter(b, to)
	return (s.in.price[to] - s.in.price[from]) * int64(s.in.bundles[b].weight)
}

// rollback undoes all moves after the first kept ones.
func (s *assignment) rollback(kept int) {
	for i := len(s.undo) - 1; i >= kept; i-- {
		s.leave(s.undo[i].bundle)
		s.enter(s.undo[i].bundle, s.undo[i].from)
	}
	s.undo = s.undo[:kept]
}

// commit makes the moves final.
func (s *assignment) commit() { s.undo = s.undo[:0] }

// usable reports whether bundles may currently be in g.
func (s *assignment) usable(g uint32) bool { return s.in.free[g] || s.size[g] >= s.in.k }

// canLose reports whether records of the given weight can leave g without making it unusable for the rest.
func (s *assignment) canLose(g uint32, weight int64) bool {
	return s.in.free[g] || s.size[g]-weight >= s.in.k || s.size[g] == weight
}
