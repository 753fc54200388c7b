package secondary

import (
	"context"
	"fmt"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/modular"
	"github.com/sdcdesk/sdcdesk/engine/tables/audit"
	"github.com/sdcdesk/sdcdesk/engine/tables/tabular"
)

// Protect suppresses cells until no primary one can be recalculated, neither from what is published nor by the only
// contributor of another cell, which single reports; without single, contributors are not considered. least reports cells
// with the smallest value that everybody considers possible; see audit.Solve. Such cells can still have one possible value.
// Errors are those of Gauss.
func Protect(ctx context.Context, e *tabular.Equations, cells []Cell, single, least func(cell int) bool) (*microdata.Bits, error) {
	var secret []audit.Sum
	kept := map[string]bool{}
	keep := func(sums []audit.Sum) {
		for _, sum := range sums {
			if text := fmt.Sprint(sum); !kept[text] {
				kept[text], secret = true, append(secret, sum)
			}
		}
	}
	if least != nil {
		keep(leastSums(e, cells, least))
	}
	const most = 100 // rounds in which tight sums become secret
	for round := 1; ; round++ {
		hidden, err := Gauss(ctx, cells, secret)
		if err != nil || single == nil && least == nil {
			return hidden, err
		}
		known := audit.Solve(e, Unknown(cells, hidden), least)
		before := len(secret)
		keep(revealing(known, cells, single))
		if len(secret) == before || round >= most && len(known.Tight) > 0 {
			return hidden, nil // all is secret, or no pattern keeps it so
		}
	}
}

// leastSums returns the sums of primary cells with their least values, and of sums of these that have theirs: each such
// sum by itself, or those that an equation adds up with others. Published, they would reveal all that they add up.
func leastSums(e *tabular.Equations, cells []Cell, least func(cell int) bool) (sums []audit.Sum) {
	reveals := make([]bool, len(cells))
	for cell := range cells {
		reveals[cell] = cells[cell].Primary && least(cell)
	}
	for more := true; more; {
		more = false
		for i := range e.Len() {
			of := e.At(i)
			if !reveals[of[0]] && least(int(of[0])) && slices.ContainsFunc(of[1:], func(cell int32) bool { return reveals[cell] }) {
				reveals[of[0]], more = true, true
			}
		}
	}
	for i := range e.Len() {
		of := e.At(i)[1:]
		if sum := e.At(i)[:1]; reveals[sum[0]] {
			of = sum
		}
		var sum audit.Sum
		for _, cell := range of {
			if reveals[cell] {
				sum = append(sum, audit.Addend{Cell: int(cell), Factor: modular.One})
			}
		}
		if sum != nil {
			sums = append(sums, sum)
		}
	}
	return sums
}

// revealing returns the sums that reveal cells, to everybody or to the only contributor of another cell. A tight sum of cells that
// are not primary can reveal what these are the sums of.
func revealing(known *audit.Known, cells []Cell, single func(cell int) bool) (sums []audit.Sum) {
	sums = slices.Clone(known.Tight)
	if single == nil {
		return sums
	}
	for _, i := range insidersOf(known, cells, single) {
		sums = append(sums, audit.Sum{{Cell: i.Cell, Factor: modular.One},
			{Cell: i.Own, Factor: modular.Negative(known.Times(i.Cell, i.Own))}})
	}
	return sums
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
