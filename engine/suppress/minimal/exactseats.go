package minimal

// seat says how many records of a chooser are in a group, or alone where the group is unsettled.
type seat struct {
	chooser, group uint32
	records        int64
}

// seating distributes the records of a cover over given groups at the least price, so that each of them has k: first
// everybody takes the cheapest, then the groups short of k draw records along the cheapest ways. It belongs to one
// goroutine.
type seating struct {
	c     *cover
	open  []bool
	start []uint32 // per chooser, and one more: where its groups begin
	group []uint32 // groups of all choosers
	in    []int64  // per place in group: records
	alone []int64  // per chooser: records
	size  []int64  // per group

	reach []int64  // per group: what it costs to get one record more into it
	by    []uint32 // per group: the chooser that comes, and
	from  []uint32 // the place in group that it comes from, or unsettled
}

// newSeating prepares for the cover's groups.
func newSeating(c *cover) *seating {
	n := len(c.records)
	s := &seating{c: c, start: make([]uint32, n+1), group: make([]uint32, len(c.who)), in: make([]int64, len(c.who))}
	for _, i := range c.who {
		s.start[i+1]++
	}
	for i := range n {
		s.start[i+1] += s.start[i]
	}
	next := append([]uint32(nil), s.start...)
	for g := range c.groups() {
		for _, i := range c.members(g) {
			s.group[next[i]] = uint32(g)
			next[i]++
		}
	}
	s.alone, s.size = make([]int64, n), make([]int64, c.groups())
	s.reach, s.by, s.from = make([]int64, c.groups()), make([]uint32, c.groups()), make([]uint32, c.groups())
	return s
}

// fill seats everybody in open groups or alone and returns the price. Groups that cannot have k records are closed
// unless they must be open: then, or where somebody has no seat, there is no such seating.
func (s *seating) fill(open []bool) (price int64, ok bool) {
	s.open = open
	for again := true; again; {
		if !s.begin() {
			return 0, false
		}
		again = false
		for g := range s.size {
			for open[g] && s.size[g] < s.c.k {
				if s.draw(uint32(g)) {
					continue
				}
				if s.c.must[g] {
					return 0, false
				}
				open[g], again = false, true
			}
		}
	}
	return s.price(), true
}

// begin seats everybody where it is cheapest.
func (s *seating) begin() bool {
	clear(s.in)
	clear(s.alone)
	clear(s.size)
	for i, n := range s.c.records {
		best, least := unsettled, s.c.ceiling[i]
		for at := s.start[i]; at < s.start[i+1]; at++ {
			if g := s.group[at]; s.open[g] && (s.c.price[g] < least || best == unsettled && s.c.price[g] == least) {
				best, least = at, s.c.price[g]
			}
		}
		switch {
		case best != unsettled:
			s.in[best] += n
			s.size[s.group[best]] += n
		case least == unlimited:
			return false
		default:
			s.alone[i] += n
		}
	}
	return true
}

// draw gets one record more into a group, by the cheapest chain of moves from a group that can spare one or from
// somebody alone.
func (s *seating) draw(to uint32) bool {
	for g := range s.reach {
		s.reach[g], s.by[g] = infinite, unsettled
		if s.open[g] && s.size[g] > s.c.k && uint32(g) != to {
			s.reach[g] = 0
		}
	}
	for changed := true; changed; {
		changed = false
		for i := range s.c.records {
			changed = s.relax(uint32(i)) || changed
		}
	}
	if s.reach[to] >= infinite {
		return false
	}
	s.size[to]++
	for g := to; s.by[g] != unsettled; {
		i, from := s.by[g], s.from[g]
		for at := s.start[i]; at < s.start[i+1]; at++ {
			if s.group[at] == g {
				s.in[at]++
			}
		}
		if from == unsettled {
			s.alone[i]--
			return true
		}
		s.in[from]--
		g = s.group[from]
		if s.by[g] == unsettled {
			s.size[g]--
		}
	}
	return true
}

// relax sees where a record of a chooser can go from where it is.
func (s *seating) relax(i uint32) bool {
	least, from := infinite, unsettled
	if s.alone[i] > 0 {
		least = -s.c.ceiling[i]
	}
	for at := s.start[i]; at < s.start[i+1]; at++ {
		if g := s.group[at]; s.in[at] > 0 && s.reach[g] < infinite && s.reach[g]-s.c.price[g] < least {
			least, from = s.reach[g]-s.c.price[g], at
		}
	}
	if least == infinite {
		return false
	}
	changed := false
	for at := s.start[i]; at < s.start[i+1]; at++ {
		if g := s.group[at]; s.open[g] && least+s.c.price[g] < s.reach[g] {
			s.reach[g], s.by[g], s.from[g] = least+s.c.price[g], i, from
			changed = true
		}
	}
	return changed
}

// price returns what the seating costs.
func (s *seating) price() int64 {
	var sum int64
	for i, n := range s.alone {
		if n > 0 {
			sum += n * s.c.ceiling[i]
		}
	}
	for at, n := range s.in {
		sum += n * s.c.price[s.group[at]]
	}
	return sum
}

// seats lists who is where, in the numbers of the whole.
func (s *seating) seats(p *part) []seat {
	out := make([]seat, 0, len(s.alone))
	for i, n := range s.alone {
		if n > 0 {
			out = append(out, seat{p.chooser[i], unsettled, n})
		}
		for at := s.start[i]; at < s.start[i+1]; at++ {
			if s.in[at] > 0 {
				out = append(out, seat{p.chooser[i], p.group[s.group[at]], s.in[at]})
			}
		}
	}
	return out
}
