package keys

import (
	"context"
	"errors"
	"fmt"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// ErrGroups is wrapped by errors of groups that no file can have.
var ErrGroups = errors.New("the groups cannot be counted")

// Groups is the result of a GROUP BY over the key variables:
//
//	SELECT k1, ..., kq, COUNT(*), SUM(w) FROM survey GROUP BY k1, ..., kq
//
// Rows may be in any order; rows with the same key are added up. A sum of weights may have the rounding errors of
// float64 addition.
type Groups struct {
	Levels  []int      // number of categories by variable, without missing
	Codes   [][]uint32 // Codes[variable][row] is 0 for missing, else 1 to Levels[variable]
	Counts  []int      // records per row, at least 1
	Weights []float64  // sum of the weights of a row's records; nil if each is 1
}

// FromGroups returns the key table of groups: the one that New returns for their records, except that its rows are
// the groups. If weights are decimals of up to nine places, the figures agree to the last bit. Inconsistent groups
// are an error that wraps ErrGroups; a sum that is not a positive number is one that wraps ErrWeight.
func FromGroups(ctx context.Context, g *Groups) (*Table, error) {
	if err := g.check(); err != nil {
		return nil, err
	}
	b := builder{layout: newLayout(g.Levels), rows: len(g.Counts), weights: g.Weights}
	for _, codes := range g.Codes {
		b.codes = append(b.codes, microdata.CodesOf(codes))
	}
	b.standFor(g.Counts)
	return b.build(ctx)
}

// Groups returns the keys with their numbers of records, without weights. It must not be modified.
func (t *Table) Groups() *Groups {
	g := &Groups{Counts: t.Counts()}
	for v := range t.Variables() {
		g.Codes, g.Levels = append(g.Codes, t.Codes(v)), append(g.Levels, t.Levels(v))
	}
	return g
}

func (g *Groups) check() error {
	if len(g.Codes) < 1 || len(g.Codes) > MostVariables {
		return fmt.Errorf("%w, not %d", ErrVariables, len(g.Codes))
	}
	if len(g.Levels) != len(g.Codes) {
		return fmt.Errorf("%w: %d key variables, but numbers of categories for %d", ErrGroups, len(g.Codes), len(g.Levels))
	}
	if len(g.Counts) > mostRows || g.Weights != nil && len(g.Weights) != len(g.Counts) {
		return fmt.Errorf("%w: %d numbers of records, %d sums of weights", ErrGroups, len(g.Counts), len(g.Weights))
	}
	for row, count := range g.Counts {
		if count < 1 {
			return fmt.Errorf("%w: group %d has no record", ErrGroups, row+1)
		}
	}
	for v, codes := range g.Codes {
		if len(codes) != len(g.Counts) {
			return fmt.Errorf("%w: key variable %d has %d values for %d groups", ErrGroups, v+1, len(codes), len(g.Counts))
		}
		for row, code := range codes {
			if int64(code) > int64(g.Levels[v]) {
				return fmt.Errorf("%w: group %d has category %d of key variable %d, which has %d", ErrGroups, row+1, code, v+1,
					g.Levels[v])
			}
		}
	}
	return nil
}
