package minimal

import (
	"cmp"
	"context"
	"math/bits"
	"slices"
)

// wildcard gives cells back under the rules by which a missing value counts as any category: Default and CategorySize.
// It starts from a conservative solution, which has no violator under them either.
//
// The frequency of every row is kept: how many records count in full and how many count alpha. A move changes those of
// the rows that are compatible with the row that records leave. Complete rows that need the shares of CategorySize keep
// what these add, or less.
type wildcard struct {
	p          *Problem
	rows       *rows
	compatible *compatible
	n          int64
	alpha      float64
	shares     [][]int64 // per variable and code: records; nil unless the rule is CategorySize
	known      []counted // per row with records
	full       uint64
	move       move // reused
}

// counted is what counts for the frequency of a row.
type counted struct {
	exact, partial int64   // records that count in full, its own among them, and those that count alpha
	sized          float64 // what others at least add to a complete row under CategorySize
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
	for _, c := range p.alikeTogether(choices) {
		w.tally(c.key, c.set, c.count)
		w.rows.add(c.key, c.set, c.count)
	}
	w.compatible = newCompatible(w.rows)
	for row, count := range w.rows.size {
		if row%64 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		w.known = append(w.known, w.countFor(w.rows.of(uint32(row)), w.rows.set[row], uint32(row), count))
	}
	return w, nil
}

// alikeTogether returns the choices in an order that has those together which leave alike records, first the ones with few
// missing values.
func (p *Problem) alikeTogether(choices []choice) []choice {
	sorted := slices.Clone(choices)
	slices.SortFunc(sorted, func(a, b choice) int {
		order := cmp.Or(bits.OnesCount64(a.set)-bits.OnesCount64(b.set), cmp.Compare(a.set, b.set))
		for v := 0; order == 0 && v < p.variables(); v++ {
			if a.set>>v&1 == 0 {
				order = cmp.Compare(p.Codes[v][a.key], p.Codes[v][b.key])
			}
		}
		return order
	})
	return sorted
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

// enough reports whether a row with the given missing variables is safe with what is counted for it.
func (w *wildcard) enough(blank uint64, c counted) bool {
	k := int64(w.p.K)
	switch {
	case blank == w.full || c.exact >= k: // a key that is missing everywhere counts all records
		return true
	case blank == 0 && w.shares != nil:
		return float64(c.exact)+c.sized >= float64(k)-tolerance
	}
	return float64(c.exact)+float64(w.alpha*float64(c.partial)) >= float64(k)-tolerance
}

// tolerance is what a frequency may lie below k without violating it.
const tolerance = 1e-9

// countFor counts for records with the given codes, so many of them, of which those in a row, if it is one, are some.
func (w *wildcard) countFor(codes []uint32, blank uint64, row uint32, records int64) counted {
	c := counted{exact: records}
	switch {
	case blank == w.full:
		return c
	case blank == 0 && w.shares != nil:
		c.sized = w.size(codes)
		return c
	}
	w.compatible.each(codes, func(other uint32) bool {
		switch {
		case other == row:
		case blank != 0 && w.rows.set[other] == 0:
			c.exact += w.rows.size[other]
		default:
			c.partial += w.rows.size[other]
		}
		return true
	})
	return c
}

// size returns what the compatible incomplete records add to complete codes under the rule CategorySize.
func (w *wildcard) size(codes []uint32) float64 {
	var sum float64
	w.compatible.each(codes, func(other uint32) bool {
		if w.rows.set[other] != 0 {
			sum += w.part(other, codes, w.rows.size[other])
		}
		return true
	})
	return sum
}

// part returns what some records of an incomplete row add to complete codes that it is compatible with.
func (w *wildcard) part(row uint32, codes []uint32, records int64) float64 {
	part := float64(records)
	for set := w.rows.set[row]; set != 0; set &= set - 1 {
		v := bits.TrailingZeros64(set)
		part = float64(part * (float64(w.shares[v][codes[v]]) / float64(w.n)))
	}
	return part
}
