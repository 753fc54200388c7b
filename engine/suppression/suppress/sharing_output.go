package suppress

import (
	"cmp"
	"slices"
)

// each calls visit with the rows of the data that the members of households are of, and what they
// lose, of kinds of which some lose something. Of a kind those come first that
// lose more, in the order of its households; of members with the same key likewise. Slices are good until the next
// call.
func (s *sharing) each(visit func(rows []uint32, sets []uint64)) {
	keys := s.table.RowKeys()
	var rows []uint32
	for kind, taken := range s.byKind() {
		if taken == nil {
			continue
		}
		for _, household := range s.ofKind(uint32(kind)) {
			rows = rows[:0]
			for i := range s.Members(int(household)) {
				rows = append(rows, uint32(s.Member(int(household), i)))
			}
			if !s.apart {
				slices.SortStableFunc(rows, func(a, b uint32) int { return cmp.Compare(keys[a], keys[b]) })
			}
			visit(rows, taken[0].sets)
			if taken[0].times--; taken[0].times == 0 {
				taken = taken[1:]
			}
		}
	}
}

// taken is what so many households of a kind lose, by member.
type taken struct {
	sets  []uint64
	times int
}

// losers returns the places of those among alike that have lost cells.
func (s *sharing) losers() []int {
	losing := make([]bool, len(s.parts))
	for part := s.table.Keys(); part < len(losing); part++ {
		losing[part] = true
	}
	return s.having(losing)
}

// byKind returns what households lose, by kind in the order of each; of kinds of which some lose something.
func (s *sharing) byKind() [][]taken {
	all, wanted := make([][]taken, len(s.kinds)), make([]bool, len(s.kinds))
	for _, at := range s.losers() {
		wanted[s.alike[at].kind] = true
	}
	var sets []uint64
	for at := range s.alike {
		kind, from := s.alike[at].kind, len(sets)
		if !wanted[kind] {
			continue
		}
		for i := range s.members(at) {
			sets = append(sets, s.set(s.row(at, i)))
		}
		own := sets[from:len(sets):len(sets)]
		if !s.apart {
			mostFirst(s.keysOf(kind), own)
		}
		all[kind] = append(all[kind], taken{own, s.alike[at].times})
	}
	for _, of := range all {
		slices.SortFunc(of, func(a, b taken) int { return slices.Compare(b.sets, a.sets) })
	}
	return all
}

// cells returns what the records lose.
func (s *sharing) cells(records int) lost {
	cells := make(lost, records)
	s.each(func(rows []uint32, sets []uint64) {
		for i, row := range rows {
			cells[row] = sets[i]
		}
	})
	return cells
}

// mostFirst puts what members of a household lose, sets of cells, into an order in which of those with one key, which
// ascend, the ones that lose more come first: which of them is which is not told by their keys.
func mostFirst(keys []uint32, sets []uint64) {
	for from, to := 0, 0; from < len(keys); from = to {
		for to = from + 1; to < len(keys) && keys[to] == keys[from]; to++ {
		}
		slices.SortFunc(sets[from:to], func(a, b uint64) int { return cmp.Compare(b, a) })
	}
}
