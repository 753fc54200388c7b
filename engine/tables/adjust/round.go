package adjust

import (
	"context"
	"fmt"
	"math"

	"github.com/sdcdesk/sdcdesk/engine/tables/audit"
	"github.com/sdcdesk/sdcdesk/engine/tables/tabular"
)

// Round rounds every cell to one of the two multiples of a base next to it; multiples stay. The sum of the changes is as
// small as the search finds. Errors wrap ErrAdjust, or are those of the context.
func Round(ctx context.Context, t *tabular.Table, base float64) (*Table, error) {
	if err := fits(t); err != nil {
		return nil, err
	}
	if !(base > 0) || math.IsInf(base, 1) {
		return nil, fmt.Errorf("%w: the base is %v; it must be above 0", ErrAdjust, base)
	}
	value := func(cell int) float64 { return t.Cells[cell].Value }
	down := func(cell int) float64 { return base * math.Floor(value(cell)/base) }
	up := func(cell int) float64 { return base * math.Ceil(value(cell)/base) }
	space := audit.NewSpace(t.Equations(), value, audit.Bounds{Low: down, High: up})
	space.Price(func(cell int) float64 { // of moving from the lower multiple to the upper one
		if up(cell) == down(cell) {
			return 0
		}
		return (up(cell) - 2*value(cell) + down(cell)) / base
	})
	cost := func(of func(cell int) float64) (sum float64) { // linear between the two multiples
		for cell := range t.Cells {
			if low := down(cell); up(cell) > low {
				share := (of(cell) - low) / base
				sum += (1-share)*(value(cell)-low) + share*(up(cell)-value(cell))
			}
		}
		return sum
	}
	s := newSearch(ctx, cost, func(s *audit.Space) (ways []*audit.Space, done bool) {
		const whole = 1e-6
		for cell := range t.Cells {
			low, high := down(cell), up(cell)
			if v := s.Value(cell); v < low+whole*base || v > high-whole*base {
				continue
			}
			for _, to := range []float64{low, high} {
				if way := s.Clone(); way.Push(cell, to == high, to, false) {
					ways = append(ways, way)
				}
			}
			return ways, false
		}
		return nil, true
	})
	s.run(space)
	rounded, err := s.table(t)
	if err != nil {
		return nil, err
	}
	for cell, v := range rounded.Values {
		rounded.Values[cell] = base * math.Round(v/base)
	}
	return rounded, nil
}
