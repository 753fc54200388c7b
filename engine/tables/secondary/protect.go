package secondary

import (
	"context"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/tables/audit"
	"github.com/sdcdesk/sdcdesk/engine/tables/tabular"
)

// Protect suppresses cells until no primary one can be recalculated, neither from what is published nor by the only
// contributor of another cell, which single reports; without single, contributors are not considered. Errors are those of
// Gauss.
func Protect(ctx context.Context, e *tabular.Equations, cells []Cell, single func(cell int) bool) (*microdata.Bits, error) {
	var apart []Apart
	for {
		hidden, err := Gauss(ctx, cells, apart)
		if err != nil || single == nil {
			return hidden, err
		}
		known := audit.Solve(e, Unknown(cells, hidden))
		insiders := insidersOf(known, cells, single)
		if len(insiders) == 0 {
			return hidden, nil
		}
		before := len(apart)
		for _, i := range insiders {
			if one := (Apart{i.Cell, i.Own, known.Times(i.Cell, i.Own)}); !slices.Contains(apart, one) {
				apart = append(apart, one)
			}
		}
		if len(apart) == before {
			return hidden, nil // no pattern keeps them apart
		}
	}
}

// Unknown reports whether an intruder has to find the value of a cell: it is suppressed, or absent and not empty.
func Unknown(cells []Cell, hidden *microdata.Bits) func(cell int32) bool {
	return func(cell int32) bool {
		return hidden.Has(int(cell)) || cells[cell].Absent && cells[cell].Contributors > 0
	}
}

// insidersOf returns the primary cells that a single contributor of another cell can recalculate.
func insidersOf(known *audit.Known, cells []Cell, single func(cell int) bool) []audit.Insider {
	return known.Insiders(len(cells), func(cell int) bool { return cells[cell].Primary }, single,
		func(a, b int) bool { return cells[a].Contributors == cells[b].Contributors })
}
