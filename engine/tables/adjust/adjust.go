package adjust

import (
	"context"
	"math"

	"github.com/sdcdesk/sdcdesk/engine/tables/audit"
	"github.com/sdcdesk/sdcdesk/engine/tables/branch"
	"github.com/sdcdesk/sdcdesk/engine/tables/tabular"
)

// Cells says how the cells of a table may change.
type Cells struct {
	Level  func(cell int) (lower, upper float64, sensitive bool) // by how much a sensitive cell must fall or rise
	Weight func(cell int) float64                                // of a change, above 0
	Bounds audit.Bounds
}

// Adjust moves each sensitive cell by its level at least, down or up, and other cells so that the table adds up;
// integers stay integers. The weighted sum of the changes is as small as the search finds. Errors wrap ErrAdjust, or are
// those of the context.
func Adjust(ctx context.Context, t *tabular.Table, c Cells) (*Table, error) {
	if err := fits(t, mostCells); err != nil {
		return nil, err
	}
	value := func(cell int) float64 { return t.Cells[cell].Value }
	space := audit.NewSpace(t.Equations(), value, c.Bounds)
	space.PriceChanges(c.Weight)
	cost := func(of func(cell int) float64) (sum float64) {
		for cell := range t.Cells {
			sum += c.Weight(cell) * math.Abs(of(cell)-value(cell))
		}
		return sum
	}
	const finer = 1000 // than the values: a level can have more decimals
	whole, unit := Unit(t) == 1, Unit(t)/finer
	if whole {
		unit = 1
	}
	s := &branch.Search{Nodes: nodes, Cost: cost, Decide: func(s *audit.Space) (ways []*audit.Space, done bool) {
		const close = 1e-6
		for cell := range t.Cells {
			lower, upper, sensitive := c.Level(cell)
			low, high := value(cell)-lower, value(cell)+upper
			if v := s.Value(cell); !sensitive || v <= low+close || v >= high-close {
				continue
			}
			if way := s.Clone(); way.Push(cell, false, low, true) {
				ways = append(ways, way)
			}
			if way := s.Clone(); way.Push(cell, true, high, true) {
				ways = append(ways, way)
			}
			return ways, false
		}
		for cell := range t.Cells {
			if v := s.Value(cell); whole && t.Inner(cell) && math.Abs(v-math.Round(v)) > integral {
				return split(s, cell), false
			}
		}
		return nil, true
	}}
	run(ctx, s, space, len(t.Cells), nil)
	return tableOf(ctx, s, t, func(int) float64 { return 0 }, unit)
}
