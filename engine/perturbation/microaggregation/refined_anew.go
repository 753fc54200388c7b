package microaggregation

import "slices"

// iterate makes some neighbouring groups anew, improves what changed, and takes it all
// back where the sum of squares is greater than before.
func (s *search) iterate() {
	s.gained = 0
	s.choose()
	s.gained -= s.squares(s.log)
	s.regroup()
	for i := range s.log {
		s.gained += s.square(s.log[i].group)
		for _, record := range s.members[s.log[i].group] {
			s.enqueue(record)
		}
	}
	for len(s.queue) > 0 {
		record := s.queue[0]
		s.queue = s.queue[1:]
		s.queued[record] = false
		s.improve(record)
	}
	undo := s.gained < 0
	for _, was := range s.log {
		s.logged[was.group] = false
		if undo {
			s.members[was.group] = was.members
			copy(s.sums[was.group], was.sum)
			for _, record := range was.members {
				s.of[record] = was.group
			}
		}
	}
	s.log = s.log[:0]
	s.queue = nil
}

// save keeps a group as it is for the case that the iteration is taken back.
func (s *search) save(k uint32) {
	if !s.logged[k] {
		s.logged[k] = true
		s.log = append(s.log, saved{k, slices.Clone(s.members[k]), slices.Clone(s.sums[k])})
	}
}

// square returns |sum|² / members of a group.
func (s *search) square(k uint32) float64 {
	if len(s.members[k]) == 0 {
		return 0
	}
	return squareOf(s.sums[k], len(s.members[k]))
}

func squareOf(sum []float64, members int) float64 {
	square := 0.0
	for _, x := range sum {
		square += float64(x * x)
	}
	return square / float64(members)
}

func (s *search) squares(log []saved) float64 {
	sum := 0.0
	for i := range log {
		sum += squareOf(log[i].sum, len(log[i].members))
	}
	return sum
}

// choose takes the group of a record that is drawn, and groups of its neighbours, for
// being made anew.
func (s *search) choose() {
	record := uint32(s.stream.IntN(len(s.of)))
	count := 2 + s.stream.IntN(refineMost-1)
	s.save(s.of[record])
	for hop := 0; len(s.log) < count && hop < 4*refineMost; hop++ {
		from := record
		if hop%2 == 1 { // from a member of what is chosen already
			members := s.log[s.stream.IntN(len(s.log))].members
			from = members[s.stream.IntN(len(members))]
		}
		s.save(s.of[s.neighbours[int(from)*s.wide+s.stream.IntN(s.wide)]])
	}
}

// regroup makes the chosen groups anew: each of a record that is far from the
// others, or drawn, and its nearest; the rest go to the nearest groups. There may
// be fewer groups than before, or more.
func (s *search) regroup() {
	s.pool = s.pool[:0]
	for _, was := range s.log {
		s.pool = append(s.pool, was.members...)
		s.members[was.group] = s.members[was.group][:0]
		clear(s.sums[was.group])
	}
	most := min(len(s.pool)/s.size, len(s.log)+1)
	least := (len(s.pool) + 2*s.size - 2) / (2*s.size - 1)
	count := most
	if most > least && s.stream.IntN(4) == 0 {
		count--
	}
	for len(s.log) < count {
		s.addGroup()
	}
	for i := range count {
		s.gather(s.log[i].group)
	}
	for _, record := range s.pool {
		s.join(record, s.log[:count])
	}
}

// addGroup adds a group without members to those that are made anew.
func (s *search) addGroup() {
	k := uint32(len(s.members))
	for i := range s.members { // one that was emptied before
		if len(s.members[i]) == 0 && !s.logged[i] {
			k = uint32(i)
			break
		}
	}
	if int(k) == len(s.members) {
		s.members, s.sums, s.logged = append(s.members, nil), append(s.sums, make([]float64, s.p)), append(s.logged, false)
	}
	s.logged[k] = true
	s.log = append(s.log, saved{k, nil, make([]float64, s.p)})
}

// gather puts a record of the pool and its nearest there into a group.
func (s *search) gather(k uint32) {
	first := s.stream.IntN(len(s.pool))
	if s.stream.IntN(3) > 0 {
		first = s.farthestOfPool()
	}
	s.move(k, first)
	center := s.point(s.members[k][0])
	for len(s.members[k]) < s.size {
		best, found := 0.0, -1
		for i, record := range s.pool {
			sum := 0.0
			for j, x := range s.point(record) {
				sum += float64((x - center[j]) * (x - center[j]))
			}
			if found < 0 || sum < best {
				best, found = sum, i
			}
		}
		s.move(k, found)
	}
}

// farthestOfPool returns the place of the record farthest from the mean of the pool.
func (s *search) farthestOfPool() int {
	center := make([]float64, s.p)
	for _, record := range s.pool {
		for j, x := range s.point(record) {
			center[j] += x / float64(len(s.pool))
		}
	}
	best, found := -1.0, 0
	for i, record := range s.pool {
		sum := 0.0
		for j, x := range s.point(record) {
			sum += float64((x - center[j]) * (x - center[j]))
		}
		if sum > best {
			best, found = sum, i
		}
	}
	return found
}

// move takes a record out of the pool into a group.
func (s *search) move(k uint32, place int) {
	record := s.pool[place]
	s.pool[place] = s.pool[len(s.pool)-1]
	s.pool = s.pool[:len(s.pool)-1]
	s.members[k] = append(s.members[k], record)
	s.of[record] = k
	for j, x := range s.point(record) {
		s.sums[k][j] += x
	}
}

// join puts a record into that of the groups, with room for it, to which it adds the
// least.
func (s *search) join(record uint32, among []saved) {
	best, found := 0.0, none
	for _, group := range among {
		n := len(s.members[group.group])
		if n >= 2*s.size-1 {
			continue
		}
		sum := 0.0
		for j, x := range s.point(record) {
			d := x - s.sums[group.group][j]/float64(n)
			sum += float64(d * d)
		}
		if sum *= float64(n) / float64(n+1); found == none || sum < best {
			best, found = sum, group.group
		}
	}
	s.members[found] = append(s.members[found], record)
	s.of[record] = found
	for j, x := range s.point(record) {
		s.sums[found][j] += x
	}
}
