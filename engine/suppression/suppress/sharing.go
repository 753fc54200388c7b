package suppress

import (
	"cmp"
	"slices"
	"sort"
)

// sharing is what the members of households lose. Households whose members have the same keys are of a kind, and
// those of a kind that lose the same are one: which of them lose cells is decided by their order alone.
type sharing struct {
	*splitting // its rows are members of households that are alike, from their first on
	*households
	keys    []uint32 // of the members of the households, one household after the other
	ordered []uint32 // the households, those of a kind together
	kinds   []kind
	apart   bool     // every household is a kind: the order of records counts
	present []uint64 // by key of the table: the variables of which it has a value
	alike   []alike  // in the order of their rows
}

// kind are households whose members have the same keys, which ascend unless households are apart.
type kind struct{ members, households span }

// span is a part of an array: so many elements from one on.
type span struct{ from, n uint32 }

// of returns the part of an array.
func (s span) of(array []uint32) []uint32 { return array[s.from:][:s.n] }

// keysOf returns the keys of the members of households of a kind.
func (s *sharing) keysOf(kind uint32) []uint32 { return s.kinds[kind].members.of(s.keys) }

// ofKind returns the households of a kind, in their order.
func (s *sharing) ofKind(kind uint32) []uint32 { return s.kinds[kind].households.of(s.ordered) }

// alike are households of a kind that lose the same.
type alike struct {
	kind  uint32
	first uint32 // row of their first member
	times int
}

// sharing returns the households of a file of which nothing is lost.
func (h *households) sharing(f *file, apart bool) *sharing {
	s := &sharing{households: h, apart: apart}
	s.sort(f.table.RowKeys())
	rows := 0
	for _, k := range s.kinds {
		rows += int(k.members.n)
	}
	of := make([]uint32, 0, rows)
	s.alike = make([]alike, 0, len(s.kinds))
	for i, k := range s.kinds {
		s.alike = append(s.alike, alike{kind: uint32(i), times: int(k.households.n), first: uint32(len(of))})
		of = append(of, k.members.of(s.keys)...)
	}
	s.splitting = f.whole(of)
	s.present = make([]uint64, f.table.Keys())
	for v, column := range h.columns {
		if column == nil {
			continue
		}
		for key, code := range f.table.Codes(v) {
			if code != 0 {
				s.present[key] |= 1 << v
			}
		}
	}
	return s
}

// sort finds the kinds of households by the keys that rows have: those with fewer members first, then by their keys.
func (s *sharing) sort(keys []uint32) {
	places := 0
	for household := range s.Len() {
		places += s.Members(household)
	}
	s.keys = make([]uint32, 0, places)
	order, members := make([]placed, s.Len()), make([]span, s.Len())
	for household := range members {
		members[household] = span{uint32(len(s.keys)), uint32(s.Members(household))}
		for i := range s.Members(household) {
			s.keys = append(s.keys, keys[s.Member(household, i)])
		}
		of := members[household].of(s.keys)
		if !s.apart {
			slices.Sort(of)
		}
		order[household] = placed{uint32(len(of)), of[0], of[min(1, len(of)-1)], uint32(household)}
	}
	compare := func(a, b placed) int {
		switch {
		case a.members != b.members:
			return cmp.Compare(a.members, b.members)
		case a.first != b.first:
			return cmp.Compare(a.first, b.first)
		case a.second != b.second:
			return cmp.Compare(a.second, b.second)
		}
		rest := min(2, a.members)
		return slices.Compare(members[a.household].of(s.keys)[rest:], members[b.household].of(s.keys)[rest:])
	}
	if !s.apart {
		slices.SortFunc(order, func(a, b placed) int {
			if order := compare(a, b); order != 0 {
				return order
			}
			return cmp.Compare(a.household, b.household)
		})
	}
	s.ordered = make([]uint32, len(order))
	for from, to := 0, 0; from < len(order); from = to {
		for to = from; to == from || !s.apart && to < len(order) && compare(order[from], order[to]) == 0; to++ {
			s.ordered[to] = order[to].household
		}
		s.kinds = append(s.kinds, kind{members[s.ordered[from]], span{uint32(from), uint32(to - from)}})
	}
}

// placed is a household with what it mostly is placed by: its number of members, and the first of their keys.
type placed struct{ members, first, second, household uint32 }

