package minimal

import (
	"context"
	"math/bits"
)

// wildcard gives cells back under the rules by which a missing value counts as any category: Default and CategorySize.
// It starts from a conservative solution, which has no violator under them either.
type wildcard struct {
	p       *Problem
	rows    *rows
	n       int64
	alpha   float64
	shares  [][]int64 // per variable and code: records; nil unless the rule is CategorySize
	exact   []int64   // per row: records that count in full
	partial []int64   // per row: records that count alpha

	doubtful []uint32 // reused
}

// newWildcard enters the choices, which are those of all records.
func newWildcard(ctx context.Context, p *Problem, keys *packing, choices []choice) (*wildcard, error) {
	w := &wildcard{p: p, rows: newRows(p, keys, 2*p.keys()), n: p.records(), alpha: p.Alpha}
	if p.Rule == CategorySize {
		w.alpha = 1
		w.shares = make([][]int64, p.variables())
		for v, levels := range p.Levels {
			w.shares[v] = make([]int64, levels+1)
		}
	}
	for _, c := range choices {
		row := w.rows.add(c.key, c.set, c.count)
		w.tally(row, c.count)
	}
	for row := range w.rows.count {
		if row%64 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		exact, partial := w.frequency(uint32(row))
		w.exact, w.partial = append(w.exact, exact), append(w.partial, partial)
	}
	return w, nil
}

// tally adds to the numbers of records per category.
func (w *wildcard) tally(row uint32, count int64) {
	for v := range w.shares {
		w.shares[v][w.rows.code(row, v)] += count
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
		if c.set&^missing[c.key]>>v&1 == 0 || c.count == 0 || !together && c.count == 1 {
			continue
		}
		back := choice{c.key, c.set &^ (1 << v), 0}
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

// try gives the cells of variable v back to some records of c unless that makes a violator.
func (w *wildcard) try(c *choice, v int, records int64) bool {
	from, _ := w.rows.row(c.key, c.set)
	to := w.rows.add(c.key, c.set&^(1<<v), 0)
	added := int(to) == len(w.exact)
	if added {
		w.exact, w.partial = append(w.exact, 0), append(w.partial, 0)
	}
	w.shift(from, to, records)
	if w.harms(from, to, v, records) {
		w.shift(to, from, records)
		if added {
			w.rows.withdraw()
			w.exact, w.partial = w.exact[:to], w.partial[:to]
		}
		return false
	}
	w.update(from, to, v, records)
	return true
}

// shift moves records from one row to another without keeping the frequencies.
func (w *wildcard) shift(from, to uint32, records int64) {
	w.rows.count[from] -= records
	w.rows.count[to] += records
	w.tally(from, -records)
	w.tally(to, records)
}

// loses reports whether other, compatible with a row while variable v is missing there, is so no longer once the row
// has its code on v back as in to.
func (w *wildcard) loses(other, to uint32, v int) bool {
	code := w.rows.code(other, v)
	return code != 0 && code != w.rows.code(to, v)
}

// harms reports whether a violator has come about by records having moved from one row to another, which differs from
// it in having variable v back. The frequencies are still those from before.
func (w *wildcard) harms(from, to uint32, v int, records int64) bool {
	if w.rows.count[from] > 0 {
		exact, partial := w.left(from, to, records)
		if w.falls(from, exact, partial) {
			return true
		}
	}
	exact, partial := w.frequency(to)
	if w.falls(to, exact, partial) {
		return true
	}
	harm := false
	w.doubtful = w.doubtful[:0]
	w.rows.compatible(from, func(other uint32) bool {
		if other == from || other == to || !w.loses(other, to, v) {
			return true
		}
		if w.shares != nil && w.rows.blank[other] == 0 {
			w.doubtful = append(w.doubtful, other)
			return true
		}
		harm = w.falls(other, w.exact[other], w.partial[other]-records)
		return !harm
	})
	for _, other := range w.doubtful {
		harm = harm || w.falls(other, w.exact[other], 0)
	}
	return harm
}

// left returns the frequencies of those who stay behind in from.
func (w *wildcard) left(from, to uint32, records int64) (exact, partial int64) {
	if w.rows.blank[to] == 0 {
		return w.exact[from], w.partial[from]
	}
	return w.exact[from] - records, w.partial[from] + records
}

// update brings the frequencies up to date after a move as in harms.
func (w *wildcard) update(from, to uint32, v int, records int64) {
	w.exact[from], w.partial[from] = w.left(from, to, records)
	w.rows.compatible(from, func(other uint32) bool {
		switch {
		case other == from || other == to:
		case w.loses(other, to, v):
			w.partial[other] -= records
		case w.rows.blank[to] == 0:
			// An incomplete record has become a complete one that agrees.
			w.partial[other] -= records
			w.exact[other] += records
		}
		return true
	})
	w.exact[to], w.partial[to] = w.frequency(to)
}

// frequency counts the records that row cannot be told from: those that count in full, which are the identical ones
// and, for an incomplete row, the complete ones that agree with it; and the other compatible ones. The latter are not
// counted for a complete row that has k records already, or that counts them otherwise.
func (w *wildcard) frequency(row uint32) (exact, partial int64) {
	complete := w.rows.blank[row] == 0
	if complete && (w.shares != nil || w.rows.count[row] >= int64(w.p.K)) {
		return w.rows.count[row], 0
	}
	w.rows.compatible(row, func(other uint32) bool {
		if other == row || !complete && w.rows.blank[other] == 0 {
			exact += w.rows.count[other]
		} else {
			partial += w.rows.count[other]
		}
		return true
	})
	return exact, partial
}

// falls reports whether a row with these frequencies violates k.
func (w *wildcard) falls(row uint32, exact, partial int64) bool {
	k := int64(w.p.K)
	if exact >= k || w.rows.blank[row] == w.rows.full {
		return false // a key that is missing everywhere counts all records
	}
	const tolerance = 1e-9
	if w.shares != nil && w.rows.blank[row] == 0 {
		return float64(exact)+w.sized(row) < float64(k)-tolerance
	}
	return float64(exact)+float64(w.alpha*float64(partial)) < float64(k)-tolerance
}

// sized returns what the compatible incomplete records add to a complete row under the rule CategorySize.
func (w *wildcard) sized(row uint32) float64 {
	var sum float64
	w.rows.compatible(row, func(other uint32) bool {
		if w.rows.blank[other] == 0 {
			return true
		}
		part := float64(w.rows.count[other])
		for set := w.rows.blank[other]; set != 0; set &= set - 1 {
			v := bits.TrailingZeros64(set)
			part = float64(part * (float64(w.shares[v][w.rows.code(row, v)]) / float64(w.n)))
		}
		sum += part
		return true
	})
	return sum
}
