package secondary

import (
	"context"
	"math"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/tables/audit"
	"github.com/sdcdesk/sdcdesk/engine/tables/tabular"
)

// attacker attacks the primary cells of tables with some cells suppressed. A []bool reports by cell whether an intruder has
// to find its value.
type attacker struct {
	*Intervals
	equations *tabular.Equations
	cells     []Cell
}

// attack is a way to learn too much of a primary cell.
type attack struct{ cell, own int } // own: a cell whose only contributor attacks; -1: anybody does

// hiding returns what an intruder has to find if some cells are suppressed.
func (a *attacker) hiding(suppressed *microdata.Bits) []bool {
	hidden, unknown := make([]bool, len(a.cells)), Unknown(a.cells, suppressed)
	for cell := range hidden {
		hidden[cell] = unknown(int32(cell)) || a.cells[cell].Primary
	}
	return hidden
}

// published returns the suppressed cells.
func (a *attacker) published(hidden []bool) *microdata.Bits {
	suppressed := microdata.NewBits(len(hidden))
	for cell, is := range hidden {
		if is && !a.cells[cell].Absent {
			suppressed.Set(cell)
		}
	}
	return suppressed
}

// known solves the equations for somebody who knows a cell; -1: none.
func (a *attacker) known(hidden []bool, own int) *audit.Known {
	return audit.Solve(a.equations, func(cell int32) bool { return int(cell) != own && hidden[cell] }, a.Least)
}

// ends reports which ends of an interval are far enough from the value of a primary cell.
func (a *attacker) ends(cell int, i audit.Interval) (low, high bool) {
	if !a.cells[cell].Primary {
		return true, true
	}
	want, tolerance := a.Wanted(cell), tolerance*max(1, math.Abs(a.Values(cell)))
	return i.Low <= max(want.Low, a.Bounds.Low(cell))+tolerance, i.High >= want.High-tolerance
}

// narrow returns the primary cells whose interval does not contain the wanted one, or that are known.
func (a *attacker) narrow(ctx context.Context, known *audit.Known) (narrow []int, err error) {
	intervals, err := known.Intervals(ctx, a.Values, a.Bounds, a.ends)
	for cell := range a.cells {
		i, is := intervals[cell]
		if low, high := a.ends(cell, i); is && (!low || !high) || a.cells[cell].Primary && known.Exact(cell) {
			narrow = append(narrow, cell)
		}
	}
	return narrow, err
}

// attacks returns the attacks that succeed.
func (a *attacker) attacks(ctx context.Context, hidden []bool) (all []attack, err error) {
	known := a.known(hidden, -1)
	narrow, err := a.narrow(ctx, known)
	for _, cell := range narrow {
		all = append(all, attack{cell, -1})
	}
	if a.Single != nil {
		for _, i := range insidersOf(known, a.cells, a.Single) {
			all = append(all, attack{i.Cell, i.Own})
		}
	}
	return all, err
}

// succeeds reports whether an attack does.
func (a *attacker) succeeds(one attack, hidden []bool) bool {
	known := a.known(hidden, one.own)
	if one.own >= 0 || known.Exact(one.cell) {
		return known.Exact(one.cell)
	}
	wide := func(cell int, i audit.Interval) (low, high bool) {
		if cell != one.cell {
			return true, true
		}
		return a.ends(cell, i)
	}
	intervals, _ := known.Intervals(context.Background(), a.Values, a.Bounds, wide) // never canceled
	low, high := wide(one.cell, intervals[one.cell])
	return !low || !high
}
