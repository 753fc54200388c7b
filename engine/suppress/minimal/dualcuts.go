package minimal

import (
	"cmp"
	"encoding/binary"
	"slices"
)

// What cuts are looked for.
const (
	cutRecords  = 10 // times k records are counted together at most
	cutsAtOnce  = 1 << 9
	cutsInAll   = 1 << 12
	cutShare    = 1 << 11 // the share of the distance that a step covers at least after cuts are added
	cutExceeded = 100     // a cut must be exceeded by a part of 1/cutExceeded of its weight
)

// separation looks for cuts that the average of an ascent exceeds. Around every group that is used now and then it
// gathers choosers whose records groups need all of.
type separation struct {
	c     *cover
	a     *ascent
	start []uint32 // per chooser, and one more: where its places begin
	place []uint32 // places of all choosers in who
	group []uint32 // their groups

	inside  []bool  // per chooser: it is counted
	touched []bool  // per group: one of its choosers is
	outside []int64 // per group: average records that are not counted
	groups  []uint32
	who     []uint32 // those counted
	records int64
}

// foundCut is a cut with how much it is exceeded relative to its weight, in 1/1024.
type foundCut struct {
	inequality
	who      string // those counted
	exceeded int64
}

// strengthen adds the cuts that the averages exceed and drops those that are of no use. The averages begin again.
func (a *ascent) strengthen() {
	s := newSeparation(a)
	found := s.look()
	a.dropIdle()
	for _, it := range found[:min(len(found), cutsAtOnce, max(0, cutsInAll-len(a.c.cuts)))] {
		a.c.cuts = append(a.c.cuts, it.inequality)
		for _, o := range []*offer{&a.offer, &a.slope, &a.direction, &a.best} {
			o.price = append(o.price, 0)
		}
	}
	a.charges.mark(a.c)
	a.share, a.still = max(a.share, cutShare), 0
	a.begin()
}

// dropIdle drops the cuts that the best offer does not charge for.
func (a *ascent) dropIdle() {
	kept := 0
	for i, it := range a.c.cuts {
		if a.best.price[i] == 0 && a.offer.price[i] == 0 {
			continue
		}
		a.c.cuts[kept] = it
		for _, o := range []*offer{&a.offer, &a.slope, &a.direction, &a.best} {
			o.price[kept] = o.price[i]
		}
		kept++
	}
	a.c.cuts = a.c.cuts[:kept]
	for _, o := range []*offer{&a.offer, &a.slope, &a.direction, &a.best} {
		o.price = o.price[:kept]
	}
}

// newSeparation prepares looking for cuts.
func newSeparation(a *ascent) *separation {
	c := a.c
	n := len(c.records)
	s := &separation{c: c, a: a, start: make([]uint32, n+1), place: make([]uint32, len(c.who)), group: make([]uint32, len(c.who))}
	for _, i := range c.who {
		s.start[i+1]++
	}
	for i := range n {
		s.start[i+1] += s.start[i]
	}
	next := slices.Clone(s.start)
	for g := range c.groups() {
		for at := c.start[g]; at < c.start[g+1]; at++ {
			i := c.who[at]
			s.place[next[i]], s.group[next[i]] = at, uint32(g)
			next[i]++
		}
	}
	s.inside, s.touched, s.outside = make([]bool, n), make([]bool, c.groups()), make([]int64, c.groups())
	return s
}

// look returns the cuts found, the most exceeded first.
func (s *separation) look() []foundCut {
	var found []foundCut
	seen := map[string]bool{}
	for g := range s.c.groups() {
		if often := s.a.often[g]; 16*often < s.a.counts || 16*often > 15*s.a.counts {
			continue
		}
		if it, ok := s.around(uint32(g)); ok && !seen[it.who] {
			seen[it.who] = true
			found = append(found, it)
		}
		s.forget()
	}
	slices.SortStableFunc(found, func(a, b foundCut) int { return cmp.Compare(b.exceeded, a.exceeded) })
	return found
}

