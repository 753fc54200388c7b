package minimal

import (
	"context"
	"math/bits"
	"slices"
)

// wildcard gives cells back under the rules by which a missing value counts as any category: Default and CategorySize.
// It starts from a conservative solution, which has no violator under them either.
//
// Nobody's frequency is kept. Of each row it is known which other rows are enough to make it safe, its supports; a move
// is looked at by the rows alone that it takes a support from. Only complete rows that need the shares of CategorySize
// keep their frequency, or less.
type wildcard struct {
	p          *Problem
	rows       *rows
	compatible *compatible
	n          int64
	alpha      float64
	shares     [][]int64 // per variable and code: records; nil unless the rule is CategorySize
	sized      []float64 // per row: what others at least add to it if it is complete, under CategorySize
	supports   supports
	full       uint64
	move       move // reused
}

// newWildcard enters the choices, which are those of all records.
func newWildcard(ctx context.Context, p *Problem, keys *packing, choices []choice) (*wildcard, error) {
	w := &wildcard{p: p, rows: newRows(p, keys), n: p.records(), alpha: p.Alpha, full: p.full()}
	if p.Rule == CategorySize {
		w.alpha = 1
		w.shares = make([][]int64, p.variables())
		for v, levels := range p.Levels {
			w.shares[v] = make([]int64, levels+1)
		}
	}
	for _, c := range choices {
		w.tally(c.key, c.set, c.count)
		w.rows.add(c.key, c.set, c.count)
	}
	w.compatible = newCompatible(w.rows)
	w.grow()
	for row := range w.rows.count {
		if row%64 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		w.judge(uint32(row))
		w.supports.replace(uint32(row), w.move.found)
	}
	return w, nil
}

// grow makes room for what is known of new rows.
func (w *wildcard) grow() {
	n := len(w.rows.count)
	w.sized = append(w.sized, make([]float64, n-len(w.sized))...)
	w.supports.grow(n)
}

// tally adds to the numbers of records per category.
func (w *wildcard) tally(key uint32, set uint64, count int64) {
	for v := range w.shares {
		code := w.p.Codes[v][key]
		if set>>v&1 == 1 {
			code = 0
		}
		w.shares[v][code] += count
	}
}

// run gives back cells, dearest first: to all records of a choice together, then one by one, until none is left that
// can be.
func (w *wildcard) run(ctx context.Context, choices []choice, missing []uint64, report *progress) ([]choice, error) {
	done, order := 0, w.p.dearestFirst()
	for changed := true; changed; {
		changed = false
		for _, together := range []bool{true, false} {
			for _, v := range order {
				given, err := w.giveBack(ctx, &choices, missing, v, together)
				if err != nil {
					return nil, err
				}
				changed = changed || given
				done++
				report.at(int64(done), int64(2*len(order)+1)) // what later passes find is little
			}
		}
		choices = gather(choices)
	}
	return choices, nil
}

// giveBack gives back cells of variable v and reports whether it gave any.
func (w *wildcard) giveBack(ctx context.Context, choices *[]choice, missing []uint64, v int, together bool) (bool, error) {
	given := false
	for i := range *choices {
		if i%64 == 0 && ctx.Err() != nil {
			return given, ctx.Err()
		}
		c := &(*choices)[i]
		if (c.set&^missing[c.key]&^c.hopeless)>>v&1 == 0 || c.count == 0 || !together && c.count == 1 {
			continue
		}
		// What is hopeless for some values is so for more of them.
		back := choice{key: c.key, set: c.set &^ (1 << v), hopeless: c.hopeless}
		if together {
			if w.try(c, v, c.count) {
				back.count = c.count
			}
		} else {
			for back.count < c.count && w.try(c, v, 1) {
				back.count++
			}
		}
		if back.count == 0 {
			continue
		}
		given = true
		c.count -= back.count
		*choices = append(*choices, back)
	}
	return given, nil
}

// enough reports whether a frequency of so many records that count in full and so many that count alpha reaches k.
func (w *wildcard) enough(exact, partial int64) bool {
	k := int64(w.p.K)
	return exact >= k || float64(exact)+float64(w.alpha*float64(partial)) >= float64(k)-tolerance
}

// tolerance is what a frequency may lie below k without violating it.
const tolerance = 1e-9

// judge reports whether a row is safe and leaves in w.move.found the rows that make it so.
func (w *wildcard) judge(row uint32) bool {
	return w.find(w.rows.of(row), w.rows.blank[row], row, w.rows.count[row], 0)
}

// find looks for rows that make records with the given codes safe, which have some records already that count in full
// and some that count alpha. A row may be left out. The rows found are left in w.move.found.
func (w *wildcard) find(codes []uint32, blank uint64, without uint32, exact, partial int64) bool {
	w.move.found = w.move.found[:0]
	switch {
	case blank == w.full: // a key that is missing everywhere counts all records
		return true
	case w.enough(exact, partial):
		return true
	case blank == 0 && w.shares != nil:
		w.move.sized = w.size(codes)
		return float64(exact)+w.move.sized >= float64(w.p.K)-tolerance
	}
	which := anyRow
	if w.alpha == 0 {
		which = complete
	}
	w.compatible.each(codes, which, func(other uint32) bool {
		if other == without {
			return true
		}
		w.move.found = append(w.move.found, other)
		if blank != 0 && w.rows.blank[other] == 0 {
			exact += w.rows.count[other]
		} else {
			partial += w.rows.count[other]
		}
		return !w.enough(exact, partial)
	})
	return w.enough(exact, partial)
}

// size returns what the compatible incomplete records add to complete codes under the rule CategorySize.
func (w *wildcard) size(codes []uint32) float64 {
	var sum float64
	w.compatible.each(codes, incomplete, func(other uint32) bool {
		sum += w.part(other, codes, w.rows.count[other])
		return true
	})
	return sum
}

// part returns what some records of an incomplete row add to complete codes that it is compatible with.
func (w *wildcard) part(row uint32, codes []uint32, records int64) float64 {
	part := float64(records)
	for set := w.rows.blank[row]; set != 0; set &= set - 1 {
		v := bits.TrailingZeros64(set)
		part = float64(part * (float64(w.shares[v][codes[v]]) / float64(w.n)))
	}
	return part
}

// needsShares reports whether a row is a complete one that reaches k only by shares of categories, if at all.
func (w *wildcard) needsShares(row uint32) bool {
	return w.shares != nil && w.rows.blank[row] == 0 && w.rows.count[row] < int64(w.p.K)
}

// supports holds, for each row, other rows that together with its own records are enough to make it safe; and for each
// row the rows that it supports, among which some may be left that it supports no longer.
type supports struct {
	of        [][]uint32
	dependent [][]uint32
}

// grow makes room for n rows.
func (s *supports) grow(n int) {
	s.of = append(s.of, make([][]uint32, n-len(s.of))...)
	s.dependent = append(s.dependent, make([][]uint32, n-len(s.dependent))...)
}

// replace sets the supports of a row.
func (s *supports) replace(row uint32, by []uint32) {
	before := s.of[row]
	for _, other := range by {
		if !slices.Contains(before, other) {
			s.dependent[other] = append(s.dependent[other], row)
		}
	}
	s.of[row] = append(s.of[row][:0:0], by...)
}
