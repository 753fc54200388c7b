package loglinear

import (
	"context"
	"fmt"
	"math"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/measure"
)

// mostCells is the maximum number of cells of a fitted cross table.
const mostCells = 4_000_000

// Cells is the full cross table of a formula's variables, without records that are missing on one of them.
type Cells struct {
	Formula Formula
	Shape   stat.CrossTable
	Count   []float64
	Weight  []float64 // sum of the weights
	Records int       // records counted
	Filled  int       // cells with a record
}

// NewCells counts the cross table of a formula. A table with too many cells is an error that wraps
// measure.ErrTooLarge; other errors are those of key tables.
func NewCells(ctx context.Context, v *measure.Version, f Formula) (*Cells, error) {
	scenario := v.Scenario.Clone()
	scenario.Keys = f.Variables
	table, err := v.Under(&scenario).Table(ctx)
	if err != nil {
		return nil, err
	}
	c := &Cells{Formula: f}
	levels := make([][]int, len(f.Variables)) // per variable and code: index among the categories that occur, from 0
	for i := range f.Variables {
		occurring := 0
		levels[i], occurring = occurringLevels(table, i)
		c.Shape.Levels = append(c.Shape.Levels, occurring)
	}
	if cells := c.Shape.Cells(); cells > mostCells {
		return nil, fmt.Errorf("%w: the cross table of the variables in the formula has %s cells; the maximum is %s. Use fewer categories "+
			"or variables", measure.ErrTooLarge, wording.Large(cells), wording.Number(mostCells))
	}
	c.Count, c.Weight = make([]float64, int(c.Shape.Cells())), make([]float64, int(c.Shape.Cells()))
	c.fill(table, levels)
	return c, nil
}

// occurringLevels numbers the categories that occur in complete key patterns. Others, and missing, have -1.
func occurringLevels(t *keys.Table, variable int) (numbers []int, occurring int) {
	numbers = make([]int, t.Levels(variable)+1)
	for _, code := range t.Codes(variable) {
		numbers[code] = 1
	}
	for code, is := range numbers {
		numbers[code] = -1
		if is == 1 && code > 0 {
			numbers[code] = occurring
			occurring++
		}
	}
	return numbers, occurring
}

func (c *Cells) fill(t *keys.Table, levels [][]int) {
	codes := make([][]uint32, len(levels))
	for v := range codes {
		codes[v] = t.Codes(v)
	}
	weights := t.Weights()
	for key, count := range t.Counts() {
		cell := 0
		for v := range codes {
			level := levels[v][codes[v][key]]
			if level < 0 {
				cell = -1
				break
			}
			cell = cell*c.Shape.Levels[v] + level
		}
		if cell < 0 {
			continue
		}
		c.Count[cell], c.Weight[cell] = float64(count), weights[key]
		c.Records += int(count)
		c.Filled++
	}
}

// Uniques calls f with each cell of one record and its sampling fraction p, the reciprocal of its weight but at
// most 1.
func (c *Cells) Uniques(f func(cell int, p float64)) {
	for cell, count := range c.Count {
		if count == 1 {
			f(cell, math.Min(1, 1/c.Weight[cell]))
		}
	}
}

// Risk returns, for fitted counts, the expected number of sample uniques that are population uniques, and of
// correct matches with sample uniques. With asSdcMicro both are divided by the number of non-empty cells, and
// fitted counts are used as population counts.
func (c *Cells) Risk(fitted []float64, asSdcMicro bool) (tau1, tau2 float64) {
	c.Uniques(func(cell int, p float64) {
		v := (1 - p) * fitted[cell]
		if !asSdcMicro {
			v /= p
		}
		tau1 += math.Exp(-v)
		if v > 0 {
			tau2 -= math.Expm1(-v) / v
		} else {
			tau2++
		}
	})
	if asSdcMicro && c.Filled > 0 {
		tau1, tau2 = tau1/float64(c.Filled), tau2/float64(c.Filled)
	}
	return tau1, tau2
}

// PopulationUniques returns the expected number of sample uniques that are population uniques if each unit is in
// the sample with probability fraction.
func (c *Cells) PopulationUniques(fitted []float64, fraction float64) (expected float64) {
	c.Uniques(func(cell int, _ float64) { expected += math.Exp(-fitted[cell] * (1 - fraction) / fraction) })
	return expected
}
