package loss

import (
	"fmt"
	"math"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/tables/crosstable"
)

// tables accumulates the deviations of tables.
type tables struct {
	records   int
	stands    []int       // number of records that each row represents; nil: 1
	hellinger []float64   // of each variable
	sizes     []tableLoss // by number of variables, from 1
	pairs     [][]any     // rows of the table of variable pairs
}

// tableLoss is the loss of all tables with a number of variables.
type tableLoss struct {
	tables, cells, counted          int // cells that are not empty now or originally; not empty originally
	hellinger                       float64
	absolute, relative, squareRoots float64 // sums
}

// mostDense is the maximum number of cells of a table that is counted in a dense array.
const mostDense = 1 << 22

// add compares a table.
func (t *tables) add(all []classes, crossing *crosstable.Crossing, set []int) {
	cells := crossing.Cells(set)
	sum := 0.0
	counts := make([][2]int, cells.Numbers+1)
	for i, cell := range cells.Of {
		records := 1
		if t.stands != nil {
			records = t.stands[i/2]
		}
		counts[cell][i&1] += records
	}
	of := &t.sizes[len(set)-1]
	of.tables++
	for _, cell := range counts {
		if cell == [2]int{} {
			continue
		}
		now, was := float64(cell[0]), float64(cell[1])
		roots := math.Sqrt(now) - math.Sqrt(was)
		of.cells++
		of.absolute += math.Abs(now - was)
		of.squareRoots += math.Abs(roots)
		sum += float64(roots * roots)
		if was > 0 {
			of.counted++
			of.relative += math.Abs(now-was) / was
		}
	}
	distance := 0.0
	if t.records > 0 {
		distance = math.Min(1, math.Sqrt(sum/float64(2*t.records)))
	}
	of.hellinger += distance
	switch len(set) {
	case 1:
		t.hellinger[set[0]] = distance
	case 2:
		t.pairs = append(t.pairs, []any{all[set[0]].name, all[set[1]].name, distance})
	}
}

// values returns the named values.
func (t *tables) values(all []classes) measure.Values {
	var now, was float64
	lost := 0
	variables := measure.Table{Name: "variables", Title: "Categories, now and original",
		Columns: []string{"variable", "categories", "original", "mean size", "original",
			"smallest", "original", "suppressed cells", "entropy", "original", "Hellinger"}}
	for j, c := range all {
		now, was, lost = now+c.entropy[0], was+c.entropy[1], lost+c.table[7].(int)
		variables.Rows = append(variables.Rows, append(c.table, t.hellinger[j]))
	}
	numbers := []measure.Value{
		{Name: "cells_made_none", Title: "suppressed cells", Number: float64(lost), Unit: measure.Count,
			Better: measure.Lower},
		{Name: "entropy", Title: "entropy in bits, all variables", Number: now, Better: measure.Higher},
	}
	var notes []string
	for d, s := range t.sizes {
		if s.tables == 0 {
			continue
		}
		notes = append(notes, fmt.Sprintf("%s of %s: %s not empty", wording.Counted(s.tables, "table"),
			wording.Counted(d+1, "variable"), wording.Counted(s.cells, "cell")))
		part := fmt.Sprintf("m%d", d+1)
		of := fmt.Sprintf(", tables of %d", d+1)
		if d == 0 {
			of = ", one variable"
		}
		number := func(name, title string, x float64, among int) {
			if among == 0 {
				x = math.NaN()
			}
			numbers = append(numbers, measure.Value{Name: name, Part: part, Title: title + of, Number: x, Better: measure.Lower,
				Labels: measure.Labels{ShortRow: fmt.Sprintf("%s, %d-way", title, d+1)}})
		}
		number("hellinger", "Hellinger distance", s.hellinger/float64(s.tables), s.tables)
		number("table_absolute", "count difference", s.absolute/float64(s.cells), s.cells)
		number("table_relative", "relative difference", s.relative/float64(s.counted), s.counted)
		number("table_roots", "difference of roots", s.squareRoots/float64(s.cells), s.cells)
		number("table_sum", "sum of count differences", s.absolute, s.cells)
	}
	found := []measure.Table{variables}
	if len(t.pairs) > 0 {
		found = append(found, measure.Table{Name: "pairs", Title: "Pairs of variables", Columns: []string{"variable", "with",
			"Hellinger"}, Rows: t.pairs})
	}
	return measure.Values{Numbers: numbers, Tables: found, Notes: notes}
}
