package suda

import (
	"cmp"
	"math/bits"
	"slices"
)

// mostSmall is the maximum number of keys in a group whose MSUs are computed directly.
const mostSmall = 4

// small holds the buffers of removeSmall.
type small struct {
	rows   [mostSmall][]uint32          // per key: its codes by place
	differ [mostSmall][mostSmall]uint64 // per pair of keys: places with different codes
	apart  []uint64                     // per other key: places that distinguish it from the key
	hit    [2][]uint64                  // sets that contain a place of each set of apart so far
}

// removeSmall removes the small groups from g and notes the sets on which their keys are unique: the minimal sets of
// lower places that contain a place of each set that distinguishes another key of the group (minimal hitting
// sets). [Berge 1989, Hypergraphs]
func (w *walker) removeSmall(g *groups, set uint64, place, size int) {
	from, end, kept := 0, 0, 0
	for _, to := range g.ends {
		group := g.keys[from:to]
		from = to
		if len(group) <= mostSmall {
			w.noteUnique(group, set, place, w.most-size)
			continue
		}
		end += copy(g.keys[end:], group)
		g.ends[kept] = end
		kept++
	}
	g.keys, g.ends = g.keys[:end], g.ends[:kept]
}

// noteUnique notes the sets on which the keys of a group are unique with at most most further places.
func (w *walker) noteUnique(group []uint32, set uint64, place, most int) {
	s := &w.small
	for i, entry := range group {
		s.rows[i] = w.search.codes[int(entry&^alone)*len(w.places):][:place]
		for j, row := range s.rows[:i] {
			s.differ[i][j] = differing(s.rows[i], row)
			s.differ[j][i] = s.differ[i][j]
		}
	}
	for i, entry := range group {
		if entry < alone {
			continue
		}
		key := entry &^ alone
		s.apart = s.apart[:0]
		for j := range group {
			if j != i {
				s.apart = append(s.apart, s.differ[i][j]&w.present[key])
			}
		}
		for _, further := range s.hitting(most) {
			w.note(key, set|further)
		}
	}
}

// differing returns the places at which two keys differ, given their codes.
func differing(a, b []uint32) (places uint64) {
	for place, code := range a {
		if code != b[place] {
			places |= 1 << place
		}
	}
	return places
}

// hitting returns the minimal sets of at most most places that contain a place of each set of apart.
func (s *small) hitting(most int) []uint64 {
	if len(s.apart) > 1 {
		slices.SortFunc(s.apart, func(a, b uint64) int { return cmp.Compare(bits.OnesCount64(a), bits.OnesCount64(b)) })
	}
	now := append(s.hit[0][:0], 0)
	next := s.hit[1][:0]
	for _, apart := range s.apart {
		next = next[:0]
		for _, t := range now {
			if t&apart != 0 {
				next = append(next, t)
			}
		}
		hitting := len(next)
		for _, t := range now {
			if t&apart != 0 || bits.OnesCount64(t) == most {
				continue
			}
			for rest := apart; rest != 0; rest &= rest - 1 {
				if longer := t | rest&-rest; !holdsAny(longer, next[:hitting]) {
					next = append(next, longer)
				}
			}
		}
		now, next = next, now
	}
	s.hit[0], s.hit[1] = now, next
	return now
}
