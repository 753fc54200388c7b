package minimal

import "context"

// greedy builds a first solution in order of price. It fills groups that are usable already, then the largest that
// reach k.
type greedy struct {
	in    *instance
	group []uint32 // per bundle, or unassigned
	size  []int64  // per group: records in it
	work  int      // members of groups visited
}

// newGreedy starts with no bundle assigned.
func newGreedy(in *instance) *greedy {
	s := &greedy{in: in, group: make([]uint32, len(in.bundles))}
	for b := range s.group {
		s.group[b] = unassigned
	}
	return s
}

// assign assigns unassigned bundles to the groups from first on, which all have the same price.
func (s *greedy) assign(ctx context.Context, first uint32) error {
	groups := uint32(s.in.groups())
	s.size = append(s.size, make([]int64, int(groups)-len(s.size))...)
	for g := first; g < groups; g++ {
		if s.in.free[g] {
			s.take(g)
		}
	}
	var queue [][]uint32
	for g := first; g < groups; g++ {
		if s.interrupted(ctx) {
			return ctx.Err()
		}
		queue = push(queue, g, s.wanting(g), s.in.k)
	}
	for size := len(queue) - 1; size >= 0; size-- {
		for i := 0; i < len(queue[size]); i++ {
			if s.interrupted(ctx) {
				return ctx.Err()
			}
			g := queue[size][i]
			// Other groups may have taken some of its members since it was queued.
			if now := s.wanting(g); now >= s.in.k+int64(size) {
				s.take(g)
			} else {
				queue = push(queue, g, now, s.in.k)
			}
		}
	}
	return nil
}

// interrupted checks the context from time to time.
func (s *greedy) interrupted(ctx context.Context) bool {
	if s.work < checkEvery {
		return false
	}
	s.work = 0
	return ctx.Err() != nil
}

// maxQueued is the size above k from which groups are no longer ordered by size.
const maxQueued = 1 << 12

// push queues a group by its size above k. Groups smaller than k are dropped.
func push(queue [][]uint32, g uint32, size, k int64) [][]uint32 {
	if size < k {
		return queue
	}
	at := int(min(size-k, maxQueued))
	for len(queue) <= at {
		queue = append(queue, nil)
	}
	queue[at] = append(queue[at], g)
	return queue
}

// wanting returns the number of records that g would take.
func (s *greedy) wanting(g uint32) int64 {
	var n int64
	members := s.in.members.of(g)
	s.work += len(members)
	for _, b := range members {
		if s.group[b] == unassigned {
			n += int64(s.in.bundles[b].weight)
		}
	}
	return n
}

// take assigns the unassigned members of g to it.
func (s *greedy) take(g uint32) {
	for _, b := range s.in.members.of(g) {
		if s.group[b] == unassigned {
			s.group[b] = g
			s.size[g] += int64(s.in.bundles[b].weight)
		}
	}
}

// move puts bundles into the new group g.
func (s *greedy) move(bundles []uint32, g uint32) {
	s.size = append(s.size, 0)
	for _, b := range bundles {
		weight := int64(s.in.bundles[b].weight)
		if old := s.group[b]; old != unassigned {
			s.size[old] -= weight
		}
		s.group[b] = g
		s.size[g] += weight
	}
}
