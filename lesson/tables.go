package lesson

import (
	"context"
	"math"

	"github.com/sdcdesk/sdcdesk/engine/tables/publish"
)

// tableFigures are the figures of a table, and those of a cell of it.
var tableFigures = map[string]func(t *publish.Table) float64{
	"sensitive":    func(t *publish.Table) float64 { return float64(t.Safety().Sensitive) },
	"suppressed":   func(t *publish.Table) float64 { l := t.Loss(); return float64(l.Primary + l.Secondary) },
	"one_integer":  oneInteger,
	"recalculable": func(t *publish.Table) float64 { s := t.Safety(); return float64(s.Recalculable()) },
}

// oneInteger returns for how many sensitive cells only one integer is possible.
func oneInteger(t *publish.Table) float64 {
	found, err := t.FewIntervals(context.Background())
	if err != nil || found.Of == nil {
		return math.NaN()
	}
	return float64(len(found.OneInteger))
}

var cellFigures = map[string]func(t *publish.Table, cell int) float64{
	"outside_error": func(t *publish.Table, cell int) float64 { return estimate(t, cell, 1) },
	"inside_error":  func(t *publish.Table, cell int) float64 { return estimate(t, cell, 2) },
}

// estimate returns by what share of it the total, minus the contributions after the largest that an intruder knows, exceeds
// the largest contribution: with known 1 none of them, with 2 the second largest.
func estimate(t *publish.Table, cell, known int) float64 {
	c := &t.Cells[cell]
	if len(c.Largest) < known {
		return math.NaN()
	}
	rest := c.Shadow
	for _, share := range c.Largest[:known] {
		rest -= share.Value * share.Weight
	}
	return rest / (c.Largest[0].Value * c.Largest[0].Weight)
}

// ofTable returns a figure of a table, or NaN.
func (s *State) ofTable(f *Figure) float64 {
	if s.Tables == nil {
		return math.NaN()
	}
	for _, t := range s.Tables() {
		if t.Definition.Name != f.Table {
			continue
		}
		if of, ok := tableFigures[f.Name]; ok && f.Cell == nil {
			return of(t)
		}
		if cell, err := t.Find(f.Cell); err == nil && cellFigures[f.Name] != nil {
			return cellFigures[f.Name](t, cell)
		}
	}
	return math.NaN()
}
