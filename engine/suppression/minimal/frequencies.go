package minimal

import (
	"cmp"
	"context"
	"math/bits"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// frequencies maintains the frequency of every record under a rule while cells are restored. Only some of the
// variables count; the others are treated as missing everywhere.
//
// For every row it keeps the number of records that count fully and the number that count with weight alpha. A
// move changes the frequencies of the rows compatible with the row that the records leave. Complete rows under
// CategorySize keep the sum of the shares of other rows, or a lower bound of it.
type frequencies struct {
	p          *Problem
	outside    uint64 // variables that do not count; a complete row is missing on these only
	k          int64
	rows       *rows
	compatible *compatible
	n          int64
	alpha      float64
	shares     [][]int64       // per variable and code: records; nil unless the rule is CategorySize
	known      []contributions // per row with records
	full       uint64

	move     move           // reused
	made     []appliedMove  // the moves of the last attempt
	past     []formerCounts // and what was known before
	hopeless bool           // the last attempt can never succeed
}

// contributions is what contributes to the frequency of a row.
type contributions struct {
	exact, partial int64   // records that count fully, including its own, and those that count with weight alpha, unless alpha is 0
	sized          float64 // lower bound on what others add to a complete row under CategorySize
}

// newFrequencies counts the choices of all records on the variables in within, which must reach k.
func newFrequencies(ctx context.Context, p *Problem, keys *packing, within uint64, k int,
	choices []choice) (*frequencies, error) {
	f := &frequencies{p: p, outside: p.full() &^ within, k: int64(k), n: p.records(), full: p.full()}
	f.rows = newRows(p, keys)
	switch p.Rule {
	case Default:
		f.alpha = p.Alpha
	case CategorySize:
		f.alpha = 1
		f.shares = make([][]int64, p.variables())
		for v, levels := range p.Levels {
			f.shares[v] = make([]int64, levels+1)
		}
	}
	if p.Rule.countsWildcards() {
		choices = f.alikeTogether(choices)
	}
	for i, c := range choices {
		if parallel.Stopped(ctx, i) {
			return nil, ctx.Err()
		}
		f.tally(c.key, c.set|f.outside, c.count)
		f.rows.add(c.key, c.set|f.outside, c.count)
	}
	f.compatible = newCompatible(f.rows, within)
	for row, count := range f.rows.size {
		if row%64 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		f.known = append(f.known, f.countFor(f.rows.of(uint32(row)), f.rows.set[row], uint32(row), count))
	}
	return f, nil
}

// alikeTogether sorts choices so that those with equal remaining values are adjacent, fewest missing values first.
func (f *frequencies) alikeTogether(choices []choice) []choice {
	sorted := slices.Clone(choices)
	slices.SortFunc(sorted, func(a, b choice) int {
		order := cmp.Or(bits.OnesCount64(a.set)-bits.OnesCount64(b.set), cmp.Compare(a.set, b.set))
		for v := 0; order == 0 && v < f.p.variables(); v++ {
			if (a.set|f.outside)>>v&1 == 0 {
				order = cmp.Compare(f.p.Codes[v][a.key], f.p.Codes[v][b.key])
			}
		}
		return order
	})
	return sorted
}

// tally adds records to the counts per category.
func (f *frequencies) tally(key uint32, set uint64, count int64) {
	for v := range f.shares {
		code := f.p.Codes[v][key]
		if set>>v&1 == 1 {
			code = 0
		}
		f.shares[v][code] += count
	}
}

// own reports whether missing values are a separate category.
func (f *frequencies) own() bool { return f.p.Rule == OwnCategory }

// everywhere reports whether a row is missing on all variables and therefore compatible with every record.
func (f *frequencies) everywhere(suppressed uint64) bool { return suppressed == f.full && !f.own() }

// enough reports whether a row with the given missing variables and counts reaches k.
func (f *frequencies) enough(suppressed uint64, c contributions) bool {
	switch {
	case f.everywhere(suppressed) || c.exact >= f.k: // a key that is missing everywhere counts all records
		return true
	case suppressed == f.outside && f.shares != nil:
		return float64(c.exact)+c.sized >= float64(f.k)-tolerance
	}
	return float64(c.exact)+float64(f.alpha*float64(c.partial)) >= float64(f.k)-tolerance
}

// tolerance is the amount by which a frequency may fall below k without violating it.
const tolerance = 1e-9

// countFor counts for records with the given codes. Some or all of them are in row, unless it is unassigned.
func (f *frequencies) countFor(codes []uint32, suppressed uint64, row uint32, records int64) contributions {
	c := contributions{exact: records}
	switch {
	case f.own() || f.everywhere(suppressed):
		return c
	case suppressed == f.outside && f.shares != nil:
		c.sized = f.size(codes)
		return c
	case suppressed == f.outside && f.alpha == 0:
		return c
	}
	counting := anyKind
	if f.alpha == 0 {
		counting = complete // incomplete records count for no other record
	}
	f.compatible.each(counting, codes, func(other uint32) bool {
		switch {
		case other == row:
		case suppressed != f.outside && f.rows.set[other] == f.outside:
			c.exact += f.rows.size[other]
		default:
			c.partial += f.rows.size[other]
		}
		return true
	})
	return c
}

// size returns what the compatible incomplete records add to the frequency of complete codes under CategorySize.
func (f *frequencies) size(codes []uint32) float64 {
	var sum float64
	f.compatible.each(incomplete, codes, func(other uint32) bool {
		sum += f.part(other, codes, f.rows.size[other])
		return true
	})
	return sum
}

// part returns what records of an incomplete row add to the frequency of complete codes that the row is compatible
// with.
func (f *frequencies) part(row uint32, codes []uint32, records int64) float64 {
	part := float64(records)
	for set := f.rows.set[row] &^ f.outside; set != 0; set &= set - 1 {
		v := bits.TrailingZeros64(set)
		part = float64(part * (float64(f.shares[v][codes[v]]) / float64(f.n)))
	}
	return part
}