// copied returns the same households, which lose by themselves from now on.
func (s *sharing) copied() *sharing {
	out := *s
	out.splitting, out.alike = s.splitting.copied(), slices.Clone(s.alike)
	return &out
}

// row returns the row of a member of households that are alike.
func (s *sharing) row(at, member int) int { return int(s.alike[at].first) + member }

// members returns the number of members that each of households that are alike has.
func (s *sharing) members(at int) int { return int(s.kinds[s.alike[at].kind].members.n) }

// part parts so many of households that are alike from the others.
func (s *sharing) part(at, times int) int {
	from, first := &s.alike[at], len(s.of)
	s.of = append(s.of, s.of[from.first:s.row(at, s.members(at))]...)
	from.times -= times
	s.alike = append(s.alike, alike{from.kind, uint32(first), times})
	return len(s.alike) - 1
}

// having returns the places of those among alike of which a member is of some parts of the splitting.
func (s *sharing) having(some []bool) (places []int) {
	next := 0 // row from which on others are
	for row, part := range s.of {
		if !some[part] || row < next {
			continue
		}
		at := sort.Search(len(s.alike), func(i int) bool { return int(s.alike[i].first) > row }) - 1
		places, next = append(places, at), s.row(at, s.members(at))
	}
	return places
}

// lose has households lose cells, those of shared variables with all members who have a value: of those that stand at
// these places among alike, next returns how many, of which there are no more than times, lose next what it says of
// each member. It reports whether any cell is lost, and whether other members lose cells with somebody.
func (s *sharing) lose(places []int, next func(at int, sets []uint64) (times int)) (some, others bool) {
	var sets []uint64
	for _, at := range places {
		for more := true; more; {
			sets = slices.Grow(sets[:0], s.members(at))[:s.members(at)]
			clear(sets)
			times, to := next(at, sets), at
			more = times < s.alike[at].times
			if slices.Max(sets) == 0 {
				continue
			}
			if more {
				to = s.part(at, times)
			}
			some, others = true, s.loseTogether(to, sets) || others
		}
	}
	return some, others
}

// loseTogether adds what members of households that are alike lose, and reports whether others lose cells with them.
func (s *sharing) loseTogether(at int, sets []uint64) (others bool) {
	together, shared := uint64(0), s.shared()
	for _, set := range sets {
		together |= set & shared
	}
	for i, key := range s.keysOf(s.alike[at].kind) {
		row := s.row(at, i)
		before := s.set(row)
		after := before | sets[i] | together&s.present[key]
		others = others || after != before|sets[i]
		if after != before {
			s.change(row, after, s.alike[at].times)
		}
	}
	return others
}

// inTurn hands the parts of each key of a file to the members of households, one household after the other; keyOf has
// the keys there of the parts of the splitting. It returns the places of the households that get some.
func (s *sharing) inTurn(left []parts, keyOf []uint32) (places []int, next func(at int, sets []uint64) int) {
	losing := make([]bool, len(keyOf)) // by part of the splitting
	for part, key := range keyOf {
		losing[part] = len(left[key]) > 0
	}
	var keys, sorted []uint32
	return s.having(losing), func(at int, sets []uint64) int {
		times := s.alike[at].times
		keys = keys[:0]
		for _, part := range s.of[s.row(at, 0):s.row(at, len(sets))] {
			keys = append(keys, keyOf[part])
		}
		sorted = append(sorted[:0], keys...)
		slices.Sort(sorted)
		for i, next := 0, 0; i < len(sorted); i = next {
			for next = i + 1; next < len(sorted) && sorted[next] == sorted[i]; next++ {
			}
			if of := left[sorted[i]]; len(of) > 0 { // as long as all members of the key lose the same
				times = min(times, max(1, of[0].Count/(next-i)))
			}
		}
		for i, key := range keys {
			left[key].take(times, func(set uint64, _ int) { sets[i] = set })
		}
		return times
	}
}

// byRecord says what households lose that are apart, of whose records it is known.
func (s *sharing) byRecord(cells lost) (places []int, next func(at int, sets []uint64) int) {
	return s.having(slices.Repeat([]bool{true}, len(s.parts))), func(at int, sets []uint64) int {
		household := int(s.ofKind(s.alike[at].kind)[0])
		for i := range sets {
			sets[i] = cells[s.Member(household, i)]
		}
		return s.alike[at].times
	}
}
