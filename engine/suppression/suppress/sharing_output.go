package suppress

import (
	"cmp"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// each calls visit with the rows of the data that the members of households are of, what they lose, and how many
// households have such members; perhaps only of kinds of which some lose something. Of a kind those come first that
// lose more, in the order of its households; of members with the same key likewise. Slices are good until the next
// call.
func (s *sharing) each(losing bool, visit func(rows []uint32, sets []uint64, times int)) {
	keys := s.table.RowKeys()
	var rows []uint32
	for kind, taken := range s.byKind(losing) {
		if taken == nil {
			continue
		}
		for _, household := range s.kinds[kind].households {
			rows = rows[:0]
			for i := range s.Members(int(household)) {
				rows = append(rows, uint32(s.Member(int(household), i)))
			}
			if !s.apart {
				slices.SortStableFunc(rows, func(a, b uint32) int { return cmp.Compare(keys[a], keys[b]) })
			}
			for left := s.Times(int(household)); left > 0; {
				times := min(left, taken[0].times)
				visit(rows, taken[0].sets, times)
				left -= times
				if taken[0].times -= times; taken[0].times == 0 {
					taken = taken[1:]
				}
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

// byKind returns what households lose, by kind in the order of each; perhaps only of kinds of which some lose
// something.
func (s *sharing) byKind(losing bool) [][]taken {
	all, wanted := make([][]taken, len(s.kinds)), make([]bool, len(s.kinds))
	for _, at := range s.losers() {
		wanted[s.alike[at].kind] = true
	}
	var sets []uint64
	for at := range s.alike {
		kind, from := s.alike[at].kind, len(sets)
		if losing && !wanted[kind] {
			continue
		}
		for i := range s.members(at) {
			sets = append(sets, s.set(s.row(at, i)))
		}
		own := sets[from:len(sets):len(sets)]
		if !s.apart {
			microdata.MostFirst(s.kinds[kind].members, own)
		}
		all[kind] = append(all[kind], taken{own, s.alike[at].times})
	}
	for _, of := range all {
		slices.SortFunc(of, func(a, b taken) int { return slices.Compare(b.sets, a.sets) })
	}
	return all
}

// out returns the data, with the rows cut of which some records lose other cells than others, and what rows lose.
func (s *sharing) out(in method.Input) (method.Input, lost, error) {
	if in.Data.Grouped() {
		return s.cut(in)
	}
	cells := make(lost, in.Data.Len())
	s.each(true, func(rows []uint32, sets []uint64, _ int) {
		for i, row := range rows {
			cells[row] = sets[i]
		}
	})
	return in, cells, nil
}

// portion are records of a row that lose the same.
type portion struct {
	row uint32
	set uint64
}

// cut is out for rows that stand for several records each.
func (s *sharing) cut(in method.Input) (method.Input, lost, error) {
	records := map[portion]int{}
	s.each(false, func(rows []uint32, sets []uint64, times int) {
		for i, row := range rows {
			records[portion{row, sets[i]}] += times
		}
	})
	shares := make([]portion, 0, len(records))
	for of := range records {
		shares = append(shares, of)
	}
	slices.SortFunc(shares, func(a, b portion) int { return cmp.Or(cmp.Compare(a.row, b.row), cmp.Compare(b.set, a.set)) })
	rows, counts, cells := make([]uint32, len(shares)), make([]int, len(shares)), make(lost, len(shares))
	number := make(map[portion]uint32, len(shares))
	for i, of := range shares {
		rows[i], counts[i], cells[i], number[of] = of.row, records[of], of.set, uint32(i)
	}
	all, after := &microdata.Compositions{}, []uint32(nil)
	s.each(false, func(rows []uint32, sets []uint64, times int) {
		after = after[:0]
		for i, row := range rows {
			after = append(after, number[portion{row, sets[i]}])
		}
		all.Add(after, uint32(times))
	})
	households, err := all.Households(counts)
	if err != nil {
		return in, nil, err
	}
	in.Data = in.Data.Split(rows, counts, in.Scenario.Weight)
	if column, _ := in.Data.Column(in.Scenario.Household); column.Uncounted() {
		in.Data = in.Data.With(column.WithHouseholds(households))
	}
	return in, cells, nil
}
