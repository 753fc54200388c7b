package suppress

import (
	"context"
	"slices"
)

// splitting tells the distinct keys of a file apart by what their rows lose, and
// keeps up with rows that lose more or less.
type splitting struct {
	*file
	parts []part          // of each key of the table what loses nothing, then what loses something; some are empty
	of    []uint32        // per row of the data: its part
	place map[part]uint32 // of the parts that lose something; without Count
}

// split returns what rows lose.
func (f *file) split(cells lost) *splitting {
	counts := f.table.Counts()
	s := &splitting{file: f, parts: make([]part, len(counts), 2*len(counts)), of: slices.Clone(f.table.RowKeys()),
		place: make(map[part]uint32)}
	for key, count := range counts {
		s.parts[key] = part{Key: uint32(key), Count: count}
	}
	for row, set := range cells {
		if set != 0 {
			s.change(row, set)
		}
	}
	return s
}

// change makes a row lose a set of variables, in place of what it lost.
func (s *splitting) change(row int, set uint64) {
	from := &s.parts[s.of[row]]
	to, records := from.Key, s.recordsAt(row)
	from.Count -= records
	if set != 0 {
		p, known := part{Key: to, Set: set}, false
		if to, known = s.place[p]; !known {
			to = uint32(len(s.parts))
			s.place[p], s.parts = to, append(s.parts, p)
		}
	}
	s.parts[to].Count += records
	s.of[row] = to
}

// set returns what a row loses.
func (s *splitting) set(row int) uint64 { return s.parts[s.of[row]].Set }

// lost returns what all rows lose.
func (s *splitting) lost() lost {
	cells := make(lost, len(s.of))
	for row := range cells {
		cells[row] = s.set(row)
	}
	return cells
}

// solved returns what the strata lose.
func (s *splitting) solved() []solved {
	all := make([]solved, len(s.strata))
	for _, p := range s.parts[s.table.Keys():] {
		if p.Count > 0 {
			to := &all[s.file.of[p.Key]]
			to.parts = append(to.parts, part{Key: s.number[p.Key], Set: p.Set, Count: p.Count})
		}
	}
	for i := range all {
		all[i].parts = all[i].parts.merged()
	}
	return all
}

// left returns the file without what is lost, whose first variables are the key
// variables. It is good until a row loses more or less. Rows are records.
func (s *splitting) left(ctx context.Context, keyVariables int) (*file, error) {
	kept := make(parts, 0, len(s.parts))
	place := make([]uint32, len(s.parts))
	for at, p := range s.parts {
		if place[at] = uint32(len(kept)); p.Count > 0 {
			kept = append(kept, p)
		}
	}
	whole := &stratum{Groups: s.table.Groups()}
	t, err := projected(ctx, kept.groups(whole, whole.all()))
	if err != nil {
		return nil, err
	}
	f, err := newFile(ctx, t.Table, keyVariables, s.defining)
	if err != nil {
		return nil, err
	}
	f.rows, f.keyOf = s.of, place
	for at, p := range s.parts {
		if p.Count > 0 {
			place[at] = t.of[place[at]]
		}
	}
	return f, nil
}
