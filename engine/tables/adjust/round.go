package adjust

import (
	"context"
	"fmt"
	"math"

	"github.com/sdcdesk/sdcdesk/engine/tables/audit"
	"github.com/sdcdesk/sdcdesk/engine/tables/branch"
	"github.com/sdcdesk/sdcdesk/engine/tables/tabular"
)

// Round rounds every cell to one of the two multiples of a base next to it; multiples stay. The sum of the changes is as
// small as the search finds. Errors wrap ErrAdjust, or are those of the context.
func Round(ctx context.Context, t *tabular.Table, base float64) (*Table, error) {
	if err := fits(t, mostCellsAtOnce); err != nil {
		return nil, err
	}
	if !(base > 0) || math.IsInf(base, 1) {
		return nil, fmt.Errorf("%w: the base is %v; it must be above 0", ErrAdjust, base)
	}
	value := func(cell int) float64 { return t.Cells[cell].Value }
	down := func(cell int) float64 { return base * math.Floor(value(cell)/base) }
	above := func(cell int) float64 { return value(cell) - down(cell) } // the space has what is above the lower multiple
	room := func(cell int) float64 {
		if above(cell) == 0 {
			return 0
		}
		return base
	}
	space := audit.NewSpace(t.Equations(), above, audit.Bounds{Low: func(int) float64 { return 0 }, High: room})
	const tie, golden = 1e-4, 0.6180339887498949
	space.Price(func(cell int) float64 { // of moving to the upper multiple; different, so that one table is the cheapest
		_, fraction := math.Modf(float64(cell*cell) * golden)
		return (room(cell)-2*above(cell))/base + tie*fraction/base
	})
	cost := func(of func(cell int) float64) (sum float64) { // linear between the two multiples
		for cell := range t.Cells {
			share := of(cell) / base
			sum += (1-share)*above(cell) + share*(room(cell)-above(cell))
		}
		return sum
	}
	const whole = 1e-6
	between := func(s *audit.Space, cell int) bool {
		v := s.Value(cell)
		return v >= whole*base && v <= room(cell)-whole*base
	}
	s := &branch.Search{Nodes: nodes, Cost: cost, Decide: func(s *audit.Space) (ways []*audit.Space, done bool) {
		for cell := range t.Cells {
			if !between(s, cell) {
				continue
			}
			high := room(cell)
			for _, to := range []float64{0, high} {
				if way := s.Clone(); way.Push(cell, to == high, to, false) {
					ways = append(ways, way)
				}
			}
			return ways, false
		}
		return nil, true
	}}
	run(ctx, s, space, len(t.Cells), func(cell int) bool { return between(space, cell) })
	rounded, err := tableOf(ctx, s, t, down, base)
	if err != nil {
		return nil, err
	}
	if rounded.Bound = max(0, rounded.Bound-tie*float64(len(t.Cells))); Unit(t) == 1 && base == math.Trunc(base) {
		rounded.Bound = math.Ceil(rounded.Bound)
	}
	return rounded, nil
}
