package suppress

import (
	"context"
	"slices"
)

// splitting tells the distinct keys of a file apart by what their rows lose, and
// keeps up with rows that lose more or less. In place of rows there may be members of
// households that are alike, see sharing.
type splitting struct {
	*file
	parts []part   // of each key of the table what loses nothing, then what loses something; some are empty
	of    []uint32 // per row: its part
	next  []uint32 // per part: another one of its key; 0: there is none
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
	s := &splitting{file: f, parts: make([]part, len(counts), 2*len(counts)), of: keys, next: make([]uint32, len(counts), 2*len(counts))}
	for key, count := range counts {
		s.parts[key] = part{Key: uint32(key), Count: count}
	}
	return s
}

// copied returns a splitting that changes by itself.
func (s *splitting) copied() *splitting {
	out := *s
	out.parts, out.of, out.next = slices.Clone(s.parts), slices.Clone(s.of), slices.Clone(s.next)
	return &out
}

// change makes a row, which stands for so many records, lose a set of variables, in place of what it lost.
func (s *splitting) change(row int, set uint64, records int) {
	from := &s.parts[s.of[row]]
	to := from.Key
	from.Count -= records
	if set != 0 {
		to = s.losing(to, set)
	}
	s.parts[to].Count += records
	s.of[row] = to
}

// losing returns the part of a key that loses a set of variables, a new one where there is none.
func (s *splitting) losing(key uint32, set uint64) uint32 {
	last := key
	for s.next[last] != 0 {
		if last = s.next[last]; s.parts[last].Set == set {
			return last
		}
	}
	at := uint32(len(s.parts))
	s.parts, s.next = append(s.parts, part{Key: key, Set: set}), append(s.next, 0)
	s.next[last] = at
	return at
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
