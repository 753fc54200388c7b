package suppress

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/suppression/minimal"
)

// part is a number of records of one key pattern of a stratum that lose the same cells.
type part = minimal.Part

// parts lists the suppressions of a stratum. Records that are in no part stay as they are. The rows of a key are
// assigned its parts in order.
type parts []part

// comparePart orders parts by key and set.
func comparePart(a, b part) int { return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.Set, b.Set)) }

// merged sorts parts by key and set, and merges those that are equal in both.
func (p parts) merged() parts {
	slices.SortFunc(p, comparePart)
	out := p[:0]
	for _, next := range p {
		if last := len(out) - 1; last >= 0 && out[last].Key == next.Key && out[last].Set == next.Set {
			out[last].Count += next.Count
			continue
		}
		out = append(out, next)
	}
	return out
}

// recordsAt returns the number of records that a row of the data represents.
func (f *file) recordsAt(row int) int {
	if stands := f.table.Multiplicity(); stands != nil {
		return stands[row]
	}
	return 1
}

// parts aggregates the lost cells of rows by stratum, key and set of variables.
func (f *file) parts(cells lost) []stratumResult {
	all, keys := make([]stratumResult, len(f.strata)), f.table.RowKeys()
	for row, set := range cells {
		if key := keys[row]; set != 0 {
			to := &all[f.of[key]]
			to.parts = append(to.parts, part{Key: f.number[key], Set: set, Count: f.recordsAt(row)})
		}
	}
	for i := range all {
		all[i].parts = all[i].parts.merged()
	}
	return all
}

// deal assigns the parts of each key to the rows with that key, in the given order or, if it is nil, in the order
// of the data. It calls visit with the row, the variables it loses and the number of its records that lose them.
// Rows that lose nothing are skipped.
func (f *file) deal(all []stratumResult, order []uint32, visit func(row int, set uint64, records int)) {
	left, some := f.byKey(all)
	if !some {
		return
	}
	for at, key := range f.table.RowKeys() {
		row := at
		if order != nil {
			row = int(order[at])
			key = f.table.Key(row)
		}
		left[key].take(f.recordsAt(row), func(set uint64, records int) { visit(row, set, records) })
	}
}

// byKey returns the parts of each key, and whether there are any.
func (f *file) byKey(all []stratumResult) (of []parts, some bool) {
	of = make([]parts, f.table.Keys())
	for i, it := range f.strata {
		for _, p := range all[i].parts {
			of[it.keys[p.Key]], some = append(of[it.keys[p.Key]], p), true
		}
	}
	return of, some
}

// take removes up to the given number of records from the front of the parts and calls visit for each set of
// variables.
func (p *parts) take(records int, visit func(set uint64, records int)) {
	for records > 0 && len(*p) > 0 {
		next := &(*p)[0]
		taken := min(records, next.Count)
		visit(next.Set, taken)
		records -= taken
		if next.Count -= taken; next.Count == 0 {
			*p = (*p)[1:]
		}
	}
}

// lose returns the cells that the rows of the data lose, and the data. If rows represent several records of which
// some lose other cells than the rest, these rows are split.
func (f *file) lose(in method.Input, all []stratumResult) (method.Input, lost) {
	if in.Data.Grouped() {
		return f.cut(in, all)
	}
	cells := make(lost, in.Data.Len())
	f.deal(all, nil, func(row int, set uint64, _ int) { cells[row] = set })
	return in, cells
}

func (f *file) cut(in method.Input, all []stratumResult) (method.Input, lost) {
	var rows []uint32
	var records []int
	var cells lost
	left, next := slices.Clone(in.Data.Multiplicity()), 0 // next: the first row not yet copied
	add := func(row int, set uint64, count int) {
		rows, records, cells = append(rows, uint32(row)), append(records, count), append(cells, set)
	}
	keep := func(end int) {
		for ; next < end; next++ {
			if left[next] > 0 {
				add(next, 0, left[next])
			}
		}
	}
	f.deal(all, nil, func(row int, set uint64, count int) {
		keep(row)
		add(row, set, count)
		left[row] -= count
	})
	keep(len(left))
	in.Data = in.Data.Split(rows, records, in.Scenario.Weight)
	return in, cells
}

// emptyAccount returns an account without suppressed cells.
func emptyAccount(names []string) *method.Suppression {
	s := &method.Suppression{Cells: make(method.Counts, len(names))}
	for v, name := range names {
		s.Cells[v].Name = name
	}
	return s
}

// count adds the cells, prices and records of the parts to an account.
func (p parts) count(to *method.Suppression, price []int) {
	for _, part := range p {
		if part.Set != 0 {
			to.Touched += part.Count
		}
		for set := part.Set; set != 0; set &= set - 1 {
			v := bits.TrailingZeros64(set)
			to.Cells[v].Count += part.Count
			to.Total += part.Count
			to.Price += price[v] * part.Count
		}
	}
}

// withUntouched returns the parts followed by the records of the stratum that are in none.
func (p parts) withUntouched(s *stratum) parts {
	untouched := slices.Clone(s.Counts)
	for _, part := range p {
		untouched[part.Key] -= part.Count
	}
	rows := slices.Clone(p)
	for key, count := range untouched {
		if count > 0 {
			rows = append(rows, part{Key: uint32(key), Count: count})
		}
	}
	return rows
}

// groups returns the keys of the stratum after suppression on some variables, one group per part. Records that are
// in no part are left out.
func (p parts) groups(s *stratum, variables []int) *keys.Groups {
	g := &keys.Groups{Counts: make([]int, len(p))}
	for row, part := range p {
		g.Counts[row] = part.Count
	}
	for _, v := range variables {
		codes := make([]uint32, len(p))
		for row, part := range p {
			if part.Set>>v&1 == 0 {
				codes[row] = s.Codes[v][part.Key]
			}
		}
		g.Levels, g.Codes = append(g.Levels, s.Levels[v]), append(g.Codes, codes)
	}
	return g
}
