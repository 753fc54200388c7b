package suppress

import (
	"context"
	"maps"
	"slices"
)

// splitting tells the distinct keys of a file apart by what their rows lose, and
// keeps up with rows that lose more or less. In place of rows there may be members of
// households that are alike, see sharing.
type splitting struct {
	*file
	parts []part          // of each key of the table what loses nothing, then what loses something; some are empty
	of    []uint32        // per row: its part
	place map[part]uint32 // of the parts that lose something; without Count
}

// split returns what rows of the data lose.
func (f *file) split(cells lost) *splitting {
	s := f.whole(slices.Clone(f.table.RowKeys()))
	for row, set := range cells {
		if set != 0 {
			s.change(row, set, f.recordsAt(row))
		}
	}
	return s
}

// whole returns the splitting of rows of which nothing is lost, by their keys.
func (f *file) whole(keys []uint32) *splitting {
	counts := f.table.Counts()
	s := &splitting{file: f, parts: make([]part, len(counts), 2*len(counts)), of: keys, place: make(map[part]uint32)}
	for key, count := range counts {
		s.parts[key] = part{Key: uint32(key), Count: count}
	}
	return s
}

// copied returns a splitting that changes by itself.
func (s *splitting) copied() *splitting {
	out := *s
	out.parts, out.of, out.place = slices.Clone(s.parts), slices.Clone(s.of), maps.Clone(s.place)
	return &out
}

// change makes a row, which stands for so many records, lose a set of variables, in place of what it lost.
func (s *splitting) change(row int, set uint64, records int) {
	from := &s.parts[s.of[row]]
	to := from.Key
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
// variables, and the key there of each part.
func (s *splitting) left(ctx context.Context, keyVariables int) (*file, []uint32, error) {
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
		return nil, nil, err
	}
	for at, p := range s.parts {
		if p.Count > 0 {
			place[at] = t.of[place[at]]
		} else {
			place[at] = 0 // nobody asks for it
		}
	}
	f, err := newFile(ctx, t.Table, keyVariables, s.defining)
	return f, place, err
}