// around counts choosers from those of a group on, always the one that leaves least uncounted, and returns the cut
// that is exceeded most on the way.
func (s *separation) around(g uint32) (foundCut, bool) {
	var best foundCut
	s.touch(g)
	for {
		next := s.nearest()
		if next == unsettled || s.records+s.c.records[next] > cutRecords*s.c.k {
			break
		}
		s.enter(next)
		if exceeded := s.exceeded(); exceeded > best.exceeded {
			best = s.cut(exceeded)
		}
	}
	return best, best.exceeded > 1024/cutExceeded
}

// touch looks at a group and its choosers.
func (s *separation) touch(g uint32) {
	if s.touched[g] {
		return
	}
	s.touched[g] = true
	s.groups = append(s.groups, g)
	s.outside[g] = 0
	for at := s.c.start[g]; at < s.c.start[g+1]; at++ {
		if !s.inside[s.c.who[at]] {
			s.outside[g] += int64(s.a.much[at])
		}
	}
}

// enter counts a chooser.
func (s *separation) enter(i uint32) {
	for at := s.start[i]; at < s.start[i+1]; at++ {
		if g := s.group[at]; s.a.often[g] > 0 {
			s.touch(g)
		}
	}
	s.inside[i] = true
	s.who = append(s.who, i)
	s.records += s.c.records[i]
	for at := s.start[i]; at < s.start[i+1]; at++ {
		s.outside[s.group[at]] -= int64(s.a.much[s.place[at]])
	}
}

// forget counts nobody.
func (s *separation) forget() {
	for _, g := range s.groups {
		s.touched[g] = false
	}
	for _, i := range s.who {
		s.inside[i] = false
	}
	s.groups, s.who, s.records = s.groups[:0], s.who[:0], 0
}

// nearest returns the chooser in the groups looked at who adds most to what groups need from those counted, less what
// it has itself.
func (s *separation) nearest() uint32 {
	best, most := unsettled, -infinite
	for _, g := range s.groups {
		for place := s.c.start[g]; place < s.c.start[g+1]; place++ {
			i := s.c.who[place]
			if s.inside[i] || s.a.much[place] == 0 || i == best {
				continue
			}
			adds := -s.c.records[i] * int64(s.a.counts)
			for at := s.start[i]; at < s.start[i+1]; at++ {
				h := s.group[at]
				if s.a.often[h] == 0 {
					continue
				}
				need, much := s.c.k*int64(s.a.often[h]), int64(s.a.much[s.place[at]])
				outside := s.outside[h]
				if !s.touched[h] {
					outside = need // somewhat in favour of those whose groups are looked at already
				}
				adds += max(0, need-outside+much) - max(0, need-outside)
			}
			if adds > most || adds == most && i < best {
				best, most = i, adds
			}
		}
	}
	return best
}

// exceeded returns by how much the average exceeds the cut of those counted, in 1/1024 of its weight.
func (s *separation) exceeded() int64 {
	weight := s.c.k - s.records%s.c.k
	if weight == s.c.k {
		return 0 // nothing is rounded
	}
	counts := int64(s.a.counts)
	sum := -weight * (s.records / s.c.k) * counts
	for _, g := range s.groups {
		sum += max(0, weight*int64(s.a.often[g])-s.outside[g])
	}
	return sum * 1024 / (weight * counts)
}

// cut returns the cut of those counted.
func (s *separation) cut(exceeded int64) foundCut {
	weight := s.c.k - s.records%s.c.k
	out := foundCut{exceeded: exceeded, inequality: inequality{weight: weight, most: weight * (s.records / s.c.k)}}
	for _, g := range s.groups {
		if weight*int64(s.a.often[g]) > s.outside[g] {
			out.groups = append(out.groups, g)
		}
	}
	slices.Sort(out.groups)
	for _, g := range out.groups {
		for at := s.c.start[g]; at < s.c.start[g+1]; at++ {
			if !s.inside[s.c.who[at]] {
				out.places = append(out.places, at)
			}
		}
	}
	var text []byte
	for _, i := range slices.Sorted(slices.Values(s.who)) {
		text = binary.LittleEndian.AppendUint32(text, i)
	}
	out.who = string(text)
	return out
}
