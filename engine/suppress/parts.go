package suppress

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/keys"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/microdata"
)

// part is a number of records of one distinct key of a stratum that lose the
// same cells.
type part struct {
	key   uint32
	set   uint64 // the variables blanked, bit v for variable v
	count uint32
}

// parts says what a suppression does to the distinct keys of a stratum: keys
// ascend; records that no part names stay as they are.
type parts []part

// partsOf groups the records of a stratum by key and set of variables lost.
func partsOf(s *stratum, lost []uint64) parts {
	counts := make(map[part]uint32)
	for row, set := range lost {
		if set != 0 {
			counts[part{key: s.keys[row], set: set}] += s.recordsAt(row)
		}
	}
	grouped := make(parts, 0, len(counts))
	for p, count := range counts {
		grouped = append(grouped, part{p.key, p.set, count})
	}
	return grouped.merged()
}

// parts groups the cells of a stratum's records by key and set of variables.
func (b blanks) parts(s *stratum) parts { return partsOf(s, b.lost(s)) }

// lost returns the variables that each row of a stratum loses.
func (b blanks) lost(s *stratum) []uint64 {
	lost := make([]uint64, len(s.keys))
	for v, cells := range b {
		for row := range lost {
			if cells.Has(s.record(row)) {
				lost[row] |= 1 << v
			}
		}
	}
	return lost
}

// merged sorts parts by key and set, and adds up those that agree in both.
func (p parts) merged() parts {
	slices.SortFunc(p, func(a, b part) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.set, b.set)) })
	out := p[:0]
	for _, next := range p {
		if last := len(out) - 1; last >= 0 && out[last].key == next.key && out[last].set == next.set {
			out[last].count += next.count
			continue
		}
		out = append(out, next)
	}
	return out
}

// deal hands the parts of each key to that key's rows in their order, and calls
// visit with what a row gets: variables, and how many of its records lose them.
// Records that get nothing are left out.
func (p parts) deal(s *stratum, visit func(i int, set uint64, records uint32)) {
	next := make([]int32, len(s.counts)) // place of the key's next part, plus one; 0 for none
	remaining := make([]uint32, len(p))
	for i := len(p) - 1; i >= 0; i-- {
		next[p[i].key] = int32(i + 1)
		remaining[i] = p[i].count
	}
	for row, key := range s.keys {
		if next[key] == 0 {
			continue
		}
		for left := s.recordsAt(row); left > 0 && next[key] != 0; {
			i := next[key] - 1
			taken := min(left, remaining[i])
			visit(row, p[i].set, taken)
			left -= taken
			if remaining[i] -= taken; remaining[i] > 0 {
				continue
			}
			next[key] = 0
			if int(i)+1 < len(p) && p[i+1].key == key {
				next[key] = i + 2
			}
		}
	}
}

// blank marks the cells that rows lose. n is the number of rows of the data, of
// each of which all records lose the same: see divided.
func (p parts) blank(s *stratum, cells blanks, n int) {
	p.deal(s, func(i int, set uint64, _ uint32) { cells.setAll(s.record(i), set, n) })
}

// divided returns the data with the rows cut of which some records lose other
// cells than others, and the strata with the rows as they are then. Records of a
// file are not cut.
func divided(in method.Input, strata []*stratum, all []solved) (*microdata.Dataset, []*stratum) {
	if !in.Data.Grouped() {
		return in.Data, strata
	}
	cuts := make([][]uint32, in.Data.Len())
	for i, s := range strata {
		all[i].parts.deal(s, func(place int, _ uint64, records uint32) {
			cuts[s.record(place)] = append(cuts[s.record(place)], records)
		})
	}
	var rows, records []uint32
	start := make([]uint32, len(cuts)+1)
	for row, left := range in.Data.Multiplicity() {
		for _, count := range cuts[row] {
			rows, records = append(rows, uint32(row)), append(records, count)
			left -= count
		}
		if left > 0 {
			rows, records = append(rows, uint32(row)), append(records, left)
		}
		start[row+1] = uint32(len(rows))
	}
	after := make([]*stratum, len(strata))
	for i, s := range strata {
		cut := *s
		cut.keys, cut.rows, cut.stands = nil, []uint32{}, records
		for place, key := range s.keys {
			for row := start[s.record(place)]; row < start[s.record(place)+1]; row++ {
				cut.keys, cut.rows = append(cut.keys, key), append(cut.rows, row)
			}
		}
		after[i] = &cut
	}
	return in.Data.Split(rows, records, in.Scenario.Weight), after
}

// emptyAccount returns the account of a suppression of nothing.
func emptyAccount(names []string) *method.Suppression {
	s := &method.Suppression{Cells: make(method.Counts, len(names))}
	for v, name := range names {
		s.Cells[v].Name = name
	}
	return s
}

// count adds the cells, their price and the records of the parts to an account.
func (p parts) count(to *method.Suppression, price []int) {
	for _, part := range p {
		to.Touched += int(part.count)
		for set := part.set; set != 0; set &= set - 1 {
			v := bits.TrailingZeros64(set)
			to.Cells[v].Count += int(part.count)
			to.Total += int(part.count)
			to.Price += price[v] * int(part.count)
		}
	}
}

// withUntouched returns the parts and behind them the records of the stratum
// that none names.
func (p parts) withUntouched(s *stratum) parts {
	untouched := slices.Clone(s.counts)
	for _, part := range p {
		untouched[part.key] -= part.count
	}
	rows := slices.Clone(p)
	for key, count := range untouched {
		if count > 0 {
			rows = append(rows, part{key: uint32(key), count: count})
		}
	}
	return rows
}

// groups returns the keys of the stratum after the suppression, one group per
// part, with the untouched remainders of keys behind them.
func (p parts) groups(s *stratum) *keys.Groups {
	rows := p.withUntouched(s)
	g := &keys.Groups{Levels: s.levels, Codes: make([][]uint32, len(s.codes)), Counts: make([]uint32, len(rows))}
	for row, part := range rows {
		g.Counts[row] = part.count
	}
	for v, before := range s.codes {
		g.Codes[v] = make([]uint32, len(rows))
		for row, part := range rows {
			if part.set>>v&1 == 0 {
				g.Codes[v][row] = before[part.key]
			}
		}
	}
	return g
}
